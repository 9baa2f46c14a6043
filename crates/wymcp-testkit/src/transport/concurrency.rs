//! Many connections at once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tokio::sync::Notify;
use wymcp::{BearerTokens, Challenge, Context, tool};

use super::{
    AnyAdapter, Scenario,
    requests::{assert_echoes, call, connect, echoing, result},
    scenarios,
    watched::hold,
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    callers_with_one_id_get_the_answers_to_their_own_calls,
    one_slow_call_holds_nobody_up,
];

/// How many callers there are at once.
const CALLERS: usize = 100;

fn callers_with_one_id_get_the_answers_to_their_own_calls(adapter: &AnyAdapter) {
    let (arrived, all_there) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    // Answers when everybody has asked, so that all calls are in flight at one time.
    let whoami = tool("whoami").run_with_schema(
        json!({"type": "object"}),
        move |_: Value, context: Context| {
            let (arrived, all_there) = (Arc::clone(&arrived), Arc::clone(&all_there));
            async move {
                let there = all_there.notified();
                if arrived.fetch_add(1, Ordering::SeqCst) + 1 == CALLERS {
                    all_there.notify_waiters();
                } else {
                    there.await;
                }
                Ok(context.principal().name().unwrap_or("nobody").to_owned())
            }
        },
    );
    let names: Vec<String> = (0..CALLERS)
        .map(|number| format!("caller-{number}"))
        .collect();
    let tokens = BearerTokens::new(
        names
            .iter()
            .map(|name| (format!("token-of-{name}"), name.clone())),
    );
    let server = echoing()
        .tool(whoami)
        .authenticate(tokens.unwrap(), Challenge::bearer());
    let host = adapter.serve(server.build().unwrap());
    let mut connections: Vec<_> = names.iter().map(|_| connect(&host)).collect();
    for (name, connection) in names.iter().zip(&mut connections) {
        let token = format!("Bearer token-of-{name}");
        let asked = call("whoami", &json!({})).header("Authorization", &token);
        connection.send(asked.to_bytes()).unwrap();
    }
    for (name, connection) in names.iter().zip(&mut connections) {
        assert_eq!(result(connection), (json!(1), json!(name)));
    }
}

fn one_slow_call_holds_nobody_up(adapter: &AnyAdapter) {
    let release = Arc::new(Notify::new());
    let host = adapter.serve(echoing().tool(hold(&release)).build().unwrap());
    let mut slow = connect(&host);
    slow.send(call("hold", &json!({})).to_bytes()).unwrap();
    for id in 2..10 {
        assert_echoes(&mut connect(&host), id, "xx");
    }
    release.notify_one();
    assert_eq!(result(&mut slow), (json!(1), json!("released")));
}
