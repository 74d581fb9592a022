//! Numbers that a game keeps with its agents: health, timers, the clip that is playing.
//!
//! The swarm keeps them with their agents through removals, reordering and saves, and passes them to shaders. A column
//! takes memory once a number in it is set.

use crate::error::{Error, Result};

/// The number of columns of integers, and the number of columns of floats.
pub const USER_COLUMNS: usize = 4;

/// The columns. Each is as long as those of [`Agents`](crate::swarm::state::agents::Agents), or empty, which stands
/// for zeros.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct UserColumns {
    pub(in crate::swarm) ints: [Vec<i32>; USER_COLUMNS],
    pub(in crate::swarm) floats: [Vec<f32>; USER_COLUMNS],
}

impl UserColumns {
    /// Adds the entries of an agent at the end.
    pub(in crate::swarm) fn insert(&mut self) {
        self.ints.iter_mut().for_each(insert);
        self.floats.iter_mut().for_each(insert);
    }
}

fn insert<T: Default>(column: &mut Vec<T>) {
    if !column.is_empty() {
        column.push(T::default());
    }
}

/// The entry of an agent in a column that may be empty.
#[inline]
pub(in crate::swarm) fn value_at<T: Copy + Default>(column: &[T], index: usize) -> T {
    column.get(index).copied().unwrap_or_default()
}

/// The index of a column.
///
/// # Errors
/// [`Error::OutOfRange`].
pub(in crate::swarm) fn check_column(column: i64) -> Result<usize> {
    match usize::try_from(column) {
        Ok(index) if index < USER_COLUMNS => Ok(index),
        _ => Err(Error::OutOfRange {
            name: "column",
            value: column.into(),
            min: 0.into(),
            max: (USER_COLUMNS - 1).into(),
        }),
    }
}
