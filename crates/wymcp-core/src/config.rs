//! Faults of a server's definition, found when it is built.

use std::fmt::{self, Write as _};

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
#[derive(Clone, PartialEq, Eq)]
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
    /// A resource, or a template of resources, is defined faultily.
    Resource {
        /// Its URI, or its template.
        resource: String,
        /// The field of the definition.
        field: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// A prompt's definition is faulty.
    Prompt {
        /// The prompt's name.
        prompt: String,
        /// The field of the definition.
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

impl ConfigError {
    /// Of a limit or another setting.
    pub(crate) fn setting(setting: &'static str, fault: &str) -> Self {
        let fault = fault.to_owned();
        Self::Setting { setting, fault }
    }
}

/// As its text: what `main` prints when it returns one.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { entry, fault } => write!(f, "allow_hosts: {entry:?} {fault}"),
            Self::Origin { entry, fault } => write!(f, "allow_origins: {entry:?} {fault}"),
            Self::Setting { setting, fault } => write!(f, "{setting}: {fault}"),
            Self::Tool { tool, field, fault } => {
                write!(f, "tool {tool:?}, {}: {fault}", Line(field))
            }
            Self::Resource {
                resource,
                field,
                fault,
            } => write!(f, "resource {resource:?}, {}: {fault}", Line(field)),
            Self::Prompt {
                prompt,
                field,
                fault,
            } => write!(f, "prompt {prompt:?}, {}: {fault}", Line(field)),
            Self::Action {
                tool,
                action,
                field,
                fault,
            } => write!(
                f,
                "tool {tool:?}, action {action:?}, {}: {fault}",
                Line(field)
            ),
        }
    }
}

/// The place of a field, in which a name may break the line.
struct Line<'f>(&'f str);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            if char.is_control() {
                write!(f, "{}", char.escape_default())?;
            } else {
                f.write_char(char)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// What is wrong with the address of a page.
pub(crate) fn check_url(url: &str) -> Result<(), &'static str> {
    let rest = ["https://", "http://"].iter().find_map(|scheme| {
        let (start, rest) = url.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    let has_host = rest.is_some_and(|rest| !rest.starts_with(['/', '?', '#']) && !rest.is_empty());
    if has_host && !url.contains(|char: char| char.is_whitespace() || char.is_control()) {
        Ok(())
    } else {
        Err("is no address of a page; write one such as https://example.com/page")
    }
}
