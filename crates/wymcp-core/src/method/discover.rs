//! `server/discover`: who the server is and what it can do.

use super::Request;
use crate::{door::Turn, reply::Reply};

pub(super) fn answer<'t>(request: &Request<'t>) -> Turn<'t> {
    let discovery = request.server.discovery();
    Turn::Reply(Reply::result(&request.id, discovery, Vec::new()))
}
