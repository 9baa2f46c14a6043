//! How every server is hosted: the same axum, one thread, `TCP_NODELAY`.

use std::error::Error;
use std::net::Ipv4Addr;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::arguments;

/// Serves `router` at `127.0.0.1:<--port>` on the thread that calls, until the process ends.
///
/// `router` is made inside the runtime, because some services look for one when they are built.
///
/// # Errors
///
/// No `--port`, or a port that is taken.
pub fn serve(
    router: impl FnOnce() -> Result<Router, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where to listen: --port NUMBER")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        // axum does not set it. An answer written in two parts then waits 40 ms for the peer's
        // delayed acknowledgement.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                eprintln!("TCP_NODELAY was refused: {error}");
            }
        });
        axum::serve(listener, router()?).await?;
        Ok(())
    })
}
