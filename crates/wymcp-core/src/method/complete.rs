//! `completion/complete`: finds who completes an argument, and hands the call to him.

use std::{borrow::Cow, sync::Arc};

use super::Request;
use crate::{
    attached::Attached,
    door::Turn,
    exchange::{Completion, Target, WireCompletion, WireMeta},
    rejection::Rejection,
    reply::Reply,
    text::{Json, Object},
    untrusted::Untrusted,
};

pub(super) fn answer(mut request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    let reference = request.object("ref");
    let argument = request.object("argument");
    let name: Arc<str> = text(&argument, "name").into();
    let Some(completer) = completer(&request, &reference, &name)? else {
        return Ok(nothing(&request));
    };
    let context = request.object("context");
    let others = match context.get("arguments") {
        Some(others) => others.clone(),
        None => Json::Object(Object::default()),
    };
    let value = Json::String(text(&argument, "value"));
    let asked = [("value", value), ("arguments", others)];
    let asked = asked.map(|(name, value)| (Cow::Borrowed(name), value));
    let target = Target::Completion {
        argument: name,
        completer,
    };
    let arguments = Json::Object(asked.into_iter().collect());
    Ok(request.into_call(target, arguments, None, None))
}

/// Who completes an argument of a prompt, or a variable of a template, if somebody does.
fn completer<'t>(
    request: &Request<'t>,
    reference: &Object<'t>,
    argument: &str,
) -> Result<Option<&'t Attached>, Rejection> {
    let catalog = &request.server.catalog;
    if reference.get("type").and_then(Json::as_str) == Some("ref/prompt") {
        let name = text(reference, "name");
        let prompt = catalog
            .prompts
            .find(&name)
            .ok_or_else(|| Rejection::UnknownPrompt {
                name: Untrusted::new(&name).to_string(),
            })?;
        return Ok(prompt.completer(argument));
    }
    let uri = text(reference, "uri");
    match catalog.templates.find(&uri) {
        Some(template) => Ok(template.completer(argument)),
        // A resource without variables has nothing to complete.
        None if catalog.resources.find(&uri).is_some() => Ok(None),
        None => Err(Rejection::UnknownTemplate {
            uri: Untrusted::new(&uri).to_string(),
        }),
    }
}

fn nothing<'t>(request: &Request<'t>) -> Turn<'t> {
    let result = WireCompletion {
        result_type: "complete",
        completion: &Completion::default(),
        meta: WireMeta {
            server: request.server.info(),
            own: None,
        },
    };
    Turn::Reply(Reply::result(&request.id, result, Vec::new()))
}

fn text<'t>(object: &Object<'t>, name: &str) -> Cow<'t, str> {
    match object.get(name) {
        Some(Json::String(text)) => text.clone(),
        _ => Cow::Borrowed(""),
    }
}
