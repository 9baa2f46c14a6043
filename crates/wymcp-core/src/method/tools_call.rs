//! `tools/call`: finds the tool, holds the mirrored headers and the arguments against its definition, and hands the
//! call to its handler.

use std::{sync::Arc, time::Duration};

use super::Request;
use crate::{
    catalog::CompiledTool,
    door::Turn,
    event::{Called, ErrorKind, Event},
    exchange::{Target, ToolResult, wire},
    fields::check_params,
    limits::Limits,
    rejection::Rejection,
    reply::Reply,
    text::Json,
    untrusted::Untrusted,
    validate::words::for_model,
};

pub(super) fn answer(mut request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    let server = request.server;
    let name = request.text("name");
    let tool = server
        .catalog
        .tools
        .find(&name)
        .ok_or_else(|| Rejection::UnknownTool {
            name: Untrusted::new(&name).to_string(),
        })?;
    let arguments = request.object("arguments");
    check_params(request.channel, &tool.header_params, Some(&arguments))?;
    let target = Target::Tool { tool, action: None };
    let resumed = request.resume(&target, &arguments)?;
    if let Some(help) = server.catalog.help(tool) {
        let answered = help.answer(&arguments);
        return Ok(Turn::Reply(Reply::result(
            &request.id,
            wire(&answered.result, server),
            vec![answered.event],
        )));
    }
    if let Some(actions) = &tool.actions {
        let sent = arguments.clone();
        return match actions.gate(arguments) {
            Ok(call) => {
                let action = Some(call.action);
                let target = Target::Tool { tool, action };
                Ok(request.into_call(target, call.data, resumed, Some(sent)))
            }
            Err(error) => {
                let result = ToolResult::error(error.text(tool.explained));
                Ok(dispatch_error(&request, tool, error.action(), &result))
            }
        };
    }
    let arguments = Json::Object(arguments);
    let violations = tool.input.violations(&arguments, Limits::TOLD_VIOLATIONS);
    if violations.is_empty() {
        return Ok(request.into_call(target, arguments, resumed, None));
    }
    let text = for_model(&tool.name, &violations, tool.help_with(None));
    let result = ToolResult::error(text);
    Ok(dispatch_error(&request, tool, None, &result))
}

/// The answer to a call that never reaches its tool: a result, since its reader is the model that made the call.
fn dispatch_error<'t>(
    request: &Request<'t>,
    tool: &CompiledTool,
    action: Option<Arc<str>>,
    result: &ToolResult,
) -> Turn<'t> {
    let event = Event::ToolStopped {
        call: Called {
            tool: Arc::clone(&tool.name),
            action,
            request_id: request.id.shown(),
        },
        duration: Duration::ZERO,
        error: Some(ErrorKind::Dispatch),
    };
    Turn::Reply(Reply::result(
        &request.id,
        wire(result, request.server),
        vec![event],
    ))
}
