//! Which HTTP methods are served.

use crate::{head::Head, rejection::Rejection, untrusted::Untrusted};

/// Refuses every method but `POST`, which carries all messages. Method names have a case (RFC 9110, section 9.1).
pub(crate) fn check(head: &Head<'_>) -> Result<(), Rejection> {
    match head.method() {
        "POST" => Ok(()),
        other => Err(Rejection::MethodNotAllowed {
            method: Untrusted::new(other).to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_post_in_this_very_case_is_served() {
        let none: [(&str, &str); 0] = [];
        assert_eq!(check(&Head::new("POST", &none)), Ok(()));
        for method in [
            "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "post", "POST ", "",
        ] {
            let refused = check(&Head::new(method, &none)).unwrap_err();
            assert_eq!(refused.reason().row().status, 405, "{method}");
            assert!(refused.to_string().contains("Send POST"), "{refused}");
        }
    }
}
