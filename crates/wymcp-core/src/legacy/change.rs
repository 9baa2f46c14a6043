//! What a session is told of a change.

use serde::Serialize;

use crate::{exchange::Change, text::to_bytes};

/// The message that tells a session of a change. It says of nothing who has asked for it: a session has one stream for all.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Change, change_message};
///
/// let told = change_message(&Change::Tools);
/// assert_eq!(told, br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
/// let told = change_message(&Change::Resource("a:1".into()));
/// assert!(told.ends_with(br#""method":"notifications/resources/updated","params":{"uri":"a:1"}}"#));
/// ```
pub fn change_message(change: &Change) -> Vec<u8> {
    let (method, uri) = match change {
        Change::Tools => ("notifications/tools/list_changed", None),
        Change::Prompts => ("notifications/prompts/list_changed", None),
        Change::Resources => ("notifications/resources/list_changed", None),
        Change::Resource(uri) => ("notifications/resources/updated", Some(&**uri)),
    };
    to_bytes(&Told {
        jsonrpc: "2.0",
        method,
        params: uri.map(|uri| Updated { uri }),
    })
}

#[derive(Serialize)]
struct Told<'a> {
    jsonrpc: &'static str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Updated<'a>>,
}

#[derive(Serialize)]
struct Updated<'a> {
    uri: &'a str,
}
