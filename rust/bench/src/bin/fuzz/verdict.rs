//! What became of an input, and why it is a fault.

use std::fmt::Display;

/// What became of an input that was no fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Accepted,
    Refused,
}

/// The fate of an input, or why it is a fault.
pub type Verdict = Result<Fate, String>;

/// A fault with this text, unless the condition holds.
pub fn ensure(holds: bool, text: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(text.to_owned()) }
}

/// The value, or a fault that says what failed.
pub fn expect<T, E: Display>(result: Result<T, E>, what: &str) -> Result<T, String> {
    result.map_err(|error| format!("{what}: {error}"))
}
