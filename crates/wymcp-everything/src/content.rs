//! A tool whose content says of itself for whom it is, and points to a resource.

use wymcp::{
    Annotations, Content, Context, Icon, NoArguments, ResourceLink, Role, RunnableTool, ToolResult,
    tool,
};

use crate::resources::TEXT;

pub(crate) fn report() -> RunnableTool {
    tool("report")
        .describe("Answers with a text for each reader, and with a link to more")
        .run(async |_: NoArguments, _: Context| {
            let for_user = Annotations::default().audience([Role::User]).priority(1.0);
            let for_model = Annotations::default().audience([Role::Assistant]);
            let more = ResourceLink::new("test://static-text", "static-text")
                .title("The whole text")
                .describe("What the report is about")
                .mime_type("text/plain")
                .size(TEXT.len() as u64)
                .icon(Icon::new("https://example.com/text.svg"))
                .annotations(Annotations::default().last_modified("2026-07-28T12:00:00Z"))
                .meta("com.example/pages", 1);
            let content = [
                Content::text("All is well.").annotations(for_user),
                Content::text("Nothing to do.")
                    .annotations(for_model)
                    .meta("com.example/confidence", 0.9),
                Content::from(more),
            ];
            Ok(ToolResult::new(content).meta("com.example/took-ms", 3))
        })
}
