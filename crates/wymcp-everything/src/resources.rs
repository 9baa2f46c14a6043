//! The resources: one text, one picture, and one family. Names and contents are what the official conformance suite asks
//! for.

use serde::Deserialize;
use serde_json::json;
use wymcp::{
    Annotations, CacheHint, Completing, Context, Icon, Role, ServerBuilder, resource,
    resource_template,
};

use crate::tools::PNG;

pub(crate) const TEXT: &str = "This is the content of the static text resource.";

/// What the template's variables stand for.
#[derive(Deserialize)]
struct Variables {
    id: String,
}

/// Adds every resource.
pub(crate) fn register(server: ServerBuilder) -> ServerBuilder {
    let text = resource("test://static-text", "static-text")
        .describe("A text that never changes")
        .title("Static text")
        .mime_type("text/plain")
        .annotations(Annotations::default().audience([Role::User]).priority(0.5))
        .size(TEXT.len() as u64)
        .icon(Icon::new("https://example.com/text.svg"))
        .meta("com.example/shelf", 3)
        .cache(CacheHint::public(3_600_000))
        .text(TEXT);
    let picture = resource("test://static-binary", "static-binary")
        .describe("A picture that never changes")
        .mime_type("image/png")
        .bytes(PNG);
    let watched = resource("test://watched-resource", "watched-resource")
        .describe("A text that a client may watch")
        .mime_type("text/plain")
        .read(async |_: Context| Ok("Watched resource content."));

    let family = resource_template("test://template/{id}/data", "template")
        .describe("Data by id")
        .mime_type("application/json")
        .complete("id", async |typed: Completing, _: Context| {
            let known = ["123", "124", "456"].into_iter();
            Ok(known
                .filter(|id| id.starts_with(&typed.value))
                .collect::<Vec<_>>())
        })
        .read(async |variables: Variables, _: Context| {
            let id = variables.id;
            let data =
                json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Ok(data.to_string())
        });
    server
        .resource(text)
        .resource(picture)
        .resource(watched)
        .resource_template(family)
}
