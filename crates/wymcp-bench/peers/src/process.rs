//! A server of the comparison, as a process of its own.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Sub;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::call::Call;
use crate::load::{Clients, PATIENCE};
use crate::watch;

/// A running server, which ends with this value.
#[derive(Debug)]
pub struct Process {
    /// Its binary.
    pub name: &'static str,
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
}

impl Process {
    /// Starts a binary of this package on core 0 and waits until it has answered `call`. Gives the time that this took,
    /// too.
    ///
    /// # Errors
    ///
    /// A server that does not come, or answers something else.
    pub fn start(
        name: &'static str,
        arguments: &[&str],
        call: &Call,
    ) -> Result<(Self, Duration), Box<dyn Error>> {
        let begun = Instant::now();
        let server = Self::listening(name, arguments)?;
        Clients::connect(server.address, call, 1)?
            .call_once()
            .map_err(|error| format!("{name}: {error}"))?;
        Ok((server, begun.elapsed()))
    }

    /// Starts a binary of this package on core 0 and waits until it listens.
    ///
    /// # Errors
    ///
    /// A server that does not come.
    pub fn listening(name: &'static str, arguments: &[&str]) -> Result<Self, Box<dyn Error>> {
        // Free a moment ago, which is near enough.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let begun = Instant::now();
        let child = Command::new("taskset")
            .args(["-c", "0"])
            .arg(binary(name)?)
            .args(["--port", &address.port().to_string()])
            .args(arguments)
            .spawn()?;
        let mut server = Self {
            name,
            address,
            child,
        };
        while TcpStream::connect(address).is_err() {
            if let Some(status) = server.child.try_wait()? {
                return Err(format!("{name} ended: {status}").into());
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{name} does not listen").into());
            }
            thread::sleep(Duration::from_micros(200));
        }
        Ok(server)
    }

    /// The CPU time that it has had, as the scheduler counts it.
    ///
    /// # Errors
    ///
    /// A process that has ended.
    pub fn cpu(&self) -> Result<Cpu, Box<dyn Error>> {
        let process = self.child.id();
        let mut cpu = Cpu::default();
        for thread in fs::read_dir(format!("/proc/{process}/task"))? {
            let thread = thread?;
            let text = fs::read_to_string(thread.path().join("schedstat"))?;
            let time = Duration::from_nanos(text.split(' ').next().unwrap_or_default().parse()?);
            cpu.all += time;
            if thread.file_name().to_str() == Some(&process.to_string()) {
                cpu.first = time;
            }
        }
        Ok(cpu)
    }

    /// Its resident memory, in KiB.
    ///
    /// # Errors
    ///
    /// A process that has ended.
    pub fn resident(&self) -> Result<u32, Box<dyn Error>> {
        Ok(watch::resident(self.child.id())?.try_into()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU time: of all threads, and of the first one.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "said above")]
pub struct Cpu {
    pub all: Duration,
    pub first: Duration,
}

impl Sub for Cpu {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            all: self.all.saturating_sub(before.all),
            first: self.first.saturating_sub(before.first),
        }
    }
}

/// Where a binary of this package is: beside the one that runs.
///
/// # Errors
///
/// A binary that runs without a path.
pub fn binary(name: &str) -> Result<std::path::PathBuf, Box<dyn Error>> {
    Ok(std::env::current_exe()?.with_file_name(name))
}
