//! Large edits of a part of the map: graphs and tiles elsewhere stay as they are.

use crate::common::world_of;
use crate::next_costs::settle;
use crate::slices::open_places;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, rooms};

const SIZE: usize = 240;
const LIMIT: usize = 900;

/// A limited world, and one that is not.
struct Games {
    worlds: [FlowWorld; 2],
    goal: GoalId,
    starts: Vec<Vec2>,
}

impl Games {
    fn new() -> Self {
        let map = rooms(SIZE, SIZE, 12, 5);
        let mut worlds = [LIMIT, 0].map(|limit| {
            let mut world = world_of(&map, Workers::serial());
            world.set_sector_size(8).expect("in range");
            world.set_update_cells(limit);
            world
        });
        let places = open_places(&worlds[0]);
        let starts = (0..12).map(|number| places[number * places.len() / 12]);
        let target = *places.last().expect("an open cell");
        let goals = worlds.each_mut().map(|world| {
            let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
            goal.expect("inside")
        });
        let mut games = Self {
            worlds,
            goal: goals[0],
            starts: starts.collect(),
        };
        games.settle();
        games
    }

    /// Updates both until nothing waits. Returns the updates of the limited one, and the tiles that it has built.
    fn settle(&mut self) -> (usize, u64) {
        let before = self.worlds[0].tile_stats().built;
        let mut updates = 0;
        for world in &mut self.worlds {
            let (mut calm, mut own) = (0, 0);
            while calm < 3 {
                for &from in &self.starts {
                    world.request_route(self.goal, 0, from).expect("known");
                }
                world.update();
                own += 1;
                assert!(own < 4_000, "it is never finished");
                let stats = world.tile_stats();
                let waits = stats.waiting + stats.queued > 0 || world.has_slices_left();
                calm = if waits { 0 } else { calm + 1 };
            }
            updates = updates.max(own);
        }
        (updates, self.worlds[0].tile_stats().built - before)
    }

    fn paint(&mut self, rect: CellRect) {
        for world in &mut self.worlds {
            world.set_terrain_rect(rect, 3).expect("inside");
        }
        assert!(self.worlds[0].has_next_costs(), "too much for one update");
    }

    fn assert_same(&mut self, what: &str) {
        let (goal, starts) = (self.goal, &self.starts);
        let [limited, whole] = self.worlds.each_mut().map(|world| {
            let costs = world.costs_to_goal(goal, starts, 0).expect("known");
            (costs, world.flow_vectors(goal, starts, 0).expect("known"))
        });
        assert_eq!(limited, whole, "{what}");
    }
}

fn square(low: i32, side: i32) -> CellRect {
    let low = IVec2::splat(low);
    CellRect {
        low,
        high: low + side,
    }
}

#[test]
fn graphs_and_tiles_are_built_anew_where_much_has_changed() {
    let mut games = Games::new();
    games.paint(square(0, SIZE as i32));
    let (all_updates, all_tiles) = games.settle();
    games.assert_same("everything");
    games.paint(square(150, 40));
    let (updates, tiles) = games.settle();
    games.assert_same("a part");
    assert!(
        4 * updates < all_updates && 4 * tiles < all_tiles,
        "{updates} of {all_updates} updates, {tiles} of {all_tiles} tiles"
    );
}

/// Slots of goals take edits over late, and graphs even later.
#[test]
fn loads_and_rollbacks_find_the_same_parts() {
    let ready = || {
        let map = rooms(96, 96, 12, 5);
        let mut world = world_of(&map, Workers::serial());
        world.set_sector_size(8).expect("in range");
        let clearance = Clearance::new(0.9).expect("in range");
        let plain = MovementType::default();
        let kinds = [plain.clone(), plain.with_clearance(clearance)];
        world.set_movement_types(&kinds).expect("two");
        world.set_update_cells(500);
        world.set_tile_limit(60);
        world.set_route_limit(9).expect("in range");
        world
    };
    let mut worlds = [ready(), ready()];
    let places = open_places(&worlds[0]);
    let goals: Vec<GoalId> = (0..150)
        .map(|number| {
            let target = places[number * places.len() / 150];
            let created = worlds.each_mut().map(|world| {
                let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
                goal.expect("inside")
            });
            created[0]
        })
        .collect();
    let mut random = SplitMix64::new(7);
    let mut changes = 0;
    for tick in 0..400 {
        let at =
            |random: &mut SplitMix64| IVec2::new(random.below(60) as i32, random.below(60) as i32);
        let (low, other) = (at(&mut random), at(&mut random));
        let goal = goals[random.below(goals.len())];
        let from = places[random.below(places.len())];
        let movement = random.below(2);
        for world in &mut worlds {
            if tick % 50 == 45 {
                let rect = CellRect {
                    low,
                    high: low + 30,
                };
                let id = [3, 255, 1][tick / 50 % 3];
                world.set_terrain_rect(rect, id).expect("inside");
                assert!(world.has_next_costs());
            }
            if tick % 23 < 3 {
                world.set_terrain(other, 255).expect("inside");
            }
            if tick % 80 == 70 {
                let link = Link {
                    from: low,
                    to: low + 30,
                    cost: 2.0,
                    both_ways: true,
                    travel: Travel::AtOnce,
                };
                drop(world.add_link(link));
            }
            for goal in goals.iter().skip(tick % 5).step_by(5).chain([&goal]) {
                world.request_route(*goal, movement, from).expect("known");
            }
        }
        let [quiet, loaded] = &mut worlds;
        if tick % 3 == 0 {
            let bytes = loaded.save_state().expect("nothing hinders");
            let mut other = ready();
            other.load_state(&bytes).expect("just saved");
            *loaded = other;
            let snapshot = quiet.snapshot();
            quiet.request_route(goals[0], 1, from).expect("known");
            (0..tick % 7).for_each(|_| drop(quiet.update()));
            quiet.restore(&snapshot).expect("the same types");
        }
        let had_next = quiet.has_next_costs();
        worlds.iter_mut().for_each(|world| drop(world.update()));
        changes += usize::from(had_next && !worlds[0].has_next_costs());
        let hashes = worlds.each_ref().map(FlowWorld::world_hash);
        assert_eq!(hashes[0], hashes[1], "tick {tick}");
    }
    assert!(changes > 5, "{changes}");
}

/// Clearance reaches over seams. A type that is added later may reach farther than those that knew the seam.
#[test]
fn a_seam_that_goes_concerns_types_that_are_added_later() {
    let grid = Grid::layered(IVec2::splat(70), 1.0, Vec2::ZERO, 2).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let above = IVec2::new(0, grid.layers().cells(1, 9).low.y);
    let from = IVec2::splat(30);
    let link = Link {
        from,
        to: from + above,
        cost: 2.0,
        both_ways: true,
        travel: Travel::Walk,
    };
    // A wall as far away as clearance follows the floor of the other layer, which goes on there.
    let wall = CellRect {
        low: from + IVec2::new(7, -5),
        high: from + IVec2::new(8, 6),
    };
    world.set_terrain_rect(wall, 255).expect("inside");
    let link = world.add_link(link).expect("inside");
    world
        .create_goal_with_mode(&[Vec2::splat(2.5)], &[0.0], GoalMode::Tiled)
        .expect("inside");
    world.update();
    world.set_update_cells(50);
    world.set_terrain_rect(square(1, 9), 3).expect("inside");
    world.update();
    world.remove_link(link).expect("known");
    let plain = MovementType::default();
    let wide = plain
        .clone()
        .with_clearance(Clearance::new(7.5).expect("in range"));
    world.set_movement_types(&[plain, wide]).expect("two");
    let beyond = from + IVec2::new(14, 0);
    assert!(world.costs(1).is_open(beyond), "the floor goes on");
    settle(&mut world);
    assert!(!world.costs(1).is_open(beyond), "a wall is near");
}

#[test]
fn several_parts_while_a_graph_is_being_built() {
    let mut games = Games::new();
    let clearance = Clearance::new(0.9).expect("in range");
    for world in &mut games.worlds {
        let kinds = [MovementType::default().with_clearance(clearance)];
        world.set_movement_types(&kinds).expect("one");
    }
    for (number, low) in [30, 90, 170].into_iter().enumerate() {
        for _ in 0..40 * number {
            games.worlds.iter_mut().for_each(|it| drop(it.update()));
        }
        games.paint(square(low, 40));
    }
    games.settle();
    games.assert_same("three parts");
}

/// Costs that are wanted at once, because nothing is done in slices any more, follow from two edits then.
#[test]
fn both_edits_count_where_the_terrain_between_them_is_skipped() {
    let mut games = Games::new();
    games.paint(square(30, 40));
    games.worlds.iter_mut().for_each(|it| drop(it.update()));
    games.paint(square(170, 40));
    games.worlds[0].set_update_cells(0);
    games.settle();
    assert!(!games.worlds[0].has_next_costs());
    games.assert_same("two parts");
}
