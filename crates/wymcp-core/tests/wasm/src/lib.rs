//! The core as a WebAssembly module: every stage is linked in, and nothing is imported.

use std::time::Duration;

use wymcp_core::{Decision, Head, Outcome, Server, Tool, ToolResult, Turn};

/// The status of the answer to a body.
///
/// # Safety
///
/// `length` bytes can be read at `body`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn receive(body: *const u8, length: usize) -> u16 {
    // SAFETY: the caller's promise.
    let body = unsafe { std::slice::from_raw_parts(body, length) };
    let Ok(server) = Server::builder("wasm", "1.0.0")
        .tool(Tool::new("greet"))
        .build()
    else {
        return 0;
    };
    let headers = [("host", "localhost"), ("content-type", "application/json")];
    match server.receive(&Head::new("POST", &headers), body, Decision::anonymous()) {
        Turn::Reply(reply) | Turn::Cancel { reply, .. } => reply.status.as_u16(),
        Turn::Call(call) => {
            let outcome = Outcome::Tool(ToolResult::text("Hello"));
            call.finish(outcome, Duration::ZERO).status.as_u16()
        }
        Turn::Listen(subscription) => subscription.finish(&server).status.as_u16(),
        // This server speaks the modern revisions alone.
        Turn::Legacy(_) => 0,
    }
}
