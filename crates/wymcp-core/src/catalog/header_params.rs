//! stub
use super::subschemas::SchemaFault;
#[derive(Debug)]
pub(crate) struct HeaderParam {
    pub(crate) header: String,
    pub(crate) path: Vec<String>,
}
pub(crate) fn declared(_: &serde_json::Value) -> Result<Vec<HeaderParam>, SchemaFault> {
    Ok(Vec::new())
}
