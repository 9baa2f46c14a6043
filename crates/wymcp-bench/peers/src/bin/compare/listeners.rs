//! Ten thousand clients listen for changes: from a change until all of them have been told.

use std::error::Error;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use mio::{Events, Interest, Poll, Token};
use wymcp_peers::call::Call;
use wymcp_peers::load::{PATIENCE, connected};
use wymcp_peers::process::Process;

use crate::plan::Plan;
use crate::table::{AtMost, Table};

/// How many changes a round has; its figure is their mean.
const CHANGES: u32 = 5;

pub fn compare(plan: &Plan, table: &mut Table) -> Result<(), Box<dyn Error>> {
    let listeners: usize = if plan.smoke { 100 } else { 10_000 };
    let (mut ours, mut bare) = (Measured::default(), Measured::default());
    for round in 0..plan.rounds {
        let mut sides = [("calculator", &mut ours), ("bare-axum", &mut bare)];
        sides.rotate_left(round % 2);
        for (name, measured) in sides {
            measured.round(name, listeners)?;
        }
    }
    let of = "in axum / bare axum";
    let target = Some(AtMost(1.5));
    table.ratio(
        format!("ms until {listeners} are told: {of}"),
        &ours.milliseconds,
        &bare.milliseconds,
        target,
    );
    table.ratio(format!("CPU ms of that: {of}"), &ours.cpu, &bare.cpu, None);
    table.ratio(
        format!("KiB for each listener: {of}"),
        &ours.kib,
        &bare.kib,
        None,
    );
    Ok(())
}

#[derive(Default)]
struct Measured {
    milliseconds: Vec<f64>,
    cpu: Vec<f64>,
    kib: Vec<f64>,
}

impl Measured {
    fn round(&mut self, name: &'static str, listeners: usize) -> Result<(), Box<dyn Error>> {
        let places = listeners.to_string();
        let server = Process::listening(name, &["--listeners", &places])?;
        let before = server.resident()?;
        let mut audience = Audience::gather(&server, listeners)?;
        self.kib
            .push(f64::from(server.resident()? - before) / f64::from(u32::try_from(listeners)?));
        let mut trigger = TcpStream::connect(server.address)?;
        trigger.set_nodelay(true)?;
        audience.change(&mut trigger)?; // The first one finds cold caches.
        let (cpu, begun) = (server.cpu()?, Instant::now());
        for _ in 0..CHANGES {
            audience.change(&mut trigger)?;
        }
        let each = 1e3 / f64::from(CHANGES);
        self.milliseconds.push(begun.elapsed().as_secs_f64() * each);
        self.cpu
            .push((server.cpu()? - cpu).all.as_secs_f64() * each);
        Ok(())
    }
}

/// Everybody who listens.
struct Audience {
    poll: Poll,
    events: Events,
    streams: Vec<mio::net::TcpStream>,
}

impl Audience {
    fn gather(server: &Process, count: usize) -> Result<Self, Box<dyn Error>> {
        let request = Call::listen().request(&server.address.to_string());
        let poll = Poll::new()?;
        let mut streams = Vec::with_capacity(count);
        for index in 0..count {
            let mut stream = connected(server.address)?;
            stream.write_all(&request)?;
            poll.registry()
                .register(&mut stream, Token(index), Interest::READABLE)?;
            streams.push(stream);
        }
        let events = Events::with_capacity(count);
        let mut audience = Self {
            poll,
            events,
            streams,
        };
        audience.await_all("subscriptions/acknowledged")?;
        Ok(audience)
    }

    /// Makes a change and waits until everybody has been told of it.
    fn change(&mut self, trigger: &mut TcpStream) -> Result<(), Box<dyn Error>> {
        trigger
            .write_all(b"POST /change HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n")?;
        self.await_all("tools/list_changed")?;
        // Its own answer, which must not fill the socket.
        let _ = trigger.read(&mut [0; 1024])?;
        Ok(())
    }

    /// An event is one write on the loopback interface, and so one read here.
    fn await_all(&mut self, event: &str) -> Result<(), Box<dyn Error>> {
        let mut left = self.streams.len();
        let mut piece = vec![0; 16 * 1024];
        while left > 0 {
            self.poll.poll(&mut self.events, Some(PATIENCE))?;
            if self.events.is_empty() {
                return Err(format!("{left} were not told of {event}").into());
            }
            for ready in &self.events {
                match self.streams[ready.token().0].read(&mut piece) {
                    Ok(0) => return Err("a listener was sent away".into()),
                    Ok(count) => left -= str::from_utf8(&piece[..count])?.matches(event).count(),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }
}
