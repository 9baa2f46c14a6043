//! The load: keep-alive connections, one request in flight on each, every answer read whole and checked.
//!
//! One thread over epoll. It gives up on the first answer that is wrong, late or not kept alive, because a figure from a
//! failing server means nothing.

use std::error::Error;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::answer::Answer;
use crate::call::Call;
use crate::process::Process;

/// How long a server may stay silent.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What one measurement came to.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Answers a second.
    pub requests_per_second: f64,
    /// From a request's write to its whole answer: the median.
    pub p50_us: f64,
    /// The same: what one of a hundred passes.
    pub p99_us: f64,
    /// CPU time of all threads of the server for one request.
    pub cpu_us: f64,
    /// The same of its first thread alone.
    pub first_thread_us: f64,
    /// How much of a core the server had.
    pub cpu_percent: f64,
}

/// The clients of one server, connected.
#[derive(Debug)]
pub struct Clients {
    poll: Poll,
    events: Events,
    connections: Vec<Connection>,
    call: Call,
    request: Vec<u8>,
    /// The last answer. The same call gets the same bytes, so most answers are checked by comparing them.
    checked: Vec<u8>,
}

#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    answer: Answer,
    /// How much of the request is written.
    written: usize,
    sent: Instant,
}

impl Clients {
    /// Connects `count` clients.
    ///
    /// # Errors
    ///
    /// No server, or no more connections.
    pub fn connect(address: SocketAddr, call: &Call, count: usize) -> Result<Self, Box<dyn Error>> {
        let poll = Poll::new()?;
        let mut connections = Vec::with_capacity(count);
        for index in 0..count {
            let mut stream = connected(address)?;
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry()
                .register(&mut stream, Token(index), interest)?;
            connections.push(Connection {
                stream,
                answer: Answer::default(),
                written: 0,
                sent: Instant::now(),
            });
        }
        Ok(Self {
            poll,
            events: Events::with_capacity(count.max(1)),
            connections,
            call: call.clone(),
            request: call.request(&address.to_string()),
            checked: Vec::new(),
        })
    }

    /// One call on each connection, and its answer.
    ///
    /// # Errors
    ///
    /// An answer that is not the right one.
    pub fn call_once(&mut self) -> Result<(), Box<dyn Error>> {
        self.begin()?;
        self.end()
    }

    /// Calls for a while, and measures.
    ///
    /// # Errors
    ///
    /// An answer that is not the right one.
    pub fn measure(
        &mut self,
        server: &Process,
        warm_up: Duration,
        measured: Duration,
    ) -> Result<Figures, Box<dyn Error>> {
        self.begin()?;
        let warm = Instant::now() + warm_up;
        while Instant::now() < warm {
            self.answers(|_, _| true)?;
        }
        let mut latencies: Vec<Duration> = Vec::with_capacity(1 << 18);
        let (cpu, begun) = (server.cpu()?, Instant::now());
        while begun.elapsed() < measured {
            self.answers(|sent, now| {
                latencies.push(now - sent);
                true
            })?;
        }
        let (used, elapsed) = (server.cpu()? - cpu, begun.elapsed());
        // What is in flight belongs to nothing that is measured next.
        self.end()?;
        Ok(figures(&mut latencies, elapsed, used))
    }

    /// Waits for the answers that are due, and calls no more.
    fn end(&mut self) -> Result<(), Box<dyn Error>> {
        let mut left = self.connections.len();
        while left > 0 {
            self.answers(|_, _| {
                left -= 1;
                false
            })?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Box<dyn Error>> {
        for connection in &mut self.connections {
            connection.send(&self.request)?;
        }
        Ok(())
    }

    /// Waits for answers; after each, `take` is told when its request was sent and says whether to send another.
    fn answers(
        &mut self,
        mut take: impl FnMut(Instant, Instant) -> bool,
    ) -> Result<(), Box<dyn Error>> {
        self.poll.poll(&mut self.events, Some(PATIENCE))?;
        if self.events.is_empty() {
            return Err("the server did not answer in time".into());
        }
        for event in &self.events {
            let connection = &mut self.connections[event.token().0];
            if connection.written < self.request.len() {
                connection.write(&self.request)?;
            }
            let Some(body) = connection.answer.read(&mut connection.stream)? else {
                continue;
            };
            if body != self.checked {
                self.call.check(body)?;
                body.clone_into(&mut self.checked);
            }
            if take(connection.sent, Instant::now()) {
                connection.send(&self.request)?;
            }
        }
        Ok(())
    }
}

impl Connection {
    fn send(&mut self, request: &[u8]) -> Result<(), Box<dyn Error>> {
        self.sent = Instant::now();
        self.written = 0;
        self.write(request)
    }

    fn write(&mut self, request: &[u8]) -> Result<(), Box<dyn Error>> {
        while self.written < request.len() {
            match self.stream.write(&request[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// A connection for epoll.
///
/// # Errors
///
/// No server, or no more connections.
pub fn connected(address: SocketAddr) -> Result<TcpStream, Box<dyn Error>> {
    let stream = std::net::TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_nonblocking(true)?;
    Ok(TcpStream::from_std(stream))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of one run are far below 2^52"
)]
fn figures(latencies: &mut [Duration], elapsed: Duration, used: crate::process::Cpu) -> Figures {
    latencies.sort_unstable();
    let count = latencies.len();
    let percentile = |percent: usize| {
        let index = (count * percent / 100).min(count.saturating_sub(1));
        latencies
            .get(index)
            .map_or(0.0, |latency| latency.as_secs_f64() * 1e6)
    };
    let count = count.max(1) as f64;
    Figures {
        requests_per_second: count / elapsed.as_secs_f64(),
        p50_us: percentile(50),
        p99_us: percentile(99),
        cpu_us: used.all.as_secs_f64() * 1e6 / count,
        first_thread_us: used.first.as_secs_f64() * 1e6 / count,
        cpu_percent: 100.0 * used.all.as_secs_f64() / elapsed.as_secs_f64(),
    }
}
