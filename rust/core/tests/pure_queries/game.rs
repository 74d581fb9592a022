//! A game whose orders are determined by its seed.

use std::fmt::Debug;

use flow_swarm::flow::DirectionRule;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{
    Clearance, CostOverlay, CrowdPenalty, MovementType, TerrainSpeed, WallPenalty,
};
use flow_swarm::swarm::{
    AgentType, ArrivalAction, Avoidance, BodyId, Pose, Settings, Shape, Swarm,
};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalKind, GoalMode, TileMemory, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};

const SIZE: IVec2 = IVec2::new(61, 43);
const DT: f32 = 0.1;
const GROUPS: usize = 6;

#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub variant: TileVariant,
    pub layers: u32,
    pub has_links: bool,
    pub crowd_penalty: i64,
    pub walking_cells: usize,
    pub update_cells: usize,
    pub route_limit: usize,
    pub tile_limit: usize,
    pub cache_bytes: u64,
    /// Whether all goals are requested before the first tick, so that their portal graphs exist then.
    pub is_requested_first: bool,
}

pub struct Game {
    pub world: FlowWorld,
    pub swarm: Swarm,
    pub goals: Vec<GoalId>,
    pub body: BodyId,
    /// Which of some movement types the world has: see [`movement_types`].
    pub kinds: usize,
    random: SplitMix64,
    setting: Setting,
    stamps: Vec<StampId>,
    /// The result of the last update, except for whole fields, which queries may have built earlier.
    news: String,
}

/// What a game itself remembers.
#[derive(Debug, Clone)]
pub struct Memory {
    goals: Vec<GoalId>,
    body: BodyId,
    kinds: usize,
    random: SplitMix64,
    stamps: Vec<StampId>,
    news: String,
}

/// Two movement types, which differ by a number in costs, clearance, penalties and speeds.
pub fn movement_types(number: usize, crowd_penalty: i64) -> [MovementType; 2] {
    let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
    costs[4] = [4, 9, 4, 255][number];
    let crowds = [crowd_penalty, 5, crowd_penalty, 0][number];
    let crowds = CrowdPenalty::new(crowds).expect("in range");
    let plain = MovementType::new(&costs, WallPenalty::default()).expect("no cost is 0");
    let (weight, room) = [(9, 0.9), (9, 0.9), (30, 0.0), (0, 1.6)][number];
    let near = WallPenalty::new(weight, 2, true).expect("in range");
    let room = Clearance::new(room).expect("in range");
    let slow = TerrainSpeed::even().with_factor(4, [0.5, 0.9][number % 2]);
    let wide = MovementType::with_wall_penalty(near).with_clearance(room);
    [
        plain.with_crowd_penalty(crowds),
        wide.with_terrain_speed(&slow.expect("in range")),
    ]
}

impl Game {
    /// The memory beside the world and the swarm.
    #[allow(dead_code, reason = "only games that go back need it")]
    pub fn memory(&self) -> Memory {
        Memory {
            goals: self.goals.clone(),
            body: self.body,
            kinds: self.kinds,
            random: self.random.clone(),
            stamps: self.stamps.clone(),
            news: self.news.clone(),
        }
    }

    /// Takes back the memory of an earlier moment.
    #[allow(dead_code, reason = "only games that go back need it")]
    pub fn remember(&mut self, memory: Memory) {
        self.goals = memory.goals;
        self.body = memory.body;
        self.kinds = memory.kinds;
        self.random = memory.random;
        self.stamps = memory.stamps;
        self.news = memory.news;
    }

    /// Makes other random orders from now on.
    #[allow(dead_code, reason = "only games that go back need it")]
    pub fn diverge(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    /// The number of parts of a tick. Queries may come between any two of them.
    pub const PARTS: usize = 6;

    pub fn new(seed: u64, setting: Setting) -> Self {
        let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, setting.layers).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        let mut random = SplitMix64::new(seed);
        let size = grid.size();
        let maps = every_kind(size.x as usize, size.y as usize, seed);
        let map = &maps[random.below(maps.len())].1;
        world.set_terrain_bytes(&map.cost).expect("the same size");
        let kinds = movement_types(0, setting.crowd_penalty);
        world.set_movement_types(&kinds).expect("few");
        world.set_sector_size(8).expect("in range");
        world.set_tile_variant(setting.variant);
        world
            .set_route_limit(setting.route_limit)
            .expect("in range");
        world.set_tile_limit(setting.tile_limit);
        world.set_walking_cells(setting.walking_cells);
        world.set_update_cells(setting.update_cells);
        let bytes = setting.cache_bytes;
        world.set_tile_cache_bytes(bytes).expect("in range");
        let mut game = Self {
            world,
            swarm: Swarm::new(seed),
            goals: Vec::new(),
            body: BodyId(0),
            kinds: 0,
            random,
            setting,
            stamps: Vec::new(),
            news: String::new(),
        };
        game.set_up();
        game
    }

    fn set_up(&mut self) {
        let kind = |avoidance, movement| AgentType {
            radius: 0.3,
            max_speed: 5.0,
            acceleration: 30.0,
            avoidance,
            movement,
            lateral_bias: 0.3,
            cohesion: 0.2,
            neighbour_radius: 6.0,
            ..AgentType::default()
        };
        let types = [
            kind(Avoidance::Separation, 0),
            kind(Avoidance::Orca, 1),
            kind(Avoidance::None, 0),
        ];
        self.swarm.set_types(&types).expect("valid");
        let settings = Settings {
            arrival: ArrivalAction::KeepGoing,
            settle_in_crowds: true,
            ..Settings::default()
        };
        self.swarm.set_settings(settings).expect("valid");
        for number in 0..4 {
            let mode = [GoalMode::Tiled, GoalMode::Tiled, GoalMode::Full][number % 3];
            let target = self.place();
            let goal = self.world.create_goal_with_mode(&[target], &[0.0], mode);
            self.goals.push(goal.expect("inside"));
        }
        let (flee, range) = (
            GoalKind::Flee { reach: 7.0 },
            GoalKind::Range {
                least: 3.0,
                most: 6.0,
            },
        );
        for kind in [flee, range] {
            let target = self.place();
            let goal = self.world.create_goal_of_kind(&[target], kind);
            self.goals.push(goal.expect("inside"));
        }
        for group in 0..GROUPS {
            let places: Vec<Vec2> = (0..14).map(|_| self.place()).collect();
            let spawned = self
                .swarm
                .spawn(&self.world, &places, (group % 3) as i64, group as i64);
            spawned.expect("inside");
            let goal = self.goals.get(group).copied();
            self.swarm
                .set_group_goal(group as i64, goal)
                .expect("a group");
        }
        let pose = Pose::at(self.place()).expect("finite");
        let body = self.swarm.add_body(Shape::Disc(1.0), pose, true);
        self.body = body.expect("valid");
        if self.setting.has_links {
            for _ in 0..3 {
                let link = self.link(2.0, true);
                let _ = self.world.add_link(link);
            }
        }
        if self.setting.is_requested_first {
            for goal in self.goals.clone() {
                let at = self.place();
                self.world.request_route(goal, 0, at).expect("known");
            }
        }
    }

    pub fn play_part(&mut self, part: usize) {
        match part {
            0 => {
                let faded = self.world.fade_cost_overlays(f64::from(DT));
                faded.expect("in range");
                let news = self.world.update();
                let is_tiled = |&goal: &GoalId| self.world.goal_mode(goal) == Ok(GoalMode::Tiled);
                let ready = news.ready.into_iter().filter(is_tiled);
                let ready: Vec<GoalId> = ready.collect();
                let changed = (news.terrain, news.surcharges);
                self.news = format!("{changed:?} {ready:?} {:?}", news.failed);
            }
            1 => self.edit(),
            2 => self.order(),
            3 => {
                self.swarm.report_crowding(&mut self.world);
                self.edit();
            }
            4 => {
                // Some groups follow goals that have been released.
                let requested = self.swarm.request_routes(&mut self.world);
                self.news += &format!("{requested:?}");
            }
            _ => self.swarm.step(&self.world, DT).expect("valid"),
        }
    }

    /// Edits the ground, and often reverts the edit in the same tick.
    fn edit(&mut self) {
        match self.random.below(9) {
            0 | 1 => {
                let (cell, id) = (self.cell(), self.id());
                self.world.set_terrain(cell, id).expect("inside");
            }
            2 => {
                let low = self.cell();
                let high = (low + IVec2::splat(4)).min(self.world.grid().size());
                let rect = CellRect { low, high };
                let id = self.id();
                self.world.set_terrain_rect(rect, id).expect("inside");
            }
            3 => {
                let stamp = Stamp::new(IVec2::splat(3), &[255; 9], None).expect("valid");
                let cell = self.cell();
                self.stamps
                    .extend(self.world.place_stamp(cell, &stamp).ok());
            }
            4 if !self.stamps.is_empty() => {
                let stamp = self.stamps.swap_remove(0);
                self.world.remove_stamp(stamp).expect("placed");
            }
            5 if self.setting.has_links && self.random.percent(20) => {
                let last = self.world.link_ids().last();
                let link = self.link(3.0, false);
                match last {
                    Some(id) if self.random.percent(60) => {
                        self.world.remove_link(id).expect("known");
                    }
                    _ => drop(self.world.add_link(link)),
                }
            }
            6 | 7 => self.overlay(),
            _ => {}
        }
    }

    /// A link between any two cells, or one on foot between floors where one is above the other.
    fn link(&mut self, cost: f32, both_ways: bool) -> Link {
        let (from, other) = (self.cell(), self.cell());
        let layers = *self.world.grid().layers();
        let above = layers.cells(1, SIZE.x as u32).low.y;
        let is_seam = layers.count() > 1 && from.y < SIZE.y && self.random.percent(50);
        let (to, travel) = if is_seam {
            (from + IVec2::new(0, above), Travel::Walk)
        } else {
            (other, Travel::AtOnce)
        };
        Link {
            from,
            to,
            cost,
            both_ways,
            travel,
        }
    }

    /// Adds a cost overlay, or moves or removes one.
    fn overlay(&mut self) {
        let at = self.place();
        let last = self.world.cost_overlay_ids().last();
        match (self.random.below(4), last) {
            (0, Some(id)) => self.world.move_cost_overlay(id, at).expect("inside"),
            (1, Some(id)) => self.world.remove_cost_overlay(id).expect("there"),
            _ => {
                let radius = self.random.below(6) as f32;
                let fading = [0.0, 0.5, 2.0][self.random.below(3)];
                let overlay = CostOverlay::circle(radius, 9).expect("in range");
                let overlay = overlay.with_fading(fading).expect("in range");
                let types = [u64::MAX, 2][self.random.below(2)];
                let overlay = overlay.with_movement_types(types);
                self.world.add_cost_overlay(at, &overlay).expect("inside");
            }
        }
    }

    fn order(&mut self) {
        let number = self.random.below(self.goals.len());
        let goal = self.goals[number];
        match self.random.below(24) {
            0..=3 => {
                let target = self.place();
                self.world.move_goal(goal, &[target]).expect("known");
            }
            4 | 5 => {
                let (at, movement) = (self.place(), self.random.below(2));
                let asked = self.world.request_route(goal, movement, at);
                asked.expect("known");
            }
            6 => {
                let group = self.random.below(GROUPS) as i64;
                self.swarm
                    .set_group_goal(group, Some(goal))
                    .expect("a group");
            }
            7 => {
                let group = self.random.below(GROUPS) as i64;
                self.swarm.set_group_goal(group, None).expect("a group");
            }
            8 => {
                let (target, tiled) = (self.place(), GoalMode::Tiled);
                let fresh = self.world.create_goal_with_mode(&[target], &[0.0], tiled);
                self.world.release_goal(goal).expect("known");
                self.goals[number] = fresh.expect("inside");
            }
            9 => {
                let ids: Vec<_> = self.swarm.ids().iter().copied().take(6).collect();
                let targets: Vec<Vec2> = ids.iter().map(|_| self.place()).collect();
                let set = self.swarm.set_targets(&self.world, &ids, &targets);
                set.expect("known");
            }
            10 => {
                let pose = Pose::at(self.place()).expect("finite");
                self.swarm.move_body(self.body, pose).expect("known");
            }
            11 => {
                let solver = [Solver::Octile, Solver::Eikonal][self.random.below(2)];
                self.world.set_solver(solver);
            }
            12 if self.random.percent(40) => {
                let rule = [DirectionRule::Characteristic, DirectionRule::BestNeighbour];
                self.world.set_direction_rule(rule[self.random.below(2)]);
            }
            13 if self.random.percent(30) => {
                let bytes = self.world.save_tiles();
                self.world.load_tiles(&bytes).expect("its own");
                // What the cache holds is not saved, and so may not decide which tiles count.
                self.world.close_tiles();
            }
            16..=21 => self.walk(goal),
            // At once they hinder saves until the next update.
            22 if self.setting.update_cells > 0 => {
                self.kinds = self.random.below(4);
                self.set_movement_types(self.kinds);
            }
            14 if self.random.percent(30) => self.change_layers(),
            15 if self.random.percent(30) => {
                let size = [8, 16][self.random.below(2)];
                self.world.set_sector_size(size).expect("in range");
            }
            _ => {}
        }
    }

    /// Sets the movement types of a number.
    pub fn set_movement_types(&mut self, number: usize) {
        let kinds = movement_types(number, self.setting.crowd_penalty);
        self.world.set_movement_types(&kinds).expect("few");
    }

    /// Moves a goal a little.
    fn walk(&mut self, goal: GoalId) {
        let before = self.world.goal_targets(goal).expect("known")[0];
        let unit = Vec2::new(self.random.unit() as f32, self.random.unit() as f32);
        let after = before + 3.0 * (unit - 0.5);
        // Moves out of the grid are refused.
        drop(self.world.move_goal(goal, &[after]));
    }

    /// Changes the number of layers, and sometimes changes it back at once.
    fn change_layers(&mut self) {
        let before = *self.world.grid();
        let layers = before.layers().count() % 3 + 1;
        let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, layers).expect("valid");
        let lost = self.world.set_grid(grid);
        self.stamps.retain(|stamp| !lost.stamps.contains(stamp));
        for goal in lost.goals {
            let target = self.place();
            self.world.move_goal(goal, &[target]).expect("known");
        }
    }

    fn id(&mut self) -> u8 {
        [1, 1, 4, 255, 255][self.random.below(5)]
    }

    fn cell(&mut self) -> IVec2 {
        let size = self.world.grid().size();
        loop {
            let x = self.random.below(size.x as usize) as i32;
            let y = self.random.below(size.y as usize) as i32;
            let cell = IVec2::new(x, y);
            if self.world.grid().is_on_layer(cell) {
                return cell;
            }
        }
    }

    fn place(&mut self) -> Vec2 {
        let cell = self.cell();
        self.world.grid().center_of(cell)
    }

    /// Everything that determines later ticks, as far as it is public.
    pub fn state(&self) -> Vec<(&'static str, String)> {
        let text = |value: &dyn Debug| format!("{value:?}");
        let needed = self.swarm.needed_fields(&self.world);
        let pairs = self.goals.iter().flat_map(|&goal| [(goal, 0), (goal, 1)]);
        // Whole fields that no agent follows may be newer where queries used them.
        let is_followed = |pair: &(GoalId, usize)| {
            self.world.goal_mode(pair.0) == Ok(GoalMode::Tiled) || needed.contains(pair)
        };
        let routes = pairs.filter(is_followed).map(|(goal, movement)| {
            let found = self.directions(goal, movement);
            format!("{goal:?} {movement} {found:?}")
        });
        let costs = [0, 1].map(|movement| {
            let costs = self.world.costs(movement);
            let counts = (costs.open_cell_count(), costs.wall_count());
            let bytes = costs.to_bytes().into_iter();
            let hash = bytes.fold(0_u64, |hash, cost| {
                (hash ^ u64::from(cost)).wrapping_mul(0x0100_0000_01B3)
            });
            (hash, counts, costs.cheapest(), costs.dearest())
        });
        // Graphs count less memory if they share it with graphs made for queries.
        let memory = TileMemory {
            graphs: 0,
            ..self.world.tile_memory()
        };
        let mut state = vec![
            ("news", self.news.clone()),
            ("agents", text(&self.swarm.state_hash())),
            ("world", text(&self.world.world_hash())),
            ("ids", text(&self.swarm.ids())),
            ("events", text(&self.swarm.events())),
            ("costs", text(&costs)),
            ("tiles", text(&self.world.tile_stats())),
            ("memory", text(&memory)),
        ];
        state.extend(routes.map(|route| ("routes", route)));
        state
    }

    /// The directions that agents would follow at some points.
    fn directions(&self, goal: GoalId, movement: usize) -> Option<Vec<(Vec2, bool)>> {
        let route = self.world.route(goal, movement)?;
        let size = self.world.grid().size();
        let cells = (1..size.y)
            .step_by(3)
            .flat_map(|y| (y % 5..size.x).step_by(7).map(move |x| IVec2::new(x, y)));
        let look = |cell: IVec2| {
            let direction = route.sample_for(cell.as_vec2() + 0.5, 0.3);
            (direction, route.sees_target(cell))
        };
        Some(cells.map(look).collect())
    }
}
