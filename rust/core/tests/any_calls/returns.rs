//! A caller that goes back at random moments, over other calls, continues as one that has never gone elsewhere.
//!
//! It goes back by snapshots or by saves. Calls that change what neither holds are not among those in between.

use std::collections::BTreeMap;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AreaId, Shape, SwarmSnapshot};
use flow_swarm::world::GoalId;
use flow_swarm_bench::maps::SplitMix64;

use crate::caller::{CALLS, Caller, Setting};

/// Calls that change the configuration of a world or swarm, and on which heights agents are drawn and found in 3D.
const CONFIGURING: [&str; 6] = [
    "types",
    "movement types",
    "grid",
    "solver",
    "tiles",
    "looks",
];
/// The most calls of another course.
const MOST_ELSEWHERE: usize = 30;

/// What the caller itself remembers, as far as later calls depend on it.
struct Memory {
    ids: Vec<AgentId>,
    goals: Vec<GoalId>,
    saves: Vec<(Vec<u8>, BTreeMap<AreaId, Shape>)>,
    tiles: Vec<Vec<u8>>,
    entities: BTreeMap<i64, Vec2>,
    areas: BTreeMap<AreaId, Shape>,
    looked_at: Vec<AreaId>,
}

impl Caller {
    fn memory(&self) -> Memory {
        Memory {
            ids: self.ids.clone(),
            goals: self.goals.clone(),
            saves: self.saves.clone(),
            tiles: self.tiles.clone(),
            entities: self.entities.clone(),
            areas: self.areas.clone(),
            looked_at: self.looked_at.clone(),
        }
    }

    fn remember(&mut self, memory: Memory) {
        self.ids = memory.ids;
        self.goals = memory.goals;
        self.saves = memory.saves;
        self.tiles = memory.tiles;
        self.entities = memory.entities;
        self.areas = memory.areas;
        self.looked_at = memory.looked_at;
    }

    /// Makes some other calls.
    fn go_elsewhere(&mut self, random: &mut SplitMix64) {
        let seed = random.next_u64();
        for number in 0..1 + random.below(MOST_ELSEWHERE) {
            if !CONFIGURING.contains(&CALLS[Self::kind_of(seed, number)].0) {
                self.call_of(seed, number);
            }
        }
    }

    fn go_elsewhere_and_back(&mut self, random: &mut SplitMix64) {
        let memory = self.memory();
        let saved = self.world.save_state().ok();
        match saved.filter(|_| random.percent(50)) {
            Some(world) => {
                let swarm = self.swarm.save();
                self.go_elsewhere(random);
                self.world.load_state(&world).expect("its own state");
                let loaded = self.swarm.load_in(&self.world, &swarm);
                loaded.expect("its own state");
            }
            None => {
                let (world, mut swarm) = (self.world.snapshot(), SwarmSnapshot::default());
                self.swarm.take_snapshot(&mut swarm);
                self.go_elsewhere(random);
                self.world.restore(&world).expect("its own snapshot");
                let restored = self.swarm.restore(&self.world, &swarm);
                restored.expect("its own snapshot");
            }
        }
        self.remember(memory);
    }

    /// Everything that later calls depend on, as two numbers.
    fn hashes(&self) -> (u64, Option<u64>) {
        (self.swarm.state_hash(), self.world.world_hash().ok())
    }
}

pub fn run_with_returns(seed: u64, count: usize, setting: Setting) {
    let mut quiet = Caller::new(seed, 1, setting);
    let mut other = Caller::new(seed, 1, setting);
    let mut random = SplitMix64::new(seed ^ 0x5EED);
    let mut returns = 0;
    for number in 0..count {
        if random.percent(4) {
            other.go_elsewhere_and_back(&mut random);
            returns += 1;
        }
        quiet.call(number);
        other.call(number);
        let name = CALLS[Caller::kind_of(seed, number)].0;
        assert_eq!(
            other.hashes(),
            quiet.hashes(),
            "seed {seed}, call {number} ({name}) after {returns} returns"
        );
    }
    assert!(returns * 100 > count, "{returns} returns in {count} calls");
}
