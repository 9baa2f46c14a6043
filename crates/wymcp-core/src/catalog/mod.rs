//! What a server offers, compiled and checked once.

mod schema;
mod schema_bounds;
mod schema_cost;
mod subschemas;
