//! Agents from the top of the screen to the bottom, so that whoever is nearer is drawn over the rest.
//!
//! A radix sort in two passes over 22 bits of y, which is fine enough that who is in the same level
//! is at the same height for any eye. Those go by id, so that two of them do not change places when
//! the columns do.

use super::super::AgentId;

/// Bits of a pass.
const BITS: u32 = 11;
const DIGITS: usize = 1 << BITS;
/// The greatest level.
const TOP: u32 = (1 << (2 * BITS)) - 1;

/// Memory of the sort, which holds nothing between sorts but capacity.
#[derive(Debug, Default)]
pub(super) struct YOrder {
    /// Level and index of agents.
    leveled: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl YOrder {
    /// Sorts indices of agents by `y_of`, then by id. O(agents); nothing is allocated once it has
    /// sorted as many.
    pub(super) fn sort(&mut self, order: &mut [u32], y_of: impl Fn(usize) -> f32, ids: &[AgentId]) {
        let heights = || order.iter().map(|&index| y_of(index as usize));
        let low = heights().fold(f32::INFINITY, f32::min);
        let high = heights().fold(f32::NEG_INFINITY, f32::max);
        let scale = if high > low {
            TOP as f32 / (high - low)
        } else {
            0.0
        };
        let mut low_digits = [0_u32; DIGITS];
        let mut high_digits = [0_u32; DIGITS];
        self.leveled.clear();
        self.leveled.extend(order.iter().map(|&index| {
            let level = (((y_of(index as usize) - low) * scale) as u32).min(TOP);
            low_digits[level as usize % DIGITS] += 1;
            high_digits[level as usize / DIGITS] += 1;
            (level, index)
        }));
        self.spare.clone_from(&self.leveled);
        scatter(&self.leveled, &mut self.spare, low_digits, |level| {
            level % DIGITS
        });
        scatter(&self.spare, &mut self.leveled, high_digits, |level| {
            level / DIGITS
        });
        let same_level = |one: &(u32, u32), two: &(u32, u32)| one.0 == two.0;
        for level in self.leveled.chunk_by_mut(same_level) {
            if level.len() > 1 {
                level.sort_unstable_by_key(|&(_, index)| ids[index as usize]);
            }
        }
        for (index, &(_, sorted)) in order.iter_mut().zip(&self.leveled) {
            *index = sorted;
        }
    }
}

/// One stable pass, given how often each digit occurs.
fn scatter(
    from: &[(u32, u32)],
    to: &mut [(u32, u32)],
    mut places: [u32; DIGITS],
    digit_of: impl Fn(usize) -> usize,
) {
    let mut end = 0;
    for place in &mut places {
        let start = end;
        end += *place;
        *place = start;
    }
    for &entry in from {
        let place = &mut places[digit_of(entry.0 as usize)];
        to[*place as usize] = entry;
        *place += 1;
    }
}
