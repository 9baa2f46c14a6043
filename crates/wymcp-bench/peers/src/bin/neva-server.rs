//! neva on one thread. It has JSON answers, no sessions and `TCP_NODELAY` without being asked.

use std::error::Error;

use neva::App;
use wymcp_peers::arguments;

fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
    let mut app = App::new().without_greeting().with_options(|options| {
        options
            .with_name("calculator")
            .with_version("1.0.0")
            .with_http(|http| http.bind(format!("127.0.0.1:{port}")).with_endpoint("/mcp"))
    });
    app.map_tool("sum", |a: i64, b: i64| async move { (a + b).to_string() })
        .with_arg_names(["a", "b"]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(app.run());
    Ok(())
}
