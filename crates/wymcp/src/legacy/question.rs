//! Questions that are asked while the call waits.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::{Map, Value, json};
use wymcp_core::{ClientAnswer, InputRequest, Json};

use super::live::{InSession, Live};
use crate::{
    Error, Outlet, Result,
    signal::{Signal, Wait},
};

/// A question that was sent.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    answer: Mutex<Option<ClientAnswer>>,
    answered: Arc<Signal>,
}

impl Asked {
    pub(super) fn answer(&self, answer: ClientAnswer) {
        let slot = self.answer.lock();
        slot.unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(answer);
        self.answered.give();
    }

    async fn answered(&self) -> ClientAnswer {
        Wait::new(Arc::clone(&self.answered)).await;
        let answer = self.answer.lock();
        let answer = answer.unwrap_or_else(PoisonError::into_inner).take();
        answer.unwrap_or_else(|| Err("no answer".to_owned()))
    }
}

/// What a call waits for.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// How often it has asked.
    rounds: AtomicU64,
    open: Mutex<Vec<Arc<Asked>>>,
}

impl Asking {
    /// The number of the round that is open, if one is: for whoever bounds its time.
    pub(crate) fn round(&self) -> Option<u64> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        (!open.is_empty()).then(|| self.rounds.load(Ordering::Relaxed))
    }

    fn begin(&self, questions: Vec<Arc<Asked>>) {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = questions;
    }

    fn end(&self) {
        let open = self.open.lock();
        let open = std::mem::take(&mut *open.unwrap_or_else(PoisonError::into_inner));
        drop(open);
    }

    /// Waits no longer.
    pub(crate) fn time_out(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.clone();
        for asked in &open {
            asked.answer(Err("it took too long".to_owned()));
        }
    }
}

/// Questions that are open, until they are dropped.
struct Open<'l> {
    live: &'l Live,
    asking: &'l Asking,
    ids: Vec<i32>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.asking.end();
        self.ids.iter().for_each(|id| self.live.forget(*id));
    }
}

/// Asks the client of a session, and waits for its answers.
///
/// A form or a page to which no usable answer comes reads as cancelled: the human did not decide.
pub(crate) async fn put(
    call: &InSession,
    outlet: &Outlet,
    questions: &BTreeMap<String, InputRequest>,
) -> Result<Map<String, Value>> {
    let InSession {
        found,
        live,
        asking,
        ..
    } = call;
    let mut open = Open {
        live,
        asking,
        ids: Vec::new(),
    };
    let mut sent = Vec::new();
    for (key, request) in questions {
        let asked = Arc::new(Asked::default());
        let id = live.ask(&asked);
        open.ids.push(id);
        let question = found
            .session()
            .question(id, request, &format!("{key}-{id}"));
        sent.push((key, request, asked, question.map_err(Error::internal)?));
    }
    asking.begin(
        sent.iter()
            .map(|(_, _, asked, _)| Arc::clone(asked))
            .collect(),
    );
    for (_, _, _, question) in &sent {
        outlet.ask(question);
    }
    let mut answers = Map::new();
    for (key, request, asked, _) in sent {
        let answer = asked.answered().await;
        let answer = answer.map(|answer| found.session().answer(request, &answer));
        let answer = usable(request, answer)?;
        answers.insert(key.clone(), answer);
    }
    Ok(answers)
}

fn usable(request: &InputRequest, answer: ClientAnswer) -> Result<Value> {
    let why = match answer {
        Ok(value) if request.read(&Json::from(&value)).is_some() => return Ok(value),
        Ok(_) => "its answer is none to this question".to_owned(),
        Err(why) => why,
    };
    match request {
        InputRequest::Form(_) | InputRequest::Url { .. } => Ok(json!({"action": "cancel"})),
        _ => Err(Error::new(format!(
            "The client was asked and did not answer: {why}"
        ))),
    }
}
