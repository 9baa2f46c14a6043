//! The span of `tracing` in which a handler runs.

use tracing::{Span, field::Empty};
use wymcp_core::{Call, Event, Json, Method, Untrusted};

use crate::render::TARGET;

/// The span of a call, with the names of OpenTelemetry's semantic conventions for MCP.
///
/// The client's own span stands in it too: the function that
/// [`ServerBuilder::on_span`](crate::ServerBuilder::on_span) takes can make it the span's parent. No span, and no work for
/// one, where no subscriber wants it.
pub(crate) fn of(call: &Call<'_>) -> Span {
    if !tracing::span_enabled!(target: TARGET, tracing::Level::DEBUG) {
        return Span::none();
    }
    let method = call.method();
    let name = Untrusted::new(call.name()).to_string();
    let named = |wanted: Method| (method == wanted).then_some(&*name);
    let (tool, prompt) = (named(Method::ToolsCall), named(Method::PromptsGet));
    let version = call.meta().get("io.modelcontextprotocol/protocolVersion");
    let version = version.and_then(Json::as_str);
    // At the level of the other records of a call's course: a span for each call is not free.
    tracing::debug_span!(
        target: TARGET,
        "call",
        // An address is the client's to choose, and would make names without number.
        otel.name = %match tool.or(prompt) {
            Some(name) => format!("{} {name}", method.name()),
            None => method.name().to_owned(),
        },
        otel.kind = "server",
        otel.status_code = Empty,
        "error.type" = Empty,
        mcp.method.name = method.name(),
        mcp.protocol.version = version,
        mcp.resource.uri = named(Method::ResourcesRead),
        jsonrpc.request.id = %Untrusted::new(&call.request_id().to_string()),
        gen_ai.operation.name = tool.map(|_| "execute_tool"),
        gen_ai.tool.name = tool,
        gen_ai.prompt.name = prompt,
        traceparent = call.meta().trace_context().traceparent,
    )
}

/// Says in the span how the call failed, if its events say that it did.
pub(crate) fn close(span: &Span, events: &[Event]) {
    let error = events.iter().find_map(|event| match event {
        Event::Rejected { reason, .. } => Some(reason.row().code.to_string()),
        Event::ToolFaulted { .. } | Event::MethodFaulted { .. } => Some("_OTHER".to_owned()),
        Event::ToolStopped { error: Some(_), .. } => Some("tool_error".to_owned()),
        _ => None,
    });
    if let Some(error) = error {
        span.record("error.type", &*error);
        span.record("otel.status_code", "ERROR");
    }
}
