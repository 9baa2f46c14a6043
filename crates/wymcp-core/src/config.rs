//! Faults of a server's definition, found when it is built.

use std::fmt;

/// Why a server cannot be built as it is defined.
///
/// Names the place of the fault and what to change there. Nothing of a definition is repaired silently.
///
/// # Examples
///
/// ```
/// use wymcp_core::{Action, ConfigError, Server, Tool};
///
/// let fault = Server::builder("shop", "1.0.0").allow_hosts(["https://shop.example"]).build().unwrap_err();
/// assert!(matches!(&fault, ConfigError::Host { entry, .. } if entry == "https://shop.example"));
///
/// let find = Action::new("find", "Finds orders").required(["customer"]);
/// let orders = Tool::new("orders").actions([find]);
/// let fault = Server::builder("shop", "1.0.0").tool(orders).build().unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     r#"tool "orders", action "find", required: "customer" names no property; declare it or remove the name"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// An entry of the allowed hosts is no host.
    Host {
        /// The entry.
        entry: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// An entry of the allowed origins is no origin.
    Origin {
        /// The entry.
        entry: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// A limit or another setting is out of its range.
    Setting {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// A tool's definition is faulty.
    Tool {
        /// The tool's name.
        tool: String,
        /// The field of the definition, with a path into a schema where there is one.
        field: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// An action of a tool is defined faultily.
    Action {
        /// The tool's name.
        tool: String,
        /// The action's name.
        action: String,
        /// The field of the definition.
        field: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { entry, fault } => write!(f, "allow_hosts: {entry:?} {fault}"),
            Self::Origin { entry, fault } => write!(f, "allow_origins: {entry:?} {fault}"),
            Self::Setting { setting, fault } => write!(f, "{setting}: {fault}"),
            Self::Tool { tool, field, fault } => write!(f, "tool {tool:?}, {field}: {fault}"),
            Self::Action {
                tool,
                action,
                field,
                fault,
            } => write!(f, "tool {tool:?}, action {action:?}, {field}: {fault}"),
        }
    }
}

impl std::error::Error for ConfigError {}
