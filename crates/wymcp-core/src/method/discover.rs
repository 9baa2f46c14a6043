//! `server/discover`: who the server is and what it can do.

use super::Request;
use crate::reply::Reply;

pub(super) fn answer(request: &Request<'_, '_>) -> Reply {
    Reply::result(request.id, request.server.discovery(), Vec::new())
}
