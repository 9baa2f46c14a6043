//! What happens to a sealed state, a step a line: `seal WHO WHAT ARGUMENTS` and `open WHO WHAT ARGUMENTS` call a tool, or
//! with `prompt/` before its name a prompt; `wait SECONDS`; `flip BIT`, `cut BYTES`, `add TEXT` and `take NUMBER` change what
//! the client holds; `keys BYTE...` changes what the server has.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Map, Value, json};
use wymcp_core::{
    Authentication, Challenge, Decision, InputRequired, Keyring, Moment, Outcome, Principal,
    Prompt, RejectionReason, Reply, Server, Tool, Turn,
};

use crate::{
    oracle::{judge, refusal},
    requests::Request,
};

/// For how long a state holds, in seconds.
const HOLDS: u64 = 600;

/// Of whom a call is, what it calls, and with what.
type Context = (String, String, Map<String, Value>);

struct Sealed {
    context: Context,
    until: u64,
    key: u8,
    number: usize,
}

struct Play {
    now: u64,
    keys: Vec<u8>,
    /// What the client holds.
    held: String,
    /// By what they became.
    sealed: HashMap<String, Sealed>,
    /// In their order.
    tokens: Vec<String>,
    /// How a state that does not open is answered, whatever the reason.
    refused: Option<(u16, Vec<u8>)>,
}

pub(crate) fn request_state(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut play = Play {
        now: 1_000,
        keys: vec![7],
        held: String::new(),
        sealed: HashMap::new(),
        tokens: Vec::new(),
        refused: None,
    };
    for line in text.lines().take(40) {
        let (step, rest) = line.split_once(' ').unwrap_or((line, ""));
        play.take(step, rest);
    }
}

impl Play {
    fn take(&mut self, step: &str, rest: &str) {
        let number: usize = rest.parse().unwrap_or(0);
        match (step, self.held.len()) {
            ("wait", _) => {
                let seconds: u64 = rest.parse().unwrap_or(1);
                self.now = self.now.saturating_add(seconds).min(1 << 40);
            }
            ("keys", _) => {
                let keys = rest.split(' ').flat_map(str::parse).filter(|key| *key < 10);
                let keys: Vec<u8> = keys.take(2).collect();
                if !keys.is_empty() {
                    self.keys = keys;
                }
            }
            ("take", _) if !self.tokens.is_empty() => {
                self.held
                    .clone_from(&self.tokens[number % self.tokens.len()]);
            }
            ("add", _) => self.held.push_str(rest),
            ("cut", length) => {
                let ends = self.held.char_indices().map(|(at, _)| at);
                let at = ends.rev().nth(number.saturating_sub(1) % length.max(1));
                self.held.truncate(at.unwrap_or(0));
            }
            // The eighth bit would make it no text.
            ("flip", length @ 1..) if self.held.is_ascii() => {
                let mut bytes = self.held.clone().into_bytes();
                bytes[number / 7 % length] ^= 1 << (number % 7);
                self.held = String::from_utf8(bytes).unwrap();
            }
            ("seal" | "open", _) => {
                if let Some(context) = context(rest) {
                    if step == "seal" {
                        self.seal(context);
                    } else {
                        self.open(&context);
                    }
                }
            }
            _ => {}
        }
    }

    /// Few, so that each is built once.
    fn server(&self) -> Arc<Server> {
        static SERVERS: Mutex<BTreeMap<Vec<u8>, Arc<Server>>> = Mutex::new(BTreeMap::new());
        let mut servers = SERVERS.lock().unwrap();
        let build = || Arc::new(server(&self.keys));
        Arc::clone(servers.entry(self.keys.clone()).or_insert_with(build))
    }

    fn seal(&mut self, context: Context) {
        let number = self.tokens.len();
        let Value::Object(answered) = json!({"number": number}) else {
            unreachable!("it is an object")
        };
        let mut entropy = [0; 24];
        entropy[0] = u8::try_from(number).unwrap();
        let required = InputRequired {
            questions: BTreeMap::new(),
            answered,
            moment: Moment {
                now: Duration::from_secs(self.now),
                entropy,
            },
        };
        let server = self.server();
        let reply = with_turn(&server, &context, None, self.now, |turn, request| {
            let Turn::Call(call) = turn else {
                panic!("no call: {turn:?}")
            };
            let reply = call.finish(Outcome::InputRequired(required), Duration::ZERO);
            judge(request, &reply.body);
            reply
        });
        let message: Value = serde_json::from_slice(&reply.body).unwrap();
        let token = message["result"]["requestState"]
            .as_str()
            .unwrap()
            .to_owned();
        let sealed = Sealed {
            context,
            until: self.now + HOLDS,
            key: self.keys[0],
            number,
        };
        let before = self.sealed.insert(token.clone(), sealed);
        assert!(before.is_none(), "two states are one");
        self.tokens.push(token.clone());
        self.held = token;
    }

    fn open(&mut self, context: &Context) {
        let due = self.sealed.get(&self.held).filter(|sealed| {
            sealed.context == *context
                && self.now <= sealed.until
                && self.keys.contains(&sealed.key)
        });
        let due = due.map(|sealed| json!(sealed.number));
        let server = self.server();
        let held = &self.held;
        let (opened, refused) =
            with_turn(
                &server,
                context,
                Some(held),
                self.now,
                |turn, _| match turn {
                    Turn::Call(call) => (call.answers().remove("number"), None),
                    Turn::Reply(reply) => (None, Some(reply)),
                    other => panic!("{other:?}"),
                },
            );
        assert_eq!(opened, due, "{held} at {} for {context:?}", self.now);
        if let Some(reply) = refused {
            assert_eq!(refusal(&reply), Some(RejectionReason::InvalidRequestState));
            let Reply { status, body, .. } = reply;
            let told = (status.as_u16(), body);
            assert_eq!(*self.refused.get_or_insert(told.clone()), told);
        }
    }
}

fn server(keys: &[u8]) -> Server {
    Server::builder("sealing", "1")
        .tool(Tool::new("trip"))
        .tool(Tool::new("flight"))
        .prompt(Prompt::new("trip"))
        .challenge(Challenge::bearer())
        .sealed_with(Keyring::new(keys.iter().map(|byte| [*byte; 32])).unwrap())
        .build()
        .unwrap()
}

/// A context that every schema admits.
fn context(text: &str) -> Option<Context> {
    let mut words = text.splitn(3, ' ');
    let (who, what) = (words.next()?, words.next()?);
    if who.is_empty() || !["trip", "flight", "prompt/trip"].contains(&what) {
        return None;
    }
    let arguments = words.next().unwrap_or("{}");
    let Value::Object(mut arguments) = serde_json::from_str(arguments).ok()? else {
        return None;
    };
    // How numbers are compared is no matter of states.
    arguments.retain(|_, value| value.is_string());
    if what.starts_with("prompt/") {
        arguments.clear();
    }
    Some((who.to_owned(), what.to_owned(), arguments))
}

fn with_turn<T>(
    server: &Server,
    (who, what, arguments): &Context,
    state: Option<&str>,
    now: u64,
    take: impl FnOnce(Turn<'_>, &[u8]) -> T,
) -> T {
    let (method, name) = match what.strip_prefix("prompt/") {
        Some(name) => ("prompts/get", name),
        None => ("tools/call", &**what),
    };
    let mut params = json!({"name": name, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    if let Some(state) = state {
        params["requestState"] = state.into();
    }
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let request = Request::of(&message);
    let head = request.head();
    let message = server.admit(&head).and_then(|it| it.read(&request.body));
    let Ok(Authentication::Asked(somebody)) = message.map(wymcp_core::Message::authentication)
    else {
        unreachable!("everybody is asked")
    };
    let decision = Decision::Granted(Principal::named(who.as_str()));
    let authorized = somebody.decide(decision).expect("it has a name");
    let turn = authorized.at(Duration::from_secs(now)).proceed();
    if let Turn::Reply(reply) = &turn {
        judge(&request.body, &reply.body);
    }
    take(turn, &request.body)
}
