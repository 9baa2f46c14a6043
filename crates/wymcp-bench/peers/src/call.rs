//! The requests that every server answers, and what their answers contain.

/// One request of revision 2026-07-28.
#[derive(Clone, Debug)]
pub struct Call {
    method: &'static str,
    /// The called tool, which is named in a header too.
    tool: Option<&'static str>,
    body: String,
    /// What a body that answers it contains.
    pub expected: &'static [&'static str],
}

const COMPLETE: &str = r#""resultType":"complete""#;

/// The answer of a wymcp calculator: what the bare handlers send unless they are given another.
pub const ANSWER: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","#,
    r#""content":[{"type":"text","text":"42"}],"#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"calculator","version":"1.0.0"}}}}"#
);

impl Call {
    /// `tools/call` of `sum` with 19 and 23: the call that servers are compared by.
    #[must_use]
    pub fn sum() -> Self {
        Self::tool(
            "sum",
            r#"{"a":19,"b":23}"#,
            "",
            &[COMPLETE, r#""text":"42""#],
        )
    }

    /// `tools/call` of `count` or `count-slowly`, which report progress three times to who asks for it.
    #[must_use]
    pub fn count(tool: &'static str, told: bool) -> Self {
        let (token, expected): (_, &[_]) = if told {
            (
                r#""progressToken":"p","#,
                &[r#""progress":3"#, COMPLETE, r#""text":"3""#],
            )
        } else {
            ("", &[COMPLETE, r#""text":"3""#])
        };
        Self::tool(tool, "{}", token, expected)
    }

    /// `tools/call` of `measure` in a body of this many bytes, filled up with one string.
    #[must_use]
    pub fn measure(bytes: usize) -> Self {
        let of = |text: &str| {
            Self::tool(
                "measure",
                &format!(r#"{{"text":"{text}"}}"#),
                "",
                &[COMPLETE],
            )
        };
        let filling = bytes.saturating_sub(of("").body.len());
        of(&"a".repeat(filling))
    }

    /// `tools/list`.
    #[must_use]
    pub fn list() -> Self {
        Self::new(
            "tools/list",
            None,
            "",
            "",
            &[COMPLETE, r#""tools":[{"name":"sum""#],
        )
    }

    /// `subscriptions/listen`, for changes of the tools.
    #[must_use]
    pub fn listen() -> Self {
        let wanted = r#""notifications":{"toolsListChanged":true},"#;
        Self::new("subscriptions/listen", None, wanted, "", &[])
    }

    fn tool(
        tool: &'static str,
        arguments: &str,
        meta: &str,
        expected: &'static [&'static str],
    ) -> Self {
        let called = format!(r#""name":"{tool}","arguments":{arguments},"#);
        Self::new("tools/call", Some(tool), &called, meta, expected)
    }

    fn new(
        method: &'static str,
        tool: Option<&'static str>,
        params: &str,
        meta: &str,
        expected: &'static [&'static str],
    ) -> Self {
        let body = format!(
            concat!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}"_meta":{{{meta}"#,
                r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
                r#""io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1.0.0"}},"#,
                r#""io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
            ),
            method = method,
            params = params,
            meta = meta,
        );
        Self {
            method,
            tool,
            body,
            expected,
        }
    }

    /// The request's body.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The request's headers, but for `Host` and `Content-Length`.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let usual = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", self.method),
        ];
        let name = self.tool.map(|tool| ("mcp-name", tool));
        usual.into_iter().chain(name)
    }

    /// The whole HTTP/1.1 request, head and body, for a keep-alive connection to `authority`.
    #[must_use]
    pub fn request(&self, authority: &str) -> Vec<u8> {
        let headers = self
            .headers()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {authority}\r\n{}content-length: {}\r\n\r\n{}",
            headers.collect::<String>(),
            self.body.len(),
            self.body
        );
        request.into_bytes()
    }

    /// Whether `body` answers the request.
    ///
    /// # Errors
    ///
    /// What it lacks.
    pub fn check(&self, body: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(body);
        match self.expected.iter().find(|part| !text.contains(**part)) {
            None => Ok(()),
            Some(part) => Err(format!("the answer lacks {part}: {text:.2000}")),
        }
    }
}
