//! Whether a server keeps anything of sessions that their clients have abandoned: waves of ten thousand, each opened, used and
//! left.
//!
//! `--port`, `--pid` (whose memory is read), `--idle` (the server's, in seconds), `--sessions` (of a wave) and `--waves`. Fails
//! when the memory after the last wave is more than [`GROWTH`] above that after the second, by which the allocator has what it
//! keeps, or when a session outlives its time.

use std::{
    error::Error,
    io::{BufReader, Write},
    net::{Ipv4Addr, TcpStream},
    thread,
    time::Duration,
};

use wymcp_peers::{
    arguments,
    watch::{answer, resident},
};

fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where the server is: --port NUMBER")?;
    let pid: u32 = arguments::value("--pid")?.ok_or("say whose memory to read: --pid NUMBER")?;
    let idle: u64 = arguments::value("--idle")?.ok_or("say when sessions end: --idle SECONDS")?;
    let count: usize = arguments::value("--sessions")?.unwrap_or(10_000);
    let waves: usize = arguments::value("--waves")?.unwrap_or(4);
    let mut client = Client::connect(port)?;
    println!("before: {} KiB", resident(pid)?);
    let mut floors = Vec::new();
    for wave in 1..=waves {
        let mut last = String::new();
        for _ in 0..count {
            last = client.use_session()?;
        }
        println!("wave {wave}, {count} sessions open: {} KiB", resident(pid)?);
        thread::sleep(Duration::from_secs(idle + 2));
        let (head, _) = client.send(&last, PING)?;
        if !head.starts_with("http/1.1 404") {
            return Err(format!("a session outlives its time: {head}").into());
        }
        floors.push(resident(pid)?);
        println!("wave {wave}, after their time: {} KiB", floors[wave - 1]);
    }
    let second = floors
        .get(1)
        .ok_or("too few waves to see a growth: at least 2")?;
    let last = floors[waves - 1];
    if last > second + GROWTH {
        return Err(format!("from {second} to {last} KiB: something is kept").into());
    }
    Ok(())
}

/// What the allocator may take besides, in KiB. Each of ten thousand sessions would have kept a fifth of one.
const GROWTH: u64 = 2 * 1024;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{}},"clientInfo":{"name":"soak","version":"1"}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sum","arguments":{"a":19,"b":23},"_meta":{"progressToken":"p"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

struct Client {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Client {
    fn connect(port: u16) -> Result<Self, Box<dyn Error>> {
        let writer = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        writer.set_nodelay(true)?;
        let reader = BufReader::new(writer.try_clone()?);
        Ok(Self { reader, writer })
    }

    /// Opens a session, calls a tool in it, and leaves it.
    fn use_session(&mut self) -> Result<String, Box<dyn Error>> {
        let (head, _) = self.send("", HELLO)?;
        let id = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        let id = id.ok_or_else(|| format!("no session: {head}"))?.to_owned();
        let _ = self.send(&id, READY)?;
        let (_, body) = self.send(&id, CALL)?;
        if !body.contains("42") {
            return Err(format!("another answer: {body}").into());
        }
        Ok(id)
    }

    fn send(&mut self, session: &str, body: &str) -> Result<(String, String), Box<dyn Error>> {
        let session = match session {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\n"),
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{session}Content-Length: {}\r\n\r\n",
            body.len()
        );
        self.writer.write_all((head + body).as_bytes())?;
        answer(&mut self.reader)
    }
}
