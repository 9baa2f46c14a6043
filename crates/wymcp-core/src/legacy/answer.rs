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
            let text = Rejection::MissingClientCapability { required }.to_string();
            Outcome::Tool(ToolResult::error(text))
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
