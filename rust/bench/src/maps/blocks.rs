//! Rectangular obstacles at random places on open ground, as in system C's experiment.

use super::{CostMap, SplitMix64, WALL};

/// Blocks of 1 to 5 by 1 to 5 cells that cover at least `percent` of 100 cells, on ground of cost 1. Blocks may
/// overlap. The corner of 3 by 3 cells at column and row 0 stays open.
///
/// Covers less if 100 attempts for each cell of the map do not suffice.
#[must_use]
pub fn blocks(width: usize, height: usize, percent: u32, seed: u64) -> CostMap {
    let mut random = SplitMix64::new(seed);
    let mut map = CostMap::filled(width, height, 1);
    let wanted = map.len() * percent as usize / 100;
    let mut walls = 0;
    for _ in 0..100 * map.len() {
        if walls >= wanted {
            break;
        }
        let (left, top) = (random.below(width), random.below(height));
        let (right, bottom) = (left + 1 + random.below(5), top + 1 + random.below(5));
        for y in top..bottom.min(height) {
            for x in left..right.min(width) {
                let cell = map.index(x, y);
                if (x >= 3 || y >= 3) && map.cost[cell] != WALL {
                    map.cost[cell] = WALL;
                    walls += 1;
                }
            }
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_share_that_was_asked_for_and_an_open_corner() {
        for percent in [0, 10, 40] {
            let map = blocks(50, 40, percent, 3);
            let walls = map.cost.iter().filter(|&&cost| cost == WALL).count();
            let wanted = map.len() * percent as usize / 100;
            assert!(
                (wanted..wanted + 25).contains(&walls),
                "{walls} of {wanted}"
            );
            assert!((0..9).all(|cell| map.is_passable(map.index(cell % 3, cell / 3))));
        }
        assert_eq!(blocks(2, 2, 100, 1).cost, [1; 4]);
        assert!(blocks(0, 0, 50, 1).is_empty());
    }
}
