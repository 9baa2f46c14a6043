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
//!
//! The features `json-schema`, `sealing` and `editing`, on by default, are those of [`wymcp`].

mod process;

use std::{future::pending, io, sync::Arc, time::Duration};

use tokio::{
    io::{
        AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
        DuplexStream, copy, duplex,
    },
    task, time,
};
use wymcp::{Answers, Bytes, Clock, LineBuffer, Lines, Principal, Server};

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

    /// Within what time the server ends when the input has; 10 seconds unless it is set.
    ///
    /// Calls in flight have three quarters of it, and what they say has the rest to be written.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Serves on the process's standard input and output, until the input ends and the calls in flight have.
    ///
    /// Nothing that comes in ends it. A client that no longer reads does, once something is to be written: then the calls in
    /// flight are dropped. Either stream may be one that does not block.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, when the output cannot be written though somebody reads it, and when the threads that do
    /// so cannot be started.
    pub async fn serve(self) -> io::Result<()> {
        self.run(process::stdin()?, process::stdout()?).await
    }

    /// Serves on any pair of streams; see [`Stdio`] for an example.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, and when the output cannot be written though somebody reads it.
    pub async fn serve_on<R, W>(self, mut input: R, mut output: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let ((near, mut far), (answers, mut written)) = (duplex(PIPE), duplex(PIPE));
        let reading = async move { copy(&mut input, &mut far).await.map(drop) };
        let writing = async move {
            copy(&mut written, &mut output).await?;
            output.flush().await
        };
        self.run((near, reading), (answers, writing)).await
    }

    /// Serves on two buffers, whose other ends are copied from and to the client's streams for as long as those go on.
    ///
    /// So the end of the input is seen though there is no time for its lines yet, and whoever waits for the client waits for
    /// nothing else.
    async fn run(
        self,
        (input, reading): (DuplexStream, impl Future<Output = io::Result<()>>),
        (output, writing): (DuplexStream, impl Future<Output = io::Result<()>>),
    ) -> io::Result<()> {
        let mut buffer = LineBuffer::new(&self.server);
        let (lines, answers) = Lines::new(self.server, self.principal);
        // The answers end after both of these: by then it is known how the reading ended.
        let ending = Arc::new(lines);
        let lines = Arc::clone(&ending);
        let mut read = Ok(());
        let late = async {
            read = reading.await;
            ending.end(self.grace / 4 * 3);
            drop(ending);
            time::sleep(self.grace).await;
        };
        let taking = async move {
            let mut input = BufReader::new(input);
            while let Some(line) = next_line(&lines, &mut input, &mut buffer).await {
                lines.take(line, Tokio).map(task::spawn);
            }
        };
        let written = tokio::select! {
            () = late => Ok(()),
            never = async { tokio::join!(taking, write(answers, output)); pending().await } => never,
            written = writing => written,
        };
        match written {
            // Nobody reads any more.
            Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => read,
            written => read.and(written),
        }
    }
}

/// How much is kept between a stream and the server: as much as a system keeps of a pipe at most.
const PIPE: usize = 1 << 20;

/// The next line, when there is room for it; `None` at the end.
async fn next_line(
    lines: &Lines,
    input: &mut (impl AsyncBufRead + Unpin),
    buffer: &mut LineBuffer,
) -> Option<Bytes> {
    lines.room().await;
    loop {
        let piece = input.fill_buf().await.unwrap_or_default();
        if piece.is_empty() {
            return buffer.finish();
        }
        let (taken, line) = buffer.take(piece);
        input.consume(taken);
        if line.is_some() {
            return line;
        }
    }
}

async fn write(mut answers: Answers, mut output: DuplexStream) {
    while let Some(piece) = answers.next().await
        && output.write_all(&piece).await.is_ok()
    {}
}

struct Tokio;

impl Clock for Tokio {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + use<> {
        time::sleep(duration)
    }
}
