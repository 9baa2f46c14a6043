//! The one call that every server answers: `tools/call` of `sum` with 19 and 23.

/// The request's body.
pub const BODY: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sum","arguments":{"a":19,"b":23},"#,
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
);

/// What a body that answers the call contains.
pub const ANSWERS: [&str; 2] = [r#""resultType":"complete""#, r#""text":"42""#];

/// The answer of a wymcp calculator: what the bare handler sends unless it is given another.
pub const ANSWER: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","#,
    r#""content":[{"type":"text","text":"42"}],"#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"calculator","version":"1.0.0"}}}}"#
);

/// The whole HTTP/1.1 request, head and body, for a keep-alive connection to `authority`.
#[must_use]
pub fn request(authority: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\n\
         Host: {authority}\r\n\
         Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\n\
         Mcp-Name: sum\r\n\
         Content-Length: {}\r\n\
         \r\n\
         {BODY}",
        BODY.len()
    )
    .into_bytes()
}
