//! Clients that listen for changes: who hears what and when, who finds a place, and what ends it.

use std::{
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::sync::Notify;
use wymcp::{BearerTokens, Challenge, Change, Changes, Relay};

use super::{
    AnyAdapter, PATIENCE, Scenario,
    listeners::{assert_ends, change, changing, listen, listen_as, listening, messages},
    requests::{answered, call, connect, limited, result, text},
    say, scenarios,
    watched::{Events, hold},
};
use crate::{Served, panics::MEANT};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_change_reaches_at_once_whoever_asked_for_it_and_nobody_else,
    a_change_that_a_tool_tells_of_reaches_a_listener,
    a_thousand_listeners_hear_of_a_change_while_one_that_never_reads_delays_nobody_and_costs_little,
    a_listener_that_hangs_up_frees_its_place,
    each_name_has_places_of_its_own,
    a_shutdown_ends_every_listener_with_a_result,
    a_quiet_listener_hears_that_the_stream_is_alive,
    a_relay_carries_a_change_to_the_listeners_of_every_replica,
    a_relay_that_panics_loses_a_change_and_breaks_nothing,
    neither_a_slow_tool_nor_a_listener_holds_up_a_fast_one,
];

/// How the event of a stream that lost its reader begins.
const HUNG_UP: &str = "StreamClosed { cancelled: true";

fn assert_too_busy(host: &Served, token: Option<&str>) {
    let mut connection = connect(host);
    let asked = listening(&json!({"toolsListChanged": true}), token);
    connection.send(asked).unwrap();
    let answer = answered(&mut connection);
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1"))
    );
    let body = answer.json().unwrap();
    assert_eq!(
        (&body["id"], &body["error"]["code"]),
        (&json!("s1"), &json!(-32603))
    );
    // It may try again where it is.
    assert!(connection.is_usable());
}

fn a_change_reaches_at_once_whoever_asked_for_it_and_nobody_else(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let host = adapter.serve(changing(&changes).build().unwrap());
    let mut tools = listen(&host, &json!({"toolsListChanged": true}));
    let mut prompts = listen(&host, &json!({"promptsListChanged": true}));
    let mut resources = listen(&host, &json!({"resourcesListChanged": true}));
    let mut page = listen(&host, &json!({"resourceSubscriptions": ["docs://page"]}));
    let mut file = listen(&host, &json!({"resourceSubscriptions": ["file:///a/b"]}));

    let since = Instant::now();
    changes.tools_changed();
    assert_eq!(
        change(&mut tools)["method"],
        "notifications/tools/list_changed"
    );
    // A tenth of this is what is promised, on a machine that does nothing else.
    let took = since.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");

    changes.prompts_changed();
    changes.resources_changed();
    changes.resource_updated("docs://page");
    changes.resource_updated("docs://elsewhere");
    changes.resource_updated("file:///a/b");
    // What each hears first is its own.
    assert_eq!(
        change(&mut prompts)["method"],
        "notifications/prompts/list_changed"
    );
    assert_eq!(
        change(&mut resources)["method"],
        "notifications/resources/list_changed"
    );
    for (listener, uri) in [(&mut page, "docs://page"), (&mut file, "file:///a/b")] {
        let told = change(listener);
        assert_eq!(told["method"], "notifications/resources/updated");
        assert_eq!(told["params"]["uri"], uri);
    }
    // And nothing of the others' came after it.
    changes.tools_changed();
    assert_eq!(
        change(&mut tools)["method"],
        "notifications/tools/list_changed"
    );
    changes.resource_updated("docs://page");
    assert_eq!(change(&mut page)["params"]["uri"], "docs://page");
}

fn a_change_that_a_tool_tells_of_reaches_a_listener(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let host = adapter.serve(changing(&changes).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    let mut caller = connect(&host);
    caller.send(call("rename", &json!({})).to_bytes()).unwrap();
    assert_eq!(result(&mut caller).1, "renamed");
    assert_eq!(
        change(&mut listener)["method"],
        "notifications/tools/list_changed"
    );
}

/// A thousand, or as many as the system lets there be: each takes two files of this process.
fn many() -> u64 {
    // Other scenarios need some too.
    let files = rlimit::increase_nofile_limit(2 * 1_000 + 512).unwrap_or(256);
    let many = (files.saturating_sub(512) / 2).clamp(1, 1_000);
    if many < 1_000 {
        say(&format!(
            "NOT A THOUSAND: {many} clients listen, since this process may open no more than {files} files (ulimit -Hn)"
        ));
    }
    many
}

fn a_thousand_listeners_hear_of_a_change_while_one_that_never_reads_delays_nobody_and_costs_little(
    adapter: &AnyAdapter,
) {
    let changes = Changes::new();
    let server = changing(&changes).build().unwrap();
    let host = adapter.serve(server.clone());
    // Long, so that few of its changes fill what the sockets hold.
    let uri: Arc<str> = format!("file:///{}", "x".repeat(64 * 1024)).into();
    let mut never_reads = listen(&host, &json!({"resourceSubscriptions": [&*uri]}));
    for _ in 0..100_000 {
        changes.resource_updated(Arc::clone(&uri));
    }

    let wanted = json!({"toolsListChanged": true});
    let mut listeners: Vec<_> = (0..many()).map(|_| listen(&host, &wanted)).collect();
    let since = Instant::now();
    changes.tools_changed();
    for listener in &mut listeners {
        assert_eq!(
            change(listener)["method"],
            "notifications/tools/list_changed"
        );
    }
    let took = since.elapsed();
    assert!(took < PATIENCE, "{took:?}");

    server.shutdown(PATIENCE);
    for listener in &mut listeners {
        assert_ends(listener);
    }
    // What fits into the sockets and one event more, of a hundred thousand: 1000 would be 64 MiB.
    let mut told = 0;
    let last = loop {
        let mut said = messages(&mut never_reads);
        let last = said.pop().unwrap();
        told += said.len();
        if last["method"].is_null() {
            break last;
        }
        told += 1;
    };
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(never_reads.next_chunk().unwrap(), None);
    assert!((1..1_000).contains(&told), "{told} events were kept");
}

fn a_listener_that_hangs_up_frees_its_place(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let builder = changing(&changes).limits(limited(|limits| limits.listeners = 1));
    let (server, events) = Events::of(builder);
    let host = adapter.serve(server);
    let wanted = json!({"toolsListChanged": true});
    let first = listen(&host, &wanted);
    assert_too_busy(&host, None);
    drop(first);
    events.wait_for(1, HUNG_UP);
    let mut third = listen(&host, &wanted);
    changes.tools_changed();
    assert_eq!(
        change(&mut third)["method"],
        "notifications/tools/list_changed"
    );
    assert_too_busy(&host, None);
}

fn each_name_has_places_of_its_own(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let tokens = BearerTokens::new([
        ("of-alice", "alice"),
        ("again-of-alice", "alice"),
        ("of-bob", "bob"),
    ]);
    let builder = changing(&changes)
        .authenticate(tokens.unwrap(), Challenge::bearer())
        .limits(limited(|limits| limits.listeners_each = 1));
    let (server, events) = Events::of(builder);
    let host = adapter.serve(server);
    let wanted = json!({"toolsListChanged": true});
    let alice = listen_as(&host, &wanted, Some("Bearer of-alice"));
    assert_too_busy(&host, Some("Bearer of-alice"));
    assert_too_busy(&host, Some("Bearer again-of-alice"));
    let mut bob = listen_as(&host, &wanted, Some("Bearer of-bob"));
    assert_too_busy(&host, Some("Bearer of-bob"));
    drop(alice);
    events.wait_for(1, HUNG_UP);
    let mut alice = listen_as(&host, &wanted, Some("Bearer again-of-alice"));
    assert_too_busy(&host, Some("Bearer of-bob"));
    changes.tools_changed();
    for listener in [&mut alice, &mut bob] {
        assert_eq!(
            change(listener)["method"],
            "notifications/tools/list_changed"
        );
    }
}

fn a_shutdown_ends_every_listener_with_a_result(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let (server, events) = Events::of(changing(&changes));
    let host = adapter.serve(server.clone());
    let wanted = json!({"toolsListChanged": true});
    let mut listeners: Vec<_> = (0..5).map(|_| listen(&host, &wanted)).collect();
    // However long the calls are given: nothing that listens needs that time.
    server.shutdown(Duration::from_secs(3600));
    for listener in &mut listeners {
        assert_ends(listener);
        assert!(listener.is_usable());
    }
    let seen = events.all();
    assert!(
        !seen.iter().any(|event| event.starts_with(HUNG_UP)),
        "{seen:?}"
    );
}

fn a_quiet_listener_hears_that_the_stream_is_alive(adapter: &AnyAdapter) {
    let changes = Changes::new();
    let limits = limited(|limits| limits.keep_alive = Duration::from_millis(20));
    let host = adapter.serve(changing(&changes).limits(limits).build().unwrap());
    // The acknowledgement comes first.
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    for _ in 0..3 {
        assert_eq!(text(listener.next_chunk().unwrap()), ":\n\n");
    }
    changes.tools_changed();
    loop {
        let piece = text(listener.next_chunk().unwrap());
        if piece != ":\n\n" {
            assert!(
                piece.contains("notifications/tools/list_changed"),
                "{piece}"
            );
            break;
        }
    }
}

/// In the place of a topic of a message broker.
struct Topic(Sender<Change>);

impl Relay for Topic {
    fn publish(&self, change: &Change) {
        self.0.send(change.clone()).unwrap();
    }
}

fn a_relay_carries_a_change_to_the_listeners_of_every_replica(adapter: &AnyAdapter) {
    let (topic, messages) = mpsc::channel();
    let replicas = [
        Changes::through(Topic(topic.clone())),
        Changes::through(Topic(topic)),
    ];
    let hosts = replicas
        .each_ref()
        .map(|changes| adapter.serve(changing(changes).build().unwrap()));
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["docs://page"]});
    let mut listeners = hosts.each_ref().map(|host| listen(host, &wanted));
    // By itself it tells nobody: what it hands on comes back, or does not.
    replicas[0].tools_changed();
    let lost = messages.recv_timeout(PATIENCE).unwrap();
    assert_eq!(lost, Change::Tools);

    let delivering = replicas.clone();
    let delivery = thread::spawn(move || {
        let change = messages.recv_timeout(PATIENCE).unwrap();
        for changes in &delivering {
            changes.deliver(&change);
        }
    });
    replicas[0].resource_updated("docs://page");
    for listener in &mut listeners {
        assert_eq!(change(listener)["params"]["uri"], "docs://page");
    }
    delivery.join().unwrap();
}

struct Panics;

impl Relay for Panics {
    fn publish(&self, _: &Change) {
        panic!("{MEANT} the relay panics");
    }
}

fn a_relay_that_panics_loses_a_change_and_breaks_nothing(adapter: &AnyAdapter) {
    let changes = Changes::through(Panics);
    let host = adapter.serve(changing(&changes).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    changes.tools_changed();
    let mut caller = connect(&host);
    caller.send(call("rename", &json!({})).to_bytes()).unwrap();
    assert_eq!(result(&mut caller).1, "renamed");
    changes.deliver(&Change::Tools);
    assert_eq!(
        change(&mut listener)["method"],
        "notifications/tools/list_changed"
    );
}

fn neither_a_slow_tool_nor_a_listener_holds_up_a_fast_one(adapter: &AnyAdapter) {
    let (changes, release) = (Changes::new(), Arc::new(Notify::new()));
    let host = adapter.serve(changing(&changes).tool(hold(&release)).build().unwrap());
    let mut listener = listen(&host, &json!({"toolsListChanged": true}));
    let mut waiting = connect(&host);
    waiting.send(call("hold", &json!({})).to_bytes()).unwrap();
    let mut calling = connect(&host);
    for _ in 0..3 {
        calling.send(call("rename", &json!({})).to_bytes()).unwrap();
        assert_eq!(result(&mut calling).1, "renamed");
        assert_eq!(
            change(&mut listener)["method"],
            "notifications/tools/list_changed"
        );
    }
    release.notify_one();
    assert_eq!(result(&mut waiting).1, "released");
}
