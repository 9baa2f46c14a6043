//! The official SDK in its own fastest configuration: no sessions, JSON answers, a handler that
//! is built once and cloned for each request. `--tools N`: how many tools that add.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use wymcp_peers::{arguments, host};

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

#[derive(Clone)]
struct Calculator {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Calculator {
    #[tool(description = "Adds two numbers")]
    async fn sum(&self, Parameters(Sum { a, b }): Parameters<Sum>) -> String {
        (a + b).to_string()
    }
}

#[tool_handler(router = self.tool_router, name = "calculator", version = "1.0.0")]
impl ServerHandler for Calculator {}

fn main() -> Result<(), Box<dyn Error>> {
    let mut calculator = Calculator {
        tool_router: Calculator::tool_router(),
    };
    let sum = calculator.tool_router.map["sum"].clone();
    for at in 1..arguments::value("--tools")?.unwrap_or(1) {
        let mut route = sum.clone();
        route.attr.name = format!("sum-{at}").into();
        calculator.tool_router.add_route(route);
    }
    let service = move || {
        Ok(StreamableHttpService::new(
            move || Ok(calculator.clone()),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default()
                .with_legacy_session_mode(false)
                .with_json_response(true),
        ))
    };
    host::serve(service, Router::new())
}
