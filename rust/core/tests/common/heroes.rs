//! Heroes: agents of the test whose positions are goals that walk.

use flow_swarm::Vec2;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::SplitMix64;

/// A hero that walks along shortest paths from one random place to the next.
pub struct Hero {
    pub at: Vec2,
    /// The remaining cells of the path, the next one last; if there are none, the hero plans another path.
    pub way: Vec<Vec2>,
    random: SplitMix64,
}

impl Hero {
    pub fn new(world: &mut FlowWorld, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let at = open_place(world, &mut random);
        Self {
            at,
            way: Vec::new(),
            random,
        }
    }

    /// Walks a distance in cells. Without a path the hero stays.
    pub fn walk(&mut self, world: &mut FlowWorld, mut cells: f32) {
        for _ in 0..20 {
            let Some(&next) = self.way.last() else {
                let end = open_place(world, &mut self.random);
                let goal = world.create_goal(&[end]).expect("inside");
                self.way = world.path_from(goal, self.at, 0).expect("inside");
                world.release_goal(goal).expect("known");
                self.way.reverse();
                continue;
            };
            let way = next - self.at;
            if way.length() > cells {
                self.at += way.normalize() * cells;
                return;
            }
            cells -= way.length();
            self.at = next;
            self.way.pop();
        }
    }
}

/// A point of a random cell with clearance.
pub fn open_place(world: &mut FlowWorld, random: &mut SplitMix64) -> Vec2 {
    let grid = *world.grid();
    loop {
        let cell = grid.cell(random.below(grid.cell_count()));
        if grid.is_on_layer(cell) && world.fresh_costs(0).is_open(cell) {
            return cell.as_vec2() + Vec2::new(0.3, 0.6);
        }
    }
}
