//! JSON numbers, as a JSON reader with IEEE doubles sees them.

use std::fmt;

use serde::{Serialize, Serializer};

/// A JSON number.
///
/// Integers that fit 64 bits keep every digit; everything else is the nearest double, as in the clients that sent
/// it. Two numbers are equal when they are mathematically equal, however they were spelled.
///
/// # Examples
///
/// ```
/// use wymcp_core::Number;
///
/// let two = Number::from_f64(2.0).unwrap();
/// assert_eq!(two, Number::from(2_i64));
/// assert_eq!(two.safe_integer(), Some(2));
/// assert_eq!(Number::from(9_007_199_254_740_992_i64).safe_integer(), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Unsigned(u64),
    /// Always below zero.
    Negative(i64),
    /// Always finite.
    Float(f64),
}

/// An integer of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    /// Zero or more.
    Unsigned(u64),
    /// Below zero.
    Signed(i64),
}

/// 2^53 - 1, the largest integer that a double holds together with both of its neighbors.
pub(crate) const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;

impl Number {
    /// A number from a double; `None` for infinities and NaN, which JSON cannot say.
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(Repr::Float(value)))
    }

    /// Reads a JSON number token; `None` when the text is none or its magnitude is beyond a double.
    pub(crate) fn from_token(token: &str) -> Option<Self> {
        // "-0" is a negative zero, which no integer holds.
        if token != "-0" {
            if let Ok(value) = token.parse::<u64>() {
                return Some(Self(Repr::Unsigned(value)));
            }
            if let Ok(value) = token.parse::<i64>() {
                return Some(Self::from(value));
            }
        }
        token.parse::<f64>().ok().and_then(Self::from_f64)
    }

    /// The number as an integer within ±9007199254740991, when it is one: an integral double counts.
    ///
    /// This is the range in which every client that reads numbers as doubles sees the same integer; request ids,
    /// progress tokens and mirrored integers stay inside it.
    pub fn safe_integer(self) -> Option<i64> {
        let value = match self.0 {
            Repr::Unsigned(value) => i64::try_from(value).ok()?,
            Repr::Negative(value) => value,
            Repr::Float(value) => integral(value)?,
        };
        (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER)
            .contains(&value)
            .then_some(value)
    }

    /// The number as an `i64`, if it is written as an integer that fits. `-0` does not: it is a double.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Number;
    ///
    /// let below = Number::from(-2_i64);
    /// assert_eq!((below.as_i64(), below.as_u64()), (Some(-2), None));
    /// let large = Number::from(u64::MAX);
    /// assert_eq!((large.as_i64(), large.as_u64()), (None, Some(u64::MAX)));
    /// // Equal to 2, and no integer in its spelling.
    /// assert_eq!(Number::from_f64(2.0).unwrap().as_i64(), None);
    /// ```
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Unsigned(value) => i64::try_from(value).ok(),
            Repr::Negative(value) => Some(value),
            Repr::Float(_) => None,
        }
    }

    /// The number as a `u64`, if it is written as an integer that fits. `-0` does not: it is a double.
    pub fn as_u64(self) -> Option<u64> {
        match self.0 {
            Repr::Unsigned(value) => Some(value),
            Repr::Negative(_) | Repr::Float(_) => None,
        }
    }

    /// The number as an integer of 64 bits that is exactly it, however it is spelled: `2.0` is one.
    pub(crate) fn as_integer(self) -> Option<Integer> {
        let signed = |value| u64::try_from(value).map_or(Integer::Signed(value), Integer::Unsigned);
        match self.0 {
            Repr::Unsigned(value) => Some(Integer::Unsigned(value)),
            Repr::Negative(value) => Some(Integer::Signed(value)),
            Repr::Float(value) => exact_unsigned(value)
                .map(Integer::Unsigned)
                .or_else(|| exact_signed(value).map(signed)),
        }
    }

    /// The number as the nearest double.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Number;
    ///
    /// assert_eq!(Number::from(9_007_199_254_740_993_i64).as_f64(), 9_007_199_254_740_992.0);
    /// ```
    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest double is what is asked for"
    )]
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Unsigned(value) => value as f64,
            Repr::Negative(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// Whether the number has no fraction, however it is spelled.
    ///
    /// # Examples
    ///
    /// ```
    /// use wymcp_core::Number;
    ///
    /// let huge = Number::from_f64(1e300).unwrap();
    /// assert!(huge.is_integer() && huge.safe_integer().is_none());
    /// assert!(!Number::from_f64(0.5).unwrap().is_integer());
    /// ```
    pub fn is_integer(self) -> bool {
        match self.0 {
            Repr::Unsigned(_) | Repr::Negative(_) => true,
            Repr::Float(value) => value.fract() == 0.0,
        }
    }

    /// The number in serde_json's own type.
    pub(crate) fn to_serde(self) -> serde_json::Number {
        match self.0 {
            Repr::Unsigned(value) => value.into(),
            Repr::Negative(value) => value.into(),
            Repr::Float(value) => serde_json::Number::from_f64(value).unwrap_or_else(|| 0.into()),
        }
    }
}

/// The integer that a double is, if it is one within the safe range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the range is checked first"
)]
fn integral(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER as f64).then_some(value as i64)
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Unsigned(value))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        u64::try_from(value).map_or(Self(Repr::Negative(value)), Self::from)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Repr::Unsigned(a), Repr::Unsigned(b)) => a == b,
            (Repr::Negative(a), Repr::Negative(b)) => a == b,
            (Repr::Float(a), Repr::Float(b)) => a == b,
            (Repr::Float(float), _) => equals_integer(float, *other),
            (_, Repr::Float(float)) => equals_integer(float, *self),
            _ => false,
        }
    }
}

/// Compares without rounding the integer: 2^64 - 1 is not the double 2^64.
fn equals_integer(float: f64, integer: Number) -> bool {
    match integer.0 {
        Repr::Unsigned(value) => exact_unsigned(float) == Some(value),
        Repr::Negative(value) => exact_signed(float) == Some(value),
        Repr::Float(_) => false,
    }
}

/// 2^63 and 2^64, which doubles hold exactly.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// The integer that a double is, if it has no fraction and fits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
fn exact_unsigned(float: f64) -> Option<u64> {
    ((0.0..TWO_TO_64).contains(&float) && float.fract() == 0.0).then_some(float as u64)
}

/// The integer that a double is, if it has no fraction and fits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked first"
)]
fn exact_signed(float: f64) -> Option<i64> {
    ((-TWO_TO_63..TWO_TO_63).contains(&float) && float.fract() == 0.0).then_some(float as i64)
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Repr::Unsigned(value) => serializer.serialize_u64(value),
            Repr::Negative(value) => serializer.serialize_i64(value),
            Repr::Float(value) => serializer.serialize_f64(value),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Unsigned(value) => value.fmt(f),
            Repr::Negative(value) => value.fmt(f),
            Repr::Float(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_doubles_compare_as_numbers() {
        assert_eq!(Number::from(1000_i64), Number::from_token("1e3").unwrap());
        assert_eq!(Number::from(0_i64), Number::from_token("-0").unwrap());
        assert_ne!(
            Number::from(u64::MAX),
            Number::from_f64(18_446_744_073_709_551_616.0).unwrap()
        );
        assert_ne!(Number::from(-1_i64), Number::from_f64(1.0).unwrap());
        assert_ne!(Number::from(1_u64), Number::from_f64(1e308).unwrap());
        assert_ne!(Number::from(1_u64), Number::from_f64(-1.0).unwrap());
        assert_ne!(
            Number::from(i64::MAX),
            Number::from_f64(9_223_372_036_854_775_808.0).unwrap()
        );
        assert_eq!(
            Number::from(i64::MIN),
            Number::from_f64(-9_223_372_036_854_775_808.0).unwrap()
        );
    }

    #[test]
    fn the_safe_range_ends_where_doubles_lose_their_neighbors() {
        for (token, expected) in [
            ("9007199254740991", Some(9_007_199_254_740_991)),
            ("9007199254740992", None),
            ("9007199254740992.0", None),
            ("-9007199254740991", Some(-9_007_199_254_740_991)),
            ("18446744073709551616", None),
            ("1e3", Some(1000)),
            ("1.0", Some(1)),
            ("-0", Some(0)),
            ("1.5", None),
            ("1e20", None),
        ] {
            assert_eq!(
                Number::from_token(token).unwrap().safe_integer(),
                expected,
                "{token}"
            );
        }
    }

    #[test]
    fn a_number_beyond_a_double_is_none() {
        assert!(Number::from_token("1e400").is_none());
    }
}
