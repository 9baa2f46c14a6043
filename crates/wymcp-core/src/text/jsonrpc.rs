//! The JSON-RPC codec for clients, tests and tools.
