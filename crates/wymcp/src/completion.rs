//! Proposals for the value of an argument, while a human types it.

use std::collections::BTreeMap;

use wymcp_core::{Completion, Fault, Outcome};

use crate::{Context, Result, handler::Kind};

/// What a human has typed so far.
///
/// # Examples
///
/// ```
/// use wymcp::Completing;
///
/// /// The cities of the country that was filled in before.
/// fn cities(typed: &Completing) -> Vec<&'static str> {
///     let cities: &[&str] = match typed.arguments.get("country").map(String::as_str) {
///         Some("France") => &["Paris", "Pau"],
///         _ => &["Paris", "Pau", "Prague"],
///     };
///     cities.iter().copied().filter(|city| city.starts_with(&typed.value)).collect()
/// }
///
/// let mut typed = Completing::default();
/// typed.value = "Pr".to_owned();
/// assert_eq!(cities(&typed), ["Prague"]);
/// typed.arguments.insert("country".to_owned(), "France".to_owned());
/// assert!(cities(&typed).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[non_exhaustive]
pub struct Completing {
    /// The argument's text, as far as it goes.
    pub value: String,
    /// The other arguments that are filled in already, as far as the client tells.
    pub arguments: BTreeMap<String, String>,
}

/// The code of a completer.
pub(crate) enum OfCompletion {}

impl<R: IntoCompletion> Kind<R> for OfCompletion {
    fn outcome(returned: R, _: &Context) -> Result<Outcome, Fault> {
        Ok(Outcome::Completion(returned.into_completion()))
    }
}

/// What the code of a completer may return.
///
/// # Examples
///
/// ```
/// use wymcp::{Completion, IntoCompletion};
///
/// struct Cities(&'static [&'static str]);
///
/// impl IntoCompletion for Cities {
///     fn into_completion(self) -> Completion {
///         Completion::new(self.0.iter().copied())
///     }
/// }
///
/// assert_eq!(Cities(&["Paris"]).into_completion(), vec!["Paris"].into_completion());
/// assert_eq!(Completion::new(["Paris"]).total(7).into_completion().values(), ["Paris"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "an argument cannot be completed with `{Self}`",
    note = "answer with a `Vec` of texts, or with a `Completion`"
)]
pub trait IntoCompletion {
    /// The proposals.
    fn into_completion(self) -> Completion;
}

impl IntoCompletion for Completion {
    fn into_completion(self) -> Completion {
        self
    }
}

impl<V: Into<String>> IntoCompletion for Vec<V> {
    fn into_completion(self) -> Completion {
        Completion::new(self)
    }
}
