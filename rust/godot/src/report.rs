//! Errors, as a script's author sees them: one line that names method, argument and value.

use flow_swarm::Error as CoreError;
use godot::global::Error;
use godot::prelude::*;
use std::fmt::Display;

/// Reports that a call was refused.
pub fn refuse(method: &str, reason: impl Display) {
    godot::global::push_error(&[format!("{method}: {reason}").to_variant()]);
}

/// Reports that a call did something that its caller may not expect.
pub fn warn(method: &str, reason: impl Display) {
    godot::global::push_warning(&[format!("{method}: {reason}").to_variant()]);
}

/// Turns the core's refusals into reports.
pub trait OrRefuse<T> {
    /// The value, or after a report `None`.
    fn or_refuse(self, method: &str) -> Option<T>;
}

impl<T> OrRefuse<T> for Result<T, CoreError> {
    fn or_refuse(self, method: &str) -> Option<T> {
        self.map_err(|error| refuse(method, error)).ok()
    }
}

/// `OK`, or after a report the code that fits the refusal.
pub fn code<T>(method: &str, result: Result<T, CoreError>) -> Error {
    match result {
        Ok(_) => Error::OK,
        Err(error) => refuse_with_code(method, &error),
    }
}

/// Reports a refusal and returns the code that fits it.
pub fn refuse_with_code(method: &str, error: &CoreError) -> Error {
    refuse(method, error);
    match error {
        CoreError::UnknownId { .. } => Error::ERR_DOES_NOT_EXIST,
        CoreError::DuplicateId { .. } => Error::ERR_ALREADY_EXISTS,
        CoreError::BadBytes { .. } => Error::ERR_INVALID_DATA,
        _ => Error::ERR_INVALID_PARAMETER,
    }
}

/// A number that stands for one of `0..=last`, or after a report in the name of `property` `None`.
pub fn choice(property: &str, value: i64, last: i64) -> Option<i64> {
    if (0..=last).contains(&value) {
        return Some(value);
    }
    refuse(property, format_args!("must be in 0..={last}, not {value}"));
    None
}
