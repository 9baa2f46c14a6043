//! The wymcp server of the comparisons, as an application writes one: typed tools, every check on.

use std::error::Error;
use std::thread;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use wymcp::{Changes, Context, Edit, Limits, NoArguments, RunnableTool, Server, tool};

use crate::arguments;

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

/// The server that the command line describes:
///
/// - `--tools N`: how many tools that add; there are no others then
/// - `--listeners N`: how many clients may listen
/// - `--edits MILLISECONDS`: how often a tool is taken out and put in again, by a thread of its own
/// - `--idle SECONDS`: how long sessions are kept
///
/// # Errors
///
/// A value that is none.
pub fn server(changes: Changes) -> Result<Server, Box<dyn Error>> {
    let mut limits = Limits::default();
    if let Some(listeners) = arguments::value("--listeners")? {
        limits.listeners = listeners;
    }
    if let Some(seconds) = arguments::value("--idle")? {
        limits.session_idle = Duration::from_secs(seconds);
        limits.session_opening = limits.session_idle;
    }
    let mut builder = Server::builder("calculator", "1.0.0")
        .changes(changes)
        .limits(limits)
        .tool(sum("sum"));
    builder = match arguments::value("--tools")? {
        Some(tools) => (1..tools).fold(builder, |builder, at: u32| {
            builder.tool(sum(&format!("sum-{at}")))
        }),
        None => builder.tool(count()).tool(count_slowly()).tool(measure()),
    };
    let server = builder.build()?;
    if let Some(milliseconds) = arguments::value("--edits")? {
        edit(server.clone(), Duration::from_millis(milliseconds));
    }
    Ok(server)
}

fn sum(name: &str) -> RunnableTool {
    tool(name)
        .describe("Adds two numbers")
        .run(async |args: Sum, _: Context| Ok(args.a + args.b))
}

fn count() -> RunnableTool {
    tool("count")
        .describe("Counts to three")
        .run(async |_: NoArguments, context: Context| {
            for done in [1.0, 2.0, 3.0] {
                context.progress(done, Some(3.0), None);
            }
            Ok(3)
        })
}

/// As one that works in between: each report is sent by itself.
fn count_slowly() -> RunnableTool {
    tool("count-slowly")
        .describe("Counts to three and lets others work meanwhile")
        .run(async |_: NoArguments, context: Context| {
            for done in [1.0, 2.0, 3.0] {
                context.progress(done, Some(3.0), None);
                tokio::task::yield_now().await;
            }
            Ok(3)
        })
}

fn measure() -> RunnableTool {
    tool("measure")
        .describe("Counts the bytes of a text")
        .run(async |args: Text, _: Context| Ok(args.text.len()))
}

/// Never ends: the process does.
fn edit(server: Server, every: Duration) {
    thread::spawn(move || {
        let mut edit = Edit::new().tool(sum("edited"));
        loop {
            thread::sleep(every);
            server.edit(edit).expect("the definition is sound");
            edit = Edit::new().remove_tool("edited").tool(sum("edited"));
        }
    });
}
