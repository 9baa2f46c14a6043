//! Sessions of the legacy revisions: who may use one, how many there are, and what ends them.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use wymcp::{BearerTokens, Challenge, Changes, LegacyVersion};

use super::{
    AnyAdapter, PATIENCE, Scenario,
    requests::{echoing, limited},
    scenarios,
    session::{Session, curious, hello, id_of, request, served, text_of},
    watched::Handler,
};

pub(super) const SCENARIOS: &[Scenario<AnyAdapter>] = scenarios![
    a_session_that_nobody_uses_ends_and_one_that_listens_does_not,
    a_session_that_nobody_has_used_ends_sooner,
    there_are_no_more_sessions_than_there_is_room_for,
    the_end_of_a_session_ends_its_calls_and_its_streams,
    a_session_is_its_principals_alone,
    a_sealed_session_goes_on_at_any_replica_and_does_without_what_it_cannot_have,
    a_sealed_session_ends_when_its_time_has_passed,
    a_sealed_session_fits_its_header_whatever_its_client_declares,
];

fn a_session_that_nobody_uses_ends_and_one_that_listens_does_not(adapter: &AnyAdapter) {
    let limits = limited(|limits| {
        limits.session_idle = Duration::from_secs(1);
        limits.session_opening = Duration::from_secs(1);
    });
    let host = adapter.serve(echoing().limits(limits).build().unwrap());
    let (idle, listening) = (Session::open(&host), Session::open(&host));
    let own = listening.listen(None);
    thread::sleep(Duration::from_millis(2500));
    let ping = request(1, "ping", json!({}));
    assert_eq!(idle.post(&ping).status, 404);
    assert_eq!(listening.post(&ping).status, 200);
    drop(own);
}

fn a_session_that_nobody_has_used_ends_sooner(adapter: &AnyAdapter) {
    let limits = limited(|limits| limits.session_opening = Duration::from_secs(1));
    let host = adapter.serve(echoing().limits(limits).build().unwrap());
    let used = Session::open(&host);
    let opened = request(0, "initialize", hello(LegacyVersion::NEWEST));
    let opened = used.post(&opened);
    let mut unused = Session::open(&host);
    unused.id = id_of(&opened);
    thread::sleep(Duration::from_millis(1500));
    let ping = request(1, "ping", json!({}));
    assert_eq!(unused.post(&ping).status, 404);
    assert_eq!(used.post(&ping).status, 200);
}

fn there_are_no_more_sessions_than_there_is_room_for(adapter: &AnyAdapter) {
    let limits = limited(|limits| limits.sessions = 2);
    let host = adapter.serve(echoing().limits(limits).build().unwrap());
    let (first, second) = (Session::open(&host), Session::open(&host));
    let hello = request(0, "initialize", hello(LegacyVersion::NEWEST));
    let refused = second.post(&hello);
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.header("mcp-session-id"), None);
    assert_eq!(first.delete().status, 204);
    assert_eq!(second.post(&hello).status, 200);
}

fn the_end_of_a_session_ends_its_calls_and_its_streams(adapter: &AnyAdapter) {
    let (builder, handler) = Handler::of_endless_tool(echoing());
    let (host, events) = served(adapter, builder);
    let session = Session::open(&host);
    let mut own = session.listen(None);
    assert!(own.next().is_some());
    let mut stream = session.stream(&session.call(1, "endless"));
    handler.wait_for_start();
    assert_eq!(session.delete().status, 204);
    handler.wait_for_drop();
    let rest = std::iter::from_fn(|| stream.next());
    assert!(
        rest.filter_map(|it| it.message)
            .all(|it| it["id"].is_null())
    );
    assert!(own.next().is_none());
    events.wait_for(1, "SessionEnded");
    assert_eq!(session.delete().status, 404);
    assert_eq!(session.refused_stream(None).status, 404);
    let gone = session.post(&request(2, "tools/list", json!({})));
    assert_eq!(
        (gone.status, gone.json().unwrap()["error"]["code"].clone()),
        (404, json!(-32001))
    );
}

fn a_session_is_its_principals_alone(adapter: &AnyAdapter) {
    let tokens = BearerTokens::new([("a", "alice"), ("b", "bob")]).unwrap();
    let builder = echoing().authenticate(tokens, Challenge::bearer());
    let host = adapter.serve(builder.build().unwrap());
    let alices = Session::open_as(&host, LegacyVersion::NEWEST, Some("a"));
    let bobs = alices.with_token("b");
    let ping = request(1, "ping", json!({}));
    assert_eq!(alices.post(&ping).status, 200);
    assert_eq!(bobs.post(&ping).status, 404);
    assert_eq!(bobs.refused_stream(None).status, 404);
    assert_eq!(bobs.delete().status, 404);
    assert_eq!(alices.post(&ping).status, 200);
}

fn a_sealed_session_goes_on_at_any_replica_and_does_without_what_it_cannot_have(
    adapter: &AnyAdapter,
) {
    let replica = || {
        let builder = curious().logging().changes(Changes::new());
        let server = builder.sealing_keys([[9; 32]]).sealed_sessions().build();
        adapter.serve(server.unwrap())
    };
    let (first, second) = (replica(), replica());
    let session = Session::open(&first);
    let opened = session.post(&request(0, "initialize", hello(LegacyVersion::NEWEST)));
    let capabilities = &opened.json().unwrap()["result"]["capabilities"];
    assert_eq!(*capabilities, json!({"tools": {}}));

    let session = session.at(&second);
    let listed = session
        .post(&request(1, "tools/list", json!({})))
        .json()
        .unwrap();
    assert_eq!(listed["result"]["tools"][0]["name"], "greet");
    let asks = session.post(&session.call(2, "greet")).json().unwrap();
    assert_eq!(asks["result"]["isError"], true);
    assert!(
        text_of(&asks).as_str().unwrap().contains("elicitation"),
        "{asks}"
    );
    let level = request(3, "logging/setLevel", json!({"level": "debug"}));
    assert_eq!(
        session.post(&level).json().unwrap()["error"]["code"],
        -32601
    );
    for refused in [session.refused_stream(None), session.delete()] {
        assert_eq!(
            (refused.status, refused.header("allow")),
            (405, Some("POST"))
        );
    }
    let mut forged = session.at(&second);
    let other = if &forged.id[20..21] == "A" { "B" } else { "A" };
    forged.id.replace_range(20..21, other);
    let ping = request(4, "ping", json!({}));
    assert_eq!(forged.post(&ping).status, 404);
    assert_eq!(session.post(&ping).status, 200);
}

fn a_sealed_session_ends_when_its_time_has_passed(adapter: &AnyAdapter) {
    let limits = limited(|limits| limits.session_idle = Duration::from_secs(1));
    let builder = echoing().sealing_keys([[9; 32]]).sealed_sessions();
    let host = adapter.serve(builder.limits(limits).build().unwrap());
    let session = Session::open(&host);
    let ping = request(1, "ping", json!({}));
    let since = Instant::now();
    while session.post(&ping).status == 200 {
        assert!(since.elapsed() < PATIENCE, "the session does not end");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(session.post(&ping).status, 404);
}

fn a_sealed_session_fits_its_header_whatever_its_client_declares(adapter: &AnyAdapter) {
    let builder = echoing().sealing_keys([[9; 32]]).sealed_sessions();
    let host = adapter.serve(builder.build().unwrap());
    let mut session = Session::open(&host);
    for length in [100, 3_000, 7_000, 16_000, 100_000] {
        let mut params = hello(LegacyVersion::NEWEST);
        params["capabilities"]["experimental"] = json!({"x": "a".repeat(length)});
        params["clientInfo"]["name"] = json!("é".repeat(length));
        session.id = id_of(&session.post(&request(0, "initialize", params)));
        let ping = session.post(&request(1, "ping", json!({})));
        assert_eq!(ping.status, 200, "{length}: an id of {}", session.id.len());
    }
}
