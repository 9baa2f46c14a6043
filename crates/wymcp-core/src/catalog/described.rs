//! What the definitions of tools, prompts and resources say alike.

/// The setters of what is shown of a definition, and of what a driver keeps with it.
macro_rules! described {
    ($type:ty) => {
        impl $type {
            /// What a human is shown in the place of the name.
            #[must_use]
            pub fn title(mut self, title: impl Into<String>) -> Self {
                self.title = Some(title.into());
                self
            }

            /// What it is and when to use it, for the model or the human who chooses.
            #[must_use]
            pub fn describe(mut self, description: impl Into<String>) -> Self {
                self.description = Some(description.into());
                self
            }

            /// Adds a picture for humans.
            #[must_use]
            pub fn icon(mut self, icon: $crate::exchange::Icon) -> Self {
                self.icons.push(icon);
                self
            }

            /// Adds a member to the `_meta` of the definition. Keys of the application's own have a prefix, such as
            /// `com.example/`.
            #[must_use]
            pub fn meta(
                mut self,
                key: impl Into<String>,
                value: impl Into<serde_json::Value>,
            ) -> Self {
                self.meta.insert(key.into(), value.into());
                self
            }

            /// Attaches what the driver needs to run it; [`Call::data`](crate::Call::data) gives it back. It never
            /// reaches the wire.
            #[must_use]
            pub fn with<T: std::any::Any + Send + Sync>(mut self, data: T) -> Self {
                self.data = $crate::attached::Attached::new(data);
                self
            }
        }
    };
}

pub(super) use described;
