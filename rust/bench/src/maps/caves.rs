//! Caves grown by a cellular automaton.

use super::{CostMap, SplitMix64, WALL};

/// Walls among 100 cells before the first round.
const INITIAL_WALLS_PERCENT: u32 = 47;
const ROUNDS: usize = 5;

/// Rounded caverns: random noise, then five rounds in which a cell becomes a wall if most of the nine cells around and
/// including it are walls; outside the map counts as wall. Costs are 1.
#[must_use]
pub fn caves(width: usize, height: usize, seed: u64) -> CostMap {
    let mut map = super::random_walls(
        width,
        height,
        INITIAL_WALLS_PERCENT,
        SplitMix64::new(seed).next_u64(),
    );
    for _ in 0..ROUNDS {
        let mut next = map.clone();
        for cell in 0..map.len() {
            let walls = (-1..=1)
                .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                .filter(|&step| {
                    map.offset(cell, step)
                        .is_none_or(|other| map.cost[other] == WALL)
                })
                .count();
            next.cost[cell] = if walls >= 5 { WALL } else { 1 };
        }
        map = next;
    }
    map
}

#[cfg(test)]
mod tests {
    use super::super::largest_component;
    use super::*;

    #[test]
    fn are_spacious_and_mostly_connected() {
        let map = caves(200, 150, 1);
        let passable = map.cost.iter().filter(|&&cost| cost != WALL).count();
        assert!(
            (30..80).contains(&(passable * 100 / map.len())),
            "{passable} passable"
        );
        assert!(largest_component(&map).len() * 2 > passable);
        // Rounded: hardly any wall stands alone, as it would in plain noise.
        let alone = (0..map.len())
            .filter(|&cell| map.cost[cell] == WALL && !map.touches_wall(cell))
            .count();
        assert!(alone * 1000 < map.len(), "{alone} walls stand alone");
    }
}
