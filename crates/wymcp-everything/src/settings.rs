//! What a server says of itself, and how long clients may keep what it says.

use serde_json::json;
use wymcp::{
    BearerTokens, CacheHint, Challenge, ConfigError, Icon, IconTheme, Method, Server, ServerBuilder,
};

/// The server, before it offers anything.
pub(crate) fn described() -> ServerBuilder {
    Server::builder("everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .description("Every feature of the protocol, once")
        .website("https://example.com/everything")
        .icon(Icon::new("https://example.com/everything.svg").sizes(["any"]))
        .icon(night_icon())
        .instructions("Each tool, resource and prompt shows one feature of the protocol.")
        .extension("com.example/everything", json!({"greeting": "Hello!"}))
        .cache(CacheHint::public(60_000))
        .cache_of(Method::ResourcesRead, CacheHint::private(0))
        .page_size(PAGE)
}

/// The most items in one page of a list. The conformance suite looks for some of its tools on the first page only.
const PAGE: usize = 25;

fn night_icon() -> Icon {
    Icon::new("https://example.com/night.png")
        .mime_type("image/png")
        .sizes(["48x48", "96x96"])
        .theme(IconTheme::Dark)
}

/// Lets nobody in but who knows the token.
///
/// # Errors
///
/// When no client could send such a token.
pub(crate) fn guarded(server: ServerBuilder, token: &str) -> Result<ServerBuilder, ConfigError> {
    let tokens = BearerTokens::new([(token, "owner")])?;
    Ok(server.authenticate(tokens, Challenge::bearer()))
}
