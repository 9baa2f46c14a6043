//! A client of plain sockets: it sends exactly the bytes that it is given, also those that no HTTP client sends.

use std::{
    io::{self, ErrorKind, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

use wymcp_core::LegacyVersion;

use crate::{Answer, Request, redaction, unanswered::Unanswered};

/// One connection to a server, which a test drives by hand.
///
/// Reads bodies by their `Content-Length`, or to the end of the connection. An answer that the official schema refuses
/// is an error (see [`Answer::judge`]).
///
/// # Examples
///
/// Two requests at once, to a host that answers each and then hangs up where it is asked to:
///
/// ```
/// use wymcp_testkit::{Case, Connection};
///
/// # let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
/// # let address = listener.local_addr()?;
/// # std::thread::spawn(move || {
/// #     use std::io::{BufRead as _, BufReader, Write as _};
/// #     for stream in listener.incoming().flatten() {
/// #         let mut closes = false;
/// #         for line in BufReader::new(&stream).lines() {
/// #             let line = line.unwrap();
/// #             closes |= line == "Connection: close";
/// #             if line.is_empty() {
/// #                 let close = if closes { "Connection: close\r\n" } else { "" };
/// #                 write!(&stream, "HTTP/1.1 405\r\nAllow: POST\r\n{close}Content-Length: 0\r\n\r\n").unwrap();
/// #                 if closes {
/// #                     break;
/// #                 }
/// #             }
/// #         }
/// #     }
/// # });
/// let mut connection = Connection::open(address)?;
/// connection.send("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2))?;
/// assert_eq!(connection.receive()?.unwrap().status, 405);
/// assert_eq!(connection.receive()?.unwrap().header("allow"), Some("POST"));
/// assert!(connection.is_usable());
///
/// let case = Case::parse("method/get", "\
/// ## The client wants no second answer.
/// server: modern
///
/// GET /mcp HTTP/1.1
/// Host: localhost
/// Connection: close
/// ---
/// HTTP/1.1 405
/// allow: POST
/// connection: close
/// ").unwrap();
/// let answer = connection.exchange(&case.request)?;
/// assert_eq!(case.difference(answer.as_ref()), None);
/// assert!(connection.is_ended());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// What was read and belongs to the next answer.
    read: Vec<u8>,
    unanswered: Unanswered,
    /// The beginning of what was sent last, to tell of when nothing comes.
    sent: String,
    streaming: Streaming,
    /// That of the session, if the messages are of one.
    version: Option<LegacyVersion>,
    /// The request whose answer goes on.
    resumed: Option<Vec<u8>>,
}

/// A stream that is open.
#[derive(Debug, Default)]
struct Streaming {
    /// The body of the request that it answers.
    request: Vec<u8>,
    /// What was read of an event that has no end yet.
    event: Vec<u8>,
}

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

impl Connection {
    /// Opens a connection.
    ///
    /// # Errors
    ///
    /// The operating system's.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream,
            read: Vec::new(),
            unanswered: Unanswered::default(),
            sent: "nothing".to_owned(),
            streaming: Streaming::default(),
            version: None,
            resumed: None,
        })
    }

    /// Lets what comes be judged as messages of a session of this revision.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use wymcp_core::LegacyVersion;
    /// use wymcp_testkit::Connection;
    ///
    /// let address = "127.0.0.1:8080".parse().unwrap();
    /// let connection = Connection::open(address)?.of_session(LegacyVersion::NEWEST);
    /// # std::io::Result::Ok(())
    /// ```
    #[must_use]
    pub fn of_session(mut self, version: LegacyVersion) -> Self {
        self.version = Some(version);
        self
    }

    /// Lets the stream that comes be judged as the rest of the answer to a request: what a client of a session comes back for.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use wymcp_core::LegacyVersion;
    /// use wymcp_testkit::Connection;
    ///
    /// let call = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow"}}"#;
    /// let address = "127.0.0.1:8080".parse().unwrap();
    /// let connection = Connection::open(address)?.of_session(LegacyVersion::NEWEST).resuming(call);
    /// # std::io::Result::Ok(())
    /// ```
    #[must_use]
    pub fn resuming(mut self, request: impl Into<Vec<u8>>) -> Self {
        self.resumed = Some(request.into());
        self
    }

    /// Sends bytes. A server that hangs up while they are on their way is no error: its answer may be there already.
    ///
    /// # Errors
    ///
    /// The operating system's.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        redaction::note_bytes(bytes.as_ref());
        self.unanswered.push(bytes.as_ref());
        self.sent = beginning(bytes.as_ref());
        match self.stream.write_all(bytes.as_ref()) {
            Err(error) if hung_up(&error) => Ok(()),
            Err(error) => Err(self.explained(error, "the server to read")),
            sent => sent,
        }
    }

    /// Reads the next answer; `None` when the connection ends without one.
    ///
    /// # Errors
    ///
    /// An answer that is no HTTP, that ends early, that takes longer than 10 seconds, or that is not valid.
    pub fn receive(&mut self) -> io::Result<Option<Answer>> {
        self.receive_to("POST")
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    ///
    /// As for [`Connection::send`] and [`Connection::receive`].
    pub fn exchange(&mut self, request: &Request) -> io::Result<Option<Answer>> {
        self.send(request.to_bytes())?;
        if request.closes {
            self.end_sending()?;
        }
        self.receive_to(&request.method)
    }

    /// Closes this side's half: nothing more will be sent, and what comes can still be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{io::Read as _, net::TcpListener};
    ///
    /// use wymcp_testkit::Connection;
    ///
    /// let listener = TcpListener::bind("127.0.0.1:0")?;
    /// let mut connection = Connection::open(listener.local_addr()?)?;
    /// connection.end_sending()?;
    /// assert_eq!(listener.accept()?.0.read(&mut [0])?, 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The operating system's.
    pub fn end_sending(&mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    /// Whether the server has ended the connection, or does so within 10 seconds.
    pub fn is_ended(&mut self) -> bool {
        self.read.is_empty() && matches!(self.fill("the end of the connection"), Ok(0))
    }

    /// Whether the server still answers here: it is sent a request that every server refuses.
    pub fn is_usable(&mut self) -> bool {
        let asked = self.send("GET /mcp HTTP/1.1\r\nHost: somebody.example\r\n\r\n");
        asked.is_ok() && matches!(self.receive_to("GET"), Ok(Some(_)))
    }

    fn receive_to(&mut self, method: &str) -> io::Result<Option<Answer>> {
        let head = loop {
            if let Some(end) = self
                .read
                .windows(4)
                .position(|window| window == b"\r\n\r\n")
            {
                let head: Vec<u8> = self.read.drain(..end + 4).collect();
                break String::from_utf8_lossy(&head).into_owned();
            }
            if self.fill("the head of an answer")? == 0 {
                return if self.read.is_empty() {
                    Ok(None)
                } else {
                    Err(self.ended_early("the head of an answer"))
                };
            }
        };
        let mut lines = head.trim_end().lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| invalid("no status line"))?;
        let headers: Vec<(&str, &str)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name, value.trim()))
            .collect();
        let length = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = length.and_then(|(_, length)| length.parse().ok());
        let is_chunked = headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("transfer-encoding") && value.eq_ignore_ascii_case("chunked")
        });
        let body = match length {
            _ if method == "HEAD" || status == 204 => Vec::new(),
            Some(length) => self.take(length)?,
            None if is_chunked => self.take_chunks()?,
            None if status == 202 => Vec::new(),
            None => self.take_all()?,
        };
        let answer = Answer::new(status, headers, body);
        judge(self.version, &answer, &self.unanswered.next_body())?;
        Ok(Some(answer))
    }

    fn take(&mut self, length: usize) -> io::Result<Vec<u8>> {
        while self.read.len() < length {
            let awaited = format!(
                "{length} bytes of a body, of which {} came",
                self.read.len()
            );
            if self.fill(&awaited)? == 0 {
                return Err(self.ended_early(&awaited));
            }
        }
        Ok(self.read.drain(..length).collect())
    }

    fn take_chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        while let Some(chunk) = self.take_chunk()? {
            body.extend(chunk);
        }
        Ok(body)
    }

    /// The next chunk of an answer whose length nobody announced; `None` at its end.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::{io::Write, net::TcpListener};
    ///
    /// use wymcp_testkit::Connection;
    ///
    /// let listener = TcpListener::bind("127.0.0.1:0")?;
    /// let mut connection = Connection::open(listener.local_addr()?)?;
    /// listener.accept()?.0.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n:\n\r\n0\r\n\r\n")?;
    /// let head = connection.open_stream("POST /mcp HTTP/1.1\r\n\r\n")?;
    /// assert!(head.starts_with("HTTP/1.1 200 OK"));
    /// assert_eq!(connection.next_chunk()?.as_deref(), Some(b":\n".as_slice()));
    /// assert_eq!(connection.next_chunk()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A chunk that is none, that ends early, that takes longer than 10 seconds, or that ends an event that is not valid.
    pub fn next_chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let chunk = self.take_chunk()?;
        let Streaming { request, event } = &mut self.streaming;
        event.extend(chunk.iter().flatten());
        while let Some(end) = event.windows(2).position(|window| window == b"\n\n") {
            let whole = event.drain(..end + 2).collect();
            let whole = Answer::new(200, [("content-type", "text/event-stream")], whole);
            judge(self.version, &whole, request)?;
        }
        Ok(chunk)
    }

    fn take_chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let line = self.take_line("the next piece of a stream")?;
        let length = usize::from_str_radix(line.trim(), 16)
            .map_err(|_| invalid(format!("no chunk: {line:?}")))?;
        let chunk = self.take(length)?;
        self.take_line("the end of a piece")?;
        Ok((length > 0).then_some(chunk))
    }

    fn take_line(&mut self, awaited: &str) -> io::Result<String> {
        let end = loop {
            if let Some(end) = self.read.windows(2).position(|window| window == b"\r\n") {
                break end + 2;
            }
            if self.fill(awaited)? == 0 {
                return Err(self.ended_early(awaited));
            }
        };
        let line: Vec<u8> = self.read.drain(..end).collect();
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// Sends a request and reads the head of its answer, whose body [`Connection::next_chunk`] reads.
    ///
    /// # Errors
    ///
    /// As for [`Connection::send`] and [`Connection::receive`].
    pub fn open_stream(&mut self, request: impl AsRef<[u8]>) -> io::Result<String> {
        self.send(request)?;
        let mut head = String::new();
        loop {
            let line = self.take_line("the head of a stream")?;
            if line == "\r\n" {
                // One that only tells to go on leaves its request open.
                if !head.starts_with("HTTP/1.1 1") {
                    let asked = self.unanswered.next_body();
                    self.streaming = Streaming {
                        request: self.resumed.take().unwrap_or(asked),
                        event: Vec::new(),
                    };
                }
                return Ok(head);
            }
            head.push_str(&line);
        }
    }

    fn take_all(&mut self) -> io::Result<Vec<u8>> {
        while self.fill("the end of a body")? > 0 {}
        Ok(std::mem::take(&mut self.read))
    }

    /// Reads what is there; 0 at the end of the connection.
    fn fill(&mut self, awaited: &str) -> io::Result<usize> {
        let mut buffer = [0; 16 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(count) => {
                self.read
                    .extend_from_slice(buffer.get(..count).unwrap_or_default());
                Ok(count)
            }
            Err(error) if hung_up(&error) => Ok(0),
            Err(error) => Err(self.explained(error, awaited)),
        }
    }

    /// A timeout in words: the operating system's say only that there is nothing yet.
    fn explained(&self, error: io::Error, awaited: &str) -> io::Error {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                let (seconds, sent) = (PATIENCE.as_secs(), &self.sent);
                let words =
                    format!("nothing within {seconds} s; waited for {awaited}; sent: {sent}");
                io::Error::new(ErrorKind::TimedOut, words)
            }
            _ => error,
        }
    }

    fn ended_early(&self, awaited: &str) -> io::Error {
        let words = format!(
            "the connection ended; waited for {awaited}; sent: {}",
            self.sent
        );
        io::Error::new(ErrorKind::UnexpectedEof, words)
    }
}

/// Enough of what is sent to recognize it by.
fn beginning(bytes: &[u8]) -> String {
    const SHOWN: usize = 400;
    let shown = bytes.get(..SHOWN).unwrap_or(bytes);
    let more = if shown.len() < bytes.len() {
        " ..."
    } else {
        ""
    };
    let text = String::from_utf8_lossy(shown).replace("\r\n", " | ");
    format!("{text}{more}")
}

fn judge(version: Option<LegacyVersion>, answer: &Answer, request: &[u8]) -> io::Result<()> {
    let verdict = match version {
        Some(version) => answer.judge_by(version, request),
        None => answer.judge(request),
    };
    verdict.map_err(invalid)
}

fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault.into())
}

fn hung_up(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
    )
}
