//! Where in a message something stands.

use std::fmt;

use crate::untrusted::Untrusted;

/// A place in a message, built on the stack on the way down: a check that accepts allocates nothing.
///
/// Displays as a JSON pointer (RFC 6901) from the top of the message; the names of members are escaped and clipped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location<'a> {
    /// The message itself.
    Message,
    /// A member of the object at a place.
    Member(&'a Location<'a>, &'a str),
    /// An item of the array at a place.
    Item(&'a Location<'a>, usize),
}

impl Location<'static> {
    /// The params of a message.
    pub(crate) const PARAMS: Self = Self::Member(&Self::Message, "params");
    /// The metadata of a request.
    pub(crate) const META: Self = Self::Member(&Self::PARAMS, "_meta");
}

impl<'a> Location<'a> {
    /// The member of the object that stands here.
    pub(crate) fn member(&'a self, name: &'a str) -> Location<'a> {
        Location::Member(self, name)
    }

    /// The item of the array that stands here.
    pub(crate) fn item(&'a self, position: usize) -> Location<'a> {
        Location::Item(self, position)
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message => Ok(()),
            Self::Member(parent, name) => {
                write!(f, "{parent}/")?;
                match *name {
                    "" => Ok(()),
                    name => Untrusted::new(&name.replace('~', "~0").replace('/', "~1")).fmt(f),
                }
            }
            Self::Item(parent, position) => write!(f, "{parent}/{position}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn a_location_is_a_json_pointer() {
        let version = Location::META.member("io.modelcontextprotocol/protocolVersion");
        assert_eq!(
            version.to_string(),
            "/params/_meta/io.modelcontextprotocol~1protocolVersion"
        );
        assert_eq!(
            Location::PARAMS.item(3).member("~").to_string(),
            "/params/3/~0"
        );
        assert_eq!(Location::Message.to_string(), "");
    }

    #[test]
    fn the_name_of_a_member_is_escaped_and_clipped() {
        let name = format!("a\n{}", "b".repeat(Limits::SHOWN_CHARS));
        let shown = Location::Message.member(&name).to_string();
        assert!(
            shown.starts_with("/a\\nbbb") && shown.ends_with('…'),
            "{shown}"
        );
    }
}
