//! `tools/call`: finds the tool, holds the mirrored headers and the arguments against its definition, and hands the
//! call to its handler.

use std::{sync::Arc, time::Duration};

use super::{Request, Step};
use crate::{
    catalog::CompiledTool,
    event::{Called, ErrorKind, Event},
    exchange::{ToolResult, wire},
    fields::check_params,
    limits::Limits,
    rejection::Rejection,
    reply::Reply,
    text::{Json, Object},
    untrusted::Untrusted,
    validate::words::for_model,
};

pub(super) fn answer<'t>(mut request: Request<'_, 't>) -> Result<Step<'t>, Rejection> {
    let server = request.server;
    let name = request
        .params
        .get("name")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let tool = server
        .catalog
        .tool(name)
        .ok_or_else(|| Rejection::UnknownTool {
            name: Untrusted::new(name).to_string(),
        })?;
    let arguments = match request.params.take("arguments") {
        Some(Json::Object(arguments)) => arguments,
        _ => Object::default(),
    };
    check_params(request.head, &tool.header_params, Some(&arguments))?;
    // Nothing here asks a client to come back, so no state that one brings was sealed here.
    if request.params.present("requestState").is_some() {
        return Err(Rejection::InvalidRequestState);
    }
    if let Some(help) = server.catalog.help(tool) {
        let answered = help.answer(&arguments);
        return Ok(Step::Reply(Reply::result(
            request.id,
            wire(&answered.result, server),
            vec![answered.event],
        )));
    }
    if let Some(actions) = &tool.actions {
        return match actions.gate(arguments) {
            Ok(call) => Ok(Step::Run {
                tool,
                action: Some(call.action),
                arguments: call.data,
            }),
            Err(error) => {
                let result = ToolResult::error(error.text(tool.explained));
                Ok(dispatch_error(&request, tool, error.action(), &result))
            }
        };
    }
    let arguments = Json::Object(arguments);
    let violations = tool.input.violations(&arguments, Limits::TOLD_VIOLATIONS);
    if violations.is_empty() {
        return Ok(Step::Run {
            tool,
            action: None,
            arguments,
        });
    }
    let text = for_model(&tool.name, &violations, tool.help_with(None));
    let result = ToolResult::error(text);
    Ok(dispatch_error(&request, tool, None, &result))
}

/// The answer to a call that never reaches its tool: a result, since its reader is the model that made the call.
fn dispatch_error<'t>(
    request: &Request<'_, 't>,
    tool: &CompiledTool,
    action: Option<Arc<str>>,
    result: &ToolResult,
) -> Step<'t> {
    let event = Event::ToolStopped {
        call: Called {
            tool: Arc::clone(&tool.name),
            action,
            request_id: request.id.shown(),
        },
        duration: Duration::ZERO,
        error: Some(ErrorKind::Dispatch),
    };
    Step::Reply(Reply::result(
        request.id,
        wire(result, request.server),
        vec![event],
    ))
}
