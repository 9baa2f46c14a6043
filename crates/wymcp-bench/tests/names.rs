//! That nothing is kept of the names that peers make up.

use wymcp_core::{Decision, Head, Server, Tool, Turn};

/// Sends a call in which everything that a peer can name has a name of its own.
fn call(server: &Server, number: u32) {
    let name = format!("unknown-{number:08}");
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":"{name}","method":"tools/call","params":{{"name":"{name}","arguments":{{"{name}":1}},"_meta":{{"progressToken":"{name}","{name}":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let header = format!("X-{name}");
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", &name),
        (&header, &name),
    ];
    refused(server, &headers, &body);

    // A method and a version that nobody knows.
    let body = body.replace("tools/call", &name);
    refused(server, &headers, &body);
    let body = body.replace("2026-07-28", &name);
    refused(server, &headers, &body);
}

fn refused(server: &Server, headers: &[(&str, &str); 6], body: &str) {
    let head = Head::new("POST", headers);
    let Turn::Reply(reply) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
        panic!("nothing has this name: {body}")
    };
    let text = String::from_utf8_lossy(&reply.body);
    assert!(text.contains("\"error\""), "{text}");
}

#[test]
fn twenty_thousand_names_that_nobody_knows_leave_nothing() {
    let tool = Tool::new("echo").describe("Takes anything");
    let server = Server::builder("names", "1.0.0").tool(tool).build();
    let server = server.expect("the server is well defined");
    // What is made at its first need and kept is no name's cost.
    call(&server, 0);
    let counted = allocation_counter::measure(|| {
        (1..=20_000).for_each(|number| call(&server, number));
    });
    assert_eq!(counted.bytes_current, 0);
    // Nor do the calls add up while they are answered.
    assert!(counted.bytes_max < 64 * 1024, "{}", counted.bytes_max);
}
