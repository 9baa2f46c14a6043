//! Which HTTP methods are served.

use crate::{
    head::{Head, Singleton},
    legacy::LegacyVersion,
    rejection::Rejection,
    untrusted::Untrusted,
};

/// What an endpoint serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbs {
    /// Messages.
    PostAlone,
    /// Messages; and the streams (`GET`) and the end (`DELETE`) of sessions.
    WithSessions,
}

/// Stage 3. A version in the header that has no sessions leaves `POST` alone.
pub(crate) fn check(head: &Head<'_>, verbs: Verbs) -> Result<(), Rejection> {
    let knows_sessions = match head.protocol_version() {
        Singleton::Absent => true,
        Singleton::Value(version) => LegacyVersion::named(version).is_some(),
        Singleton::Malformed(_) | Singleton::Repeated => false,
    };
    let is_of_session = matches!(head.method(), "GET" | "DELETE");
    let served = match verbs {
        Verbs::WithSessions if knows_sessions || !is_of_session => "GET, POST, DELETE",
        _ => "POST",
    };
    if head.method() == "POST" || (is_of_session && served != "POST") {
        return Ok(());
    }
    Err(Rejection::MethodNotAllowed {
        method: Untrusted::new(head.method()).to_string(),
        served,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_post_in_this_very_case_is_served() {
        let none: [(&str, &str); 0] = [];
        assert_eq!(check(&Head::new("POST", &none), Verbs::PostAlone), Ok(()));
        for method in [
            "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "post", "POST ", "",
        ] {
            let refused = check(&Head::new(method, &none), Verbs::PostAlone).unwrap_err();
            assert_eq!(refused.reason().row().status, 405, "{method}");
            assert!(refused.to_string().contains("Send POST"), "{refused}");
        }
    }
}
