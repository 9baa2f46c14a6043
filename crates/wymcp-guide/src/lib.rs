//! The code of the guide and of the README, compiled and run as documentation tests.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
#[doc = include_str!("../../../README.md")]
struct Pages;
