//! The span of `tracing` in which a handler runs.

use tracing::{Span, field::Empty};
use wymcp_core::{Call, Json, Method, Outcome, RejectionReason, TraceContext, Untrusted};

use crate::render::TARGET;

/// The span of a call, with the names of OpenTelemetry's semantic conventions for MCP.
///
/// What the client says of its own trace stands in it too: a subscriber, or the function that
/// [`ServerBuilder::on_span`](crate::ServerBuilder::on_span) takes, makes it the span's parent.
pub(crate) fn of(call: &Call<'_>) -> Span {
    let method = call.method();
    let name = Untrusted::new(call.name()).to_string();
    let named = |wanted: Method| (method == wanted).then_some(&*name);
    let tool = named(Method::ToolsCall);
    let TraceContext {
        traceparent,
        tracestate,
        baggage,
        ..
    } = call.meta().trace_context();
    let version = call.meta().get("io.modelcontextprotocol/protocolVersion");
    let version = version.and_then(Json::as_str);
    tracing::info_span!(
        target: TARGET,
        "call",
        otel.name = %format_args!("{} {name}", method.name()),
        otel.kind = "server",
        otel.status_code = Empty,
        "error.type" = Empty,
        mcp.method.name = method.name(),
        mcp.protocol.version = version,
        mcp.resource.uri = named(Method::ResourcesRead),
        jsonrpc.request.id = %Untrusted::new(&call.request_id().to_string()),
        gen_ai.operation.name = tool.map(|_| "execute_tool"),
        gen_ai.tool.name = tool,
        gen_ai.prompt.name = named(Method::PromptsGet),
        traceparent,
        tracestate,
        baggage,
    )
}

/// Says in the span how the call failed, if it did.
pub(crate) fn close(span: &Span, method: Method, outcome: &Outcome) {
    let refused = |reason: RejectionReason| reason.row().code.to_string();
    let error = match outcome {
        Outcome::Tool(result) if result.is_error => "tool_error".to_owned(),
        Outcome::Refused(_) if method == Method::ToolsCall => "tool_error".to_owned(),
        Outcome::Refused(_) => refused(RejectionReason::HandlerRefused),
        Outcome::NotFound => refused(RejectionReason::UnknownResource),
        Outcome::MissingClientCapability(_) => refused(RejectionReason::MissingClientCapability),
        Outcome::Fault(_) => "_OTHER".to_owned(),
        _ => return,
    };
    span.record("error.type", &*error);
    span.record("otel.status_code", "ERROR");
}
