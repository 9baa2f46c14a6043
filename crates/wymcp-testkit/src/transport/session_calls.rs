//! Calls of sessions: they go on without their clients, ask while they wait, and are cancelled by a message.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{self, Poll},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::sync::Notify;
use wymcp::{Context, Elicited, Error, Form, LegacyVersion, NoArguments, Server, tool};

use super::{
    AnyAdapter, Scenario,
    requests::{echoing, limited},
    scenarios,
    session::{Events, Session, curious, request, served, text_of},
    watched::{Handler, hold, holding},
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_call_whose_client_has_gone_goes_on,
    a_cancelled_call_ends_without_an_answer,
    a_question_is_asked_while_the_call_waits,
    answers_that_nobody_waits_for_are_taken_and_ignored,
    a_question_that_nobody_answers_reads_as_cancelled,
    calls_of_one_id_get_each_its_own_answer,
    questions_that_are_asked_side_by_side_have_each_their_time,
    a_batch_is_answered_as_one,
    a_batch_goes_on_without_its_client,
    a_session_has_no_more_calls_in_flight_than_there_is_room_for,
];

fn a_call_whose_client_has_gone_goes_on(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let (host, events) = served(adapter, holding(&release));
    let session = Session::open(&host);
    let connection = session.send(&request(1, "tools/call", json!({"name": "hold"})));
    events.wait_for(1, "ToolStarted");
    drop(connection);
    // The host has noticed by then that the client is gone.
    thread::sleep(Duration::from_millis(300));
    release.notify_one();
    events.wait_for(1, "ToolStopped");
}

fn a_cancelled_call_ends_without_an_answer(adapter: &AnyAdapter) {
    let (builder, handler) = Handler::of_endless_tool(echoing());
    let (host, events) = served(adapter, builder);
    let session = Session::open(&host);
    let cancel = |id: &str| {
        let params = json!({"requestId": id});
        session.post(&request((), "notifications/cancelled", params))
    };
    // Once on a stream, and once before anything was said.
    let mut stream = session.stream(&session.call("a", "endless"));
    handler.wait_for_start();
    assert_eq!(cancel("b").status, 202);
    assert_eq!(cancel("a").status, 202);
    let rest = std::iter::from_fn(|| stream.next());
    assert!(
        rest.filter_map(|it| it.message)
            .all(|it| it["id"].is_null())
    );
    handler.wait_for_drop();
    let mut waiting = session.send(&request("c", "tools/call", json!({"name": "endless"})));
    handler.wait_for_start();
    assert_eq!(cancel("c").status, 202);
    let ended = waiting.receive().unwrap().unwrap();
    assert_eq!((ended.status, &*ended.body), (200, b"".as_slice()));
    assert_eq!(ended.header("content-type"), Some("text/event-stream"));
    handler.wait_for_drop();
    events.wait_for(2, "ToolCancelled");
}

fn answer(question: &Value, action: &str) -> Value {
    let content = json!({"name": "Ada"});
    let mut result = json!({"action": action});
    if action == "accept" {
        result["content"] = content;
    }
    json!({"jsonrpc": "2.0", "id": question["id"], "result": result})
}

fn a_question_is_asked_while_the_call_waits(adapter: &AnyAdapter) {
    let host = adapter.serve(curious().build().unwrap());
    for (version, action, said) in [
        (LegacyVersion::V2025_11_25, "accept", "Hello, \"Ada\"!"),
        (LegacyVersion::V2025_11_25, "decline", "declined"),
        (LegacyVersion::V2025_06_18, "accept", "Hello, \"Ada\"!"),
        (LegacyVersion::V2025_06_18, "cancel", "cancelled"),
    ] {
        let session = Session::open_as(&host, version, None);
        let mut stream = session.stream(&session.call(7, "greet"));
        let question = stream.message();
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(session.post(&answer(&question, action)).status, 202);
        assert_eq!(text_of(&stream.message()), said, "{version} {action}");
    }
}

fn answers_that_nobody_waits_for_are_taken_and_ignored(adapter: &AnyAdapter) {
    let (host, events) = served(adapter, curious());
    let (session, other) = (Session::open(&host), Session::open(&host));
    let mut stream = session.stream(&session.call(7, "greet"));
    let question = stream.message();
    // Of another session, unknown, then late: twice, and after the answer.
    assert_eq!(other.post(&answer(&question, "decline")).status, 202);
    let unknown = answer(&json!({"id": "never"}), "decline");
    assert_eq!(session.post(&unknown).status, 202);
    for _ in 0..2 {
        assert_eq!(session.post(&answer(&question, "accept")).status, 202);
    }
    assert_eq!(text_of(&stream.message()), "Hello, \"Ada\"!");
    assert_eq!(session.post(&answer(&question, "accept")).status, 202);
    events.wait_for(4, "AnswerIgnored");
}

fn a_question_that_nobody_answers_reads_as_cancelled(adapter: &AnyAdapter) {
    let limits = limited(|limits| limits.question_timeout = Duration::from_millis(100));
    let host = adapter.serve(curious().limits(limits).build().unwrap());
    let session = Session::open(&host);
    let mut stream = session.stream(&session.call(7, "greet"));
    let question = stream.message();
    assert_eq!(text_of(&stream.message()), "cancelled");
    assert_eq!(session.post(&answer(&question, "accept")).status, 202);
}

fn calls_of_one_id_get_each_its_own_answer(adapter: &AnyAdapter) {
    let host = adapter.serve(curious().build().unwrap());
    let session = Session::open(&host);
    let mut streams = [(); 2].map(|()| session.stream(&session.call(7, "greet")));
    let questions = streams.each_mut().map(Events::message);
    for (question, action) in questions.iter().zip(["decline", "cancel"]) {
        assert_eq!(session.post(&answer(question, action)).status, 202);
    }
    let said = streams.each_mut().map(Events::message);
    assert_eq!(said.each_ref().map(text_of), ["declined", "cancelled"]);
    assert_eq!(said.each_ref().map(|it| &it["id"]), [7, 7]);
}

fn a_batch_is_answered_as_one(adapter: &AnyAdapter) {
    let started = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&started);
    let slow = tool("slow").run(move |_: NoArguments, _: Context| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        async move {
            // Waits for one turn, on any runtime.
            let mut waits = true;
            let turn = |context: &mut task::Context<'_>| {
                context.waker().wake_by_ref();
                if std::mem::take(&mut waits) {
                    Poll::Pending
                } else {
                    Poll::Ready(())
                }
            };
            poll_fn(turn).await;
            Ok(format!("{number}"))
        }
    });
    let release = Arc::new(Notify::new());
    let builder = Server::builder("batch", "1.0.0")
        .tool(slow)
        .tool(hold(&release));
    let host = adapter.serve(builder.build().unwrap());
    let session = Session::open_as(&host, LegacyVersion::V2025_03_26, None);
    let slow = |id: i32| request(id, "tools/call", json!({"name": "slow"}));
    let notification = request((), "notifications/progress", json!({}));
    let batch = json!([slow(1), notification, slow(2), {"id": 3}]);
    let answers = session.post(&batch).json().unwrap();
    let ids: Vec<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["id"])
        .collect();
    assert_eq!(ids, [&json!(1), &json!(2), &Value::Null]);
    assert_eq!([text_of(&answers[0]), text_of(&answers[1])], ["0", "1"]);
    assert_eq!(started.load(Ordering::Relaxed), 2);
}

fn a_session_has_no_more_calls_in_flight_than_there_is_room_for(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let limits = limited(|limits| limits.session_calls = 1);
    let (host, events) = served(adapter, holding(&release).limits(limits));
    let (session, other) = (Session::open(&host), Session::open(&host));
    let held = request(1, "tools/call", json!({"name": "hold"}));
    // Nobody waits for it any more, and it is in flight all the same.
    let connection = session.send(&held);
    events.wait_for(1, "ToolStarted");
    drop(connection);
    let refused = session.post(&held);
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (503, Some("1"))
    );
    let mut others = other.send(&held);
    events.wait_for(2, "ToolStarted");
    release.notify_one();
    release.notify_one();
    events.wait_for(2, "ToolStopped");
    assert_eq!(
        text_of(&others.receive().unwrap().unwrap().json().unwrap()),
        "released"
    );
    release.notify_one();
    assert_eq!(text_of(&session.post(&held).json().unwrap()), "released");
}

fn questions_that_are_asked_side_by_side_have_each_their_time(adapter: &AnyAdapter) {
    let both = tool("both").run(async |_: NoArguments, ctx: Context| {
        let ask = async |key: &str| {
            let answer = ctx.ask(key, Form::new(key)).await?;
            Ok::<_, Error>(matches!(answer, Elicited::Cancelled))
        };
        let [one, other] = both_of(ask("one"), ask("other")).await;
        Ok(format!("{} {}", one?, other?))
    });
    let limits = limited(|limits| limits.question_timeout = Duration::from_millis(200));
    let builder = Server::builder("both", "1.0.0").tool(both).limits(limits);
    let host = adapter.serve(builder.build().unwrap());
    let session = Session::open(&host);
    let mut stream = session.stream(&session.call(7, "both"));
    let (first, _second) = (stream.message(), stream.message());
    assert_eq!(session.post(&answer(&first, "decline")).status, 202);
    assert_eq!(text_of(&stream.message()), "false true");
}

fn a_batch_goes_on_without_its_client(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let (host, events) = served(adapter, holding(&release));
    let session = Session::open_as(&host, LegacyVersion::V2025_03_26, None);
    let held = request(1, "tools/call", json!({"name": "hold"}));
    let connection = session.send(&json!([held]));
    events.wait_for(1, "ToolStarted");
    drop(connection);
    thread::sleep(Duration::from_millis(300));
    release.notify_one();
    events.wait_for(1, "ToolStopped");
}

/// Waits for both at a time.
async fn both_of<T>(one: impl Future<Output = T>, other: impl Future<Output = T>) -> [T; 2] {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let mut ready = [None, None];
    poll_fn(|context| {
        let waiting = [
            one.as_mut() as Pin<&mut dyn Future<Output = T>>,
            other.as_mut(),
        ];
        for (slot, future) in ready.iter_mut().zip(waiting) {
            if slot.is_none()
                && let Poll::Ready(output) = future.poll(context)
            {
                *slot = Some(output);
            }
        }
        match &mut ready {
            [one @ Some(_), other @ Some(_)] => Poll::Ready([one.take(), other.take()]),
            _ => Poll::Pending,
        }
    })
    .await
    .map(|output| output.expect("both are ready"))
}
