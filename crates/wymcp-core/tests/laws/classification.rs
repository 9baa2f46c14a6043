//! The kind of a message depends on which members it has, as a reference says that a child could check.

use wymcp_core::MessageKind;

use crate::fuzzed::classify::kind;

/// The members that a classifier might look at, each with values of every kind that might matter.
const MEMBERS: [(&str, &[&str]); 5] = [
    ("jsonrpc", &["\"2.0\"", "\"1.0\"", "null"]),
    (
        "id",
        &[
            "1",
            "-1",
            "0",
            "1.0",
            "1e3",
            "1.5",
            "9007199254740991",
            "9007199254740992",
            "1e20",
            "\"\"",
            "\"a\"",
            "null",
            "true",
            "[]",
            "[1]",
            "{}",
        ],
    ),
    (
        "method",
        &["\"tools/call\"", "\"\"", "null", "1", "false", "[]", "{}"],
    ),
    ("result", &["{}", "null"]),
    ("error", &["{}", "null"]),
];

/// Names that are nearly known.
const UNKNOWN: [&str; 6] = ["x", "Method", "ID", "id ", "", "method\\u0000"];

/// A member for each of [`MEMBERS`] that a message has.
type Message = Vec<(&'static str, &'static str)>;

/// Every set of members with every choice of their values.
fn messages() -> Vec<Message> {
    let mut messages = vec![Message::new()];
    for (name, values) in MEMBERS {
        let with = messages.iter().flat_map(|message| {
            values.iter().map(move |value| {
                let mut message = message.clone();
                message.push((name, *value));
                message
            })
        });
        let with: Vec<_> = with.collect();
        messages.extend(with);
    }
    messages
}

fn text(message: &[(&str, &str)]) -> String {
    let members: Vec<_> = message
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn every_set_of_members_has_the_kind_that_the_reference_gives_it() {
    let messages = messages();
    assert_eq!(messages.len(), 4 * 17 * 8 * 3 * 3);
    for message in messages {
        kind(text(&message).as_bytes()).expect("it is JSON, without a duplicate");
    }
}

#[test]
fn what_is_no_object_is_no_call() {
    for text in [
        "null",
        "true",
        "1",
        "\"method\"",
        "[]",
        r#"[{"id":1,"method":"a"}]"#,
    ] {
        assert_eq!(kind(text.as_bytes()), Some(MessageKind::Unknown), "{text}");
    }
}

#[test]
fn a_member_that_nobody_knows_changes_nothing() {
    for (position, message) in messages().into_iter().enumerate() {
        let before = kind(text(&message).as_bytes());
        // The unknown names and the places take turns; together they meet every kind many times.
        let name = UNKNOWN[position % UNKNOWN.len()];
        for place in 0..=message.len() {
            let mut message = message.clone();
            message.insert(
                place,
                (
                    name,
                    if position % 2 == 0 {
                        "null"
                    } else {
                        "{\"method\":\"a\",\"id\":1}"
                    },
                ),
            );
            assert_eq!(kind(text(&message).as_bytes()), before, "{message:?}");
        }
    }
}
