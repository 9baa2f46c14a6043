//! Panics as this crate shows them: one that fails a scenario with its place, those that are meant not at all.

use std::{
    any::Any,
    cell::RefCell,
    panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind},
    sync::Once,
};

/// What the text of a panic begins with that a handler of this crate raises on purpose.
pub(crate) const MEANT: &str = "(meant to panic)";

thread_local! {
    /// Where the scenario failed that this thread runs: `Some` while it runs one.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Lets nothing be printed of panics that are meant: they would drown the one that is not.
pub(crate) fn keep_quiet_about_meant_ones() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !words(panicked.payload()).starts_with(MEANT) && !is_noted(panicked) {
                before(panicked);
            }
        }));
    });
}

/// Runs something that fails by a panic, and says in words where and why.
pub(crate) fn fault_of(run: impl FnOnce()) -> Option<String> {
    keep_quiet_about_meant_ones();
    PLACE.set(Some(String::new()));
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let place = PLACE.take().unwrap_or_default();
    let payload = outcome.err()?;
    Some(format!("{} ({place})", words(&*payload)))
}

/// Whether a panic is of a scenario, of which its list of failures will tell.
fn is_noted(panicked: &PanicHookInfo<'_>) -> bool {
    PLACE.with_borrow_mut(|place| {
        let Some(place) = place else { return false };
        *place = panicked
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        true
    })
}

/// What a panic said.
fn words(payload: &(dyn Any + Send)) -> &str {
    let formatted = payload.downcast_ref::<String>().map(String::as_str);
    formatted
        .or(payload.downcast_ref::<&str>().copied())
        .unwrap_or("it panics without a word")
}
