//! A tool with a result for programs: the type of the result is its output schema.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wymcp::{Context, Error, Icon, RunnableTool, Structured, ToolAnnotations, tool};

#[derive(Deserialize, JsonSchema)]
struct Place {
    /// The name of a city
    city: String,
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    celsius: f64,
    /// From 0 to 1
    humidity: f64,
    sky: Sky,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sky {
    Clear,
    Cloudy,
}

pub(crate) fn weather() -> RunnableTool {
    tool("weather")
        .title("Weather")
        .describe("Says what the weather is like in a city")
        .annotations(ToolAnnotations::default().read_only(true).open_world(false))
        .icon(Icon::new("https://example.com/weather.svg").sizes(["any"]))
        .meta("com.example/station", 7)
        .run(async |place: Place, _: Context| {
            let (celsius, humidity, sky) = match &*place.city {
                "Paris" => (21.5, 0.4, Sky::Clear),
                "London" => (12.0, 0.8, Sky::Cloudy),
                // The model reads this, and can ask for another city.
                _ => return Err(Error::new("Only Paris and London have a station")),
            };
            Ok(Structured(Weather {
                celsius,
                humidity,
                sky,
            }))
        })
}
