//! Rolling ground with rocks.

use super::noise::value_noise;
use super::{CostMap, WALL};

/// Noise of at least this height is rock, about a tenth of the map.
const ROCK_HEIGHT: f64 = 0.68;

/// Costs of 1 to 20 that change smoothly over some dozens of cells, and clumps of walls, like the ground of a game.
#[must_use]
pub fn terrain(width: usize, height: usize, seed: u64) -> CostMap {
    let mut map = CostMap::filled(width, height, 1);
    for y in 0..height {
        for x in 0..width {
            let cell = map.index(x, y);
            if value_noise(x, y, !seed, 32, 3) >= ROCK_HEIGHT {
                map.cost[cell] = WALL;
                continue;
            }
            // Sums of octaves cluster around one half. Stretching them makes both ends of the range occur.
            let stretched = (value_noise(x, y, seed, 64, 4) - 0.5) * 1.8 + 0.5;
            map.cost[cell] = (1.0 + 20.0 * stretched).clamp(1.0, 20.0) as u8;
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_smooth_uses_the_whole_range_and_has_some_walls() {
        let map = terrain(256, 256, 11);
        for cost in 1..=20 {
            assert!(map.cost.contains(&cost), "no cell of cost {cost}");
        }
        assert!(map.cost.iter().all(|&cost| cost <= 20 || cost == WALL));
        let walls = map.cost.iter().filter(|&&cost| cost == WALL).count();
        assert!(
            (3..20).contains(&(walls * 100 / map.len())),
            "{walls} walls"
        );
        for row in map.cost.chunks(map.width) {
            for pair in row.windows(2) {
                let smooth = pair[0] == WALL || pair[1] == WALL || pair[0].abs_diff(pair[1]) <= 5;
                assert!(smooth, "a step from {} to {}", pair[0], pair[1]);
            }
        }
    }
}
