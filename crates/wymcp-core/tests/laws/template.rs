//! A URI template stands for what can be made of it, and for nothing else.

use proptest::prelude::*;

use crate::fuzzed::template::{check_matches, template};

proptest! {
    #[test]
    fn a_naive_matcher_agrees(
        pieces in prop::collection::vec("[ab/-]{1,3}", 1..5),
        reserved in prop::collection::vec(any::<bool>(), 4),
        uri in "[ab/-]{0,14}",
    ) {
        let mut template = String::new();
        for (at, (piece, reserved)) in pieces.iter().zip(&reserved).enumerate() {
            let operator = if *reserved { "+" } else { "" };
            template = format!("{template}{piece}{{{operator}v{at}}}");
        }
        // As it is, and as something that the template's own literals begin.
        for uri in [uri.clone(), format!("{}{uri}", pieces[0])] {
            check_matches(&template, &uri);
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,40}", uri in ".{0,40}") {
        template(format!("{text}\n{uri}").as_bytes());
    }
}
