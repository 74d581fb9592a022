//! Errors for the authors of scripts: one line with method, argument and value.

use flow_swarm::Error as CoreError;
use godot::global::Error;
use godot::prelude::*;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Reports that a call was refused.
pub fn refuse(method: &str, reason: impl Display) {
    godot::global::push_error(&[format!("{method}: {reason}").to_variant()]);
}

/// Reports that a call did something unexpected.
pub fn warn(method: &str, reason: impl Display) {
    godot::global::push_warning(&[format!("{method}: {reason}").to_variant()]);
}

/// Turns errors into reports.
pub trait OrRefuse<T> {
    /// The value; `None` after a report.
    fn or_refuse(self, method: &str) -> Option<T>;
}

impl<T, E: Display> OrRefuse<T> for Result<T, E> {
    fn or_refuse(self, method: &str) -> Option<T> {
        self.map_err(|error| refuse(method, error)).ok()
    }
}

/// `OK`; after a report the error code that matches the error.
pub fn code<T>(method: &str, result: Result<T, CoreError>) -> Error {
    match result {
        Ok(_) => Error::OK,
        Err(error) => refuse_with_code(method, &error),
    }
}

/// Reports an error and returns the matching error code.
pub fn refuse_with_code(method: &str, error: &CoreError) -> Error {
    refuse(method, error);
    match error {
        CoreError::UnknownId { .. } => Error::ERR_DOES_NOT_EXIST,
        CoreError::DuplicateId { .. } => Error::ERR_ALREADY_EXISTS,
        CoreError::BadBytes { .. } => Error::ERR_INVALID_DATA,
        _ => Error::ERR_INVALID_PARAMETER,
    }
}

/// A number in `0..=last`; `None` after a report in the name of `property`.
pub fn choice(property: &str, value: i64, last: i64) -> Option<i64> {
    within(0..=last, value).or_refuse(property)
}

/// A number in `range`, in the core's type.
pub fn within<T: TryFrom<i64>>(range: RangeInclusive<i64>, value: i64) -> Result<T, String> {
    let inside = range.contains(&value).then_some(value);
    inside
        .and_then(|value| T::try_from(value).ok())
        .ok_or_else(|| match (*range.start(), *range.end()) {
            (least, i64::MAX) => format!("must be at least {least}, not {value}"),
            (least, most) => format!("must be from {least} to {most}, not {value}"),
        })
}
