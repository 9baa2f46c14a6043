//! Tools that tell the clients who listen of a change, which need no change to tell of one; and a real one.

use wymcp::{Changes, ConfigError, Context, Edit, NoArguments, RunnableTool, Server, tool};

/// A tool for each kind of change.
pub(crate) fn tools(changes: &Changes) -> Vec<RunnableTool> {
    let of = |name: &str, what: &str, tell: fn(&Changes)| {
        let changes = changes.clone();
        tool(name)
            .describe(format!("Tells who listens that {what} changed"))
            .run(move |_: NoArguments, _: Context| {
                tell(&changes);
                async { Ok("Told.") }
            })
    };
    vec![
        of(
            "test_trigger_tool_change",
            "the tools",
            Changes::tools_changed,
        ),
        of(
            "test_trigger_prompt_change",
            "the prompts",
            Changes::prompts_changed,
        ),
        of("test_trigger_resource_change", "a resource", |changes| {
            changes.resources_changed();
            changes.resource_updated("test://static-text");
        }),
    ]
}

/// What a running server learns.
pub(crate) fn learn(server: &Server) -> Result<(), ConfigError> {
    let later = tool("test_added_later")
        .describe("Came when the server was there already")
        .run(async |_: NoArguments, _: Context| Ok("Here I am."));
    server.edit(Edit::new().tool(later))
}
