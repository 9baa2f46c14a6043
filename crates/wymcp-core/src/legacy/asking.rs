//! A question to a client as a request of its own.

use serde::Serialize;

use serde_json::Value;

use super::{Session, project_question, restore_answer};
use crate::{
    event::Fault,
    exchange::InputRequest,
    text::{Json, RequestId, read_own, to_bytes},
};

#[derive(Serialize)]
struct Question<'q> {
    jsonrpc: &'static str,
    id: RequestId<'static>,
    method: &'q str,
    params: Json<'q>,
}

impl Session {
    /// The request that asks the client of this session a question: one message, which goes out on a stream of the session.
    ///
    /// The id is one that no open question of the session has; the name of the question is told to the client where it has to
    /// tell several pages apart.
    ///
    /// # Errors
    ///
    /// A question that nobody could answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Field, Form, InputAnswer, InputRequest, Json};
    /// # use wymcp_core::{Decision, Head, LegacySessions, LegacyTurn, Server, Turn};
    /// # let server = Server::builder("dual", "1.0.0").legacy(LegacySessions::Kept).build()?;
    /// # let headers = [("host", "localhost"), ("content-type", "application/json")];
    /// # let head = Head::new("POST", &headers);
    /// # let hello = br#"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
    /// #     "capabilities": {"elicitation": {}}, "clientInfo": {"name": "c", "version": "1"}}}"#;
    /// # let Turn::Legacy(LegacyTurn::Initialize(handshake)) = server.receive(&head, hello, Decision::anonymous()) else {
    /// #     unreachable!("a session is asked for");
    /// # };
    /// let session = handshake.session();
    /// let question = InputRequest::from(Form::new("Who are you?").field(Field::text("name").required()));
    /// let sent = session.question(7, &question, "who-7").unwrap();
    /// assert!(sent.starts_with(br#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","#));
    ///
    /// let answered = session.answer(&question, &json!({"action": "accept", "content": {"name": "Ada"}}));
    /// let read = question.read(&Json::from(&answered));
    /// assert_eq!(read, Some(InputAnswer::Accepted(json!({"name": "Ada"}))));
    /// # Ok::<(), wymcp_core::ConfigError>(())
    /// ```
    pub fn question(&self, id: i32, request: &InputRequest, name: &str) -> Result<Vec<u8>, Fault> {
        if let Some(fault) = request.fault() {
            return Err(Fault::Internal(fault));
        }
        let encoded = to_bytes(request);
        let members = match read_own(&encoded).map(|document| document.root) {
            Ok(Json::Object(members)) => Some(members),
            _ => None,
        };
        let unreadable = || Fault::Unencodable("a question has no encoding".to_owned());
        let mut members = members.ok_or_else(unreadable)?;
        let method = members.take("method");
        let method = method.as_ref().and_then(Json::as_str).unwrap_or_default();
        let params = members.take("params").unwrap_or(Json::Null);
        Ok(to_bytes(&Question {
            jsonrpc: "2.0",
            id: id.into(),
            method,
            params: project_question(self.version, method, params, name),
        }))
    }

    /// What a client of this session has answered to a question, as the question reads it
    /// ([`InputRequest::read`]): an older revision cannot say all that a newer one can, and says it otherwise.
    pub fn answer(&self, request: &InputRequest, answer: &Value) -> Value {
        let encoded = to_bytes(request);
        let document = read_own(&encoded);
        let members = document.as_ref().ok().and_then(|it| it.root.as_object());
        let member = |name| members.and_then(|members| members.get(name));
        let method = member("method").and_then(Json::as_str).unwrap_or_default();
        match member("params") {
            Some(params) => {
                restore_answer(self.version, method, params, Json::from(answer)).to_value()
            }
            None => answer.clone(),
        }
    }
}
