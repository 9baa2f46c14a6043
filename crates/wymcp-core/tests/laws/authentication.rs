//! A refused request learns that it is refused, and neither why nor anything else.

use std::sync::LazyLock;

use proptest::prelude::*;
use wymcp_core::{Challenge, Decision, Event, Head, Principal, Reply, Server, Tool, Turn};

use crate::{
    generators::{Request, hostile_text, line, request, valid_call},
    naive::{Naive, answer_id},
    oracle::{assert_line, judge},
};

static GUARDED: LazyLock<Server> = LazyLock::new(|| {
    let challenge = Challenge::bearer().scope("all");
    Server::builder("guarded", "1.0.0")
        .tool(Tool::new("sum"))
        .challenge(challenge)
        .build()
        .unwrap()
});

fn answer(head: &Head<'_>, body: &[u8], decision: Decision) -> Reply {
    match GUARDED.receive(head, body, decision) {
        Turn::Reply(reply) => {
            if !reply.body.is_empty() {
                judge(body, &reply.body);
            }
            reply
        }
        turn => panic!("a refused request goes on: {turn:?}"),
    }
}

/// The decisions that grant nothing.
fn refusals(detail: &str) -> [Decision; 2] {
    let fault = detail.to_owned();
    [Decision::refused(detail), Decision::Failed { fault }]
}

proptest! {
    #[test]
    fn whatever_is_sent_a_refused_request_gets_nothing(request in request(), detail in hostile_text()) {
        let replies = refusals(&detail).map(|decision| answer(&request.head(), &request.body, decision));
        prop_assert_eq!(&replies[0].body, &replies[1].body);
        prop_assert_eq!(&replies[0].headers, &replies[1].headers);
        for reply in &replies {
            prop_assert!(reply.status.is_client_error(), "{:?}", reply);
            prop_assert_eq!(reply.events.len(), 1);
            let challenge = reply.headers.iter().find(|(name, _)| *name == "www-authenticate");
            prop_assert_eq!(challenge.is_some(), reply.status == 401);
            match &reply.events[0] {
                Event::AuthRejected { detail, .. } => assert_line(detail),
                // The host's own failure, whole.
                Event::AuthFailed { fault, .. } => prop_assert_eq!(fault, &detail),
                Event::Rejected { detail, .. } => {
                    prop_assert_ne!(reply.status, 401);
                    assert_line(detail);
                }
                other => prop_assert!(false, "{:?}", other),
            }
            if reply.status == 401 {
                let sent = Naive::read(&request.body).unwrap();
                let echoed = Naive::read(&reply.body).unwrap();
                prop_assert!(answer_id(&sent).unwrap_or(&Naive::Null).same(echoed.named("id")[0]));
            }
        }
    }

    #[test]
    fn nobody_without_a_name_gets_in(request in request()) {
        let nobody = answer(&request.head(), &request.body, Decision::anonymous());
        let refused = answer(&request.head(), &request.body, Decision::refused("no"));
        prop_assert_eq!((nobody.status, nobody.body), (refused.status, refused.body));
    }

    #[test]
    fn credentials_are_never_shown(secret in "[a-z]{16}", scheme in "Bearer |Basic |", twice in any::<bool>(), byte in any::<u8>()) {
        let mut request = Request::of(&valid_call());
        let credentials = format!("{scheme}{secret}");
        request.headers.push(line("Authorization", &credentials));
        if twice {
            request.headers.push(line("authorization", &credentials));
        }
        request.headers.push(("Authorization-Info".to_owned(), vec![byte]));
        for decision in refusals("no").into_iter().chain([Decision::Granted(Principal::named("alice"))]) {
            let head = request.head();
            let turn = GUARDED.receive(&head, &request.body, decision);
            if let Turn::Reply(reply) = &turn {
                judge(&request.body, &reply.body);
            }
            let shown = turn.shown();
            prop_assert!(!shown.contains(&secret), "{}", shown);
        }
        let head = format!("{:?}", request.head());
        prop_assert!(!head.contains(&secret));
    }
}

trait Shown {
    /// All that a peer or an operator may read of it.
    fn shown(&self) -> String;
}

impl Shown for Turn<'_> {
    fn shown(&self) -> String {
        match self {
            Turn::Reply(reply) => format!("{reply:?} {}", String::from_utf8_lossy(&reply.body)),
            turn => format!("{turn:?}"),
        }
    }
}
