//! The choice among equally good steps.

use super::Direction;
use crate::movement::BLOCKED;

/// Takes the most preferred of each cell's `best` steps: the first diagonal one, otherwise the first straight one.
#[inline]
pub(super) fn choose(best: &[u8], entry: &[u8], out: &mut [Direction]) {
    // For each bit of a step's number, its value and the set of steps that have it.
    let parts: [(u8, u8); 3] = [(1, 0b1010_1010), (2, 0b1100_1100), (4, 0b1111_0000)]
        .map(|(bit, steps)| (Direction::from_step(bit).code(), steps));
    for ((out, &best), &entry) in out.iter_mut().zip(best).zip(entry) {
        let diagonal = best & 0b1010_1010;
        let wanted = if diagonal == 0 { best } else { diagonal };
        let first = wanted & wanted.wrapping_neg();
        let mut code = 0;
        for (part, steps) in parts {
            code += if first & steps == 0 { 0 } else { part };
        }
        code = if first == 0 {
            Direction::NO_ROUTE.code()
        } else {
            code
        };
        *out = if entry == BLOCKED {
            Direction::WALL
        } else {
            Direction::from_code(code)
        };
    }
}
