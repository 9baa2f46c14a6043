//! A sign that nobody waits for a call any more.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use crate::signal::{Signal, Wait};

/// Tells work that outlives its handler that the call is over.
///
/// A handler itself needs none of this: when the client goes away its future is dropped at its next await. Work that it
/// has spawned goes on; that work can ask, or wait, here. The sign is given when the handler's run is given up: its
/// client went away, its deadline passed, or it panicked.
///
/// # Examples
///
/// ```
/// # async fn step() {}
/// async fn spawned_work(cancellation: wymcp::Cancellation) {
///     while !cancellation.is_cancelled() {
///         step().await;
///     }
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Signal>);

impl Cancellation {
    /// Whether the call was given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_given()
    }

    /// Ends when the call is given up; never for a call that is answered.
    ///
    /// # Examples
    ///
    /// A client that goes away while a handler's work goes on:
    ///
    /// ```
    /// use std::{future::{Future, pending}, sync::mpsc};
    ///
    /// use wymcp::{Context, NoArguments, Result, Server, tool};
    ///
    /// let (spawned, works) = mpsc::channel();
    /// let export = tool("export").run(move |_: NoArguments, ctx: Context| {
    ///     let cancelled = ctx.cancellation().cancelled();
    ///     let work = tokio::spawn(async move {
    ///         cancelled.await;
    ///         "removed the half of a file"
    ///     });
    ///     spawned.send(work).unwrap();
    ///     pending::<Result<()>>()
    /// });
    /// let server = Server::builder("files", "1.0.0").tool(export).build()?;
    /// # struct Body(Option<wymcp::Bytes>);
    /// # impl wymcp::Exchange for Body {
    /// #     type BodyFault = std::convert::Infallible;
    /// #     async fn next_chunk(&mut self) -> Option<Result<wymcp::Bytes, Self::BodyFault>> {
    /// #         self.0.take().map(Ok)
    /// #     }
    /// # }
    /// # impl wymcp::Clock for Body {
    /// #     fn sleep(&self, _: std::time::Duration) -> impl Future<Output = ()> + use<> { pending() }
    /// # }
    /// # let lines = [("host", "localhost"), ("content-type", "application/json"), ("mcp-method", "tools/call")];
    /// # let headers = [&lines[..], &[("mcp-protocol-version", "2026-07-28"), ("mcp-name", "export")]].concat();
    /// # let version = "io.modelcontextprotocol/protocolVersion";
    /// # let meta = serde_json::json!({version: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    /// # let params = serde_json::json!({"name": "export", "_meta": meta});
    /// # let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    /// # let (head, mut body) = (wymcp::Head::new("POST", &headers), Body(Some(body.to_string().into())));
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let answer = wymcp::answer(&server, &head, &mut body);
    ///
    /// // The client goes away: the host drops the answer while the handler waits.
    /// tokio::select! {
    ///     biased;
    ///     _ = answer => unreachable!("the handler never ends"),
    ///     () = async {} => {}
    /// }
    /// let work = works.recv().unwrap();
    /// assert_eq!(work.await.unwrap(), "removed the half of a file");
    /// # });
    /// # Ok::<(), wymcp::ConfigError>(())
    /// ```
    pub fn cancelled(&self) -> Cancelled {
        Cancelled(Wait::new(Arc::clone(&self.0)))
    }

    pub(crate) fn cancel(&self) {
        self.0.give();
    }
}

/// The future of [`Cancellation::cancelled`].
///
/// # Examples
///
/// Work that is done before anybody gives up:
///
/// ```
/// use wymcp::{Cancelled, Context};
///
/// async fn copied(pages: u32, cancelled: Cancelled) -> Option<u32> {
///     tokio::select! {
///         () = cancelled => None,
///         copied = async { pages } => Some(copied),
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// assert_eq!(copied(3, Context::detached().cancellation().cancelled()).await, Some(3));
/// # });
/// ```
#[derive(Debug)]
pub struct Cancelled(Wait<Arc<Signal>>);

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(context)
    }
}
