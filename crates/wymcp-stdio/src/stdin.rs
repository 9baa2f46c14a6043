//! The process's standard input.

use std::{
    io::{self, BufRead as _},
    thread,
};

use tokio::{
    io::{AsyncRead, AsyncWriteExt as _, duplex},
    runtime::Handle,
};

/// Standard input, read by a thread of its own: tokio's would keep a runtime from ending for as long as it waits. What
/// cannot be read ends it.
pub(crate) fn stdin() -> io::Result<impl AsyncRead + Unpin> {
    let (read, mut pipe) = duplex(1 << 16);
    let runtime = Handle::current();
    let reading = move || {
        let mut input = io::stdin().lock();
        while let Ok(piece @ [_, ..]) = input.fill_buf() {
            let length = piece.len();
            if runtime.block_on(pipe.write_all(piece)).is_err() {
                break;
            }
            input.consume(length);
        }
    };
    let thread = thread::Builder::new().name("stdin".to_owned());
    thread.spawn(reading).map(|_| read)
}
