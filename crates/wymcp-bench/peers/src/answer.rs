//! An HTTP/1.1 answer, read as it arrives.

use std::error::Error;
use std::io::{ErrorKind, Read};

/// What has been read of one answer, on a connection that is kept.
#[derive(Debug, Default)]
pub struct Answer {
    bytes: Vec<u8>,
    /// How many of `bytes` are filled.
    filled: usize,
    head: Option<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    length: usize,
    /// The body's announced length; without one it comes in chunks.
    body: Option<usize>,
}

impl Answer {
    /// Reads what is there; gives the body when the answer is whole, with the marks of its chunks.
    ///
    /// # Errors
    ///
    /// A status other than 200, the end of the connection, more than was announced.
    pub fn read(&mut self, stream: &mut impl Read) -> Result<Option<&[u8]>, Box<dyn Error>> {
        loop {
            if self.filled == self.bytes.len() {
                self.bytes.resize((2 * self.filled).max(16 * 1024), 0);
            }
            match stream.read(&mut self.bytes[self.filled..]) {
                Ok(0) => return Err("the server closed a connection that it should keep".into()),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            // With room left the socket is empty, and one read was enough.
            if self.filled < self.bytes.len() {
                break;
            }
        }
        let received = &self.bytes[..self.filled];
        if self.head.is_none() {
            self.head = parse(received)?;
        }
        let Some(head) = self.head else {
            return Ok(None);
        };
        let body = &received[head.length..];
        match head.body {
            Some(length) if body.len() < length => return Ok(None),
            Some(length) if body.len() > length => {
                return Err("the server sent more than it announced".into());
            }
            None if !body.ends_with(b"\r\n0\r\n\r\n") => return Ok(None),
            _ => {}
        }
        let end = self.filled;
        self.filled = 0;
        self.head = None;
        Ok(Some(&self.bytes[head.length..end]))
    }
}

fn parse(received: &[u8]) -> Result<Option<Head>, Box<dyn Error>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = head.parse(received)? else {
        return Ok(None);
    };
    if head.code != Some(200) {
        let text = String::from_utf8_lossy(received);
        return Err(format!("status {:?}: {text}", head.code).into());
    }
    let announced = head
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let body = match announced {
        Some(header) => Some(std::str::from_utf8(header.value)?.trim().parse()?),
        None => None,
    };
    Ok(Some(Head { length, body }))
}
