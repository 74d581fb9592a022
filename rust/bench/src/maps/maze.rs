//! Winding corridors one cell wide.

use super::{CostMap, SplitMix64, WALL};

/// A perfect maze: there is exactly one path between any two of its cells. Corridors and walls are one cell thick.
/// Carving depth first makes corridors long and winding. Junctions are on even columns and rows.
#[must_use]
pub fn maze(width: usize, height: usize, seed: u64) -> CostMap {
    let mut map = CostMap::filled(width, height, WALL);
    if map.is_empty() {
        return map;
    }
    let mut random = SplitMix64::new(seed);
    map.cost[0] = 1;
    let mut trail = vec![0];
    while let Some(&cell) = trail.last() {
        let mut uncarved = [(0, 0); 4];
        let mut count = 0;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let beyond = map.offset(cell, (2 * dx, 2 * dy));
            if let (Some(beyond), Some(between)) = (beyond, map.offset(cell, (dx, dy)))
                && map.cost[beyond] == WALL
            {
                uncarved[count] = (beyond, between);
                count += 1;
            }
        }
        if count == 0 {
            trail.pop();
            continue;
        }
        let (beyond, between) = uncarved[random.below(count)];
        map.cost[between] = 1;
        map.cost[beyond] = 1;
        trail.push(beyond);
    }
    map
}

#[cfg(test)]
mod tests {
    use super::super::largest_component;
    use super::*;

    #[test]
    fn is_one_tree_over_all_junctions() {
        for (width, height) in [(1, 1), (1, 8), (31, 20), (64, 33)] {
            let map = maze(width, height, 5);
            let passable: Vec<_> = (0..map.len())
                .filter(|&cell| map.is_passable(cell))
                .collect();
            let junctions = width.div_ceil(2) * height.div_ceil(2);
            // A tree of n junctions has n - 1 passages between them.
            assert_eq!(passable.len(), 2 * junctions - 1);
            assert_eq!(largest_component(&map), passable);
        }
    }
}
