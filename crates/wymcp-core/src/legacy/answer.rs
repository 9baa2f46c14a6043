//! How a call of a session ends.

use std::time::Duration;

use super::{LegacyVersion, method::projected};
use crate::{
    event::Fault,
    exchange::{Call, InputRequest, Outcome, ToolResult},
    method::Method,
    rejection::Rejection,
    reply::Reply,
};

/// What a client's developer may have overlooked.
const UNDECLARED: &str = "Where nobody can be asked it counts as undeclared: before notifications/initialized, without \
                          text/event-stream in Accept, in a batch, in a sealed session, and in a revision that does not know it";

/// Ends a call as its revision knows it; see [`Call::finish`].
pub(crate) fn finish(
    version: LegacyVersion,
    call: Call<'_>,
    outcome: Outcome,
    duration: Duration,
) -> Reply {
    let method = call.method();
    let outcome = match outcome {
        // Its reader is the model: to a legacy client an error of the protocol says nothing that it could act on.
        Outcome::MissingClientCapability(required) if method == Method::ToolsCall => {
            let missing = Rejection::MissingClientCapability { required };
            Outcome::Tool(ToolResult::error(format!("{missing}. {UNDECLARED}")))
        }
        Outcome::InputRequired(required) => {
            let asked = required.questions.values();
            let declared = call.meta.client_capabilities();
            if let Some(required) = InputRequest::missing_of(asked, &declared) {
                let missing = Outcome::MissingClientCapability(required);
                return finish(version, call, missing, duration);
            }
            let fault = "in a session a question is asked while the call waits";
            Outcome::Fault(Fault::Internal(fault.to_owned()))
        }
        outcome => outcome,
    };
    projected(version, method, call.conclude(outcome, duration))
}
