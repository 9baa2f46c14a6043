//! `params._meta`: what a request says about its client and about itself.

use crate::{
    log_level::LogLevel,
    text::{Json, Object, RequestId},
    validate::key,
};

/// The `_meta` of a request whose protocol fields were checked.
///
/// Reads the protocol's own members with their types, and any other member by its key.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
/// use wymcp_core::LogLevel;
///
/// let meta = json!({
///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
///     "io.modelcontextprotocol/logLevel": "warning",
///     "progressToken": "p1",
///     "shop.example/tenant": "north",
/// });
/// # let server = Server::builder("greeter", "1.0.0").tool(Tool::new("greet")).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "greet"),
/// # ];
/// # let params = json!({"name": "greet", "_meta": meta});
/// # let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).to_string();
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
/// #     unreachable!("the message passes every stage");
/// # };
///
/// // `call` is a call with this `_meta`.
/// let meta = call.meta();
/// assert!(meta.client_capabilities().declares(&["elicitation"]));
/// assert_eq!(meta.log_level(), Some(LogLevel::Warning));
/// assert_eq!(meta.progress_token().unwrap().to_string(), r#""p1""#);
/// assert_eq!(meta.get("shop.example/tenant").and_then(|tenant| tenant.as_str()), Some("north"));
/// assert_eq!(meta.client_info(), None);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestMeta<'a>(Object<'a>);

/// The name and the version that a client gives itself; not verified by anybody.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
/// use wymcp_core::ClientInfo;
///
/// let meta = json!({
///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities": {},
///     "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "3.1"},
/// });
/// # let server = Server::builder("greeter", "1.0.0").tool(Tool::new("greet")).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "greet"),
/// # ];
/// # let params = json!({"name": "greet", "_meta": meta});
/// # let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).to_string();
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
/// #     unreachable!("the message passes every stage");
/// # };
///
/// // `call` is a call with this `_meta`.
/// let ClientInfo { name, version, .. } = call.meta().client_info().unwrap();
/// assert_eq!((name, version), ("editor", "3.1"));
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientInfo<'m> {
    /// The client's name.
    pub name: &'m str,
    /// The client's version.
    pub version: &'m str,
}

impl<'a> RequestMeta<'a> {
    /// Wraps a checked `_meta`.
    pub(crate) fn new(meta: Object<'a>) -> Self {
        Self(meta)
    }

    /// Who the client says it is.
    pub fn client_info(&self) -> Option<ClientInfo<'_>> {
        let client = self.0.present(key::CLIENT_INFO)?.as_object()?;
        Some(ClientInfo {
            name: client.get("name")?.as_str()?,
            version: client.get("version")?.as_str()?,
        })
    }

    /// What the client declares that it can do, for this request alone.
    pub fn client_capabilities(&self) -> ClientCapabilities<'_> {
        ClientCapabilities(
            self.0
                .get(key::CLIENT_CAPABILITIES)
                .and_then(Json::as_object),
        )
    }

    /// The least severe log message that the client wants; `None` means that it wants none.
    pub fn log_level(&self) -> Option<LogLevel> {
        self.0
            .present(key::LOG_LEVEL)?
            .as_str()
            .and_then(LogLevel::parse)
    }

    /// The token under which the client wants progress; `None` means that it wants none.
    pub fn progress_token(&self) -> Option<RequestId<'_>> {
        self.0.present(key::PROGRESS_TOKEN).and_then(RequestId::of)
    }

    /// Any member, by its key.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.0.get(key)
    }

    /// A copy that borrows nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::{Call, RequestMeta};
    ///
    /// /// What a task that outlives the call takes along.
    /// fn kept(call: &Call<'_>) -> RequestMeta<'static> {
    ///     call.meta().clone().into_owned()
    /// }
    /// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
    /// # let server = Server::builder("greeter", "1.0.0").tool(Tool::new("greet")).build()?;
    /// # let headers = [
    /// #     ("host", "localhost"),
    /// #     ("content-type", "application/json"),
    /// #     ("mcp-protocol-version", "2026-07-28"),
    /// #     ("mcp-method", "tools/call"),
    /// #     ("mcp-name", "greet"),
    /// # ];
    /// # let body = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
    /// #     "params": {"name": "greet", "arguments": {}, "_meta": {"progressToken": 3,
    /// #         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    /// #         "io.modelcontextprotocol/clientCapabilities": {}
    /// #     }}}"#;
    /// # let head = Head::new("POST", &headers);
    /// # let Turn::Call(call) = server.receive(&head, body, Decision::anonymous()) else {
    /// #     unreachable!("the message passes every stage");
    /// # };
    ///
    /// // `call` is a call whose `_meta` has `"progressToken": 3`.
    /// assert_eq!(kept(&call).progress_token(), Some(3.into()));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn into_owned(self) -> RequestMeta<'static> {
        RequestMeta(self.0.into_owned())
    }
}

/// The capabilities that a client declares in one request.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// # use wymcp_core::{Decision, Head, Server, Tool, Turn};
/// use wymcp_core::ClientCapabilities;
///
/// let meta = json!({
///     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities": {
///         "elicitation": {"url": {}},
///         "extensions": {"shop.example/carts": {"most": 3}},
///     },
/// });
/// # let server = Server::builder("greeter", "1.0.0").tool(Tool::new("greet")).build()?;
/// # let headers = [
/// #     ("host", "localhost"),
/// #     ("content-type", "application/json"),
/// #     ("mcp-protocol-version", "2026-07-28"),
/// #     ("mcp-method", "tools/call"),
/// #     ("mcp-name", "greet"),
/// # ];
/// # let params = json!({"name": "greet", "_meta": meta});
/// # let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).to_string();
/// # let head = Head::new("POST", &headers);
/// # let Turn::Call(call) = server.receive(&head, body.as_bytes(), Decision::anonymous()) else {
/// #     unreachable!("the message passes every stage");
/// # };
///
/// // `call` is a call with this `_meta`.
/// let client: ClientCapabilities<'_> = call.meta().client_capabilities();
/// assert!(client.declares(&["elicitation", "url"]));
/// assert!(!client.declares(&["elicitation", "form"]));
/// assert!(!client.declares(&["sampling"]));
/// let carts = client.extension("shop.example/carts").unwrap();
/// assert_eq!(carts.get("most").unwrap().to_value(), 3);
/// # Ok::<(), wymcp_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ClientCapabilities<'m>(Option<&'m Object<'m>>);

impl<'m> ClientCapabilities<'m> {
    /// Whether the capability at this path is declared: `["sampling"]`, `["elicitation", "url"]`. An `elicitation` that
    /// does not say how is by `form`.
    pub fn declares(&self, path: &[&str]) -> bool {
        let is_silent = || !self.names(&["elicitation", "url"]) && self.names(&["elicitation"]);
        self.names(path) || (path == ["elicitation", "form"] && is_silent())
    }

    fn names(self, path: &[&str]) -> bool {
        let Some(capabilities) = self.0 else {
            return false;
        };
        let mut object = capabilities;
        path.iter()
            .all(|name| match object.get(name).and_then(Json::as_object) {
                Some(inner) => {
                    object = inner;
                    true
                }
                None => false,
            })
    }

    /// The settings that the client declares for an extension.
    pub fn extension(&self, name: &str) -> Option<&'m Object<'m>> {
        self.0?
            .get("extensions")?
            .as_object()?
            .get(name)?
            .as_object()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn meta(meta: &Value) -> RequestMeta<'_> {
        let Json::Object(members) = Json::from(meta) else {
            panic!("it is an object");
        };
        RequestMeta::new(members)
    }

    #[test]
    fn a_client_is_who_it_says_with_name_and_version() {
        let client = |info: &Value| {
            let said = json!({ key::CLIENT_INFO: info });
            let meta = meta(&said);
            meta.client_info().map(|client| format!("{client:?}"))
        };
        assert_eq!(
            client(&json!({"name": "editor", "version": "3.1", "title": "An editor"})),
            Some(r#"ClientInfo { name: "editor", version: "3.1" }"#.to_owned())
        );
        for info in [
            json!(null),
            json!({"name": "editor"}),
            json!({"version": "3.1"}),
        ] {
            assert_eq!(client(&info), None, "{info}");
        }
    }

    #[test]
    fn an_extension_has_the_settings_that_the_client_declares() {
        let said = json!({key::CLIENT_CAPABILITIES: {
            "extensions": {"shop.example/carts": {"most": 3}, "shop.example/bare": {}, "x": true},
            "shop.example/beside": {},
        }});
        let meta = meta(&said);
        let settings = |name| {
            let extension = meta.client_capabilities().extension(name);
            extension.map(|settings| settings.get("most").map(Json::to_value))
        };
        assert_eq!(settings("shop.example/carts"), Some(Some(json!(3))));
        assert_eq!(settings("shop.example/bare"), Some(None));
        for name in ["shop.example/beside", "x", ""] {
            assert_eq!(settings(name), None, "{name}");
        }
    }
}
