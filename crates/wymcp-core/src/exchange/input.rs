//! Questions to the client, and its answers.

use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::{Map, Value, json};

use super::{Form, Sampling, SamplingAnswer, StructuredContent};
use crate::{
    config::check_url,
    fields::ClientCapabilities,
    text::{Json, Object, is_reserved},
};

/// A question that a handler has for the client before it can go on.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp_core::{Field, Form, InputRequest};
///
/// let question = InputRequest::from(Form::new("Who are you?").field(Field::text("name").required()));
/// let sent = serde_json::to_value(&question).unwrap();
/// assert_eq!(sent["method"], "elicitation/create");
/// assert_eq!(sent["params"]["requestedSchema"]["required"], json!(["name"]));
/// assert_eq!(serde_json::to_value(InputRequest::Roots).unwrap(), json!({"method": "roots/list", "params": {}}));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputRequest {
    /// A form for the human.
    Form(Form),
    /// A page that the human visits; the client learns only that he did, or would not.
    Url {
        /// What the page is for.
        message: String,
        /// Its address.
        url: String,
    },
    /// A message of the model.
    Sampling(Box<Sampling>),
    /// The folders that the client works in.
    Roots,
}

impl From<Form> for InputRequest {
    fn from(form: Form) -> Self {
        Self::Form(form)
    }
}

impl From<Sampling> for InputRequest {
    fn from(sampling: Sampling) -> Self {
        Self::Sampling(Box::new(sampling))
    }
}

impl Serialize for InputRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = serializer.serialize_struct("InputRequest", 2)?;
        match self {
            Self::Form(form) => {
                request.serialize_field("method", "elicitation/create")?;
                request.serialize_field("params", form)?;
            }
            Self::Url { message, url } => {
                let params = json!({"mode": "url", "message": message, "url": url});
                request.serialize_field("method", "elicitation/create")?;
                request.serialize_field("params", &params)?;
            }
            Self::Sampling(sampling) => {
                request.serialize_field("method", "sampling/createMessage")?;
                request.serialize_field("params", sampling)?;
            }
            Self::Roots => {
                request.serialize_field("method", "roots/list")?;
                request.serialize_field("params", &json!({}))?;
            }
        }
        request.end()
    }
}

impl InputRequest {
    /// What the client would have to declare for this question and does not, as an object of objects.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Form, InputRequest, RequestMeta};
    ///
    /// // A request that declares nothing.
    /// let meta = RequestMeta::default();
    /// let form = InputRequest::from(Form::new("Sure?"));
    /// assert_eq!(form.missing(&meta.client_capabilities()), Some(json!({"elicitation": {"form": {}}})));
    /// assert_eq!(InputRequest::Roots.missing(&meta.client_capabilities()), Some(json!({"roots": {}})));
    /// ```
    pub fn missing(&self, capabilities: &ClientCapabilities<'_>) -> Option<Value> {
        let lacks = |path: &[&str]| !capabilities.declares(path);
        let missing: Vec<Vec<&str>> = match self {
            Self::Form(_) => vec![vec!["elicitation", "form"]],
            Self::Url { .. } => vec![vec!["elicitation", "url"]],
            Self::Sampling(sampling) => {
                let parts = sampling.needs().map(|part| vec!["sampling", part]);
                parts.chain([vec!["sampling"]]).collect()
            }
            Self::Roots => vec![vec!["roots"]],
        };
        let mut required = Map::new();
        for path in missing.iter().filter(|path| lacks(path)) {
            require(path, &mut required);
        }
        (!required.is_empty()).then_some(Value::Object(required))
    }

    /// Why it cannot be asked, if it is none that anybody could answer.
    pub(crate) fn fault(&self) -> Option<String> {
        let unreadable = StructuredContent::new(self).err();
        if let Some(fault) = unreadable {
            return Some(format!(
                "a question has no encoding that a client could read: {fault}"
            ));
        }
        match self {
            Self::Form(form) => form.fault(),
            Self::Sampling(sampling) => sampling.fault(),
            Self::Url { url, .. } => check_url(url)
                .err()
                .map(|fault| format!("the page {url:?} {fault}")),
            Self::Roots => None,
        }
    }

    /// What is missing for any of several questions, as one object.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Form, InputRequest, RequestMeta};
    ///
    /// let questions = [InputRequest::from(Form::new("Sure?")), InputRequest::Roots];
    /// // A request that declares nothing.
    /// let meta = RequestMeta::default();
    /// let missing = InputRequest::missing_of(&questions, &meta.client_capabilities());
    /// assert_eq!(missing, Some(json!({"elicitation": {"form": {}}, "roots": {}})));
    /// ```
    pub fn missing_of<'q>(
        questions: impl IntoIterator<Item = &'q Self>,
        capabilities: &ClientCapabilities<'_>,
    ) -> Option<Value> {
        let missing = questions
            .into_iter()
            .filter_map(|question| question.missing(capabilities));
        missing.reduce(merge)
    }

    /// The answer to this question; `None` when it is none, so that it has to be asked again.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use wymcp_core::{Field, Form, InputAnswer, InputRequest, Json};
    ///
    /// let question = InputRequest::from(Form::new("Who are you?").field(Field::text("name").required()));
    /// let read = |answer| question.read(&Json::from(&answer));
    /// let contents = json!({"name": "Ada"});
    /// assert_eq!(read(json!({"action": "accept", "content": contents})), Some(InputAnswer::Accepted(contents)));
    /// assert_eq!(read(json!({"action": "decline"})), Some(InputAnswer::Declined));
    /// assert_eq!(read(json!({"action": "accept", "content": {"name": 7}})), None);
    /// assert_eq!(read(json!("Ada")), None);
    /// ```
    pub fn read(&self, answer: &Json<'_>) -> Option<InputAnswer> {
        let answer = answer.as_object()?;
        match self {
            Self::Form(form) => match action(answer)? {
                InputAnswer::Accepted(_) => {
                    let contents = answer.get("content")?.as_object()?;
                    form.admits(contents)
                        .then(|| InputAnswer::Accepted(filled_in(contents)))
                }
                other => Some(other),
            },
            Self::Url { .. } => action(answer),
            Self::Sampling(_) => SamplingAnswer::read(answer).map(InputAnswer::Sampled),
            Self::Roots => roots(answer).map(InputAnswer::Roots),
        }
    }
}

/// What a client answered to a question.
///
/// # Examples
///
/// ```
/// use wymcp_core::InputAnswer;
///
/// fn name(answer: &InputAnswer) -> Option<&str> {
///     match answer {
///         InputAnswer::Accepted(contents) => contents["name"].as_str(),
///         _ => None,
///     }
/// }
///
/// assert_eq!(name(&InputAnswer::Accepted(serde_json::json!({"name": "Ada"}))), Some("Ada"));
/// assert_eq!(name(&InputAnswer::Cancelled), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputAnswer {
    /// The human filled the form in, with these contents; or visited the page, and there are none.
    Accepted(Value),
    /// The human would not.
    Declined,
    /// The human did neither.
    Cancelled,
    /// The model answered.
    Sampled(SamplingAnswer),
    /// The folders.
    Roots(Vec<Root>),
}

/// A folder that the client works in.
///
/// # Examples
///
/// ```
/// use wymcp_core::{InputAnswer, InputRequest, Json};
///
/// let answer = serde_json::json!({"roots": [{"uri": "file:///home/ada", "name": "Home"}]});
/// let Some(InputAnswer::Roots(roots)) = InputRequest::Roots.read(&Json::from(&answer)) else {
///     unreachable!("they are roots");
/// };
/// let root: &wymcp_core::Root = &roots[0];
/// assert_eq!((&*root.uri, root.name.as_deref()), ("file:///home/ada", Some("Home")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Its address.
    pub uri: String,
    /// What the human calls it, if the client tells.
    pub name: Option<String>,
}

/// Adds a capability, down to its part.
fn require(path: &[&str], required: &mut Map<String, Value>) {
    let Some((name, rest)) = path.split_first() else {
        return;
    };
    let inner = required.entry(*name).or_insert_with(|| json!({}));
    if let Some(inner) = inner.as_object_mut() {
        require(rest, inner);
    }
}

/// One object of objects out of two.
fn merge(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            for (name, theirs) in other {
                let ours = one.remove(&name).unwrap_or_else(|| json!({}));
                one.insert(name, merge(ours, theirs));
            }
            Value::Object(one)
        }
        (one, _) => one,
    }
}

/// The contents of a form, without what was left out as null, and without members that no type could read.
fn filled_in(contents: &Object<'_>) -> Value {
    let members = contents
        .iter()
        .filter(|(name, value)| !matches!(value, Json::Null) && !is_reserved(name));
    members
        .map(|(name, value)| (name.to_owned(), value.to_value()))
        .collect()
}

/// What the human did. Contents are the form's to judge.
fn action(answer: &Object<'_>) -> Option<InputAnswer> {
    match answer.get("action")?.as_str()? {
        "accept" => Some(InputAnswer::Accepted(Value::Null)),
        "decline" => Some(InputAnswer::Declined),
        "cancel" => Some(InputAnswer::Cancelled),
        _ => None,
    }
}

fn roots(answer: &Object<'_>) -> Option<Vec<Root>> {
    let Json::Array(roots) = answer.get("roots")? else {
        return None;
    };
    let root = |root: &Json<'_>| {
        let root = root.as_object()?;
        Some(Root {
            uri: root.get("uri")?.as_str()?.to_owned(),
            name: match root.present("name") {
                Some(name) => Some(name.as_str()?.to_owned()),
                None => None,
            },
        })
    };
    roots.iter().map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IncludeContext, RequestMeta};

    /// What a client that declares these capabilities lacks for a question to its model, with tools and context.
    fn lacked(declared: &Value) -> Option<Value> {
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": declared});
        let Json::Object(meta) = Json::from(&meta) else {
            unreachable!("an object");
        };
        let meta = RequestMeta::new(meta);
        let sampling = Sampling::user("?", 1)
            .tools([json!({"name": "a", "inputSchema": {"type": "object"}})])
            .include_context(IncludeContext::ThisServer);
        let questions = [sampling.into(), InputRequest::Roots, Form::new("?").into()];
        InputRequest::missing_of(&questions, &meta.client_capabilities())
    }

    #[test]
    fn everything_that_is_missing_is_named_at_once_and_nothing_else() {
        let all = json!({"sampling": {"tools": {}, "context": {}}, "roots": {}, "elicitation": {"form": {}}});
        assert_eq!(lacked(&json!({})), Some(all.clone()));
        let some = json!({"sampling": {"tools": {}}, "elicitation": {}});
        assert_eq!(
            lacked(&some),
            Some(json!({"sampling": {"context": {}}, "roots": {}}))
        );
        assert_eq!(lacked(&all), None);
    }
}
