//! Every golden case that lines can carry; the testkit judges each line.

use wymcp::Server;
use wymcp_stdio::Stdio;
use wymcp_testkit::{LineAdapter, check_lines};

struct Lines;

impl LineAdapter for Lines {
    fn serve(&self, server: Server, input: Vec<u8>) -> Vec<u8> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(async {
            let (output, mut written) = tokio::io::duplex(1024);
            let serving = Stdio::new(server).serve_on(&input[..], output);
            let mut bytes = Vec::new();
            let reading = tokio::io::AsyncReadExt::read_to_end(&mut written, &mut bytes);
            let (outcome, read) = tokio::join!(serving, reading);
            outcome.and(read.map(drop)).unwrap();
            bytes
        })
    }
}

#[test]
fn lines_answer_every_case_as_the_core_does() {
    check_lines(&Lines);
}
