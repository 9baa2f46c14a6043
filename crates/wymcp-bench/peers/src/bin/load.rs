//! A load generator: N keep-alive connections, one request in flight on each, every answer read
//! whole and checked.
//!
//! ```text
//! load --port 3000 [--connections 32] [--warm-up 1] [--seconds 2] [--pid SERVER]
//! load --port 3000 --check
//! ```
//!
//! One thread over epoll: one read and one write an answer. It gives up on the first answer that
//! is wrong, late or not kept alive, because a figure from a failing server means nothing.

use std::error::Error;
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use wymcp_peers::{arguments, call};

fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where the server is: --port NUMBER")?;
    let target = Target::new(port);
    if arguments::flag("--check") {
        let answer = target.check()?;
        println!("{answer}");
        return Ok(());
    }
    let seconds = |name, usual| -> Result<Duration, Box<dyn Error>> {
        let seconds = arguments::value(name)?.unwrap_or(usual);
        Ok(Duration::try_from_secs_f64(seconds)?)
    };
    let plan = Plan {
        connections: arguments::value("--connections")?.unwrap_or(32),
        warm_up: seconds("--warm-up", 1.0)?,
        measured: seconds("--seconds", 2.0)?,
        server: arguments::value("--pid")?,
    };
    println!("{}", run(&target, &plan)?);
    Ok(())
}

/// The server, and the bytes that are sent to it.
struct Target {
    address: SocketAddr,
    request: Vec<u8>,
}

impl Target {
    fn new(port: u16) -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Self {
            address,
            request: call::request(&address.to_string()),
        }
    }

    /// Waits for the server to listen, calls it once and gives the answer's body.
    fn check(&self) -> Result<String, Box<dyn Error>> {
        let give_up = Instant::now() + PATIENCE;
        let mut stream = loop {
            match std::net::TcpStream::connect(self.address) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() > give_up => return Err(error.into()),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(&self.request)?;
        let mut answer = Answer::default();
        loop {
            if let Some(body) = answer.read(&mut stream)? {
                check(body)?;
                return Ok(String::from_utf8(body.to_vec())?);
            }
        }
    }
}

/// How long and how hard.
struct Plan {
    connections: usize,
    warm_up: Duration,
    measured: Duration,
    /// The server's process, when its CPU time is to be read as well.
    server: Option<u32>,
}

struct Connection {
    stream: TcpStream,
    answer: Answer,
    sent: Instant,
}

impl Connection {
    fn send(&mut self, request: &[u8], now: Instant) -> Result<(), Box<dyn Error>> {
        self.sent = now;
        // The socket's buffer is empty: the last request was answered.
        let written = self.stream.write(request)?;
        if written == request.len() {
            Ok(())
        } else {
            Err("the request did not fit the socket's buffer".into())
        }
    }
}

fn run(target: &Target, plan: &Plan) -> Result<String, Box<dyn Error>> {
    let mut poll = Poll::new()?;
    let mut connections = Vec::with_capacity(plan.connections);
    let begun = Instant::now();
    for index in 0..plan.connections {
        let stream = std::net::TcpStream::connect(target.address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry()
            .register(&mut stream, Token(index), Interest::READABLE)?;
        connections.push(Connection {
            stream,
            answer: Answer::default(),
            sent: begun,
        });
    }
    for connection in &mut connections {
        connection.send(&target.request, Instant::now())?;
    }

    let mut measure_from = Instant::now() + plan.warm_up;
    let mut measuring = false;
    let mut cpu_before = None;
    let mut latencies = Vec::with_capacity(1 << 20);
    let mut checked = Vec::new();
    let mut events = Events::with_capacity(plan.connections.max(1));
    loop {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err("the server did not answer for five seconds".into());
        }
        for event in &events {
            let connection = &mut connections[event.token().0];
            let Some(body) = connection.answer.read(&mut connection.stream)? else {
                continue;
            };
            // The same call gets the same bytes, so most answers are checked by comparing them.
            if body != checked {
                check(body)?;
                checked = body.to_vec();
            }
            let now = Instant::now();
            if measuring {
                latencies.push(now - connection.sent);
            }
            connection.send(&target.request, now)?;
        }
        let now = Instant::now();
        if measuring && now >= measure_from + plan.measured {
            let cpu = plan.server.map(cpu_time).transpose()?;
            return Ok(report(
                &mut latencies,
                now - measure_from,
                cpu_before.zip(cpu),
            ));
        }
        if !measuring && now >= measure_from {
            measuring = true;
            measure_from = now;
            cpu_before = plan.server.map(cpu_time).transpose()?;
        }
    }
}

/// What has been read of one answer.
#[derive(Default)]
struct Answer {
    bytes: Vec<u8>,
    /// How many of `bytes` are filled.
    filled: usize,
}

impl Answer {
    /// Reads once; gives the body when the answer is whole.
    ///
    /// Once is enough: epoll tells of bytes that arrive later, and no second answer can be behind
    /// this one.
    fn read(&mut self, stream: &mut impl Read) -> Result<Option<&[u8]>, Box<dyn Error>> {
        self.bytes.resize(MAX_ANSWER, 0);
        match stream.read(&mut self.bytes[self.filled..]) {
            Ok(0) if self.filled == MAX_ANSWER => {
                return Err("the answer is longer than 16 KiB".into());
            }
            Ok(0) => return Err("the server closed a connection that it should keep".into()),
            Ok(count) => self.filled += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let received = &self.bytes[..self.filled];
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut head = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(head_length) = head.parse(received)? else {
            return Ok(None);
        };
        if head.code != Some(200) {
            return Err(format!(
                "status {:?}: {}",
                head.code,
                String::from_utf8_lossy(received)
            )
            .into());
        }
        let length = head
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case("content-length"))
            .ok_or(
                "the answer has no Content-Length: the server is to answer with JSON, not a stream",
            )?;
        let length: usize = std::str::from_utf8(length.value)?.trim().parse()?;
        let body = &received[head_length..];
        if body.len() < length {
            return Ok(None);
        }
        if body.len() > length {
            return Err("the server sent more than it announced".into());
        }
        let end = self.filled;
        self.filled = 0;
        Ok(Some(&self.bytes[head_length..end]))
    }
}

fn check(body: &[u8]) -> Result<(), Box<dyn Error>> {
    let text = std::str::from_utf8(body)?;
    match call::ANSWERS.iter().find(|part| !text.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("the answer lacks {part}: {text}").into()),
    }
}

/// CPU time of all threads of a process, as the scheduler counts it.
fn cpu_time(process: u32) -> Result<Duration, Box<dyn Error>> {
    let mut nanoseconds: u64 = 0;
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds += text.split(' ').next().unwrap_or_default().parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanoseconds))
}

/// One line of `name=value`, for people and for `compare`.
fn report(
    latencies: &mut [Duration],
    elapsed: Duration,
    cpu: Option<(Duration, Duration)>,
) -> String {
    latencies.sort_unstable();
    let count = latencies.len();
    let percentile = |percent: usize| {
        let index = (count * percent / 100).min(count.saturating_sub(1));
        latencies.get(index).map_or(0, Duration::as_micros)
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of one run are far below 2^52"
    )]
    let count = count as f64;
    let speed = format!(
        "requests_per_second={:.0} p50_us={} p99_us={}",
        count / elapsed.as_secs_f64(),
        percentile(50),
        percentile(99),
    );
    let Some((before, after)) = cpu else {
        return speed;
    };
    let used = after.saturating_sub(before).as_secs_f64();
    format!(
        "{speed} cpu_percent={:.0} cpu_us_per_request={:.1}",
        100.0 * used / elapsed.as_secs_f64(),
        1e6 * used / count.max(1.0),
    )
}

/// How long a server may stay silent.
const PATIENCE: Duration = Duration::from_secs(5);

/// The answer to the call is about 350 bytes with its head.
const MAX_ANSWER: usize = 16 * 1024;
