//! A valid call, cut at each byte and with each byte replaced by the ones that hurt most.

use crate::{
    generators::{Request, valid_call},
    oracle::answer,
};

#[test]
fn a_call_cut_at_any_byte_is_answered() {
    let request = Request::of(&valid_call());
    for end in 0..request.body.len() {
        answer(&request.head(), &request.body[..end]);
        answer(&request.head(), &request.body[end..]);
    }
}

#[test]
fn a_call_with_any_byte_replaced_is_answered() {
    let request = Request::of(&valid_call());
    for at in 0..request.body.len() {
        for byte in [0x00, 0x22, 0x7B, 0xFF] {
            let mut body = request.body.clone();
            body[at] = byte;
            answer(&request.head(), &body);
        }
    }
}

#[test]
fn a_call_with_any_header_byte_replaced_is_answered() {
    let request = Request::of(&valid_call());
    for line in 0..request.headers.len() {
        for at in 0..request.headers[line].1.len() {
            for byte in [0x00, 0x0A, 0x22, 0x2C, 0x7B, 0xFF] {
                let mut request = request.clone();
                request.headers[line].1[at] = byte;
                answer(&request.head(), &request.body);
            }
        }
    }
}
