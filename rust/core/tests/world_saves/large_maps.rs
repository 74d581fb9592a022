//! Tiled goals on maps that are large enough for a level above the portal graph, and for middle fields: games that are
//! saved and loaded at random moments.

use crate::common::{crowds::tiled, fresh_seeds, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::BLOCKED;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, open};

/// With sectors of the least size the map has a level above.
const SIZE: i32 = 512;
const START: Vec2 = Vec2::splat(SIZE as f32 - 15.0);
/// In the corner of the map, in the cluster of the start.
const IN_POCKET: Vec2 = Vec2::splat(SIZE as f32 - 0.5);

fn world_on(map: &CostMap, cells: usize) -> FlowWorld {
    let mut world = world_of(map, Workers::serial());
    world.set_sector_size(4).expect("in range");
    world.set_update_cells(cells);
    world
}

/// A world with a route across the map.
fn with_a_route() -> (FlowWorld, GoalId) {
    let mut world = world_on(&open(SIZE as usize, SIZE as usize), 0);
    let goal = tiled(&mut world, Vec2::ONE);
    world.request_route(goal, 0, START).expect("known");
    settle(&mut world, goal, START);
    (world, goal)
}

fn settle(world: &mut FlowWorld, goal: GoalId, at: Vec2) {
    for _ in 0..2000 {
        world.update();
        if !world.has_slices_left() && world.query_status(goal, at, 0) == Ok(QueryStatus::Ok) {
            return;
        }
    }
    panic!("it is never ready");
}

/// Builds walls around the cells of a rectangle, up to the edges of the map.
fn wall_up(world: &mut FlowWorld, pocket: CellRect) {
    let map = CellRect {
        low: IVec2::ZERO,
        high: IVec2::splat(SIZE),
    };
    let around = pocket.grown(1).intersection(&map);
    world.set_terrain_rect(around, BLOCKED).expect("inside");
    world.set_terrain_rect(pocket, 1).expect("inside");
}

#[test]
fn a_world_can_be_loaded_after_walls_made_a_pocket() {
    // It covers two sectors at the corner of the map, which share a window.
    let pocket = CellRect {
        low: IVec2::new(SIZE - 7, SIZE - 2),
        high: IVec2::splat(SIZE),
    };
    // With a limit the graph of the walls is made in slices.
    for cells in [0, 40] {
        let (mut world, goal) = with_a_route();
        world.set_update_cells(cells);
        wall_up(&mut world, pocket);
        settle(&mut world, goal, START);
        let saved = world.save_state().expect("not in the background");
        let (mut loaded, _) = with_a_route();
        loaded.set_update_cells(cells);
        loaded.load_state(&saved).expect("its own save");
        for world in [&mut world, &mut loaded] {
            assert_eq!(world.request_route(goal, 0, IN_POCKET), Ok(false));
            world.update();
        }
        assert_eq!(world.world_hash(), loaded.world_hash());
    }
}

/// An order of a game.
enum Order {
    Move(usize, Vec2),
    Route(usize, Vec2),
    Fill(CellRect, u8),
    WallUp(CellRect),
}

impl Order {
    fn drawn(random: &mut SplitMix64, places: &mut [Vec2]) -> Self {
        let size = SIZE as usize;
        let mut place = || Vec2::new(random.below(size) as f32, random.below(size) as f32) + 0.5;
        let (far, low) = (place(), place().as_ivec2());
        let extent = IVec2::new(1 + random.below(9) as i32, 1 + random.below(9) as i32);
        let rect = CellRect {
            low,
            high: (low + extent).min(IVec2::splat(SIZE)),
        };
        // The first goal stands: a search for one that walks spreads over the whole map.
        let (goal, walker) = (random.below(places.len()), 1);
        match random.below(12) {
            0..2 => Self::WallUp(rect),
            2..4 => Self::Fill(rect, [1, 1, 3, BLOCKED][random.below(4)]),
            4 => {
                places[walker] = far;
                Self::Move(walker, far)
            }
            5..8 => {
                let step = Vec2::new(random.below(3) as f32, random.below(3) as f32) - 1.0;
                let most = Vec2::splat(SIZE as f32 - 0.5);
                places[walker] = (places[walker] + step).clamp(Vec2::splat(0.5), most);
                Self::Move(walker, places[walker])
            }
            _ => Self::Route(goal, far),
        }
    }

    fn give(&self, world: &mut FlowWorld, goals: &[GoalId]) -> Option<bool> {
        match *self {
            Self::Move(goal, to) => world.move_goal(goals[goal], &[to]).expect("inside"),
            Self::Route(goal, from) => {
                return Some(world.request_route(goals[goal], 0, from).expect("inside"));
            }
            Self::Fill(rect, id) => world.set_terrain_rect(rect, id).expect("inside"),
            Self::WallUp(pocket) => wall_up(world, pocket),
        }
        None
    }
}

fn play(seed: u64, ticks: usize) {
    let mut random = SplitMix64::new(seed);
    let maps = every_kind(SIZE as usize, SIZE as usize, seed % 16);
    let (name, map) = &maps[random.below(maps.len())];
    let cells = [0, 40, 900][random.below(3)];
    let mut places = [Vec2::splat(5.5), Vec2::splat(300.5)];
    let mut worlds = [world_on(map, 0), world_on(map, 0)];
    let [goals, _] = worlds.each_mut().map(|world| {
        let goals = places.map(|place| tiled(world, place));
        // The graph is made at once: in slices it would take longer than the game.
        for goal in goals {
            world.request_route(goal, 0, START).expect("known");
        }
        world.update();
        world.set_update_cells(cells);
        goals
    });
    for tick in 0..ticks {
        let what = format!("seed {seed}, {name}, {cells} cells, tick {tick}");
        for _ in 0..random.below(6) {
            let order = Order::drawn(&mut random, &mut places);
            let [kept, saved] = worlds.each_mut().map(|world| order.give(world, &goals));
            assert_eq!(kept, saved, "{what}");
        }
        if random.percent(8) {
            let bytes = worlds[1].save_state().expect("not in the background");
            let mut loaded = world_on(map, cells);
            let result = loaded.load_state(&bytes);
            assert_eq!(result, Ok(()), "{what}");
            worlds[1] = loaded;
        }
        for world in &mut worlds {
            world.update();
        }
        let [kept, saved] = worlds.each_ref().map(FlowWorld::world_hash);
        assert_eq!(kept, saved, "{what}");
    }
}

#[test]
fn games_with_large_maps_go_on_as_if_they_were_not_loaded() {
    for seed in 0..4 {
        play(seed, 60);
    }
    for seed in fresh_seeds(4, 10) {
        play(seed, 60);
    }
}
