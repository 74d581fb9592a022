//! The caller: a world, a swarm, and the expected contents of both.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use flow_swarm::grid::Grid;
use flow_swarm::random::mix;
use flow_swarm::swarm::{AgentId, AreaId, Others, Outline, Packer, Shape, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;

/// The kind of game.
#[derive(Clone, Copy)]
pub struct Setting {
    pub most_agents: usize,
    pub spawned_at_once: usize,
    /// The approximate longest side of a map, in cells.
    pub side: usize,
    /// Of 100 types, how many may have any size. In a dense crowd this makes all agents neighbours.
    pub odd_sizes_percent: u32,
    /// Whether fields may be built in the background.
    pub is_in_background: bool,
}

pub struct Caller {
    pub setting: Setting,
    pub threads: usize,
    pub random: SplitMix64,
    pub world: FlowWorld,
    pub swarm: Swarm,
    /// All ids ever issued, and some that never were.
    pub ids: Vec<AgentId>,
    pub goals: Vec<GoalId>,
    /// Saved swarms, and their areas.
    pub saves: Vec<(Vec<u8>, BTreeMap<AreaId, Shape>)>,
    /// Saved tiles.
    pub tiles: Vec<Vec<u8>>,
    pub packer: Packer,
    /// The entities that must exist.
    pub entities: BTreeMap<i64, Vec2>,
    /// The areas that must exist.
    pub areas: BTreeMap<AreaId, Shape>,
    /// The areas that existed in the last step and have not moved since.
    pub looked_at: Vec<AreaId>,
    /// For each step the number of its call, and a hash of all results and of the crowd.
    pub trace: Vec<(usize, u64)>,
    seed: u64,
    noted: DefaultHasher,
}

/// A name, a weight and the call.
pub type Call = (&'static str, usize, fn(&mut Caller));

/// All calls, by topic.
pub const CALLS: &[Call] = &[
    ("step", 9, Caller::step),
    ("spawn", 8, Caller::spawn),
    ("despawn", 1, Caller::despawn),
    ("types", 1, Caller::change_types),
    ("settings", 1, Caller::change_settings),
    ("user columns", 1, Caller::user_columns),
    ("factors", 1, Caller::factors),
    ("clips", 1, Caller::clips),
    ("save and load", 1, Caller::save_and_load),
    ("look up", 1, Caller::look_up),
    ("find", 2, Caller::find),
    ("states", 1, Caller::set_states),
    ("positions", 1, Caller::set_positions),
    ("scripted", 1, Caller::script_velocities),
    ("impulses", 2, Caller::push_about),
    ("groups", 1, Caller::change_groups),
    ("group goals", 2, Caller::order_groups),
    ("agent goals", 2, Caller::order_agents),
    ("targets", 1, Caller::set_targets),
    ("formations", 1, Caller::form_up),
    ("crowding", 1, Caller::report_crowding),
    ("bodies", 2, Caller::change_bodies),
    ("areas", 1, Caller::change_areas),
    ("draw", 1, Caller::draw),
    ("looks", 1, Caller::change_looks),
    ("paint", 2, Caller::paint),
    ("whole terrain", 1, Caller::paint_everything),
    ("blocks", 1, Caller::paint_blocks),
    ("stamps", 2, Caller::place_stamps),
    ("stamps away", 1, Caller::remove_stamps),
    ("cost overlays", 2, Caller::change_overlays),
    ("links", 1, Caller::change_links),
    ("movement types", 1, Caller::change_movement_types),
    ("grid", 1, Caller::change_grid),
    ("solver", 1, Caller::change_solver),
    ("goals", 2, Caller::create_goals),
    ("move goals", 1, Caller::move_goals),
    ("release goals", 1, Caller::release_goals),
    ("require", 1, Caller::require),
    ("ask", 2, Caller::ask_the_way),
    ("reachability", 1, Caller::ask_for_reachability),
    ("whole maps", 1, Caller::ask_for_maps),
    ("tiles", 2, Caller::change_tiles),
    ("saved tiles", 1, Caller::save_and_load_tiles),
    ("entities", 2, Caller::change_entities),
    ("shapes", 1, Caller::import_shapes),
    ("heights", 1, Caller::import_heights),
    ("storeys", 1, Caller::import_storeys),
];

impl Caller {
    pub fn new(seed: u64, threads: usize, setting: Setting) -> Self {
        let grid =
            Grid::new(IVec2::new(setting.side as i32 + 1, 23), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::new(threads).expect("threads"));
        // A clock that always returns 0, so that times are read but never differ.
        world.set_clock(|| 0.0);
        Self {
            setting,
            threads,
            random: SplitMix64::new(seed),
            world,
            swarm: Swarm::new(seed),
            ids: vec![AgentId::from_bits(0), AgentId::from_bits(u64::MAX)],
            goals: Vec::new(),
            saves: Vec::new(),
            tiles: Vec::new(),
            packer: Packer::default(),
            entities: BTreeMap::new(),
            areas: BTreeMap::new(),
            looked_at: Vec::new(),
            trace: Vec::new(),
            seed,
            noted: DefaultHasher::new(),
        }
    }

    fn generator(seed: u64, number: usize) -> SplitMix64 {
        SplitMix64::new(mix(mix(seed) ^ number as u64))
    }

    /// The index in [`CALLS`] of a call.
    pub fn kind_of(seed: u64, number: usize) -> usize {
        Self::draw_kind(&mut Self::generator(seed, number))
    }

    fn draw_kind(random: &mut SplitMix64) -> usize {
        let total = CALLS.iter().map(|call| call.1).sum();
        let mut drawn = random.below(total);
        let is_it = |call: &Call| {
            let is_it = drawn < call.1;
            drawn = drawn.wrapping_sub(call.1);
            is_it
        };
        CALLS.iter().position(is_it).expect("below the total")
    }

    /// Makes a call of a seed with random arguments. Errors and successes are both accepted.
    pub fn call_of(&mut self, seed: u64, number: usize) {
        self.random = Self::generator(seed, number);
        let kind = Self::draw_kind(&mut self.random);
        CALLS[kind].2(self);
    }

    /// Makes a call of the caller's own seed, and notes what a step has led to.
    pub fn call(&mut self, number: usize) {
        let ticks = self.swarm.tick();
        self.call_of(self.seed, number);
        if self.swarm.tick() != ticks {
            self.swarm.state_hash().hash(&mut self.noted);
            self.trace.push((number, self.noted.finish()));
        }
    }

    /// Adds a result to the trace, which must be the same for every number of threads.
    pub fn note(&mut self, result: impl Debug) {
        if !self.setting.is_in_background {
            format!("{result:?}").hash(&mut self.noted);
        }
    }

    pub fn step(&mut self) {
        let mut is_settled = true;
        if self.random.percent(70) {
            let result = self.swarm.request_routes(&mut self.world);
            self.note(result);
        } else if self.random.percent(50) {
            for (goal, movement) in self.swarm.needed_fields(&self.world) {
                let result = self.world.require(goal, movement);
                self.note(result);
            }
        } else {
            is_settled = false;
        }
        // Otherwise agents would follow what queries have built ahead.
        if !is_settled || self.random.percent(90) {
            let news = self.world.update();
            let is_more = self.world.has_slices_left();
            self.note((news.terrain, news.surcharges, news.ready, news.failed));
            self.note(is_more);
        }
        let dt = match self.random.below(10) {
            0 => self.number(),
            1 => [0.0, 1.0e-30, 1.0e-6, 1.0][self.random.below(4)],
            _ => self.random.unit() as f32 * 0.2,
        };
        let before = self.standing();
        let tick = self.swarm.tick();
        // Sometimes with its own outline, as if another crowd were at the same place.
        let result = if self.random.below(10) == 0 {
            let layers = self.swarm.contact_mask();
            let mut outline = Outline::default();
            self.swarm.outline(&self.world, layers, true, &mut outline);
            let others = Others {
                before: &[],
                after: &[&outline],
            };
            self.swarm.step_among(&self.world, dt, others)
        } else {
            self.swarm.step(&self.world, dt)
        };
        self.note(&result);
        if self.swarm.tick() != tick {
            self.looked_at = self.areas.keys().copied().collect();
            self.check(&before);
        }
    }
}
