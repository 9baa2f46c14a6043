//! What a revision knows of a result.
