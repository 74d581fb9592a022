//! The conditions that must hold in every tick of a soak, checked without the core where possible.

use std::error::Error;

use flow_swarm::Vec2;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{EikonalSolver, GoalCell};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::swarm::AgentId;
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL};
use glam::IVec2;

use super::ground::cell_of;
use super::play::{Play, RADIUS};
use flow_swarm_bench::maps::areas;
use flow_swarm_bench::oracle::wall_depth;

/// How much deeper into walls a step may move an agent, in cells.
const WALL_TOLERANCE: f64 = 0.002;
/// The number of agents per tick whose direction is checked.
const SAMPLES: usize = 24;
/// An upper bound on the size of a tile of a sector of up to 16 cells, in bytes.
const TILE_BYTES: usize = 4096;

/// The greatest deviation of a tile's direction from that of a whole field. It allows for rounding to the centres of
/// cells.
const DIRECTION_TOLERANCE: f32 = 0.01;

/// Counts of the checks.
#[derive(Default)]
pub struct Checks {
    pub directions: usize,
    pub lost: usize,
    pub fields: usize,
    pub cells: usize,
    pub most_built: u64,
    pub most_active: usize,
    pub most_cache_bytes: usize,
}

type Checked = Result<(), Box<dyn Error>>;

impl Checks {
    /// Checks that no more tiles were built since `before` than allowed, and that memory is within what the sectors
    /// need.
    pub fn budget(&mut self, play: &Play, before: u64, limit: usize, cache: u64) -> Checked {
        let stats = play.world.tile_stats();
        let built = stats.built - before;
        if built > limit as u64 {
            return Err(format!("{built} tiles in a tick, not {limit}").into());
        }
        // Routes to a moved goal are stored beside the old ones.
        let most = 2 * play.orders.len() * play.map.len();
        if stats.active > most || stats.cache.bytes > cache as usize + stats.active * TILE_BYTES {
            return Err(format!("too much is kept: {stats:?}").into());
        }
        self.most_built = self.most_built.max(built);
        self.most_active = self.most_active.max(stats.active);
        self.most_cache_bytes = self.most_cache_bytes.max(stats.cache.bytes);
        Ok(())
    }

    /// Checks for some agents that they have a direction if their goal can be reached and, once all tiles are built,
    /// only then.
    pub fn directions(&mut self, play: &Play, random: &mut SplitMix64) -> Checked {
        let areas = areas(&play.map);
        for _ in 0..SAMPLES.min(play.swarm.len()) {
            let index = random.below(play.swarm.len());
            let at = play.swarm.positions()[index];
            let order = play.orders[play.group_of(play.swarm.ids()[index].bits())];
            let (cell, goal) = (cell_of(&play.map, at), cell_of(&play.map, order.target));
            if areas[cell].is_none() || cell == goal {
                continue;
            }
            let is_joined = areas[cell] == areas[goal];
            let route = play.world.route(order.goal, 0);
            let heading = route.map_or(Vec2::ZERO, |route| route.sample_for(at, RADIUS));
            let is_led = heading != Vec2::ZERO;
            // Old tiles are used until new ones are built, and old routes until agents follow the new ones.
            let is_settled = !order.was_moved && play.world.tile_stats().waiting == 0;
            if is_joined && !is_led || !is_joined && is_led && is_settled {
                let target = order.target;
                return Err(format!("{heading} at {at} to {target}, joined: {is_joined}").into());
            }
            self.directions += 1;
        }
        Ok(())
    }

    /// Checks that no agent is reported to have no route although one exists, and that none is deeper in a wall than
    /// before.
    pub fn step(&mut self, play: &Play, before: &[(AgentId, Vec2)]) -> Checked {
        if let Some(id) = play.swarm.events().quarantined.first() {
            return Err(format!("agent {} was taken out", id.bits()).into());
        }
        let lost = &play.swarm.events().lost;
        if !lost.is_empty() {
            let areas = areas(&play.map);
            for &id in lost {
                let Ok(index) = play.swarm.index_of(id) else {
                    continue;
                };
                let at = before
                    .iter()
                    .find(|entry| entry.0 == id)
                    .map(|entry| entry.1);
                let at = at.unwrap_or(play.swarm.positions()[index]);
                let target = play.orders[play.group_of(id.bits())].target;
                let (own, goal) = (cell_of(&play.map, at), cell_of(&play.map, target));
                if areas[own].is_some() && areas[own] == areas[goal] {
                    return Err(format!("lost at {at} though {target} can be reached").into());
                }
            }
            self.lost += lost.len();
        }
        for (&id, &at) in play.swarm.ids().iter().zip(play.swarm.positions()) {
            let depth = wall_depth(&play.map, at, RADIUS);
            if depth <= WALL_TOLERANCE {
                continue;
            }
            let start = before
                .iter()
                .find(|entry| entry.0 == id)
                .map(|entry| entry.1);
            let was = start.map_or(0.0, |start| wall_depth(&play.map, start, RADIUS));
            if depth > was + WALL_TOLERANCE {
                return Err(format!("{depth} deep in a wall at {at}, before it was {was}").into());
            }
        }
        Ok(())
    }

    /// Checks that all directions of a goal whose tiles are all built are those of a whole field over the same sectors.
    pub fn field(&mut self, play: &mut Play, group: usize) -> Checked {
        let order = play.orders[group];
        let is_open = play.map.is_passable(cell_of(&play.map, order.target));
        if order.was_moved || !is_open || play.world.tile_stats().waiting > 0 {
            return Ok(());
        }
        let built = play.world.built_sectors(order.goal, 0)?;
        let mut map = CostMap::filled(play.map.width, play.map.height, WALL);
        for rect in built {
            for y in rect.low.y..rect.high.y {
                for x in rect.low.x..rect.high.x {
                    let index = map.index(x as usize, y as usize);
                    map.cost[index] = play.map.cost[index];
                }
            }
        }
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let goal = order.target.floor().as_ivec2();
        let integration = EikonalSolver::new().solve_goals(&costs, &GoalCell::free(&[goal]))?;
        let rule = DirectionRule::Characteristic;
        let whole = FlowField::new(
            &costs,
            &integration,
            &[order.target],
            rule,
            &Workers::serial(),
        );
        let tiles = play.world.direction_map(order.goal, 0)?;
        for (index, &found) in tiles.iter().enumerate() {
            let (x, y) = map.position(index);
            let cell = IVec2::new(x as i32, y as i32);
            if integration.cost_at(cell).is_none() || cell == goal {
                continue;
            }
            let expected = whole.sample(cell.as_vec2() + 0.5);
            if found.distance(expected) > DIRECTION_TOLERANCE {
                return Err(format!("{found} and not {expected} in {cell} to {goal}").into());
            }
            self.cells += 1;
        }
        self.fields += 1;
        Ok(())
    }
}
