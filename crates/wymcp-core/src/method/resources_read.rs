//! `resources/read`: finds the resource at an address, or the template that it fits, and hands the call to its handler.

use std::borrow::Cow;

use super::Request;
use crate::{
    door::Turn,
    exchange::Target,
    rejection::Rejection,
    text::{Json, Object},
};

pub(super) fn answer(request: Request<'_>) -> Result<Turn<'_>, Rejection> {
    let uri = request.text("uri");
    let catalog = &request.server.catalog;
    if let Some(resource) = catalog.resources.find(&uri) {
        let target = Target::Resource {
            uri: uri.into(),
            mime_type: resource.mime_type.as_deref(),
            cache: resource.cache,
            data: &resource.data,
        };
        return request.call(target, Object::default());
    }
    let mut templates = catalog.templates.items();
    let found = templates.find_map(|template| Some((template, template.uri.matches(&uri)?)));
    let Some((template, values)) = found else {
        let uri = uri.into_owned();
        return Err(Rejection::UnknownResource { uri });
    };
    let variables = values
        .into_iter()
        .map(|(name, value)| (Cow::Borrowed(name), Json::String(Cow::Owned(value))));
    let target = Target::Resource {
        uri: uri.into(),
        mime_type: template.mime_type.as_deref(),
        cache: template.cache,
        data: &template.data,
    };
    let variables = variables.collect();
    request.call(target, variables)
}
