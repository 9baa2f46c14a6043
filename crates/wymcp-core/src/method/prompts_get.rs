//! `prompts/get`: finds the prompt, checks that its required arguments are there, and hands the call to its handler.

use super::Request;
use crate::{door::Turn, exchange::Target, rejection::Rejection, text::Json, untrusted::Untrusted};

pub(super) fn answer(mut request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    let name = request.text("name");
    let prompt =
        request
            .server
            .catalog
            .prompts
            .find(&name)
            .ok_or_else(|| Rejection::UnknownPrompt {
                name: Untrusted::new(&name).to_string(),
            })?;
    let arguments = request.object("arguments");
    let target = Target::Prompt(prompt);
    let resumed = request.resume(&target, &arguments)?;
    let missing: Vec<String> = prompt
        .required
        .iter()
        .filter(|name| arguments.get(name).is_none())
        .cloned()
        .collect();
    if !missing.is_empty() {
        let prompt = prompt.name.to_string();
        return Err(Rejection::MissingArgument { prompt, missing });
    }
    Ok(request.into_call(target, Json::Object(arguments), resumed, None))
}
