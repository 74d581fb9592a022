//! How agents fare: whether they overlap each other or walls, and how steadily they walk.

use flow_swarm::Vec2;
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::oracle::wall_depth;

use crate::scenes::{RADIUS, SPEED};

/// How deep, in cells, a disc may reach into a wall for the rounding of its position (the core's own tolerance).
const TOLERANCE: f32 = 2.1e-3;
/// Slower than this fraction of the greatest speed a heading means nothing.
const STANDING: f32 = 0.1;

/// What has been seen so far.
#[derive(Default)]
pub(crate) struct Measures {
    /// The deepest overlap of two agents, as a fraction of a radius.
    pub(crate) max_overlap: f32,
    /// The deepest overlap with a wall, as a fraction of a radius.
    pub(crate) wall_overlap: f32,
    turns: f64,
    turned: u64,
    /// Agents by the column of squares that they are in, to find who is near whom.
    order: Vec<(i32, i32, u32)>,
}

impl Measures {
    /// Notes how deep agents overlap each other and walls.
    pub(crate) fn note_overlaps(&mut self, positions: &[Vec2], map: &CostMap, cell: f32) {
        const SIDE: f32 = 2.0 * RADIUS;
        self.order.clear();
        let squares = positions.iter().zip(0..);
        self.order.extend(squares.map(|(at, index)| {
            let square = (*at / SIDE).floor();
            (square.y as i32, square.x as i32, index)
        }));
        self.order.sort_unstable();
        for &(y, x, index) in &self.order {
            let at = positions[index as usize];
            for row in y..=y + 1 {
                let first = self.order.partition_point(|entry| *entry < (row, x - 1, 0));
                let near = self.order[first..]
                    .iter()
                    .take_while(|entry| entry.0 == row && entry.1 <= x + 1);
                for &(.., other) in near.filter(|entry| entry.2 != index) {
                    let apart = positions[other as usize].distance(at);
                    self.max_overlap = self.max_overlap.max((SIDE - apart) / RADIUS);
                }
            }
        }
        for &at in positions {
            let depth = wall_depth(map, at / cell, RADIUS / cell) as f32 - TOLERANCE;
            self.wall_overlap = self.wall_overlap.max(depth * cell / RADIUS);
        }
    }

    /// Notes by how much an agent's velocity has turned in a step.
    pub(crate) fn note_turn(&mut self, before: Vec2, after: Vec2) {
        let least = STANDING * SPEED;
        if before.length() > least && after.length() > least {
            self.turns += f64::from(before.angle_to(after).abs());
            self.turned += 1;
        }
    }

    /// The mean change of heading per step, in radians.
    pub(crate) fn jitter(&self) -> f64 {
        self.turns / self.turned.max(1) as f64
    }
}
