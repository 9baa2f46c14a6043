//! A tool that dispatches actions, with the state that they share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wymcp::{
    ActionError, ActionOutput, Context, Hint, Icon, NoArguments, Result, RunnableTool,
    ToolAnnotations, ToolHandler, action, actions,
};

/// Keeps events, of which no two have one title.
pub(crate) fn calendar() -> RunnableTool {
    let events = Events::default();
    let add = action("add", "Adds an event")
        .default("minutes", json!(30))
        .note("No two events have one title")
        .example(json!({"title": "Lunch", "day": "2026-07-28"}))
        .related("list")
        .handler(Add(events.clone()));
    let list = action("list", "Lists all events").handler(List(events));
    actions("calendar")
        .title("Calendar")
        .describe("Keeps events until the server stops")
        .annotations(
            ToolAnnotations::default()
                .destructive(false)
                .open_world(false),
        )
        .icon(Icon::new("https://example.com/calendar.svg"))
        .meta("com.example/since", 2026)
        .action(add)
        .action(list)
        .finish()
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Event {
    /// What it is
    title: String,
    /// When, as 2026-07-28
    day: String,
    /// How long it takes
    minutes: Option<u32>,
}

#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Event>>>);

impl Events {
    fn lock(&self) -> MutexGuard<'_, Vec<Event>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Add(Events);

impl ToolHandler for Add {
    type Arguments = Event;
    type Output = ActionOutput<Event>;

    async fn run(&self, event: Event, _: Context) -> Result<ActionOutput<Event>> {
        let hint = Hint::new("calendar", "list", "Lists all events");
        let mut events = self.0.lock();
        if events.iter().any(|known| known.title == event.title) {
            let taken = ActionError::new(format!("{:?} is there already", event.title));
            return Err(taken.hint(hint).into());
        }
        events.push(event.clone());
        let context = format!("{} events by now", events.len());
        Ok(ActionOutput::new(event).hint(hint).context(context))
    }
}

struct List(Events);

impl ToolHandler for List {
    type Arguments = NoArguments;
    type Output = ActionOutput<Vec<Event>>;

    async fn run(&self, _: NoArguments, _: Context) -> Result<ActionOutput<Vec<Event>>> {
        Ok(ActionOutput::new(self.0.lock().clone()))
    }
}
