//! A client of a legacy revision, as the scenarios of sessions have it: connections that share an id.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use wymcp::{
    Context, Elicited, Field, Form, LegacyVersion, NoArguments, Server, ServerBuilder, tool,
};

use super::{AnyAdapter, PATIENCE, requests::connect, watched};
use crate::{Answer, Connection, Served};

/// What a client of a legacy revision has of its session: the id.
pub(super) struct Session<'h> {
    host: &'h Served,
    version: LegacyVersion,
    token: Option<&'static str>,
    pub(super) id: String,
}

/// What is asked for, in a session or to open one.
pub(super) fn request(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    let params = params.into();
    let mut request = json!({"jsonrpc": "2.0", "method": method, "params": params});
    let id: Value = id.into();
    if !id.is_null() {
        request["id"] = id;
    }
    request
}

/// The params of a handshake.
pub(super) fn hello(version: LegacyVersion) -> Value {
    json!({
        "protocolVersion": version.as_str(),
        "capabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}},
        "clientInfo": {"name": "testkit", "version": "1"},
    })
}

/// The id of the session that an answer opens.
pub(super) fn id_of(answer: &Answer) -> String {
    let id = answer.header("mcp-session-id");
    id.expect("a session is opened").to_owned()
}

impl<'h> Session<'h> {
    /// Opens a session of the newest revision, ready to be asked.
    pub(super) fn open(host: &'h Served) -> Self {
        Self::open_as(host, LegacyVersion::NEWEST, None)
    }

    pub(super) fn open_as(
        host: &'h Served,
        version: LegacyVersion,
        token: Option<&'static str>,
    ) -> Self {
        let mut session = Self {
            host,
            version,
            token,
            id: String::new(),
        };
        let answer = session.post(&request(0, "initialize", hello(version)));
        assert_eq!(answer.status, 200, "{answer}");
        session.id = id_of(&answer);
        let answer = session.post(&request((), "notifications/initialized", json!({})));
        assert_eq!(answer.status, 202, "{answer}");
        session
    }

    /// The same session with another credential.
    pub(super) fn with_token(&self, token: &'static str) -> Self {
        Self {
            token: Some(token),
            id: self.id.clone(),
            ..*self
        }
    }

    /// The same session at another host.
    pub(super) fn at<'o>(&self, host: &'o Served) -> Session<'o> {
        Session {
            host,
            version: self.version,
            token: self.token,
            id: self.id.clone(),
        }
    }

    fn head(&self, verb: &str, more: &str) -> String {
        let id = match &*self.id {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\n"),
        };
        let token = self
            .token
            .map(|token| format!("Authorization: Bearer {token}\r\n"));
        let token = token.unwrap_or_default();
        format!(
            "{verb} /mcp HTTP/1.1\r\nHost: localhost\r\n\
             Accept: application/json, text/event-stream\r\n{id}{token}{more}"
        )
    }

    fn posted(&self, message: &Value) -> Vec<u8> {
        let body = message.to_string();
        let more = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.head("POST", &more).into_bytes()
    }

    fn connect(&self) -> Connection {
        connect(self.host).of_session(self.version)
    }

    /// Sends a message over a connection of its own, and waits for the whole answer.
    pub(super) fn post(&self, message: &Value) -> Answer {
        let mut connection = self.connect();
        connection.send(self.posted(message)).unwrap();
        let answer = connection.receive().unwrap();
        answer.expect("an answer to what was posted")
    }

    /// Sends a message, and leaves the answer to whoever has the connection.
    pub(super) fn send(&self, message: &Value) -> Connection {
        let mut connection = self.connect();
        connection.send(self.posted(message)).unwrap();
        connection
    }

    /// Sends a message that is answered by a stream.
    pub(super) fn stream(&self, message: &Value) -> Events {
        let mut connection = self.connect();
        connection.open_stream(self.posted(message)).unwrap();
        Events::of(connection)
    }

    /// Calls a tool without arguments that wants to be heard.
    pub(super) fn call(&self, id: impl Into<Value>, tool: &str) -> Value {
        let params = json!({"name": tool, "arguments": {}, "_meta": {"progressToken": "p1"}});
        let _ = self;
        request(id, "tools/call", params)
    }

    /// Comes back for what came behind an event of the answer to a message.
    pub(super) fn resume(&self, message: &Value, last_event: &str) -> Events {
        let mut connection = self.connect().resuming(message.to_string());
        let asked = self.asks_for_stream(Some(last_event));
        connection.open_stream(asked).unwrap();
        Events::of(connection)
    }

    /// Asks for the session's own stream, with an event to come back behind or without.
    pub(super) fn listen(&self, last_event: Option<&str>) -> Events {
        let mut connection = self.connect();
        connection
            .open_stream(self.asks_for_stream(last_event))
            .unwrap();
        Events::of(connection)
    }

    pub(super) fn refused_stream(&self, last_event: Option<&str>) -> Answer {
        let mut connection = self.connect();
        connection.send(self.asks_for_stream(last_event)).unwrap();
        connection.receive().unwrap().expect("a refusal")
    }

    /// As [`Session::listen`], as soon as the host has noticed that the connection before is gone.
    pub(super) fn listen_soon(&self, last_event: Option<&str>) -> Events {
        let since = Instant::now();
        loop {
            let mut connection = self.connect();
            let asked = self.asks_for_stream(last_event);
            let head = connection.open_stream(asked).unwrap();
            if !head.starts_with("HTTP/1.1 409") {
                return Events::of(connection);
            }
            assert!(since.elapsed() < PATIENCE, "the stream stays taken");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn asks_for_stream(&self, last_event: Option<&str>) -> String {
        let last_event = last_event.map(|id| format!("Last-Event-ID: {id}\r\n"));
        let more = format!("{}\r\n", last_event.unwrap_or_default());
        self.head("GET", &more)
    }

    pub(super) fn delete(&self) -> Answer {
        let mut connection = self.connect();
        connection.send(self.head("DELETE", "\r\n")).unwrap();
        connection.receive().unwrap().expect("an answer to DELETE")
    }
}

/// The events of a stream, one by one.
pub(super) struct Events {
    connection: Connection,
    text: String,
    /// The id of the last event.
    pub(super) id: String,
}

/// One event of a stream.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) id: String,
    /// `None` in an event that gives nothing but its id.
    pub(super) message: Option<Value>,
}

impl Events {
    fn of(connection: Connection) -> Self {
        Self {
            connection,
            text: String::new(),
            id: String::new(),
        }
    }

    /// The next event, comments aside; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Option<Event> {
        loop {
            let Some((event, rest)) = self.text.split_once("\n\n") else {
                let piece = self.connection.next_chunk().unwrap()?;
                self.text.push_str(std::str::from_utf8(&piece).unwrap());
                continue;
            };
            let field = |name: &str| {
                let lines = event.lines();
                let mut values = lines.filter_map(|line| line.strip_prefix(name));
                values.next().map(str::to_owned)
            };
            let (id, data) = (field("id: "), field("data: "));
            self.text = rest.to_owned();
            let Some(data) = data else { continue };
            let message = (!data.is_empty()).then(|| serde_json::from_str(&data).unwrap());
            let id = id.unwrap_or_default();
            self.id.clone_from(&id);
            return Some(Event { id, message });
        }
    }

    /// The next piece that is no event.
    pub(super) fn comment(&mut self) -> String {
        let piece = self.connection.next_chunk().unwrap();
        let piece = String::from_utf8(piece.expect("a comment")).unwrap();
        piece.trim_end().to_owned()
    }

    /// The next message, whatever comes before it.
    pub(super) fn message(&mut self) -> Value {
        loop {
            let event = self.next().expect("a message before the stream ends");
            if let Some(message) = event.message {
                return message;
            }
        }
    }
}

pub(super) fn served(adapter: &AnyAdapter, builder: ServerBuilder) -> (Served, watched::Events) {
    let (server, events) = watched::Events::of(builder);
    (adapter.serve(server), events)
}

pub(super) fn text_of(message: &Value) -> &Value {
    &message["result"]["content"][0]["text"]
}

/// Asks its client for a name.
pub(super) fn curious() -> ServerBuilder {
    let greet = tool("greet").run(async |_: NoArguments, ctx: Context| {
        let form = Form::new("Who are you?").field(Field::text("name").required());
        Ok(match ctx.ask("name", form).await? {
            Elicited::Accepted(person) => format!("Hello, {}!", person["name"]),
            Elicited::Declined => "declined".to_owned(),
            Elicited::Cancelled => "cancelled".to_owned(),
        })
    });
    Server::builder("curious", "1.0.0").tool(greet)
}
