//! Crowd penalties: a surcharge on crowded cells, so that paths lead around standing agents and spread over several
//! doors.
//!
//! Crowd density has few levels, so that costs, and the fields that depend on them, change rarely and in few cells. A
//! penalty never closes a cell: the sum is limited to [`super::MAX_COST`].

use super::MAX_COST;
use crate::error::{Result, in_range};

/// The level of a full cell; 0 is an empty one.
pub const MOST_CROWDING: u8 = 4;

/// Edge length, in cells, of the blocks that levels are handed on in.
pub(crate) const CROWDING_BLOCK: usize = 32;

/// The levels of a block of cells, row-major.
pub(crate) type BlockLevels = [u8; CROWDING_BLOCK * CROWDING_BLOCK];

/// The surcharge of a full cell. The default is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrowdPenalty(u8);

impl CrowdPenalty {
    /// Adds `weight` to the cost of full cells, and less to others.
    ///
    /// # Errors
    /// A weight outside 0..=253.
    pub fn new(weight: i64) -> Result<Self> {
        let most = i64::from(MAX_COST - 1);
        in_range("crowd_penalty", weight, 0, most).map(|weight| Self(weight as u8))
    }

    /// The number that tells it from others.
    pub(super) fn number(self) -> u8 {
        self.0
    }

    /// Whether there is no surcharge.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The surcharge of a cell of this level, 0..=[`MOST_CROWDING`].
    #[must_use]
    pub fn surcharge(self, level: u8) -> u8 {
        let (weight, level) = (u16::from(self.0), u16::from(level.min(MOST_CROWDING)));
        (weight * level).div_ceil(u16::from(MOST_CROWDING)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuller_cells_never_cost_less() {
        for weight in 0..=253 {
            let penalty = CrowdPenalty::new(weight).expect("in range");
            let surcharges: Vec<u8> = (0..=MOST_CROWDING)
                .map(|it| penalty.surcharge(it))
                .collect();
            assert!(surcharges.is_sorted());
            assert_eq!(surcharges[0], 0);
            assert_eq!(i64::from(surcharges[usize::from(MOST_CROWDING)]), weight);
        }
        for weight in [-1, 254, i64::MAX, i64::MIN] {
            assert!(CrowdPenalty::new(weight).is_err(), "{weight}");
        }
    }
}
