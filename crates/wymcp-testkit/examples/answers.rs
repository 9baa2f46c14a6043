//! Prints what each golden case is answered in process, to the byte: two builds answer alike when they print alike.
//!
//! Left out is what no two runs have in common: the answers of sessions, whose ids are random, and of sealed states.

#![expect(clippy::print_stdout, reason = "the answers are the product")]

use wymcp_testkit::{Case, in_process};

fn main() {
    let cases = Case::all().into_iter();
    for case in cases.filter(|case| case.session.is_none()) {
        let exchange = in_process(&case);
        let Some(answer) = exchange.answer else {
            continue;
        };
        let is_random = answer.header("mcp-session-id").is_some()
            || String::from_utf8_lossy(&answer.body).contains("\"requestState\"");
        if !is_random {
            println!("{} {}", case.name, answer.status);
            println!("{:?}", answer.headers);
            println!("{}", String::from_utf8_lossy(&answer.body));
        }
    }
}
