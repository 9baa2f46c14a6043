//! Questions of a handler to the client, and their typed answers.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use wymcp_core::{
    Form, InputAnswer, InputRequest, InputRequired, Json, Outcome, Root, Sampling, SamplingAnswer,
};

use crate::{Error, Result, sealing};

/// A question that [`Context::ask`](crate::Context::ask) can ask: a [`Form`], a [`Visit`], a [`Sampling`], or [`Roots`].
///
/// # Examples
///
/// A question of one's own, made of another one:
///
/// ```
/// use wymcp::{Elicited, Field, Form, InputAnswer, InputRequest, Question};
///
/// struct AreYouSure;
///
/// impl Question for AreYouSure {
///     type Answer = bool;
///
///     fn request(&self) -> InputRequest {
///         Form::new("Are you sure?").request()
///     }
///
///     fn answer(answer: InputAnswer) -> Option<bool> {
///         Form::answer(answer).map(|answer| answer.accepted().is_some())
///     }
/// }
///
/// assert_eq!(AreYouSure::answer(InputAnswer::Declined), Some(false));
/// # assert!(matches!(AreYouSure.request(), InputRequest::Form(_)));
/// ```
pub trait Question {
    /// What it is answered with.
    type Answer;

    /// The question as it is sent.
    fn request(&self) -> InputRequest;

    /// The answer, out of one that [`InputRequest::read`] has checked; `None` asks again.
    fn answer(answer: InputAnswer) -> Option<Self::Answer>;
}

/// What a human did with a [`Form`] or a [`Visit`].
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use wymcp::Elicited;
///
/// #[derive(Debug, PartialEq, serde::Deserialize)]
/// struct Person { name: String }
///
/// let answer = Elicited::Accepted(json!({"name": "Ada"}));
/// let person: Elicited<Person> = answer.read().unwrap();
/// assert_eq!(person.accepted(), Some(Person { name: "Ada".to_owned() }));
/// assert_eq!(Elicited::<Person>::Declined.accepted(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol knows these three")]
pub enum Elicited<T> {
    /// The human agreed, and filled this in.
    Accepted(T),
    /// The human said no.
    Declined,
    /// The human went away without a decision.
    Cancelled,
}

impl<T> Elicited<T> {
    /// What was filled in, if the human agreed.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(contents) => Some(contents),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

impl Elicited<Value> {
    /// Reads what was filled in as a type.
    ///
    /// # Errors
    ///
    /// A fault, when the type takes less than the form lets in: then the two do not belong together.
    pub fn read<T: DeserializeOwned>(self) -> Result<Elicited<T>> {
        Ok(match self {
            // As arguments are read: 2.0 is an integer.
            Self::Accepted(contents) => {
                let read = T::deserialize(&Json::from(&contents));
                Elicited::Accepted(read.map_err(|fault| Error::internal(fault.to_string()))?)
            }
            Self::Declined => Elicited::Declined,
            Self::Cancelled => Elicited::Cancelled,
        })
    }
}

/// A page that the human is asked to visit, such as one where he signs in. The client opens it; what happens there
/// stays between the human and the page.
///
/// # Examples
///
/// ```
/// use wymcp::{InputRequest, Question, Visit};
///
/// let visit = Visit::new("Sign in to the archive", "https://archive.example.com/sign-in");
/// assert!(matches!(visit.request(), InputRequest::Url { url, .. } if url.ends_with("/sign-in")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    message: String,
    url: String,
}

impl Visit {
    /// A page, and what it is for.
    pub fn new(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            url: url.into(),
        }
    }
}

/// The question for the folders that the client works in.
///
/// Deprecated in revision 2026-07-28 of the protocol, and served until it is removed.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, NoArguments, Roots, tool};
///
/// let count = tool("count").run(async |_: NoArguments, ctx: Context| {
///     let roots = ctx.ask("roots", Roots).await?;
///     Ok(roots.len())
/// });
/// # let _ = count;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it has no parts")]
pub struct Roots;

/// Of a form or a page.
fn elicited(answer: InputAnswer) -> Option<Elicited<Value>> {
    match answer {
        InputAnswer::Accepted(contents) => Some(Elicited::Accepted(contents)),
        InputAnswer::Declined => Some(Elicited::Declined),
        InputAnswer::Cancelled => Some(Elicited::Cancelled),
        _ => None,
    }
}

impl Question for Form {
    type Answer = Elicited<Value>;

    fn request(&self) -> InputRequest {
        self.clone().into()
    }

    fn answer(answer: InputAnswer) -> Option<Self::Answer> {
        elicited(answer)
    }
}

impl Question for Visit {
    type Answer = Elicited<()>;

    fn request(&self) -> InputRequest {
        let Self { message, url } = self.clone();
        InputRequest::Url { message, url }
    }

    fn answer(answer: InputAnswer) -> Option<Self::Answer> {
        Some(match elicited(answer)? {
            Elicited::Accepted(_) => Elicited::Accepted(()),
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
        })
    }
}

impl Question for Sampling {
    type Answer = SamplingAnswer;

    fn request(&self) -> InputRequest {
        self.clone().into()
    }

    fn answer(answer: InputAnswer) -> Option<Self::Answer> {
        match answer {
            InputAnswer::Sampled(answer) => Some(answer),
            _ => None,
        }
    }
}

impl Question for Roots {
    type Answer = Vec<Root>;

    fn request(&self) -> InputRequest {
        InputRequest::Roots
    }

    fn answer(answer: InputAnswer) -> Option<Self::Answer> {
        match answer {
            InputAnswer::Roots(roots) => Some(roots),
            _ => None,
        }
    }
}

/// Questions that are asked together: up to six pairs of a key and a [`Question`], in a tuple.
///
/// See [`Context::ask_all`](crate::Context::ask_all).
///
/// # Examples
///
/// As many as there are:
///
/// ```
/// use serde_json::Value;
/// use wymcp::{Context, Elicited, Field, Form, NoArguments, Questions, Round, tool};
///
/// struct Names(Vec<String>);
///
/// impl Questions for Names {
///     type Answers = Vec<Elicited<Value>>;
///
///     fn put(&self, round: &mut Round<'_>) -> Option<Self::Answers> {
///         let form = |who: &str| Form::new(format!("Name of the {who}?")).field(Field::text("name"));
///         let answers: Vec<_> = self.0.iter().map(|who| round.put(who, &form(who))).collect();
///         answers.into_iter().collect()
///     }
/// }
///
/// let team = tool("team").run(async |_: NoArguments, ctx: Context| {
///     let names = ctx.ask_all(Names(vec!["pilot".to_owned(), "navigator".to_owned()])).await?;
///     Ok(names.len())
/// });
/// # let _ = team;
/// ```
pub trait Questions {
    /// The answers, in the same order.
    type Answers;

    /// Puts each question to the round, every one before the first open one ends it; `None` unless all are answered.
    /// May be called again, when more is answered.
    fn put(&self, round: &mut Round<'_>) -> Option<Self::Answers>;
}

macro_rules! questions {
    ($($key:ident $question:ident $pair:ident),+) => {
        impl<$($key: AsRef<str>, $question: Question),+> Questions for ($(($key, $question),)+) {
            type Answers = ($($question::Answer,)+);

            fn put(&self, round: &mut Round<'_>) -> Option<Self::Answers> {
                let ($($pair,)+) = self;
                $(let $pair = round.put(&$pair.0, &$pair.1);)+
                Some(($($pair?,)+))
            }
        }
    };
}

questions! { K1 Q1 a }
questions! { K1 Q1 a, K2 Q2 b }
questions! { K1 Q1 a, K2 Q2 b, K3 Q3 c }
questions! { K1 Q1 a, K2 Q2 b, K3 Q3 c, K4 Q4 d }
questions! { K1 Q1 a, K2 Q2 b, K3 Q3 c, K4 Q4 d, K5 Q5 e }
questions! { K1 Q1 a, K2 Q2 b, K3 Q3 c, K4 Q4 d, K5 Q5 e, K6 Q6 f }

/// The questions of one moment, each answered by what came with the call or still open; see [`Questions`].
#[derive(Debug)]
pub struct Round<'c> {
    answers: &'c Map<String, Value>,
    /// The answers that were read, which the client carries if there are more questions.
    read: &'c mut Map<String, Value>,
    open: BTreeMap<String, InputRequest>,
    /// Every question of this run, by its key.
    asked: &'c mut BTreeMap<String, InputRequest>,
    /// A key under which two questions were asked.
    twice: Option<String>,
}

impl<'c> Round<'c> {
    pub(crate) fn new(
        answers: &'c Map<String, Value>,
        read: &'c mut Map<String, Value>,
        asked: &'c mut BTreeMap<String, InputRequest>,
    ) -> Self {
        Self {
            answers,
            read,
            open: BTreeMap::new(),
            asked,
            twice: None,
        }
    }

    /// The answer to a question, or `None`, which leaves it open.
    pub fn put<Q: Question>(&mut self, key: impl AsRef<str>, question: &Q) -> Option<Q::Answer> {
        let key = key.as_ref().to_owned();
        let request = question.request();
        match self.asked.get(&key) {
            Some(known) if *known != request => self.twice = Some(key.clone()),
            Some(_) => {}
            None => drop(self.asked.insert(key.clone(), request.clone())),
        }
        let answered = self.answers.get(&key).and_then(|answer| {
            let typed = request.read(&Json::from(answer)).and_then(Q::answer)?;
            Some((answer, typed))
        });
        let Some((answer, typed)) = answered else {
            self.open.insert(key, request);
            return None;
        };
        self.read.insert(key, answer.clone());
        Some(typed)
    }

    /// The questions that nobody has answered yet.
    pub(crate) fn open(&self) -> BTreeMap<String, InputRequest> {
        self.open.clone()
    }

    /// The answers that were put, if all are there and no key stands for two questions; else the error that asks.
    pub(crate) fn answered<A>(self, answers: Option<A>) -> Result<A> {
        match (&self.twice, answers) {
            (Some(key), _) => Err(Error::internal(format!(
                "two questions under the key {key:?}; give each question a key of its own"
            ))),
            (None, Some(answers)) => Ok(answers),
            (None, None) if self.open.is_empty() => Err(Error::internal(
                "answers are missing and no question is open",
            )),
            (None, None) => Err(self.ask()),
        }
    }

    /// The error that asks what is open. Whether the client can be asked is judged by the protocol's side, before it is.
    fn ask(self) -> Error {
        match sealing::moment() {
            Ok(moment) => Error::of(Outcome::InputRequired(InputRequired {
                questions: self.open,
                answered: self.read.clone(),
                moment,
            })),
            Err(fault) => Error::internal(fault),
        }
    }
}
