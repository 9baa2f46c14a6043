//! Whether a server keeps anything of what peers make up: a million calls, each of a tool and under a progress token that
//! nobody has named before.
//!
//! `--port`, `--pid` (whose memory is read) and `--calls` (a million unless it is set). Fails when the memory after the
//! last call is more than [`GROWTH`] above that after the first tenth.

use std::{
    error::Error,
    io::{BufReader, Write},
    net::{Ipv4Addr, TcpStream},
};

use wymcp_peers::{
    arguments,
    watch::{answer, resident},
};

fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = arguments::value("--port")?.ok_or("say where the server is: --port NUMBER")?;
    let pid: u32 = arguments::value("--pid")?.ok_or("say whose memory to read: --pid NUMBER")?;
    let calls: u64 = arguments::value("--calls")?.unwrap_or(1_000_000);
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_nodelay(true)?;
    let (mut reader, mut writer) = (BufReader::new(stream.try_clone()?), stream);
    let tenth = (calls / 10).max(1);
    let mut early = None;
    for call in 0..calls {
        if call % tenth == 0 {
            let now = resident(pid)?;
            println!("{call} calls: {now} KiB");
            if call == tenth {
                early = Some(now);
            }
        }
        writer.write_all(&request(call))?;
        let (_, body) = answer(&mut reader)?;
        if !body.contains("-32602") {
            return Err(format!("another answer to call {call}: {body}").into());
        }
    }
    let late = resident(pid)?;
    println!("{calls} calls: {late} KiB");
    let early = early.ok_or("too few calls to see a growth: at least 2")?;
    if late > early + GROWTH {
        return Err(format!("from {early} to {late} KiB: something is kept").into());
    }
    Ok(())
}

/// What the allocator may take besides, in KiB. Of nine tenths of a million calls, each would have kept half a byte.
const GROWTH: u64 = 512;

fn request(call: u64) -> Vec<u8> {
    let name = format!("unknown-{call}");
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":"{name}","method":"tools/call","params":{{"name":"{name}","arguments":{{"{name}":1}},"_meta":{{"progressToken":"{name}","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {name}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}
