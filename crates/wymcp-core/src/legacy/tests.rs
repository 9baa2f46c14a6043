//! Projected results and questions against the tables, and against the official schemas of the revisions.
//!
//! The official schemas are asked where the environment variable `MCP_SCHEMA_DIR` names a folder that holds
//! `2025-03-26/schema.json` and so on.
