//! The worked exchanges of `docs/wire.md`, held against the calculator example that they show.

mod support;

#[path = "../examples/calculator/calculator.rs"]
mod calculator;

use std::{fs, path::Path};

use serde_json::Value;
use support::Axum;
use wymcp_testkit::{Adapter, Answer, Connection, Served};

/// The page's section of this name.
fn section(name: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/wire.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once(&format!("\n## {name}\n")).unwrap();
    section.split("\n## ").next().unwrap().to_owned()
}

/// The code blocks of a kind in a text.
fn blocks<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    text.split(&format!("```{kind}\n"))
        .skip(1)
        .map(|block| block.split("\n```").next().unwrap())
        .collect()
}

/// Sends what a block shows, with the length that a client adds.
fn send(served: &Served, request: &str) -> Answer {
    let (head, body) = request.split_once("\n\n").unwrap();
    let head = head.replace('\n', "\r\n");
    let length = body.len();
    let bytes = format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}");
    let mut connection = Connection::open(served.address()).unwrap();
    connection.send(bytes).unwrap();
    connection.receive().unwrap().expect("an answer")
}

fn served(axum: &Axum) -> Served {
    axum.serve(calculator::calculator().unwrap())
}

#[test]
fn each_worked_exchange_goes_as_it_is_shown() {
    let axum = Axum::new();
    let served = served(&axum);
    let section = section("Worked exchanges");
    let blocks = blocks(&section, "http");
    assert_eq!(blocks.len(), 6, "a request and an answer for each method");
    for exchange in blocks.chunks(2) {
        let answer = send(&served, exchange[0]);
        let (head, body) = exchange[1].split_once("\n\n").unwrap();
        let shown: Value = serde_json::from_str(body).unwrap();
        let mut answered = answer.json().unwrap();
        // The page shows the first tool and names the others.
        if let Some(Value::Array(tools)) = answered["result"].get_mut("tools") {
            let names: Vec<&str> = tools
                .iter()
                .filter_map(|tool| tool["name"].as_str())
                .collect();
            assert!(section.contains(&format!("(`{}`)", names.join("`, `"))));
            tools.truncate(1);
        }
        assert_eq!(answered, shown);
        let content_type = answer.header("content-type").unwrap();
        assert_eq!(
            head,
            format!(
                "HTTP/1.1 {} OK\nContent-Type: {content_type}",
                answer.status
            )
        );
    }
}

#[test]
fn the_two_failures_that_are_described_go_as_described() {
    let axum = Axum::new();
    let served = served(&axum);
    let section = section("Worked exchanges");
    let call = *blocks(&section, "http").iter().rev().nth(1).unwrap();

    let wrong = call.replace(r#""b": 23"#, r#""b": "many""#);
    let answer = send(&served, &wrong).json().unwrap();
    assert_eq!(answer["result"]["isError"], true);
    let text = answer["result"]["content"][0]["text"].as_str();
    assert_eq!(text, Some(blocks(&section, "text")[0]));

    let unnamed = call.replace("Mcp-Name: sum\n", "");
    let refused = send(&served, &unnamed);
    assert_eq!(refused.status, 400);
    let refused = refused.json().unwrap();
    assert_eq!(refused["error"]["code"], -32020);
    assert_eq!(refused["id"], 3);
}
