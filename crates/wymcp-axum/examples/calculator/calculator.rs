//! The calculator itself, which knows of no host.

use wymcp::{Context, Server, ToolAnnotations, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    /// The first summand
    a: i64,
    /// The second summand
    b: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Quotient {
    /// What is divided
    dividend: f64,
    /// What it is divided by
    divisor: f64,
}

pub(crate) fn calculator() -> Result<Server, wymcp::ConfigError> {
    let pure = ToolAnnotations::default().read_only(true).open_world(false);
    Server::builder("calculator", env!("CARGO_PKG_VERSION"))
        .instructions("Adds and divides numbers.")
        .tool(
            tool("sum")
                .describe("Adds two integers")
                .annotations(pure.clone())
                .run(async |args: Sum, _ctx: Context| {
                    args.a
                        .checked_add(args.b)
                        .ok_or_else(|| wymcp::Error::new("The sum is too large"))
                }),
        )
        .tool(
            tool("quotient")
                .describe("Divides two numbers")
                .annotations(pure)
                .run(async |args: Quotient, _ctx: Context| {
                    if args.divisor == 0.0 {
                        return Err(wymcp::Error::new(
                            "Nothing can be divided by 0; choose another divisor",
                        ));
                    }
                    Ok(args.dividend / args.divisor)
                }),
        )
        .build()
}
