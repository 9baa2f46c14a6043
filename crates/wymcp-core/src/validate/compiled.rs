//! The protocol's schema, compiled: every violation of a message that a typed check refused.

use std::{collections::BTreeMap, sync::OnceLock};

use jsonschema::{Draft, Validator};
use serde_json::Value;

use super::{
    Violation, describe,
    location::Location,
    params::definitions,
    representation::{Tree, Visit},
};
use crate::{
    limits::Limits,
    text::{Json, Object},
};

const SCHEMA: &str = include_str!("../../schemas/2026-07-28.json");

/// The longest chain of schemas that apply to one place of the protocol's schema: references to references.
const CHAIN: usize = 8;

/// The definitions that a part of a message is checked against, each compiled when it is first needed.
#[derive(Debug)]
pub(super) struct Definitions(BTreeMap<&'static str, OnceLock<Option<Validator<Tree>>>>);

impl Default for Definitions {
    fn default() -> Self {
        let names = ["Framing", "RequestParams"]
            .into_iter()
            .chain(definitions());
        Self(names.map(|name| (name, OnceLock::new())).collect())
    }
}

impl Definitions {
    /// The violations of a definition, one for each place, in the order of the document; none when the definition
    /// cannot say, which leaves the word to the typed check.
    ///
    /// `at` is where the instance stands in its message.
    pub(super) fn violations(
        &self,
        definition: &str,
        instance: &Object<'_>,
        at: &Location<'_>,
    ) -> Vec<Violation> {
        let Some(validator) = self.validator(definition) else {
            return Vec::new();
        };
        let instance = Json::Object(instance.clone());
        if validator.is_valid(Visit::new(&instance)) {
            return Vec::new();
        }
        let mut violations =
            describe::violations(validator, CHAIN, &instance, Limits::TOLD_VIOLATIONS);
        for violation in &mut violations {
            violation.instance_location.insert_str(0, &at.to_string());
        }
        violations
    }

    /// Compiles every definition now, rather than at the first message that breaks it.
    pub(super) fn compile_all(&self) -> bool {
        self.0.keys().all(|name| self.validator(name).is_some())
    }

    fn validator(&self, definition: &str) -> Option<&Validator<Tree>> {
        let (name, compiled) = self.0.get_key_value(definition)?;
        compiled.get_or_init(|| compile(name)).as_ref()
    }
}

/// `None` only if our own schema is broken, which a test rules out.
fn compile(definition: &str) -> Option<Validator<Tree>> {
    let mut schema: Value = serde_json::from_str(SCHEMA).ok()?;
    let root = schema.as_object_mut()?;
    root.insert("$ref".to_owned(), format!("#/$defs/{definition}").into());
    jsonschema::options_for::<Tree>()
        .with_draft(Draft::Draft202012)
        .build(&schema)
        .ok()
}
