//! Walls in random single cells.

use super::{CostMap, SplitMix64, WALL};

/// Each cell is a wall with a probability of `percent` in 100, otherwise its cost is 1.
#[must_use]
pub fn random_walls(width: usize, height: usize, percent: u32, seed: u64) -> CostMap {
    let mut random = SplitMix64::new(seed);
    let mut map = CostMap::filled(width, height, 1);
    for cost in &mut map.cost {
        if random.percent(percent) {
            *cost = WALL;
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_share_of_walls_that_was_asked_for() {
        for percent in [0, 15, 100] {
            let map = random_walls(200, 100, percent, 9);
            let walls = map.cost.iter().filter(|&&cost| cost == WALL).count();
            let expected = map.len() * percent as usize / 100;
            assert!(
                walls.abs_diff(expected) < 200,
                "{walls} walls, expected {expected}"
            );
        }
    }
}
