//! The process's standard input and output.

use std::{
    io::{self, ErrorKind, Read as _, Write as _},
    thread,
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    runtime::Handle,
    sync::oneshot,
};

use crate::PIPE;

/// How much a thread takes at once.
const PIECE: usize = 1 << 16;

/// Standard input.
pub(crate) fn stdin() -> io::Result<(DuplexStream, impl Future<Output = io::Result<()>>)> {
    on_thread("stdin", |pipe, runtime| {
        let (mut input, mut piece) = (io::stdin().lock(), vec![0; PIECE]);
        loop {
            let length = patiently(|| input.read(&mut piece))?;
            let taken = pipe.write_all(&piece[..length]);
            if length == 0 || runtime.block_on(taken).is_err() {
                return Ok(());
            }
        }
    })
}

/// Standard output.
pub(crate) fn stdout() -> io::Result<(DuplexStream, impl Future<Output = io::Result<()>>)> {
    on_thread("stdout", |pipe, runtime| {
        let (mut output, mut piece) = (io::stdout(), vec![0; PIECE]);
        loop {
            let length = runtime.block_on(pipe.read(&mut piece))?;
            if length == 0 {
                return Ok(());
            }
            let mut rest = &piece[..length];
            while !rest.is_empty() {
                let written = patiently(|| output.write(rest))?;
                if written == 0 {
                    return Err(ErrorKind::WriteZero.into());
                }
                rest = &rest[written..];
            }
            patiently(|| output.flush())?;
        }
    })
}

/// Copies on a thread of its own. Those of tokio's pool would keep a runtime from ending for as long as they wait.
fn on_thread(
    name: &str,
    copy: impl FnOnce(&mut DuplexStream, Handle) -> io::Result<()> + Send + 'static,
) -> io::Result<(DuplexStream, impl Future<Output = io::Result<()>>)> {
    let (near, mut far) = duplex(PIPE);
    let (ended, outcome) = oneshot::channel();
    let runtime = Handle::current();
    let copying = move || drop(ended.send(copy(&mut far, runtime)));
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(copying)?;
    Ok((near, async { outcome.await.unwrap_or(Ok(())) }))
}

/// Waits where a stream is set not to: whoever else shares it has done that, a shell for example. It is rare, and does
/// not pay for a way to be told.
fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(fault) if fault.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(fault) if fault.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
