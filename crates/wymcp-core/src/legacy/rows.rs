//! What rejections of methods are answered with in the legacy lane.

use http::StatusCode;

use crate::{
    reason::{RejectionReason, Row, code},
    rejection::Rejection,
};

/// The row of a rejection in a session: as everywhere, but for what a method or its params answer. That is a whole
/// answer of HTTP too, since a legacy client takes any other status for a fault of the transport and loses the id; and no
/// code is sent that came after the revision.
pub(crate) fn row(rejection: &Rejection) -> Row {
    let row = rejection.reason().row();
    let code = match rejection {
        Rejection::UnknownResource { .. } => code::RESOURCE_NOT_FOUND,
        Rejection::MissingClientCapability { .. } => code::INVALID_PARAMS,
        _ => row.code,
    };
    let status = match rejection.reason() {
        RejectionReason::MethodNotFound
        | RejectionReason::InvalidParams
        | RejectionReason::MissingClientCapability => StatusCode::OK,
        _ => row.status,
    };
    Row { status, code }
}
