//! A tool that asks the human with a form of every kind of field.

use serde::Deserialize;
use serde_json::json;
use wymcp::{Context, Elicited, Field, Form, NoArguments, RunnableTool, TextFormat, tool};

pub(crate) fn order() -> RunnableTool {
    tool("order").describe("Takes an order from the human").run(
        async |_: NoArguments, ctx: Context| {
            Ok(match ctx.ask("order", form()).await?.read()? {
                Elicited::Accepted(order) => confirm(&order),
                Elicited::Declined => "No order.".to_owned(),
                Elicited::Cancelled => "No order yet.".to_owned(),
            })
        },
    )
}

/// Whatever has a default may be sent as it stands.
fn form() -> Form {
    let sizes = [("s", "Small"), ("m", "Medium"), ("l", "Large")];
    let extras = [
        ("cheese", "More cheese"),
        ("basil", "Fresh basil"),
        ("oil", "Hot oil"),
    ];
    let crusts = ["thin", "thick"].map(|it| (it, it));
    let days = ["mon", "wed", "fri"].map(|it| (it, it));
    Form::new("What shall it be?")
        .field(Field::text("name").title("Name").between(1, 40).required())
        .field(
            Field::text("mail")
                .format(TextFormat::Email)
                .describe("Where the bill goes"),
        )
        .field(
            Field::text("site")
                .format(TextFormat::Uri)
                .default_value("https://example.com"),
        )
        .field(
            Field::text("day")
                .format(TextFormat::Date)
                .default_value("2026-07-28"),
        )
        .field(
            Field::text("at")
                .format(TextFormat::DateTime)
                .default_value("2026-07-28T12:00:00Z"),
        )
        .field(Field::integer("count").between(1, 9).default_value(1))
        .field(Field::number("tip").between(0.0, 0.5).default_value(0.1))
        .field(Field::flag("gift").default_value(false))
        .field(
            Field::one_of("size", sizes)
                .title("Size")
                .default_value("m"),
        )
        .field(Field::one_of("crust", crusts).default_value("thin"))
        .field(
            Field::many_of("extras", extras)
                .title("Extras")
                .default_value(json!(["cheese"])),
        )
        .field(Field::many_of("days", days).default_value(json!(["mon", "fri"])))
}

/// What is not required need not be there, default or not.
#[derive(Deserialize)]
struct Order {
    name: String,
    #[serde(default = "one")]
    count: u8,
    size: Option<String>,
    #[serde(default)]
    extras: Vec<String>,
}

fn one() -> u8 {
    1
}

fn confirm(order: &Order) -> String {
    let Order {
        name,
        count,
        size,
        extras,
    } = order;
    let size = size.as_deref().unwrap_or("m");
    format!(
        "{count} of size {size} for {name}, with {}.",
        extras.join(" and ")
    )
}
