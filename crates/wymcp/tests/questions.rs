//! Questions over several rounds: what the client carries, and who takes it.

#![cfg(feature = "sealing")]

mod common;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use common::{round, text};
use serde_json::{Value, json};
use wymcp::{
    BearerTokens, Challenge, Context, Event, Field, Form, Json, Limits, NoArguments, Question as _,
    Server, ServerBuilder, tool,
};

/// Asks for a name, then for a color.
fn builder() -> ServerBuilder {
    let paint = tool("paint").run(async |_: NoArguments, context: Context| {
        let name = Form::new("Who are you?").field(Field::text("name").required());
        let name = context
            .ask("who", name)
            .await?
            .accepted()
            .unwrap_or_default();
        let color = Form::new("Which color?").field(Field::text("color").required());
        let color = context
            .ask("color", color)
            .await?
            .accepted()
            .unwrap_or_default();
        Ok(format!("{} likes {}", name["name"], color["color"]))
    });
    Server::builder("test", "1").tool(paint).without_help()
}

fn build(builder: ServerBuilder) -> Server {
    builder.build().unwrap()
}

/// The answer to the first question.
fn ada() -> Value {
    json!({"who": {"action": "accept", "content": {"name": "Ada"}}})
}

/// The answer to the second one.
fn red() -> Value {
    json!({"color": {"action": "accept", "content": {"color": "red"}}})
}

/// The status and the body of a call of `paint` with these answers, and the state if there is one.
async fn paint_as(token: &str, server: &Server, answers: Value, state: &Value) -> (u16, Value) {
    let authorization = format!("Bearer {token}");
    let lines = [("authorization", &*authorization)];
    round(server, &lines, "paint", answers, state).await
}

async fn paint(server: &Server, answers: Value, state: &Value) -> (u16, Value) {
    paint_as("none", server, answers, state).await
}

/// The state after the first answer.
async fn half_way(server: &Server) -> Value {
    let (_, body) = paint(server, ada(), &Value::Null).await;
    body["result"]["requestState"].clone()
}

/// What a state that does not open gets, whatever the reason.
fn assert_refused((status, body): &(u16, Value)) {
    let text = "The requestState does not open. Call again without it";
    assert_eq!(
        (*status, &body["error"]["message"]),
        (400, &json!(text)),
        "{body}"
    );
}

#[tokio::test]
async fn a_handler_goes_on_with_what_the_client_carried() {
    let server = build(builder());
    let (status, first) = paint(&server, Value::Null, &Value::Null).await;
    assert_eq!(
        (status, &first["result"]["resultType"]),
        (200, &json!("input_required"))
    );
    assert!(
        first["result"]["inputRequests"]["who"].is_object(),
        "{first}"
    );

    let (_, second) = paint(&server, ada(), &first["result"]["requestState"]).await;
    let asked = second["result"]["inputRequests"].as_object().unwrap();
    assert_eq!(asked.keys().collect::<Vec<_>>(), ["color"]);

    let (_, last) = paint(&server, red(), &second["result"]["requestState"]).await;
    assert_eq!(text(&last), r#""Ada" likes "red""#);
}

#[tokio::test]
async fn an_answer_survives_a_round_that_answered_nothing() {
    let server = build(builder());
    let state = half_way(&server).await;
    let (_, again) = paint(&server, json!({}), &state).await;
    let (_, last) = paint(&server, red(), &again["result"]["requestState"]).await;
    assert_eq!(text(&last), r#""Ada" likes "red""#);
}

#[tokio::test]
async fn a_state_says_nothing_of_what_it_holds() {
    let server = build(builder());
    let (one, other) = (half_way(&server).await, half_way(&server).await);
    assert_ne!(one, other);
    assert!(!one.as_str().unwrap().contains("Ada"));
}

#[tokio::test]
async fn a_state_is_used_again_where_nobody_counts() {
    let server = build(builder());
    let state = half_way(&server).await;
    for _ in 0..2 {
        assert_eq!(paint(&server, red(), &state).await.0, 200);
    }
}

#[tokio::test]
async fn a_state_that_is_used_once_is_refused_the_second_time() {
    let used = Arc::new(std::sync::Mutex::new(std::collections::HashSet::new()));
    let server = build(builder().states_used_once(move |id| {
        let used = Arc::clone(&used);
        async move {
            // A store that takes its time is waited for.
            tokio::time::sleep(Duration::from_millis(5)).await;
            used.lock().unwrap().insert(id)
        }
    }));
    let state = half_way(&server).await;
    let (_, body) = paint(&server, red(), &state).await;
    assert_eq!(text(&body), r#""Ada" likes "red""#);
    assert_refused(&paint(&server, red(), &state).await);
    // Another state of the same answers is another one.
    let state = half_way(&server).await;
    assert_eq!(paint(&server, red(), &state).await.0, 200);
}

#[tokio::test]
async fn the_host_is_asked_only_for_states_that_open() {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&asked);
    let server = build(builder().states_used_once(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { true }
    }));
    let state = half_way(&server).await;
    assert_refused(&paint(&server, red(), &json!("AQ")).await);
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    assert_eq!(paint(&server, red(), &state).await.0, 200);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_host_that_panics_lets_no_state_be_used() {
    let at_once = build(
        builder().states_used_once(|_| -> std::future::Ready<bool> { panic!("the store panics") }),
    );
    let later = build(builder().states_used_once(async |_| {
        tokio::task::yield_now().await;
        panic!("the store panics later")
    }));
    for server in [at_once, later] {
        let state = half_way(&server).await;
        assert_refused(&paint(&server, red(), &state).await);
    }
}

/// A server that counts how often it says that its keys are its own.
fn counting(builder: ServerBuilder) -> (Server, Arc<AtomicU32>) {
    let told = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&told);
    let server = build(builder.on_event(move |event| {
        if matches!(event, Event::SealedWithOwnKey) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    }));
    (server, told)
}

#[tokio::test]
async fn a_server_without_keys_says_so_once_when_it_asks() {
    let (server, told) = counting(builder());
    assert_eq!(told.load(Ordering::Relaxed), 0);
    for _ in 0..3 {
        let _ = half_way(&server).await;
    }
    assert_eq!(told.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_that_is_given_keys_says_nothing_of_them() {
    let (server, told) = counting(builder().sealing_keys([[7; 32]]));
    let _ = half_way(&server).await;
    assert_eq!(told.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn servers_take_each_others_states_if_they_have_the_same_keys() {
    let one = build(builder().sealing_keys([[7; 32]]));
    let same = build(builder().sealing_keys([[7; 32]]));
    let rotated = build(builder().sealing_keys([[8; 32], [7; 32]]));
    let other = build(builder().sealing_keys([[8; 32]]));
    let (own, own_too) = (build(builder()), build(builder()));
    let state = half_way(&one).await;
    for server in [&one, &same, &rotated] {
        let (_, body) = paint(server, red(), &state).await;
        assert_eq!(text(&body), r#""Ada" likes "red""#);
    }
    for server in [&other, &own] {
        assert_refused(&paint(server, red(), &state).await);
    }
    // The new key seals, so who has only the old one takes nothing more.
    assert_refused(&paint(&one, red(), &half_way(&rotated).await).await);
    assert_refused(&paint(&own_too, red(), &half_way(&own).await).await);
}

#[tokio::test]
async fn a_state_belongs_to_whom_it_was_given() {
    let tokens = BearerTokens::new([("of-alice", "alice"), ("of-bob", "bob")]).unwrap();
    let server = build(builder().authenticate(tokens, Challenge::bearer()));
    let (_, body) = paint_as("of-alice", &server, ada(), &Value::Null).await;
    let state = &body["result"]["requestState"];
    assert_refused(&paint_as("of-bob", &server, red(), state).await);
    let (_, body) = paint_as("of-alice", &server, red(), state).await;
    assert_eq!(text(&body), r#""Ada" likes "red""#);
}

#[tokio::test]
async fn a_state_has_an_end() {
    let mut limits = wymcp::Limits::default();
    limits.state_ttl = Duration::from_secs(1);
    let server = build(builder().limits(limits));
    let state = half_way(&server).await;
    assert_eq!(paint(&server, red(), &state).await.0, 200);
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    assert_refused(&paint(&server, red(), &state).await);
}

#[tokio::test]
async fn a_state_that_is_used_twice_leaves_the_event_of_one_that_does_not_open() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let server = build(
        builder()
            .states_used_once(async |_| false)
            .on_event(move |event| kept.lock().unwrap().push(event.clone())),
    );
    let state = half_way(&server).await;
    seen.lock().unwrap().clear();
    assert_refused(&paint(&server, red(), &state).await);
    let of_a_used_one = std::mem::take(&mut *seen.lock().unwrap());
    assert_refused(&paint(&server, red(), &json!("AQ")).await);
    assert_eq!(of_a_used_one.len(), 1);
    assert_eq!(of_a_used_one, *seen.lock().unwrap());
}

#[tokio::test]
async fn a_host_that_never_answers_holds_no_call_beyond_its_deadline() {
    let mut limits = Limits::default();
    limits.call_deadline = Some(Duration::from_millis(20));
    let server = build(
        builder()
            .limits(limits)
            .states_used_once(|_| std::future::pending()),
    );
    let state = half_way(&server).await;
    assert_refused(&paint(&server, red(), &state).await);
}

#[tokio::test]
async fn a_form_is_read_as_arguments_are() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Order {
        count: u8,
        #[serde(default)]
        gifts: u8,
    }
    let form = Form::new("How many?")
        .field(Field::integer("count").between(0, 255).required())
        .field(Field::integer("gifts"));
    let answer = json!({"action": "accept", "content": {"count": 2.0, "gifts": null}});
    let question = form.request();
    let read = question.read(&Json::from(&answer)).and_then(Form::answer);
    let order = read.unwrap().read::<Order>().unwrap();
    assert_eq!(order.accepted(), Some(Order { count: 2, gifts: 0 }));
}

#[tokio::test]
async fn two_questions_under_one_key_are_a_fault_and_one_question_is_asked_as_often_as_wanted() {
    fn confirm(text: &str) -> Form {
        Form::new(text)
    }
    let twice = async |_: NoArguments, context: Context| {
        let _ = context.ask("who", confirm("Delete it?")).await?;
        let _ = context.ask("who", confirm("The copies too?")).await?;
        Ok("deleted")
    };
    let again = async |_: NoArguments, context: Context| {
        let _ = context.ask("who", confirm("Delete it?")).await?;
        let _ = context.ask("who", confirm("Delete it?")).await?;
        Ok("deleted")
    };
    let at_once = async |_: NoArguments, context: Context| {
        let _ = context
            .ask_all((
                ("who", confirm("Delete it?")),
                ("who", confirm("The copies too?")),
            ))
            .await?;
        Ok("deleted")
    };
    let of = |paint: wymcp::RunnableTool| build(Server::builder("test", "1").tool(paint));
    for (server, answered) in [
        (of(tool("paint").run(twice)), "Tool paint failed"),
        (of(tool("paint").run(at_once)), "Tool paint failed"),
        (of(tool("paint").run(again)), "deleted"),
    ] {
        let (_, body) = paint(&server, ada(), &Value::Null).await;
        assert!(text(&body).starts_with(answered), "{body}");
    }
}

#[tokio::test]
async fn a_round_without_a_question_and_a_form_that_nobody_could_fill_in_are_faults() {
    struct Nothing;
    impl wymcp::Questions for Nothing {
        type Answers = ();

        fn put(&self, _: &mut wymcp::Round<'_>) -> Option<()> {
            None
        }
    }
    let nothing = tool("paint").run(async |_: NoArguments, context: Context| {
        context.ask_all(Nothing).await?;
        Ok("painted")
    });
    let impossible = tool("paint").run(async |_: NoArguments, context: Context| {
        let form = Form::new("?").field(Field::integer("age").between(5, 1).required());
        let _ = context.ask("age", form).await?;
        Ok("painted")
    });
    for paint_tool in [nothing, impossible] {
        let server = build(Server::builder("test", "1").tool(paint_tool));
        let (_, body) = paint(&server, Value::Null, &Value::Null).await;
        assert!(text(&body).starts_with("Tool paint failed"), "{body}");
    }
}

#[tokio::test]
async fn a_host_that_never_answers_does_not_hold_a_shutdown_up() {
    let server = build(builder().states_used_once(|_| std::future::pending()));
    let state = half_way(&server).await;
    server.shutdown(Duration::from_millis(20));
    assert_refused(&paint(&server, red(), &state).await);
}

#[tokio::test]
async fn answers_that_the_client_could_not_send_again_are_a_fault_and_no_trap() {
    let mut limits = Limits::default();
    limits.body_bytes = 2000;
    let server = build(builder().limits(limits));
    let of = |length| {
        let name = "a".repeat(length);
        json!({"who": {"action": "accept", "content": {"name": name}}})
    };
    let (_, body) = paint(&server, of(100), &Value::Null).await;
    assert_eq!(body["result"]["resultType"], "input_required", "{body}");
    let (_, body) = paint(&server, of(1450), &Value::Null).await;
    assert_eq!(body["result"]["isError"], true, "{body}");
}
