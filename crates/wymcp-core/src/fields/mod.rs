//! What a message says about itself: in `params._meta`, and in the headers that mirror it.

pub mod sentinel;
