//! What a handler may return as its result.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wymcp_core::{Content, Fault, StructuredContent, ToolResult};

use crate::schema;

/// A value that a tool can answer with.
///
/// Texts, numbers and booleans become one block of text; [`Content`] stands for itself; [`Structured`] carries a value
/// for programs; [`ToolResult`] is everything at once.
///
/// # Examples
///
/// ```
/// use wymcp::{Context, Fault, IntoToolResult, NoArguments, ToolResult, tool};
///
/// /// A duration as people say it.
/// struct Minutes(u32);
///
/// impl IntoToolResult for Minutes {
///     fn into_tool_result(self) -> Result<ToolResult, Fault> {
///         Ok(ToolResult::text(format!("{} h {} min", self.0 / 60, self.0 % 60)))
///     }
/// }
///
/// let left = tool("left").run(async |_: NoArguments, _ctx: Context| Ok(Minutes(95)));
/// # let _ = left;
/// assert!(f64::NAN.into_tool_result().is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot answer with `{Self}`",
    note = "wrap a value for programs in `Structured(..)`, or answer with a text, a number, `Content` or `ToolResult`"
)]
pub trait IntoToolResult {
    /// Turns the value into a result.
    ///
    /// # Errors
    ///
    /// A fault when the value has no encoding, such as a number that is not finite.
    fn into_tool_result(self) -> Result<ToolResult, Fault>;

    /// The schema of the structured content, for results that always have one.
    fn output_schema() -> Option<Value> {
        None
    }

    /// Whether the result can have structured content. A tool whose results never have any cannot declare a schema of
    /// it.
    fn can_be_structured() -> bool {
        true
    }
}

/// A result for programs: the tool declares the type's schema, and the value is sent as structured content, and as text
/// for clients that read only that.
///
/// # Examples
///
/// ```
/// use wymcp::{IntoToolResult, Structured};
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Weather { celsius: f64 }
///
/// let result = Structured(Weather { celsius: 21.5 }).into_tool_result().unwrap();
/// assert_eq!(result.structured.unwrap().as_str(), r#"{"celsius":21.5}"#);
/// assert!(Structured(f64::NAN).into_tool_result().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + JsonSchema> IntoToolResult for Structured<T> {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        StructuredContent::new(&self.0).map(ToolResult::structured)
    }

    fn output_schema() -> Option<Value> {
        Some(schema::output::<T>())
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        Ok(self)
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        Ok(ToolResult::new([self]))
    }

    fn can_be_structured() -> bool {
        false
    }
}

impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        Ok(ToolResult::new(self))
    }

    fn can_be_structured() -> bool {
        false
    }
}

/// A result without content.
impl IntoToolResult for () {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        Ok(ToolResult::new([]))
    }

    fn can_be_structured() -> bool {
        false
    }
}

macro_rules! as_text {
    ($($type:ty)*) => {
        $(impl IntoToolResult for $type {
            fn into_tool_result(self) -> Result<ToolResult, Fault> {
                Ok(ToolResult::text(self.to_string()))
            }

            fn can_be_structured() -> bool {
                false
            }
        })*
    };
}

as_text! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char &str Cow<'_, str> }

impl IntoToolResult for String {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        Ok(ToolResult::text(self))
    }

    fn can_be_structured() -> bool {
        false
    }
}

impl IntoToolResult for f64 {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        if self.is_finite() {
            Ok(ToolResult::text(self.to_string()))
        } else {
            Err(Fault::Unencodable("a number is not finite".to_owned()))
        }
    }

    fn can_be_structured() -> bool {
        false
    }
}

impl IntoToolResult for f32 {
    fn into_tool_result(self) -> Result<ToolResult, Fault> {
        f64::from(self).into_tool_result()
    }

    fn can_be_structured() -> bool {
        false
    }
}
