//! What is said before an answer comes out of its stream as it went in.

use proptest::{collection::vec, prelude::any, proptest};

use crate::{
    fuzzed::sse::{check_events, check_said},
    generators::{json_value, unicode},
};

proptest! {
    #[test]
    fn every_message_comes_out_of_its_stream_as_it_went_in(
        messages in vec(json_value(), 0..6),
        breaks in vec(any::<bool>(), 6),
    ) {
        let said: Vec<_> = messages.iter().zip(breaks).map(|(message, is_quiet)| (is_quiet, message)).collect();
        check_events(&said);
    }

    #[test]
    fn no_text_of_a_handler_ends_its_event(text in unicode(), logger in unicode()) {
        check_said(&text, &logger);
    }
}
