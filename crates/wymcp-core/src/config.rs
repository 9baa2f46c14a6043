//! Faults of a server's definition, found when it is built.

/// Why a server cannot be built as it is defined.
///
/// Names the place of the fault and what to change there. Nothing of a definition is repaired silently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// An entry of the allowed hosts is no host.
    #[error("allow_hosts: {entry:?} {fault}")]
    Host {
        /// The entry.
        entry: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// An entry of the allowed origins is no origin.
    #[error("allow_origins: {entry:?} {fault}")]
    Origin {
        /// The entry.
        entry: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// A limit or another setting is out of its range.
    #[error("{setting}: {fault}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// A tool's definition is faulty.
    #[error("tool {tool:?}, {field}: {fault}")]
    Tool {
        /// The tool's name.
        tool: String,
        /// The field of the definition, with a path into a schema where there is one.
        field: String,
        /// What is wrong with it and what to write.
        fault: String,
    },
    /// An action of a tool is defined faultily.
    #[error("tool {tool:?}, action {action:?}, {field}: {fault}")]
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
