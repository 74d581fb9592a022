//! Types and terrains that change again and again while costs are written: the costs in use are always those of one
//! former state as a whole, a later one after every round, and at last the newest.

use crate::common::random_rect;
use crate::next_costs::{settle, told};
use flow_swarm::IVec2;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, rooms};

const SIZE: usize = 40;
/// The work of an update: a round of both types takes 26 to 78 updates.
const LIMIT: usize = 20;

type Told = (Vec<[u8; 4]>, [usize; 2], [u8; 2]);

fn kind_number(number: usize) -> MovementType {
    let penalty = WallPenalty::new(3 + number as i64 % 200, number as i64 % 4, true);
    MovementType::with_wall_penalty(penalty.expect("in range"))
}

fn world_on(ids: &[u8], kinds: [usize; 2]) -> FlowWorld {
    let map = CostMap {
        cost: ids.to_vec(),
        ..rooms(SIZE, SIZE, 12, 5)
    };
    let mut world = crate::common::world_of(&map, Workers::serial());
    let kinds = kinds.map(kind_number);
    world.set_movement_types(&kinds).expect("two");
    world
}

/// A limited world, and all states that it has been in.
struct Chain {
    world: FlowWorld,
    random: SplitMix64,
    terrains: Vec<Vec<u8>>,
    kinds: [Vec<usize>; 2],
    /// The numbers of the terrain and of the types in use.
    in_use: (usize, [usize; 2]),
}

impl Chain {
    fn new(seed: u64) -> Self {
        let ids = rooms(SIZE, SIZE, 12, seed).cost;
        let mut world = world_on(&ids, [0, 1]);
        world.update();
        world.set_update_cells(LIMIT);
        Self {
            world,
            random: SplitMix64::new(seed),
            terrains: vec![ids],
            kinds: [vec![0], vec![1]],
            in_use: (0, [0, 0]),
        }
    }

    /// Changes terrain, types or both.
    fn change(&mut self) {
        let choice = self.random.below(10);
        if choice < 3 {
            let kinds = &mut self.kinds;
            let number = 2 + kinds[0].len() + kinds[1].len();
            kinds[self.random.below(2)].push(number);
            let newest = [0, 1].map(|it| kind_number(kinds[it][kinds[it].len() - 1]));
            self.world.set_movement_types(&newest).expect("two");
        }
        match choice {
            0 | 3 | 4 => {
                let maps = every_kind(SIZE, SIZE, self.random.next_u64());
                let map = &maps[self.random.below(maps.len())].1;
                self.world.set_terrain_bytes(&map.cost).expect("as large");
            }
            5..8 => {
                let rect = random_rect(&mut self.random, IVec2::splat(SIZE as i32), 12);
                self.world.set_terrain_rect(rect, 9).expect("inside");
            }
            8 => {
                let cell = IVec2::new(self.random.below(SIZE) as i32, 7);
                self.world.set_terrain(cell, 255).expect("inside");
            }
            _ => return,
        }
        self.terrains.push(self.world.terrain().to_bytes());
    }

    /// Finds the state whose costs are in use, the first one from the last on. Returns whether that is another one.
    fn follow(&mut self, what: &str) -> bool {
        let costs = [0, 1].map(|it| told(self.world.costs(it)));
        let (terrain, kinds) = self.in_use;
        for at in terrain..self.terrains.len() {
            let found = [0, 1].map(|it| {
                let count = self.kinds[it].len();
                (kinds[it]..count).find(|&kind| self.costs_of(at, it, kind) == costs[it])
            });
            if let [Some(one), Some(other)] = found {
                let before = std::mem::replace(&mut self.in_use, (at, [one, other]));
                return before != self.in_use;
            }
        }
        panic!(
            "{what}: the costs in use are of no state since {:?}",
            self.in_use
        );
    }

    fn costs_of(&self, terrain: usize, movement: usize, kind: usize) -> Told {
        let kind = self.kinds[movement][kind];
        let mut world = world_on(&self.terrains[terrain], [kind, kind]);
        world.update();
        told(world.costs(movement))
    }
}

#[test]
fn the_costs_in_use_are_of_one_former_state_and_never_wait_for_long() {
    let mut rounds = 0;
    for seed in 0..6 {
        let mut game = Chain::new(seed);
        let mut since = 0;
        for update in 0..300 {
            // At first in every update, and then rarely.
            if update < 150 || game.random.percent(10) {
                for _ in 0..=game.random.below(3) {
                    game.change();
                }
            }
            game.world.update();
            since += 1;
            if game.follow(&format!("seed {seed}, update {update}")) {
                (rounds, since) = (rounds + 1, 0);
            }
            let waits = game.world.has_next_costs();
            assert!(since < 170 || !waits, "seed {seed}, update {update}");
        }
        settle(&mut game.world);
        game.follow("at the end");
        let newest = (
            game.terrains.len() - 1,
            game.kinds.each_ref().map(|all| all.len() - 1),
        );
        for movement in 0..2 {
            let newest = game.costs_of(newest.0, movement, newest.1[movement]);
            assert!(told(game.world.costs(movement)) == newest, "seed {seed}");
        }
    }
    assert!(rounds > 30, "{rounds} rounds");
}
