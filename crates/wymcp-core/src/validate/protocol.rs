//! The protocol's schema of one revision: typed checks decide, the compiled schema words the refusal.

use super::{Distilled, framing, location::Location, params, request_meta};
use crate::text::{Json, MessageKind, Object, classify};

/// The checks of revision 2026-07-28, each with its whole distilled error.
///
/// An accepted message meets the typed checks only. When one refuses and the feature `json-schema` is on, the compiled
/// schema names every violation of the same part; without it the typed check's own first violation is the error. Each
/// part is compiled once and kept, so a server holds one of these.
#[derive(Debug, Default)]
pub(crate) struct ProtocolSchema {
    #[cfg(feature = "json-schema")]
    compiled: super::compiled::Definitions,
}

impl ProtocolSchema {
    /// The schema of a server, compiled once when the server is built.
    pub(crate) fn compiled() -> Self {
        let schema = Self::default();
        #[cfg(feature = "json-schema")]
        schema.compiled.compile_all();
        schema
    }

    /// See [`framing`].
    pub(crate) fn framing(&self, message: &Object<'_>) -> Result<(), Distilled> {
        framing(message)
            .map_err(|first| self.explain(first, "Framing", message, &Location::Message))
    }

    /// See [`request_meta`].
    pub(crate) fn request_meta(&self, params: Option<&Object<'_>>) -> Result<(), Distilled> {
        request_meta(params).map_err(|first| match params {
            Some(params) => self.explain(first, "RequestParams", params, &Location::PARAMS),
            None => first,
        })
    }

    /// See [`params`].
    pub(crate) fn params(&self, method: &str, members: &Object<'_>) -> Result<(), Distilled> {
        params(method, members).map_err(|first| match params::definition(method) {
            Some(definition) => self.explain(first, definition, members, &Location::PARAMS),
            None => first,
        })
    }

    /// See [`validate`](super::validate()).
    pub(crate) fn validate(&self, message: &Json<'_>) -> Result<(), Distilled> {
        if classify(message) == MessageKind::Notification {
            return Ok(());
        }
        let message = super::check::object(message, &Location::Message)?;
        self.framing(message)?;
        let params = message.present("params").and_then(Json::as_object);
        self.request_meta(params)?;
        match (message.get("method").and_then(Json::as_str), params) {
            (Some(method), Some(params)) => self.params(method, params),
            _ => Ok(()),
        }
    }

    /// All violations of a part of the schema, whose first one is known.
    #[cfg(feature = "json-schema")]
    fn explain(
        &self,
        first: Distilled,
        definition: &str,
        instance: &Object<'_>,
        at: &Location<'_>,
    ) -> Distilled {
        let violations = self.compiled.violations(definition, instance, at);
        if violations.is_empty() {
            first
        } else {
            Distilled::new(violations)
        }
    }

    #[cfg(not(feature = "json-schema"))]
    #[expect(clippy::unused_self, reason = "there is no compiled schema to ask")]
    fn explain(
        &self,
        first: Distilled,
        _definition: &str,
        _instance: &Object<'_>,
        _at: &Location<'_>,
    ) -> Distilled {
        first
    }
}
