//! What a client writes, in pieces.

use std::{
    future::{Future, pending},
    pin::pin,
    task::{Context, Poll, Waker},
};

use wymcp::{Clock, LineBuffer, Lines, Principal};
use wymcp_core::Turn;

use super::told::{SERVER, due, judge};

/// Nothing waits here.
struct Never;

impl Clock for Never {
    fn sleep(&self, _: std::time::Duration) -> impl Future<Output = ()> + use<> {
        pending()
    }
}

pub(crate) fn stdio_lines(bytes: &[u8]) {
    let lines = cut(bytes, bytes.len().max(1));
    let naive = bytes.split(|byte| *byte == b'\n');
    let naive: Vec<_> = naive.filter(|line| !line.trim_ascii().is_empty()).collect();
    assert_eq!(lines, naive);
    for size in [1, 1 + bytes.len() % 7] {
        assert_eq!(cut(bytes, size), lines, "in pieces of {size} bytes");
    }
    answer(&lines);
}

/// The lines of pieces of one size.
fn cut(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    let mut buffer = LineBuffer::new(&SERVER);
    let mut lines = Vec::new();
    for mut piece in bytes.chunks(size) {
        while !piece.is_empty() {
            let (taken, line) = buffer.take(piece);
            lines.extend(line.map(|line| line.to_vec()));
            piece = &piece[taken..];
        }
    }
    lines.extend(buffer.finish().map(|line| line.to_vec()));
    lines
}

/// That each line has one answer or none, which the core would give; and that no line ends what is answered.
fn answer(lines: &[Vec<u8>]) {
    let (client, mut answers) = Lines::new(SERVER.clone(), Principal::anonymous());
    let mut said = || {
        let mut all = Vec::new();
        while let Poll::Ready(piece) = now(answers.next()) {
            all.extend_from_slice(&piece.expect("the answers go on"));
        }
        all
    };
    for line in lines {
        if let Some(conversation) = client.take(line.clone().into(), Never) {
            assert!(now(conversation).is_ready(), "it takes its time");
        }
        let protocol = SERVER.protocol();
        let turn = protocol.read_line(line, Principal::anonymous());
        let turn = turn.map_or_else(Turn::Reply, wymcp_core::Authorized::proceed);
        let reply = due(turn, line);
        let due = if reply.body.is_empty() {
            Vec::new()
        } else {
            wymcp_core::line(&reply.body)
        };
        let said = said();
        judge(line, &said);
        assert_eq!(
            String::from_utf8_lossy(&said),
            String::from_utf8_lossy(&due),
            "{}",
            String::from_utf8_lossy(line)
        );
    }
}

fn now<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}
