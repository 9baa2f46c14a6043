//! What a server offers, compiled and checked once.

mod action;
mod action_gate;
mod action_set;
mod header_params;
mod schema;
mod schema_bounds;
mod schema_cost;
mod subschemas;

pub use action::{Action, Hint};
