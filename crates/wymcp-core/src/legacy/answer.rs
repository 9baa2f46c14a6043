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
        // Of a session whose client cannot be asked.
        Outcome::InputRequired(required) => {
            let questions = required.questions.values();
            let lacked = InputRequest::missing_of(questions, &call.meta().client_capabilities());
            lacked.map_or_else(unasked, Outcome::MissingClientCapability)
        }
        outcome => outcome,
    };
    let outcome = match outcome {
        // Its reader is the model: to a legacy client an error of the protocol says nothing that it could act on.
        Outcome::MissingClientCapability(required) if method == Method::ToolsCall => {
            let text = Rejection::MissingClientCapability { required }.to_string();
            Outcome::Tool(ToolResult::error(text))
        }
        outcome => outcome,
    };
    projected(version, method, call.conclude(outcome, duration))
}

fn unasked() -> Outcome {
    let fault = "in a session a question is asked while the call waits";
    Outcome::Fault(Fault::Internal(fault.to_owned()))
}
