//! The bytes of one connection, to a server behind each host. axum's is a pipe in memory; actix-web serves sockets alone.
//!
//! What a host makes of what is no plain request is its own, as the table in `docs/adapters.md` says.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{LazyLock, mpsc},
    thread,
    time::Duration,
};

use actix_web::{App, HttpServer, rt::System};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    runtime::{self, Runtime},
};
use wymcp::Decision;
use wymcp_core::{Head, Reply};

use super::told::{SERVER, due, judge};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// As much as is sent. Beyond it are the bounds of the hosts, of which each has its own.
const MOST: usize = 4096;

pub(crate) fn adapters(bytes: &[u8]) {
    if bytes.len() > MOST {
        return;
    }
    let answers = [("axum", by_axum(bytes)), ("actix-web", by_actix(bytes))];
    let plain = Plain::read(bytes);
    let shown = String::from_utf8_lossy(bytes);
    for (host, answer) in answers {
        let answer = Answer::read(&answer);
        if let Some(plain) = &plain {
            let due = Answer::of(&plain.due(), plain.method);
            assert_eq!(answer.as_ref(), Some(&due), "{host}: {shown}");
            judge(plain.body, due.body.as_bytes());
        } else if let Some(answer) = answer {
            assert!(answer.status < 500, "{host}: {answer:?} to {shown}");
        }
    }
}

fn by_axum(bytes: &[u8]) -> Vec<u8> {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        let mut builder = runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap()
    });
    let app = Router::new().route_service("/mcp", wymcp_axum::endpoint(SERVER.clone()));
    RUNTIME.block_on(async {
        let (mut client, host) = tokio::io::duplex(1 << 20);
        client.write_all(bytes).await.unwrap();
        client.shutdown().await.unwrap();
        let mut host_settings = http1::Builder::new();
        let serving = host_settings
            .half_close(true)
            .serve_connection(TokioIo::new(host), TowerToHyperService::new(app));
        // A host tells whoever serves what was wrong with the client.
        let _ = tokio::time::timeout(PATIENCE, serving).await.unwrap();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.unwrap();
        answer
    })
}

fn by_actix(bytes: &[u8]) -> Vec<u8> {
    static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (started, starts) = mpsc::channel();
        thread::spawn(move || {
            System::new().block_on(async move {
                let endpoint = || App::new().route("/mcp", wymcp_actix::endpoint(SERVER.clone()));
                let server = HttpServer::new(endpoint)
                    .workers(1)
                    .disable_signals()
                    .h1_allow_half_closed(true)
                    .tcp_nodelay(true)
                    .listen(listener)
                    .unwrap()
                    .run();
                started.send(()).unwrap();
                server.await.unwrap();
            });
        });
        starts.recv().unwrap();
        address
    });
    let mut connection = TcpStream::connect(*ADDRESS).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    // A host that refuses may close before all was sent.
    let _ = connection.write_all(bytes);
    let _ = connection.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    match connection.read_to_end(&mut answer) {
        Err(fault) if fault.kind() == std::io::ErrorKind::WouldBlock => panic!("no end: {fault}"),
        _ => answer,
    }
}

/// A request of which no host makes anything of its own.
struct Plain<'t> {
    method: &'t str,
    headers: Vec<(&'t str, &'t str)>,
    body: &'t [u8],
}

impl<'t> Plain<'t> {
    fn read(bytes: &'t [u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let (head, body) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 4..]);
        let mut lines = head.split("\r\n");
        let line: Vec<&str> = lines.next()?.split(' ').collect();
        let [method, "/mcp", "HTTP/1.1"] = line[..] else {
            return None;
        };
        if !["POST", "GET", "PUT", "DELETE", "HEAD"].contains(&method) {
            return None;
        }
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_name = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            let is_value = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            (is_name && is_value).then_some((name, value.trim()))
        });
        let headers: Vec<_> = headers.collect::<Option<_>>()?;
        let named = |sought: &str| {
            let mut named = headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case(sought));
            let value = named.next().map(|(_, value)| *value);
            (value, named.next().is_some())
        };
        for changed_by_hosts in ["Connection", "Upgrade", "Expect", "Transfer-Encoding"] {
            if named(changed_by_hosts).0.is_some() {
                return None;
            }
        }
        let is_announced = match named("Content-Length") {
            (Some(length), false) => length == body.len().to_string(),
            (length, _) => length.is_none() && body.is_empty(),
        };
        let (Some(host), false) = named("Host") else {
            return None;
        };
        let is_plain = !host.is_empty() && is_announced && headers.len() < 60;
        is_plain.then_some(Self {
            method,
            headers,
            body,
        })
    }

    /// What the core answers.
    fn due(&self) -> Reply {
        let head = Head::new(self.method, &self.headers);
        due(
            SERVER
                .protocol()
                .receive(&head, self.body, Decision::anonymous()),
            self.body,
        )
    }
}

#[derive(Debug, PartialEq)]
struct Answer {
    status: u16,
    content_type: Option<String>,
    body: String,
}

impl Answer {
    /// The first answer of a connection.
    fn read(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, rest) = text.split_once("\r\n\r\n")?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers: Vec<_> = headers
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim()))
            .collect();
        let named = |sought: &str| {
            let found = headers.iter().find(|(name, _)| name == sought);
            found.map(|(_, value)| (*value).to_owned())
        };
        let length = named("content-length").and_then(|length| length.parse().ok());
        let body = rest.get(..length.unwrap_or(rest.len())).unwrap_or(rest);
        Some(Self {
            status,
            content_type: named("content-type"),
            body: body.to_owned(),
        })
    }

    fn of(reply: &Reply, method: &str) -> Self {
        let mut headers = reply.headers.iter();
        let content_type = headers.find(|(name, _)| *name == "content-type");
        let body = String::from_utf8_lossy(&reply.body).into_owned();
        Self {
            status: reply.status.as_u16(),
            content_type: content_type.map(|(_, value)| value.to_string()),
            body: if method == "HEAD" {
                String::new()
            } else {
                body
            },
        }
    }
}
