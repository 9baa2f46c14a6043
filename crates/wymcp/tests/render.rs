//! The records that events become: their levels, their fields, and what must never stand in them.

mod common;

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use common::{Watched, call, text};
use serde_json::{Value, json};
use tracing::{Level, subscriber::DefaultGuard};
use wymcp::{
    BearerTokens, Called, Challenge, Context, Error, ErrorKind, Event, Fault, HelpLevel, Json,
    NoArguments, RejectionReason, RequestId, Sent, Server, action, actions, render, tool,
};

/// What a subscriber wrote.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    /// Takes what this thread records from here on, until the guard is dropped.
    fn start() -> (Self, DefaultGuard) {
        let written = Self::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .without_time()
            .with_max_level(Level::TRACE)
            .with_writer(move || writer.clone())
            .finish();
        (written, tracing::subscriber::set_default(subscriber))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The record of one event.
fn record(event: &Event) -> String {
    let (written, guard) = Written::start();
    render(event);
    drop(guard);
    let text = written.text();
    assert!(
        text.ends_with('\n') && text.matches('\n').count() == 1,
        "{text:?}"
    );
    text.trim().to_owned()
}

/// Who sent what, as a refusal describes it.
fn sent() -> Sent {
    let mut sent = Sent::default();
    sent.http_method = Some("POST".to_owned());
    sent.method = Some("tools/call".to_owned());
    sent.request_id = Some(RequestId::from(7));
    sent
}

/// The call of a tool or of an action, as the core describes it.
async fn called(name: &str, arguments: Value) -> Called {
    let add = action("add", "Adds").run(async |_: NoArguments, _: Context| Ok(()));
    let server = Watched::new(
        Server::builder("test", "1")
            .tool(tool("sum").run(async |_: NoArguments, _: Context| Ok(())))
            .tool(actions("calendar").action(add).finish()),
    );
    server.call(name, arguments).await;
    match server.events().remove(0) {
        Event::ToolStarted { call } => call,
        event => panic!("{event:?}"),
    }
}

#[test]
fn a_refusal_is_recorded_with_its_reason_and_who_sent_what() {
    let rejected = Event::Rejected {
        reason: RejectionReason::UnknownTool,
        request: sent().into(),
        detail: "Unknown tool: add".to_owned(),
    };
    assert_eq!(
        record(&rejected),
        r#"INFO wymcp: rejected reason=UnknownTool http_method="POST" method="tools/call" request_id="7" detail="Unknown tool: add""#
    );
}

#[test]
fn what_is_not_known_is_no_field() {
    let mut request = Box::<Sent>::default();
    request.http_method = Some("GET".to_owned());
    let rejected = Event::Rejected {
        reason: RejectionReason::MethodNotAllowed,
        request,
        detail: "no".to_owned(),
    };
    assert_eq!(
        record(&rejected),
        r#"INFO wymcp: rejected reason=MethodNotAllowed http_method="GET" detail="no""#
    );
}

#[test]
fn a_refusal_of_the_authenticator_is_a_warning() {
    let refused = Event::AuthRejected {
        reason: RejectionReason::Forbidden,
        request: sent().into(),
        detail: "a reader".to_owned(),
    };
    assert_eq!(
        record(&refused),
        r#"WARN wymcp: authentication refused reason=Forbidden http_method="POST" method="tools/call" request_id="7" detail="a reader""#
    );
}

#[test]
fn a_failure_of_the_authenticator_is_an_error() {
    let failed = Event::AuthFailed {
        request: sent().into(),
        fault: "the directory is away".to_owned(),
    };
    assert_eq!(
        record(&failed),
        r#"ERROR wymcp: authenticator failed http_method="POST" method="tools/call" request_id="7" fault="the directory is away""#
    );
}

#[test]
fn a_body_that_broke_off_is_recorded_in_the_words_of_the_host() {
    let incomplete = Event::BodyIncomplete {
        detail: "connection reset".to_owned(),
    };
    assert_eq!(
        record(&incomplete),
        r#"DEBUG wymcp: body incomplete detail="connection reset""#
    );
}

#[test]
fn a_notification_is_recorded_with_its_method() {
    assert_eq!(
        record(&Event::Accepted {
            request: sent().into(),
        }),
        r#"DEBUG wymcp: notification accepted method="tools/call""#
    );
}

#[tokio::test]
async fn the_course_of_a_call_is_recorded_with_its_tool_and_its_duration() {
    let call = called("sum", json!({})).await;
    let duration = Duration::from_millis(5);
    let started = Event::ToolStarted { call: call.clone() };
    assert_eq!(
        record(&started),
        "DEBUG wymcp: tool started tool=sum request_id=7"
    );
    for (error, shown) in [
        (None, ""),
        (Some(ErrorKind::Tool), r#" error="tool""#),
        (Some(ErrorKind::Dispatch), r#" error="dispatch""#),
    ] {
        let call = call.clone();
        let stopped = Event::ToolStopped {
            call,
            duration,
            error,
        };
        assert_eq!(
            record(&stopped),
            format!("DEBUG wymcp: tool stopped tool=sum request_id=7 duration=5ms{shown}")
        );
    }
    assert_eq!(
        record(&Event::ToolCancelled { call, duration }),
        "DEBUG wymcp: tool cancelled tool=sum request_id=7 duration=5ms"
    );
}

#[tokio::test]
async fn the_records_of_an_action_name_it() {
    let call = called("calendar", json!({"action": "add"})).await;
    let duration = Duration::from_millis(5);
    let (fault, error) = (Fault::Panic("no row".to_owned()), None);
    for event in [
        Event::ToolStarted { call: call.clone() },
        Event::ToolStopped {
            call: call.clone(),
            duration,
            error,
        },
        Event::ToolCancelled {
            call: call.clone(),
            duration,
        },
        Event::ToolFaulted { call, fault },
    ] {
        let record = record(&event);
        assert!(
            record.contains(r#" tool=calendar action="add" request_id=7"#),
            "{record}"
        );
    }
}

#[tokio::test]
async fn a_fault_is_an_error_and_is_recorded_whole() {
    let call = called("sum", json!({})).await;
    let fault = Fault::Panic("no row".to_owned());
    let faulted = Event::ToolFaulted {
        call,
        fault: fault.clone(),
    };
    assert_eq!(
        record(&faulted),
        r#"ERROR wymcp: tool faulted tool=sum request_id=7 fault="panicked: no row""#
    );
    let faulted = Event::MethodFaulted {
        method: "tools/list",
        request_id: RequestId::from(7),
        fault,
    };
    assert_eq!(
        record(&faulted),
        r#"ERROR wymcp: method faulted method="tools/list" request_id=7 fault="panicked: no row""#
    );
}

#[tokio::test]
async fn a_call_that_its_client_has_left_is_no_error() {
    let call = called("sum", json!({})).await;
    let fault = Fault::InputEnded;
    assert_eq!(
        record(&Event::ToolFaulted {
            call,
            fault: fault.clone()
        }),
        r#"INFO wymcp: tool cut short tool=sum request_id=7 fault="the input ended""#
    );
    let faulted = Event::MethodFaulted {
        method: "prompts/get",
        request_id: RequestId::from(7),
        fault,
    };
    assert_eq!(
        record(&faulted),
        r#"INFO wymcp: method cut short method="prompts/get" request_id=7 fault="the input ended""#
    );
}

#[test]
fn a_call_of_help_is_recorded_with_what_it_asked_for() {
    let helped = Event::HelpCalled {
        level: HelpLevel::Action,
        tool: Some("calendar".to_owned()),
        action: Some("add".to_owned()),
        is_error: false,
    };
    assert_eq!(
        record(&helped),
        r#"DEBUG wymcp: help called level=Action tool="calendar" action="add" is_error=false"#
    );
}

#[tokio::test]
async fn no_text_of_anybody_forges_a_line() {
    let forged = "down\r\nERROR wymcp: forged\u{1b}[31m\u{85}\u{2028}";
    let call = called("sum", json!({})).await;
    let id = json!("7\nERROR wymcp: forged\u{1b}[31m");
    let id = RequestId::of(&Json::from(&id)).unwrap().into_owned();
    let mut request = Box::new(sent());
    request.request_id = Some(id.clone());
    let detail = || forged.to_owned();
    for event in [
        Event::Rejected {
            reason: RejectionReason::UnknownTool,
            request: request.clone(),
            detail: detail(),
        },
        Event::AuthRejected {
            reason: RejectionReason::Forbidden,
            request: request.clone(),
            detail: detail(),
        },
        Event::AuthFailed {
            request,
            fault: detail(),
        },
        Event::BodyIncomplete { detail: detail() },
        Event::ToolFaulted {
            call,
            fault: Fault::Internal(detail()),
        },
        Event::MethodFaulted {
            method: "tools/list",
            request_id: id.clone(),
            fault: Fault::Panic(detail()),
        },
        Event::HelpCalled {
            level: HelpLevel::Tool,
            tool: Some(detail()),
            action: Some(detail()),
            is_error: true,
        },
    ] {
        let record = record(&event);
        assert!(record.contains("forged"), "{record}");
        assert!(
            !record.contains(|char: char| char.is_control() || char == '\u{2028}'),
            "{record:?}"
        );
    }
}

/// Every way in which a call can end, each with a secret wherever one may be.
#[tokio::test]
async fn no_secret_of_a_call_is_recorded() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Told {
        password: String,
    }
    let tokens = BearerTokens::new([("secret-of-alice", "alice")]).unwrap();
    // The default of on_event is the renderer.
    let server = Server::builder("test", "1")
        .tool(
            tool("tell").run(async |told: Told, _: Context| match &*told.password {
                "secret-error" => Err(Error::new("no secret-error is known")),
                password => Ok(format!("secret-result of {password}")),
            }),
        )
        .authenticate(tokens, Challenge::bearer())
        .build()
        .unwrap();
    let (written, guard) = Written::start();
    let right = [("authorization", "Bearer secret-of-alice")];
    let told = json!({"password": "secret-argument"});
    let (_, body) = call(&server, &right, "tell", told.clone()).await;
    assert_eq!(text(&body), "secret-result of secret-argument");
    call(&server, &right, "tell", json!({"password": "secret-error"})).await;
    call(
        &server,
        &right,
        "tell",
        json!({"password": ["secret-argument"]}),
    )
    .await;
    call(&server, &right, "tell", json!({"secret-member": 1})).await;
    for wrong in [
        "Bearer secret-of-bob",
        "Basic secret-of-bob",
        "Bearer secret-of-bob\u{e9}",
    ] {
        let (reply, _) = call(&server, &[("authorization", wrong)], "tell", told.clone()).await;
        assert_eq!(reply.status, 401);
    }
    let twice = [right[0], right[0]];
    call(&server, &twice, "tell", told.clone()).await;
    drop(guard);
    let written = written.text();
    let records = ["tool started", "tool stopped", "authentication refused"];
    assert!(
        records.iter().all(|record| written.contains(record)),
        "{written}"
    );
    assert!(!written.contains("secret"), "{written}");
}
