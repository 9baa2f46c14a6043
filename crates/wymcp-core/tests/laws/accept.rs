//! `Accept` is read as RFC 9110 says.

use proptest::prelude::*;

use crate::fuzzed::accept::check_lines;

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "application/json",
        "Application/*",
        "*/*",
        "text/event-stream",
        "text/*",
        "a",
        "/",
        "*",
        ";",
        ";q=0",
        ";q=0.0",
        ";q=1",
        "; q=0.5",
        ";Q=0",
        ";q=1.1",
        ";q=0.",
        ";q=0.0000",
        ";a=b",
        "=",
        ",",
        ",",
        ", ",
        " ",
        "\t",
    ])
}

proptest! {
    #[test]
    fn ranges_are_read_as_a_naive_reader_reads_them(pieces in prop::collection::vec(piece(), 0..12)) {
        check_lines(&[pieces.concat().as_bytes()]);
    }

    #[test]
    fn where_a_list_is_broken_into_lines_does_not_matter(
        ranges in prop::collection::vec(piece(), 0..8), split in 0_usize..8
    ) {
        let (first, second) = ranges.split_at(split.min(ranges.len()));
        let (first, second) = (first.join(","), second.join(","));
        let one = format!("{first},{second}");
        prop_assert_eq!(check_lines(&[first.as_bytes(), second.as_bytes()]), check_lines(&[one.as_bytes()]));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        check_lines(&[&bytes]);
    }
}
