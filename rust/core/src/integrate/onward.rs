//! Which steps out of a cell can be on a shortest path that came in by a given step.
//!
//! Of equally short paths one is enough. Taking the one whose diagonal steps
//! come first leaves most cells of open ground a single step onward (canonical
//! orderings: Harabor and Grastien, AAAI 2011; Sturtevant and Rabin, IJCAI
//! 2016). A step is left out only where a path around the cell, from the same
//! predecessor to the same successor, is shorter, or equally long with its
//! diagonal first. Of the shortest paths to a cell the one that is first in that
//! order therefore never loses a step, whatever the rest of the map is like.

/// How far a [`Set`] of rules may go.
#[derive(Clone, Copy)]
pub(super) enum Surroundings {
    /// The cell's open neighbours all cost what the cell does. Straight on is enough after a
    /// straight step, save where a wall behind and beside the cell hides what lies beside it;
    /// a diagonal step branches to both its sides.
    Even,
    /// Any costs. A path never turns by more than a right angle: its predecessor reaches what
    /// lies behind without the detour.
    Uneven,
}

/// The steps onward by step in, surroundings and legal steps. Bits are those of
/// [`crate::movement::STEPS`].
type Table = [[[u8; 256]; 2]; 8];

static TABLE: Table = table();

/// The steps that a wave goes on with from a cell with the `legal` steps that it entered by `step`.
#[inline]
pub(super) fn onward(step: usize, surroundings: Surroundings, legal: u8) -> u8 {
    TABLE[step & 7][surroundings as usize][usize::from(legal)]
}

const fn table() -> Table {
    let mut table = [[[0; 256]; 2]; 8];
    let mut step = 0;
    while step < 8 {
        let mut legal = 0;
        while legal < 256 {
            table[step as usize][Surroundings::Even as usize][legal] =
                even(step, legal as u8) & legal as u8;
            table[step as usize][Surroundings::Uneven as usize][legal] =
                sector(step, 2) & legal as u8;
            legal += 1;
        }
        step += 1;
    }
    table
}

const fn even(step: u32, legal: u8) -> u8 {
    if step % 2 == 1 {
        return sector(step, 1);
    }
    let mut steps = bit(step);
    // A legal step back and aside means that both cells on that side are open.
    if legal & bit(step + 3) == 0 {
        steps |= bit(step + 1) | bit(step + 2);
    }
    if legal & bit(step + 5) == 0 {
        steps |= bit(step + 7) | bit(step + 6);
    }
    steps
}

/// The steps at most `turn` eighths of a circle off `step`.
const fn sector(step: u32, turn: u32) -> u8 {
    let ahead: u8 = match turn {
        1 => 0b1000_0011,
        _ => 0b1100_0111,
    };
    ahead.rotate_left(step % 8)
}

const fn bit(step: u32) -> u8 {
    1 << (step % 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ground_leaves_one_step_after_a_straight_one_and_three_after_a_diagonal() {
        assert_eq!(onward(0, Surroundings::Even, 0xFF), 0b0000_0001);
        assert_eq!(onward(1, Surroundings::Even, 0xFF), 0b0000_0111);
        assert_eq!(onward(7, Surroundings::Even, 0xFF), 0b1100_0001);
    }

    #[test]
    fn a_wall_behind_opens_its_side() {
        // Going east with a wall to the north-west.
        assert_eq!(onward(0, Surroundings::Even, 0b1101_1111), 0b1100_0001);
    }

    #[test]
    fn uneven_ground_leaves_a_half_circle() {
        assert_eq!(onward(2, Surroundings::Uneven, 0xFF), 0b0001_1111);
        assert_eq!(onward(2, Surroundings::Uneven, 0b0001_0100), 0b0001_0100);
    }
}
