//! The ground of a soak: rooms with an island and closed pockets, and queries about it that do not use the core.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, rooms};

/// Side of the island in the far corner, in cells.
const ISLAND: usize = 30;
/// Side of a closed pocket, its walls included.
const POCKET: usize = 7;

/// Creates rooms with doors, rough patches, an island in the far corner and some pockets without doors.
pub fn lay_out(side: usize, seed: u64) -> CostMap {
    let mut map = rooms(side, side, 14, seed);
    let mut random = SplitMix64::new(seed);
    for _ in 0..side / 8 {
        let (x, y) = (random.below(side), random.below(side));
        fill(
            &mut map,
            x,
            y,
            6,
            |cost| if cost == WALL { cost } else { 5 },
        );
    }
    let corner = side - ISLAND;
    ring(&mut map, corner, corner, ISLAND);
    for _ in 0..3 {
        let place = |random: &mut SplitMix64| 2 + random.below(corner - POCKET - 4);
        let (x, y) = (place(&mut random), place(&mut random));
        ring(&mut map, x, y, POCKET);
    }
    map
}

/// Changes the costs in a square, as far as it is on the map.
fn fill(map: &mut CostMap, left: usize, top: usize, side: usize, change: impl Fn(u8) -> u8) {
    for y in top..(top + side).min(map.height) {
        for x in left..(left + side).min(map.width) {
            let index = map.index(x, y);
            map.cost[index] = change(map.cost[index]);
        }
    }
}

/// Draws clear ground with a closed wall around it.
fn ring(map: &mut CostMap, left: usize, top: usize, side: usize) {
    fill(map, left, top, side, |_| WALL);
    fill(map, left + 1, top + 1, side - 2, |_| 1);
}

/// The cell that contains a point.
pub fn cell_of(map: &CostMap, at: Vec2) -> usize {
    map.index(at.x as usize, at.y as usize)
}

/// The connected component with the most cells.
pub fn largest(areas: &[Option<usize>]) -> Option<usize> {
    let mut sizes = vec![0; areas.len()];
    for &area in areas.iter().flatten() {
        sizes[area] += 1;
    }
    (0..areas.len()).max_by_key(|&area| sizes[area])
}
