//! The steps out of a cell that a shortest path which entered by a given step can take.
//!
//! Of equally short paths one is enough. If that is the one with its diagonal steps first, most cells of open ground
//! have a single successor (canonical orderings: Harabor and Grastien, AAAI 2011; Sturtevant and Rabin, IJCAI 2016). A
//! step is left out only if a path around the cell, from the same predecessor to the same successor, is shorter, or
//! equally long with its diagonal first. So the first of the shortest paths to a cell in this order never loses a step,
//! for any rest of the map.

/// Steps by step in and by a byte about the cell. Bits are those of [`crate::grid::STEPS`].
type Table = [[u8; 256]; 8];

/// By legal steps, the successors if all open neighbours have the cell's cost. After a straight step the straight one
/// is enough, except where a wall behind and beside the cell hides the cells beside it. A diagonal step branches to
/// both sides.
static EVEN: Table = even_steps();

/// By bends, the additional successors where costs differ.
static BENT: Table = bent_steps();

/// The successors of a cell with the steps `legal` that was entered by `step`, on ground of one cost.
#[inline]
pub(crate) fn successors_on_even_ground(step: usize, legal: u8) -> u8 {
    EVEN[step & 7][usize::from(legal)]
}

/// The successors on ground of any costs. `bends` are those of the cell ([`bends_between`]).
#[inline]
pub(super) fn canonical_successors(step: usize, legal: u8, bends: u8) -> u8 {
    (EVEN[step & 7][usize::from(legal)] | BENT[step & 7][usize::from(bends)]) & legal
}

/// How a path through a cell of this cost may bend because its neighbours have other costs.
///
/// Each straight neighbour has two bits, one for each diagonal beside it: [`bends_around`]. A straight step followed by
/// a diagonal one is not needed if the neighbour through which the diagonal could come first costs no more than the
/// cell or no more than the end. If that neighbour costs more than the cell, which sets both bits, detours around it
/// may be shorter too.
#[inline(always)]
pub(super) fn bends_between(cost: u8, around: [u8; 8]) -> u8 {
    let mut bits = 0;
    for straight in [0, 2, 4, 6] {
        let neighbour = around[straight];
        let (before, after) = bends_around(straight as u32);
        let least_before = cost.min(around[(straight + 7) % 8]);
        let least_after = cost.min(around[straight + 1]);
        bits |= if neighbour > least_before { before } else { 0 };
        bits |= if neighbour > least_after { after } else { 0 };
    }
    bits
}

/// The bits of a straight neighbour for the diagonals an eighth of a circle before and after it.
const fn bends_around(straight: u32) -> (u8, u8) {
    (bit(straight), bit(straight + 1))
}

const fn even_steps() -> Table {
    let mut table = [[0; 256]; 8];
    let mut step = 0;
    while step < 8 {
        let mut legal = 0;
        while legal < 256 {
            table[step as usize][legal] = even(step, legal as u8) & legal as u8;
            legal += 1;
        }
        step += 1;
    }
    table
}

const fn even(step: u32, legal: u8) -> u8 {
    if step % 2 == 1 {
        return bit(step) | bit(step + 1) | bit(step + 7);
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

const fn bent_steps() -> Table {
    let mut table = [[0; 256]; 8];
    let mut step = 0;
    while step < 8 {
        let mut bends = 0;
        while bends < 256 {
            table[step as usize][bends] = bent(step, bends as u8);
            bends += 1;
        }
        step += 1;
    }
    table
}

const fn bent(step: u32, bends: u8) -> u8 {
    let diagonal = step % 2;
    // The neighbours through which a detour would go: beside a straight step, behind and beside a
    // diagonal one.
    let (before, _) = bends_around(step + 2 + diagonal);
    let (_, after) = bends_around(step + 6 - diagonal);
    let all_before = before | before << 1;
    let all_after = after | after >> 1;
    let mut steps = 0;
    if bends & all_before == all_before {
        steps |= bit(step + 2);
    }
    if bends & all_after == all_after {
        steps |= bit(step + 6);
    }
    if diagonal == 0 && bends & before != 0 {
        steps |= bit(step + 1);
    }
    if diagonal == 0 && bends & after != 0 {
        steps |= bit(step + 7);
    }
    steps
}

const fn bit(step: u32) -> u8 {
    1 << (step % 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ground_leaves_one_step_after_a_straight_one_and_three_after_a_diagonal() {
        assert_eq!(successors_on_even_ground(0, 0xFF), 0b0000_0001);
        assert_eq!(successors_on_even_ground(1, 0xFF), 0b0000_0111);
        assert_eq!(successors_on_even_ground(7, 0xFF), 0b1100_0001);
        assert_eq!(canonical_successors(7, 0xFF, 0), 0b1100_0001);
    }

    #[test]
    fn a_wall_behind_opens_its_side() {
        // Going east with a wall to the north-west.
        assert_eq!(successors_on_even_ground(0, 0b1101_1111), 0b1100_0001);
    }

    #[test]
    fn what_costs_more_beside_a_path_bends_it() {
        let (west_of_north, east_of_north) = bends_around(6);
        // Eastwards, the way north-east round the north is no longer enough.
        assert_eq!(canonical_successors(0, 0xFF, east_of_north), 0b1000_0001);
        assert_eq!(canonical_successors(0, 0xFF, west_of_north), 0b0000_0001);
        assert_eq!(canonical_successors(4, 0xFF, west_of_north), 0b0011_0000);
        assert_eq!(
            canonical_successors(6, 0xFF, west_of_north | east_of_north),
            0b0100_0000
        );
        // If the north costs much more, it is best reached through this cell, and so is the
        // north-east by a path that comes from the north-west of this cell.
        let dear_north = west_of_north | east_of_north;
        assert_eq!(canonical_successors(0, 0xFF, dear_north), 0b1100_0001);
        assert_eq!(canonical_successors(1, 0xFF, dear_north), 0b1000_0111);
        assert_eq!(canonical_successors(7, 0xFF, dear_north), 0b1100_0001);
    }
}
