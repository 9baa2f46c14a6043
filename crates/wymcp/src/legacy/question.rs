//! Questions that are asked while the call waits.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
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
pub(crate) struct Asking(Mutex<Rounds>);

#[derive(Debug, Default)]
struct Rounds {
    /// The number of the next one.
    next: u64,
    /// Those that wait for answers: several, if a handler asks here and there at a time.
    open: BTreeMap<u64, Vec<Arc<Asked>>>,
    /// Wakes whoever bounds their time.
    attendant: Option<Waker>,
}

impl Asking {
    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rounds that wait for answers, and whom to wake when there is another one.
    pub(super) fn open(&self, waker: &Waker) -> Vec<u64> {
        let mut rounds = self.rounds();
        match &mut rounds.attendant {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        rounds.open.keys().copied().collect()
    }

    fn begin(&self, questions: Vec<Arc<Asked>>) -> u64 {
        let mut rounds = self.rounds();
        rounds.next += 1;
        let round = rounds.next;
        rounds.open.insert(round, questions);
        let attendant = rounds.attendant.take();
        drop(rounds);
        if let Some(attendant) = attendant {
            attendant.wake();
        }
        round
    }

    fn end(&self, round: u64) {
        let ended = self.rounds().open.remove(&round);
        drop(ended);
    }

    /// Waits no longer for the answers of a round.
    pub(super) fn time_out(&self, round: u64) {
        let late = self.rounds().open.get(&round).cloned();
        for asked in late.into_iter().flatten() {
            asked.answer(Err("it took too long".to_owned()));
        }
    }
}

/// Questions that are open, until they are dropped.
struct Open<'l> {
    live: &'l Live,
    asking: &'l Asking,
    ids: Vec<i32>,
    /// Once all of them are sent.
    round: Option<u64>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(round) = self.round {
            self.asking.end(round);
        }
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
        round: None,
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
    let asked = sent.iter().map(|(_, _, asked, _)| Arc::clone(asked));
    open.round = Some(asking.begin(asked.collect()));
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
