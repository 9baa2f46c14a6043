//! What the definitions of tools, prompts and resources say alike.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    attached::Attached,
    config::check_url,
    exchange::{Annotations, Icon},
    meta_key::is_key,
    wire::is_media_type,
};

/// The field that is at fault; what is wrong with it, and what to write.
pub(crate) type FieldFault = (String, String);

/// The setters of what is shown of a definition, and of what a driver keeps with it; and their checks.
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
            /// `com.example/`; those under `io.modelcontextprotocol/` are the protocol's and its extensions'.
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

            /// Says that the driver cannot run it as it is defined: which field is at fault, what is wrong with it and
            /// what to write. Then no server can be built with it.
            #[must_use]
            pub fn faulty(mut self, field: impl Into<String>, fault: impl Into<String>) -> Self {
                self.fault = Some((field.into(), fault.into()));
                self
            }

            /// Checks what all definitions say alike, and what the driver thinks of this one.
            fn check_described(&self) -> Result<(), $crate::catalog::described::FieldFault> {
                if let Some(fault) = &self.fault {
                    return Err(fault.clone());
                }
                $crate::catalog::described::check_icons(&self.icons)?;
                $crate::catalog::described::check_meta(&self.meta)
            }
        }
    };
}

pub(super) use described;

pub(crate) fn check_icons(icons: &[Icon]) -> Result<(), FieldFault> {
    for (position, icon) in icons.iter().enumerate() {
        let at = |part: &str, fault: &str| (format!("icons/{position}/{part}"), fault.to_owned());
        if check_url(&icon.src).is_err() && !is_data(&icon.src) {
            return Err(at(
                "src",
                "is no absolute address; write one of https:, http: or data:, such as https://example.com/icon.png",
            ));
        }
        if icon
            .mime_type
            .as_deref()
            .is_some_and(|it| !is_media_type(it))
        {
            return Err(at("mime_type", NO_MEDIA_TYPE));
        }
        if !icon.sizes.iter().all(|size| is_size(size)) {
            return Err(at(
                "sizes",
                "have one that is no size; write such as 48x48, or any",
            ));
        }
    }
    Ok(())
}

pub(super) fn check_meta(meta: &Map<String, Value>) -> Result<(), FieldFault> {
    for key in meta.keys() {
        // One under the protocol's own prefixes may be that of an extension that the application serves.
        if !is_key(key) {
            let fault = "is no key; write a prefix of yours and a name of letters, digits, -, _ and ., such as com.example/owner";
            return Err((format!("meta/{key}"), fault.to_owned()));
        }
    }
    Ok(())
}

/// Checks what the definitions of resources say beside that.
pub(super) fn check_contents(
    mime_type: Option<&str>,
    annotations: Option<&Annotations>,
) -> Result<(), FieldFault> {
    let at = |field: &str, fault: &str| Err((field.to_owned(), fault.to_owned()));
    if mime_type.is_some_and(|it| !is_media_type(it)) {
        return at("mime_type", NO_MEDIA_TYPE);
    }
    let Some(annotations) = annotations else {
        return Ok(());
    };
    if annotations
        .priority
        .is_some_and(|priority| !(0.0..=1.0).contains(&priority))
    {
        return at(
            "annotations/priority",
            "is not between 0 and 1; write 0 for what is optional, 1 for what is required",
        );
    }
    if annotations
        .last_modified
        .as_deref()
        .is_some_and(|it| !is_moment(it))
    {
        return at(
            "annotations/last_modified",
            "is no date of ISO 8601; write one such as 2026-07-28T12:00:00Z",
        );
    }
    Ok(())
}

/// Checks that each completer is one of something that there is.
pub(super) fn check_completers<'n>(
    completers: &BTreeMap<String, Attached>,
    names: impl Iterator<Item = &'n str>,
    of: &str,
) -> Result<(), FieldFault> {
    let names: Vec<&str> = names.collect();
    let is_unknown = |name: &&String| !names.contains(&name.as_str());
    let Some(name) = completers.keys().find(is_unknown) else {
        return Ok(());
    };
    let cure = match &*names {
        [] => "there is none, so declare it or complete nothing".to_owned(),
        names => format!("name one of: {}", names.join(", ")),
    };
    Err((
        format!("completion/{name}"),
        format!("names no {of}; {cure}"),
    ))
}

const NO_MEDIA_TYPE: &str = "is no media type; write a type and a subtype, such as text/markdown";

fn is_data(address: &str) -> bool {
    let scheme = address
        .split_once(':')
        .map(|(scheme, rest)| (scheme.eq_ignore_ascii_case("data"), rest));
    scheme.is_some_and(|(is_data, rest)| is_data && rest.contains(','))
        && !address.contains(|char: char| char.is_whitespace() || char.is_control())
}

fn is_size(text: &str) -> bool {
    let is_length = |digits: &str| {
        digits.starts_with(|first| matches!(first, '1'..='9'))
            && digits.chars().all(|digit| digit.is_ascii_digit())
    };
    text == "any"
        || text
            .split_once('x')
            .is_some_and(|(width, height)| is_length(width) && is_length(height))
}

/// Whether a text looks like a date of ISO 8601, with a time or without.
fn is_moment(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|char| if char.is_ascii_digit() { '0' } else { char })
        .collect();
    let Some(("0000-00-00", time)) = shape.split_at_checked(10) else {
        return false;
    };
    let is_time = |time: &str| {
        let time = time.strip_prefix(":00").unwrap_or(time);
        let time = time
            .strip_prefix('.')
            .map_or(time, |fraction| fraction.trim_start_matches('0'));
        ["", "Z", "+00:00", "-00:00"].contains(&time)
    };
    let part = |range| text.get(range).and_then(|part: &str| part.parse().ok());
    (time.is_empty() || time.strip_prefix("T00:00").is_some_and(is_time))
        && part(5..7).is_some_and(|month: u8| (1..=12).contains(&month))
        && part(8..10).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_has_an_address_that_a_client_can_fetch_and_sizes() {
        for src in [
            "https://a.example/i.png",
            "HTTP://a/i",
            "data:image/png;base64,iVBORw==",
            "Data:,x",
        ] {
            assert_eq!(check_icons(&[Icon::new(src)]), Ok(()), "{src}");
        }
        for src in [
            "",
            "icon.png",
            "/icon.png",
            "//a/i.png",
            "file:///i.png",
            "https:///i",
            "data:image/png",
            "data:,a b",
        ] {
            assert!(check_icons(&[Icon::new(src)]).is_err(), "{src}");
        }
        for size in ["48x48", "1x9", "any"] {
            assert!(is_size(size), "{size}");
        }
        for size in [
            "", "big", "48", "48x", "x48", "48X48", "0x0", "+1x1", "48x48x48", "4 x 4",
        ] {
            assert!(!is_size(size), "{size}");
        }
    }

    #[test]
    fn a_date_is_told_from_other_texts() {
        for date in [
            "2026-07-28",
            "2026-07-28T12:00Z",
            "2026-07-28T12:00:00",
            "2026-07-28T12:00:00.5Z",
            "2026-07-28T12:00:00+02:00",
            "2026-12-31T23:59:60.123-11:30",
        ] {
            assert!(is_moment(date), "{date}");
        }
        for other in [
            "",
            "yesterday",
            "28.07.2026",
            "2026-7-28",
            "2026-13-01",
            "2026-00-10",
            "2026-01-32",
            "2026-07-28 12:00",
            "2026-07-28T",
            "2026-07-28T12",
            "2026-07-28T12:00:00 CET",
            "2026-07-2é",
        ] {
            assert!(!is_moment(other), "{other}");
        }
    }
}
