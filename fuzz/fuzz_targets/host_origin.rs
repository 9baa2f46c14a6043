#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wymcp_fuzz::hold("host_origin", bytes));
