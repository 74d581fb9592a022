//! Numbers that a game keeps with its agents: health, timers, the clip that is playing.
//!
//! The swarm does nothing with them but have them follow their agents through removals, the
//! reordering of columns and saves, and hand them to shaders. A column takes memory from its first
//! number on.

/// How many columns of integers, and as many of floats, a swarm has.
pub const USER_COLUMNS: usize = 4;

/// The columns. Each is as long as those of [`Agents`](crate::swarm::state::agents::Agents), or empty, which stands
/// for zeros.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct UserColumns {
    pub(in crate::swarm) ints: [Vec<i32>; USER_COLUMNS],
    pub(in crate::swarm) floats: [Vec<f32>; USER_COLUMNS],
}

impl UserColumns {
    /// Makes room for an agent that comes last.
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

/// What a column that may be empty has for an agent.
#[inline]
pub(in crate::swarm) fn value_at<T: Copy + Default>(column: &[T], index: usize) -> T {
    column.get(index).copied().unwrap_or_default()
}
