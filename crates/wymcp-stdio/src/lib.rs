//! Serves a wymcp server on standard input and output: for a client that starts the server as a command of its own.
//!
//! ```no_run
//! use wymcp::{Context, Server, tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum { a: i64, b: i64 }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("calculator", "1.0.0")
//!     .tool(tool("sum").describe("Adds two numbers").run(async |args: Sum, _ctx: Context| Ok(args.a + args.b)))
//!     .build()?;
//! wymcp_stdio::serve(server).await?;
//! # Ok(())
//! # }
//! ```
//!
//! How a server is written is in the guide, `docs/guide.md` of the repository.
//!
//! Standard output belongs to the protocol: what else is written there, by `println!` for example, is a broken message to
//! the client. Write records to standard error, as the calculator example does.
//!
//! Calls run side by side, and are answered in the order in which they end. Nobody is asked who it is: whoever can write
//! to the server's input started it.

mod stdin;

use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    io,
    pin::Pin,
    time::Duration,
};

use futures_core::Stream;
use stdin::stdin;
use tokio::{
    io::{
        AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
    },
    sync::mpsc::{self, Receiver, Sender},
    task::{self, AbortHandle, JoinSet},
    time,
};
use wymcp::{
    AnswerStream, Bytes, Clock, LineBuffer, LineTurn, Lines, Principal, RequestId, Server,
};

/// Serves on the process's standard input and output, until the input ends.
///
/// # Errors
///
/// See [`Stdio::serve`].
pub async fn serve(server: Server) -> io::Result<()> {
    Stdio::new(server).serve().await
}

/// A server on lines, and its settings.
///
/// # Examples
///
/// On any pair of streams, here in memory:
///
/// ```
/// use std::time::Duration;
///
/// use tokio::io::AsyncReadExt as _;
/// use wymcp::{Principal, Server};
/// use wymcp_stdio::Stdio;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let server = Server::builder("empty", "1.0.0").build().unwrap();
/// let stdio = Stdio::new(server).principal(Principal::named("alice")).grace(Duration::from_secs(1));
/// let input = br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}"#;
/// let (output, mut answers) = tokio::io::duplex(4096);
/// stdio.serve_on(&input[..], output).await.unwrap();
/// let mut answer = String::new();
/// answers.read_to_string(&mut answer).await.unwrap();
/// assert!(answer.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":"#) && answer.ends_with('\n'));
/// # });
/// ```
#[derive(Debug)]
#[must_use]
pub struct Stdio {
    server: Server,
    principal: Principal,
    grace: Duration,
}

impl Stdio {
    /// A server on lines, on behalf of nobody by name.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            principal: Principal::anonymous(),
            grace: Duration::from_secs(10),
        }
    }

    /// On whose behalf the lines come: of the user of this machine, say.
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = principal;
        self
    }

    /// For how long calls in flight may go on when the input has ended; 10 seconds unless it is set.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Serves on the process's standard input and output, until the input ends and the calls in flight have.
    ///
    /// Nothing that comes in ends it. A client that no longer reads does: then the calls in flight are dropped.
    ///
    /// # Errors
    ///
    /// When the output cannot be written though somebody reads it.
    pub async fn serve(self) -> io::Result<()> {
        self.serve_on(stdin()?, tokio::io::stdout()).await
    }

    /// Serves on any pair of streams; see [`Stdio`] for an example.
    ///
    /// # Errors
    ///
    /// As [`Stdio::serve`], and when the input cannot be read.
    pub async fn serve_on<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let Self {
            server,
            principal,
            grace,
        } = self;
        // One piece waits for the client at most, so that a call whose answers nobody reads waits too.
        let (pieces, written) = mpsc::channel(1);
        let writing = task::spawn(write(output, written));
        let (mut input, mut buffer) = (BufReader::new(input), LineBuffer::new(&server));
        let mut calls = Calls::default();
        let lines = Lines::new(server, principal);
        let ended = loop {
            let line = tokio::select! {
                line = next_line(&mut input, &mut buffer) => match line {
                    Ok(Some(line)) => line,
                    Ok(None) => break Ok(()),
                    Err(fault) => break Err(fault),
                },
                () = calls.one_ended() => continue,
                () = pieces.closed() => break Ok(()),
            };
            match lines.take(line, Tokio) {
                LineTurn::Answered(line) if line.is_empty() => {}
                // Of a client that is gone the loop hears next.
                LineTurn::Answered(line) => drop(pieces.send(line).await),
                LineTurn::Cancel(id) => calls.cancel(&id),
                LineTurn::Begun {
                    id,
                    answer,
                    conversation,
                } => {
                    task::spawn(conversation);
                    calls.start(id, send(answer, pieces.clone()));
                }
            }
        };
        lines.end(grace);
        calls.end(grace, &pieces).await;
        drop(pieces);
        // A client that never reads must not keep the server.
        let written = time::timeout(grace, writing).await;
        ended.and(written.unwrap_or(Ok(Ok(()))).unwrap_or(Ok(())))
    }
}

/// The next line; `None` at the end. Dropped and called again, it goes on where it was.
async fn next_line(
    input: &mut (impl AsyncBufRead + Unpin),
    buffer: &mut LineBuffer,
) -> io::Result<Option<Bytes>> {
    loop {
        let piece = input.fill_buf().await?;
        if piece.is_empty() {
            return Ok(buffer.finish());
        }
        let (taken, line) = buffer.take(piece);
        input.consume(taken);
        if line.is_some() {
            return Ok(line);
        }
    }
}

/// The calls in flight.
#[derive(Default)]
struct Calls {
    running: JoinSet<()>,
    ids: HashMap<task::Id, (Option<RequestId<'static>>, AbortHandle)>,
}

impl Calls {
    fn start(
        &mut self,
        id: Option<RequestId<'static>>,
        run: impl Future<Output = ()> + Send + 'static,
    ) {
        let handle = self.running.spawn(run);
        self.ids.insert(handle.id(), (id, handle));
    }

    /// Drops every call of this id.
    fn cancel(&self, id: &RequestId<'_>) {
        let calls = self
            .ids
            .values()
            .filter(|(other, _)| other.as_ref() == Some(id));
        calls.for_each(|(_, call)| call.abort());
    }

    /// Ends when a call has; never, where there is none.
    async fn one_ended(&mut self) {
        let ended = match self.running.join_next_with_id().await {
            Some(Ok((task, ()))) => task,
            Some(Err(fault)) => fault.id(),
            None => std::future::pending().await,
        };
        self.ids.remove(&ended);
    }

    /// Lets the calls end, for as long as anybody reads their answers, and a little longer than the server lets them run.
    async fn end(mut self, grace: Duration, pieces: &Sender<Bytes>) {
        let late = time::sleep(grace.saturating_add(Duration::from_secs(1)));
        tokio::select! {
            () = async { while self.running.join_next().await.is_some() {} } => {}
            () = pieces.closed() => {}
            () = late => {}
        }
    }
}

/// Sends an answer, piece by piece.
async fn send(mut answer: AnswerStream, pieces: Sender<Bytes>) {
    while let Some(piece) = poll_fn(|context| Pin::new(&mut answer).poll_next(context)).await {
        if !piece.is_empty() && pieces.send(piece).await.is_err() {
            return;
        }
    }
}

async fn write(mut output: impl AsyncWrite + Unpin, mut pieces: Receiver<Bytes>) -> io::Result<()> {
    let written = async {
        while let Some(piece) = pieces.recv().await {
            output.write_all(&piece).await?;
            if pieces.is_empty() {
                output.flush().await?;
            }
        }
        output.flush().await
    };
    match written.await {
        // Nobody reads any more.
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

struct Tokio;

impl Clock for Tokio {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        time::sleep(duration)
    }
}
