//! What the core says, for what stands around it to say the same.

use std::{sync::LazyLock, time::Duration};

use wymcp::{Context, NoArguments, Server, tool};
use wymcp_core::{Outcome, Reply, ToolResult, Turn};

use crate::official;

/// What the one tool says.
const DONE: &str = "done";

/// A server with a tool that ends at once.
pub(crate) static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let quick = tool("quick").run(async |_: NoArguments, _: Context| Ok(DONE));
    let builder = Server::builder("told", "1.0.0").tool(quick);
    builder.without_legacy().build().unwrap()
});

/// The answer that is due.
pub(crate) fn due(turn: Turn<'_>, request: &[u8]) -> Reply {
    let reply = match turn {
        Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply,
        Turn::Call(call) => call.finish(Outcome::Tool(ToolResult::text(DONE)), Duration::ZERO),
        Turn::Listen(_) | Turn::Legacy(_) => {
            unreachable!("nothing changes here, and the modern revisions are spoken alone")
        }
    };
    judge(request, &reply.body);
    reply
}

/// Hands an answer to the judge, if there is one.
pub(crate) fn judge(request: &[u8], answer: &[u8]) {
    if !answer.is_empty() {
        let message = serde_json::from_slice(answer).expect("an answer is JSON");
        official::judge(request, &message).unwrap();
    }
}
