//! The game of a scene: a world on a large map, and the time of its updates until nothing waits.

use crate::{Arguments, Outcome, clock, ms_since};
use flow_swarm::grid::Grid;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
use serde_json::{Value, json};

/// The most updates of a scene.
const MOST_UPDATES: usize = 20_000;

/// Walls and costly cells at random places, and clear ground at two corners.
pub fn terrain(size: u32, random: &mut SplitMix64) -> Vec<u8> {
    let width = size as usize;
    let cells = width * width;
    let mut terrain = vec![1; cells];
    for (id, share) in [(255, 10), (4, 10)] {
        for _ in 0..cells / share {
            terrain[random.below(cells)] = id;
        }
    }
    for corner in [10, width - 50] {
        for row in corner..corner + 40 {
            terrain[row * width + corner..][..40].fill(1);
        }
    }
    terrain
}

/// A world on a large map, and what is asked of it.
pub struct Game {
    pub world: FlowWorld,
    pub size: u32,
    pub random: SplitMix64,
    /// The goals of the scene with many.
    pub many: Vec<GoalId>,
    is_limited: bool,
    /// The milliseconds of the updates of the present scene.
    times: Vec<f64>,
}

/// The name of a scene, the milliseconds of its call, and of the part of it that the world cannot put off.
pub type Begun = (&'static str, f64, Option<f64>);

impl Game {
    pub fn new(size: u32, is_limited: bool, arguments: &Arguments) -> Outcome<Self> {
        let grid = Grid::new(IVec2::splat(size as i32), 1.0, Vec2::ZERO)?;
        let mut world = FlowWorld::new(grid, Workers::serial());
        let mut random = SplitMix64::new(2);
        world.set_terrain_bytes(&terrain(size, &mut random))?;
        world.set_clock(clock);
        if is_limited {
            world.set_update_cells(arguments.cells);
            world.set_update_seconds(arguments.tiles_ms / 1e3)?;
        }
        world.update();
        Ok(Self {
            world,
            size,
            random,
            many: Vec::new(),
            is_limited,
            times: Vec::new(),
        })
    }

    /// An update of the present scene.
    pub fn update(&mut self) {
        let begin = clock();
        self.world.update();
        self.times.push(ms_since(begin));
    }

    /// Updates until nothing waits. Returns the figures of the scene.
    pub fn settle(&mut self, name: &str, call_ms: f64, at_once_ms: Option<f64>) -> Outcome<Value> {
        while self.times.len() < MOST_UPDATES {
            self.update();
            let tiles = self.world.tile_stats();
            if tiles.waiting + tiles.queued == 0 && !self.world.has_slices_left() {
                break;
            }
        }
        let mut times = std::mem::take(&mut self.times);
        let first = times.first().copied().unwrap_or_default();
        let longest = times.iter().copied().fold(0.0, f64::max);
        let longest_at = times.iter().position(|&time| time >= longest);
        let updates = times.len();
        times.sort_by(f64::total_cmp);
        Ok(json!({
            "scene": name,
            "size": self.size,
            "limited": self.is_limited,
            "call_ms": call_ms,
            "at_once_ms": at_once_ms,
            "first_update_ms": first,
            "longest_update_ms": longest,
            "percentile_99_ms": times[(times.len() - 1) * 99 / 100],
            "median_update_ms": times[times.len() / 2],
            "longest_at": longest_at,
            "updates": updates,
        }))
    }

    pub fn far_corner(&self) -> Vec2 {
        Vec2::splat(self.size as f32 - 30.5)
    }
}
