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
/// In a handler, through the call that the core hands out:
///
/// ```
/// use wymcp_core::RequestMeta;
///
/// fn client(meta: &RequestMeta<'_>) -> String {
///     meta.client_info().map_or_else(|| "unknown".to_owned(), |client| client.name.to_owned())
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestMeta<'a>(Object<'a>);

/// The name and the version that a client gives itself; not verified by anybody.
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
    pub fn into_owned(self) -> RequestMeta<'static> {
        RequestMeta(self.0.into_owned())
    }
}

/// The capabilities that a client declares in one request.
#[derive(Clone, Copy, Debug)]
pub struct ClientCapabilities<'m>(Option<&'m Object<'m>>);

impl<'m> ClientCapabilities<'m> {
    /// Whether the capability at this path is declared: `["sampling"]`, `["elicitation", "url"]`.
    pub fn declares(&self, path: &[&str]) -> bool {
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
