//! The ground of a soak: rooms with an island and closed pockets, and what can be said of it without the core.

use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, rooms};

/// Side of the island in the far corner, in cells.
const ISLAND: usize = 30;
/// Side of a closed pocket, its walls included.
const POCKET: usize = 7;

/// Rooms with doors, rough patches, an island in the far corner and some pockets without a door.
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

/// Changes the costs in a square as far as it lies on the map.
fn fill(map: &mut CostMap, left: usize, top: usize, side: usize, change: impl Fn(u8) -> u8) {
    for y in top..(top + side).min(map.height) {
        for x in left..(left + side).min(map.width) {
            let index = map.index(x, y);
            map.cost[index] = change(map.cost[index]);
        }
    }
}

/// Clear ground with a closed wall around it.
fn ring(map: &mut CostMap, left: usize, top: usize, side: usize) {
    fill(map, left, top, side, |_| WALL);
    fill(map, left + 1, top + 1, side - 2, |_| 1);
}

/// The cell that a point lies in.
pub fn cell_of(map: &CostMap, at: Vec2) -> usize {
    map.index(at.x as usize, at.y as usize)
}

/// The middle of a cell.
pub fn middle_of(map: &CostMap, cell: usize) -> Vec2 {
    let (x, y) = map.position(cell);
    IVec2::new(x as i32, y as i32).as_vec2() + 0.5
}

/// For every open cell the first one of its connected area, through straight steps.
pub fn areas(map: &CostMap) -> Vec<Option<usize>> {
    let mut area = vec![None; map.len()];
    let mut pending = Vec::new();
    for start in 0..map.len() {
        if !map.is_passable(start) || area[start].is_some() {
            continue;
        }
        area[start] = Some(start);
        pending.push(start);
        while let Some(cell) = pending.pop() {
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                if let Some(next) = map.offset(cell, step)
                    && map.is_passable(next)
                    && area[next].is_none()
                {
                    area[next] = Some(start);
                    pending.push(next);
                }
            }
        }
    }
    area
}

/// The area with the most cells.
pub fn largest(areas: &[Option<usize>]) -> Option<usize> {
    let mut sizes = vec![0; areas.len()];
    for &area in areas.iter().flatten() {
        sizes[area] += 1;
    }
    (0..areas.len()).max_by_key(|&area| sizes[area])
}

/// How deep, in cells, a disc reaches into walls; the radius if its middle is in one. Everything outside is wall.
pub fn wall_depth(map: &CostMap, middle: Vec2, radius: f32) -> f64 {
    let (middle, radius) = (middle.as_dvec2(), f64::from(radius));
    let (low, high) = ((middle - radius).floor(), (middle + radius).floor());
    let is_open = |x: i64, y: i64| {
        let inside = x >= 0 && y >= 0 && x < map.width as i64 && y < map.height as i64;
        inside && map.is_passable(map.index(x as usize, y as usize))
    };
    let mut depth = 0.0_f64;
    for y in low.y as i64..=high.y as i64 {
        for x in low.x as i64..=high.x as i64 {
            if !is_open(x, y) {
                let dx = middle.x - middle.x.clamp(x as f64, (x + 1) as f64);
                let dy = middle.y - middle.y.clamp(y as f64, (y + 1) as f64);
                depth = depth.max(radius - dx.hypot(dy));
            }
        }
    }
    depth
}
