//! stub
use crate::{text::Json, validate::Violation};
use serde_json::Value;
#[derive(Debug)]
pub(crate) struct Schema;
#[derive(Debug)]
pub(crate) struct SchemaFault {
    pub(crate) path: String,
    pub(crate) fault: String,
}
impl Schema {
    pub(crate) fn compile(_: &Value) -> Result<Self, SchemaFault> {
        Ok(Self)
    }
    pub(crate) fn is_valid(&self, _: &Json<'_>) -> bool {
        true
    }
    pub(crate) fn violations(&self, _: &Json<'_>, _: usize) -> Vec<Violation> {
        Vec::new()
    }
}
