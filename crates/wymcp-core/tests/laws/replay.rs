//! A stream of a session, against a list that is searched from its beginning each time.

use proptest::{
    collection::vec,
    prelude::{
        Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    },
    sample::{Index, select},
};
use wymcp_core::{EventId, EventKind, Limits, Replay};

const SESSION: &str = "5f3a";
const STREAM: u64 = 3;

/// What happens to a stream.
#[derive(Clone, Debug)]
enum Step {
    Prime,
    Push(EventKind, u8, usize),
    Read,
    /// Behind one of the events that were ever read.
    Resume(Index),
    /// Behind an event of another stream, of another session, or of the future.
    ResumeStrange(u8, Index),
}

fn step() -> impl Strategy<Value = Step> {
    let kind = select(vec![EventKind::Kept, EventKind::Passing, EventKind::Change]);
    prop_oneof![
        1 => Just(Step::Prime),
        8 => (kind, 0..3_u8, 1..40_usize).prop_map(|(kind, which, length)| Step::Push(kind, which, length)),
        3 => Just(Step::Read),
        2 => any::<Index>().prop_map(Step::Resume),
        1 => (0..3_u8, any::<Index>()).prop_map(|(which, at)| Step::ResumeStrange(which, at)),
    ]
}

#[derive(Clone, Debug, PartialEq)]
struct Said {
    at: u64,
    kind: EventKind,
    message: Vec<u8>,
}

/// The stream in other words.
#[derive(Default)]
struct Model {
    /// All that was ever said.
    history: Vec<Said>,
    /// Which of it is there.
    kept: Vec<Said>,
    /// The first that is not read.
    unread: u64,
    dropped: u64,
}

impl Model {
    fn say(&mut self, kind: EventKind, message: Vec<u8>, limits: &Limits) {
        let waits = |said: &&Said| said.at >= self.unread;
        if kind == EventKind::Change
            && self
                .kept
                .iter()
                .filter(waits)
                .any(|said| said.message == message)
        {
            return;
        }
        let at = self.history.len() as u64;
        let said = Said { at, kind, message };
        self.history.push(said.clone());
        self.kept.push(said);
        loop {
            let bytes: usize = self.kept.iter().map(|said| said.message.len()).sum();
            if self.kept.len() <= limits.stream_messages && bytes <= limits.stream_bytes {
                return;
            }
            let read = self.kept.iter().position(|said| said.at < self.unread);
            let passes = self
                .kept
                .iter()
                .position(|said| said.kind != EventKind::Kept);
            match (read, passes) {
                (Some(at), _) => drop(self.kept.remove(at)),
                (None, Some(at)) => {
                    self.dropped += 1;
                    self.kept.remove(at);
                }
                (None, None) => return,
            }
        }
    }

    fn read(&mut self) -> Vec<(u64, Vec<u8>)> {
        let unread = self.kept.iter().filter(|said| said.at >= self.unread);
        let read = unread.map(|said| (said.at, said.message.clone())).collect();
        self.unread = self.history.len() as u64;
        read
    }
}

/// The ids, and what stands beside them, of a piece of a stream.
fn events(piece: &[u8]) -> Vec<(EventId, Vec<u8>)> {
    let text = std::str::from_utf8(piece).unwrap();
    let events = text.split_terminator("\n\n").map(|event| {
        let id = event
            .lines()
            .find_map(|line| line.strip_prefix("id: "))
            .unwrap();
        let data = event
            .lines()
            .find_map(|line| line.strip_prefix("data: "))
            .unwrap();
        (EventId::parse(id).unwrap(), data.as_bytes().to_vec())
    });
    events.collect()
}

fn id(session: &str, stream: u64, at: u64) -> EventId {
    EventId::parse(&format!("{session}-{stream}-{at}")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_stream_holds_what_a_list_holds(steps in vec(step(), 0..60), most in 1..8_usize, bytes in 20..200_usize) {
        let mut limits = Limits::default();
        limits.stream_messages = most;
        limits.stream_bytes = bytes;
        let (mut stream, mut model) = (Replay::new(SESSION, STREAM, &limits), Model::default());
        let mut ever_read: Vec<u64> = Vec::new();
        for step in steps {
            let before = model.history.len();
            match step {
                Step::Prime => {
                    stream.prime(1_000);
                    model.say(EventKind::Kept, Vec::new(), &limits);
                }
                Step::Push(kind, which, length) => {
                    let message = vec![b'a' + which; length];
                    stream.push(&message, kind);
                    model.say(kind, message, &limits);
                }
                Step::Read => {
                    prop_assert_eq!(stream.is_read(), !model.kept.iter().any(|said| said.at >= model.unread));
                    let read = events(&stream.read());
                    let due = model.read();
                    let due: Vec<_> = due.into_iter().map(|(at, data)| (id(SESSION, STREAM, at), data)).collect();
                    prop_assert_eq!(&read, &due);
                    // Nothing of another stream or session, and each id behind the one before.
                    let numbers: Vec<u64> = read.iter().map(|(id, _)| number(id)).collect();
                    prop_assert!(numbers.is_sorted_by(|a, b| a < b));
                    prop_assert!(read.iter().all(|(id, _)| id.session() == SESSION && id.stream() == STREAM));
                    ever_read.extend(numbers);
                }
                Step::Resume(index) if !ever_read.is_empty() => {
                    let last = ever_read[index.index(ever_read.len())];
                    // Also one that is to be sent again, for another connection.
                    prop_assert!(stream.resume(&id(SESSION, STREAM, last)));
                    model.unread = last + 1;
                }
                Step::Resume(_) => {}
                Step::ResumeStrange(which, index) => {
                    let at = index.index(model.history.len() + 1) as u64;
                    let strange = match which {
                        0 => id("0a0a", STREAM, at),
                        1 => id(SESSION, STREAM + 1, at),
                        _ => id(SESSION, STREAM, ever_read.iter().max().map_or(0, |sent| sent + 1) + at),
                    };
                    prop_assert!(!stream.resume(&strange));
                }
            }
            prop_assert_eq!(stream.dropped(), model.dropped);
            // What has to be known waits, however much of it there is. Beyond that nothing that is added passes the bounds.
            let waits = |said: &&Said| said.at >= model.unread && said.kind == EventKind::Kept;
            let due = model.kept.iter().filter(waits).count();
            let adds = model.history.len() > before;
            prop_assert!(!adds || model.kept.len() <= most.max(due));
        }
        // No message that is to be kept was lost before it was read.
        let rest: Vec<u64> = events(&stream.read()).iter().map(|(id, _)| number(id)).collect();
        for said in model.history.iter().filter(|said| said.kind == EventKind::Kept) {
            prop_assert!(ever_read.contains(&said.at) || rest.contains(&said.at), "{:?}", said);
        }
    }
}

fn number(id: &EventId) -> u64 {
    let text = id.to_string();
    text.rsplit('-').next().unwrap().parse().unwrap()
}
