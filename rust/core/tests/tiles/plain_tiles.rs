//! Flow tiles, section 3, the plain variant: each tile leads to the exits of its sector only, and is shared. All agents
//! still arrive.

use crate::common::crowds::{
    SPEED, arrive, crowd_on_the_left, random_starts, swarm_of, tick, tiled, walk_over_edits,
};
use crate::common::{cell_of, center_of, central_goal, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{MovementType, TerrainSpeed};
use flow_swarm::swarm::{ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, QueryStatus, TileStats, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{
    CostMap, SplitMix64, WALL, every_kind, open, random_walls, rooms, terrain,
};
use flow_swarm_bench::oracle::{StepRule, exact_costs};
use flow_swarm_bench::walker::Walker;

fn plain_world(map: &CostMap, workers: Workers) -> FlowWorld {
    let mut world = world_of(map, workers);
    world.set_tile_variant(TileVariant::Plain);
    world
}

/// The seconds in which an agent arrives from any cell with a finite cost, with reserves for crowds and for paths that
/// are not shortest.
fn enough_seconds(costs: &[f64]) -> f64 {
    let reached = costs.iter().copied().filter(|cost| cost.is_finite());
    4.0 * (reached.fold(0.0, f64::max) + 60.0) / f64::from(SPEED) + 10.0
}

#[test]
fn all_agents_arrive_on_every_kind_of_map() {
    for (name, map) in every_kind(70, 61, 8) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        for sector in [4, 5, 7, 10, 16, 33, 64] {
            for solver in [Solver::Eikonal, Solver::Octile] {
                for limit in [1, 256] {
                    let mut world = plain_world(&map, Workers::serial());
                    world.set_solver(solver);
                    world.set_sector_size(sector).expect("in range");
                    world.set_tile_limit(limit);
                    let goal = tiled(&mut world, center_of(&map, target));
                    let starts = random_starts(&map, &costs, 60, u64::from(sector));
                    let mut swarm = swarm_of(&world, &starts, goal);
                    let name = format!("{name}, sectors of {sector}, {solver:?}, {limit} a tick");
                    arrive(&name, &mut world, &mut swarm, enough_seconds(&costs));
                    assert!(world.tile_stats().built > 0, "{name}");
                }
            }
        }
    }
}

/// Single agents that come to rest at a corner would stay there, because no other agent pushes them.
#[test]
fn single_bodies_pass_every_corner() {
    for (name, map) in every_kind(90, 81, 5) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        for sector in [4, 11, 16, 33] {
            let mut world = plain_world(&map, Workers::serial());
            world.set_sector_size(sector).expect("in range");
            let goal = tiled(&mut world, center_of(&map, target));
            let mut random = SplitMix64::new(9);
            let mut aside = || 0.38 * (random.below(101) as f32 / 50.0 - 1.0);
            let mut starts = random_starts(&map, &costs, 400, 6);
            for start in &mut starts {
                *start += Vec2::new(aside(), aside());
            }
            let mut swarm = swarm_of(&world, &starts, goal);
            let settings = Settings {
                arrival: ArrivalAction::Despawn,
                separation: false,
                ..Settings::default()
            };
            swarm.set_settings(settings).expect("valid");
            let name = format!("{name}, sectors of {sector}");
            arrive(&name, &mut world, &mut swarm, enough_seconds(&costs));
        }
    }
}

#[test]
fn walks_meet_no_wall_and_cut_no_corner() {
    for (name, map) in every_kind(64, 64, 3) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        let costs = exact_costs(&map, &[target], &StepRule::default());
        for (sector, solver) in [(6, Solver::Eikonal), (16, Solver::Octile)] {
            let mut world = plain_world(&map, Workers::serial());
            world.set_solver(solver);
            world.set_sector_size(sector).expect("in range");
            let goal = tiled(&mut world, center_of(&map, target));
            for start in random_starts(&map, &costs, 40, 1) {
                let cell = world.grid().cell_at(start);
                let longest = 3.0 * costs[map.index(cell.x as usize, cell.y as usize)] + 100.0;
                let end = center_of(&map, target);
                let walk = Walker::new(0.25).walk(&map, start, end, longest, |at| {
                    world.request_route(goal, 0, at).expect("inside");
                    world.update();
                    world.route(goal, 0).expect("known").sample_for(at, 0.0)
                });
                let name = format!("{name}, sectors of {sector}, {solver:?}, from {start:?}");
                assert!(walk.arrived(), "{name}: {walk:?}");
                assert_eq!((walk.wall_hits, walk.corner_cuts), (0, 0), "{name}");
            }
        }
    }
}

#[test]
fn edits_under_a_moving_crowd_stop_no_agent() {
    for seed in (0..8).chain(crate::common::fresh_seeds(1, 10)) {
        let map = rooms(130, 100, 14, seed);
        let target = central_goal(&map).expect("open");
        let costs = exact_costs(&map, &[target], &StepRule::default());
        let mut world = plain_world(&map, Workers::serial());
        let sector = [4, 7, 16, 40][seed as usize % 4];
        world.set_sector_size(sector).expect("in range");
        world.set_tile_limit(12);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 150, seed), goal);
        walk_over_edits(&map, target, seed, &mut world, &mut swarm);
        let name = format!("seed {seed}, sectors of {sector}");
        arrive(&name, &mut world, &mut swarm, 400.0);
    }
}

#[test]
fn the_only_door_shuts_and_opens() {
    let mut map = open(120, 90);
    for y in (0..map.height).filter(|y| !(20..24).contains(y)) {
        let index = map.index(60, y);
        map.cost[index] = WALL;
    }
    let mut world = plain_world(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..100 {
        tick(&mut world, &mut swarm);
    }
    let door = |world: &mut FlowWorld, id: u8| {
        for y in 20..24 {
            world.set_terrain(IVec2::new(60, y), id).expect("inside");
        }
    };
    door(&mut world, WALL);
    for _ in 0..200 {
        tick(&mut world, &mut swarm);
    }
    let place = swarm.positions()[0];
    let status = world.query_status(goal, place, 0);
    assert_eq!(status, Ok(QueryStatus::Disconnected));
    assert_eq!(world.flow_vector(goal, place, 0), Ok(Vec2::ZERO));
    assert_eq!(swarm.len(), 80, "no agent gets through a shut door");
    door(&mut world, 1);
    arrive("the door is open", &mut world, &mut swarm, 80.0);
}

#[test]
fn moved_goals_are_reached() {
    let map = rooms(130, 130, 14, 3);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let places = random_starts(&map, &costs, 12, 4);
    let mut world = plain_world(&map, Workers::serial());
    world.set_tile_limit(3);
    let goal = tiled(&mut world, center_of(&map, target));
    let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 100, 5), goal);
    for place in places {
        world.move_goal(goal, &[place]).expect("inside");
        for _ in 0..25 {
            tick(&mut world, &mut swarm);
        }
    }
    arrive("moved", &mut world, &mut swarm, 200.0);
}

#[test]
fn threads_change_nothing() {
    let map = rooms(140, 110, 14, 2);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 1500, 2);
    let run = |threads: usize| {
        let mut world = plain_world(&map, Workers::new(threads).expect("threads"));
        world.set_tile_limit(40);
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        for number in 0..120 {
            if number % 20 == 19 {
                let cell = cell_of(&map, number * 97 % map.len());
                world.set_terrain(cell, WALL).expect("inside");
            }
            tick(&mut world, &mut swarm);
        }
        let bits = |at: &Vec2| (at.x.to_bits(), at.y.to_bits());
        let places: Vec<_> = swarm.positions().iter().map(bits).collect();
        (places, world.tile_stats())
    };
    let alone = run(1);
    for threads in [2, 5] {
        assert!(run(threads) == alone, "{threads} threads");
    }
}

#[test]
fn no_update_makes_more_tiles_than_it_may() {
    let map = rooms(140, 110, 14, 6);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let mut world = plain_world(&map, Workers::serial());
    world.set_tile_limit(5);
    let goal = tiled(&mut world, center_of(&map, target));
    let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 300, 7), goal);
    let mut most = 0;
    for _ in 0..100 {
        let before = world.tile_stats().built;
        tick(&mut world, &mut swarm);
        let built = world.tile_stats().built - before;
        assert!(built <= 5, "{built} tiles");
        most = most.max(built);
    }
    assert_eq!(most, 5);
}

/// Twenty crowds, each with its own goal.
fn crowds_to_many_goals(map: &CostMap, variant: TileVariant) -> TileStats {
    let target = central_goal(map).expect("open");
    let costs = exact_costs(map, &[target], &StepRule::default());
    let mut world = world_of(map, Workers::serial());
    // The test is about tiles, not about how high costs slow agents.
    let kind = MovementType::default().with_terrain_speed(&TerrainSpeed::even());
    world.set_movement_types(&[kind]).expect("one");
    world.set_tile_variant(variant);
    let goals: Vec<GoalId> = random_starts(map, &costs, 20, 1)
        .into_iter()
        .map(|place| tiled(&mut world, place))
        .collect();
    let starts = random_starts(map, &costs, 20 * 50, 2);
    let mut swarm = swarm_of(&world, &starts[..50], goals[0]);
    for (group, &goal) in goals.iter().enumerate().skip(1) {
        let starts = &starts[50 * group..][..50];
        swarm
            .spawn(&world, starts, 0, group as i64)
            .expect("inside");
        swarm
            .set_group_goal(group as i64, Some(goal))
            .expect("a group");
    }
    // The test is not about crowds that meet head-on.
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        separation: false,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    arrive(&format!("{variant:?}"), &mut world, &mut swarm, 300.0);
    world.tile_stats()
}

#[test]
fn goals_share_plain_tiles_more_than_others() {
    let maps = [
        ("rooms", rooms(160, 160, 14, 9)),
        ("terrain", terrain(160, 160, 9)),
        ("random", random_walls(160, 160, 10, 9)),
    ];
    for (name, map) in maps {
        let seamless = crowds_to_many_goals(&map, TileVariant::Seamless).cache;
        let plain = crowds_to_many_goals(&map, TileVariant::Plain).cache;
        let share = |found: u64, made: u64| found as f64 / (found + made) as f64;
        assert!(
            share(plain.hits, plain.misses) > share(seamless.hits, seamless.misses) + 0.2,
            "{name}: {plain:?}, {seamless:?}"
        );
        assert!(
            2 * plain.misses < seamless.misses,
            "{name}: {plain:?}, {seamless:?}"
        );
    }
}

#[test]
fn another_variant_under_way_forgets_tiles_and_stops_no_agent() {
    let map = rooms(130, 100, 14, 4);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let mut world = world_of(&map, Workers::serial());
    assert_eq!(world.tile_variant(), TileVariant::Seamless);
    let goal = tiled(&mut world, center_of(&map, target));
    let mut swarm = swarm_of(&world, &random_starts(&map, &costs, 150, 5), goal);
    for variant in [
        TileVariant::Plain,
        TileVariant::Seamless,
        TileVariant::Plain,
    ] {
        for _ in 0..30 {
            tick(&mut world, &mut swarm);
        }
        assert!(world.tile_stats().active > 0);
        world.set_tile_variant(variant);
        assert_eq!(world.tile_variant(), variant);
        assert_eq!(world.tile_stats().active, 0);
    }
    arrive("changed", &mut world, &mut swarm, 200.0);
}

#[test]
fn saved_plain_tiles_are_found_again() {
    let map = rooms(130, 100, 14, 4);
    let target = central_goal(&map).expect("open");
    let costs = exact_costs(&map, &[target], &StepRule::default());
    let starts = random_starts(&map, &costs, 150, 5);
    let run = |saved: Option<&[u8]>| {
        let mut world = plain_world(&map, Workers::serial());
        if let Some(saved) = saved {
            assert!(world.load_tiles(saved).expect("the same world") > 0);
        }
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts, goal);
        arrive("saved", &mut world, &mut swarm, 200.0);
        world
    };
    let bytes = run(None).save_tiles();
    let again = run(Some(&bytes)).tile_stats();
    assert_eq!(again.cache.misses, 0, "{again:?}");
    // A tile is found by its inputs, so a world with the other variant loads the file too.
    let mut other = world_of(&map, Workers::serial());
    assert!(other.load_tiles(&bytes).expect("the same ground") > 0);
}

#[test]
fn links_are_gone_by_whatever_tiles_are_set() {
    let mut map = open(96, 64);
    for y in 0..64 {
        let index = map.index(48, y);
        map.cost[index] = WALL;
    }
    let mut world = plain_world(&map, Workers::serial());
    let goal = tiled(&mut world, Vec2::new(80.5, 40.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    for _ in 0..20 {
        tick(&mut world, &mut swarm);
    }
    let bridge = Link {
        from: IVec2::new(40, 30),
        to: IVec2::new(56, 30),
        cost: 4.0,
        both_ways: true,
        travel: Travel::AtOnce,
    };
    world.add_link(bridge).expect("valid");
    arrive("by the link", &mut world, &mut swarm, 120.0);
}

/// Length of the walk from one cell to another, as a multiple of the straight line.
fn detour(map: &CostMap, sector: u32, start: Vec2, end: Vec2) -> f64 {
    let mut world = plain_world(map, Workers::serial());
    world.set_sector_size(sector).expect("in range");
    let goal = tiled(&mut world, end);
    let straight = f64::from(start.distance(end));
    let walk = Walker::new(0.25).walk(map, start, end, 3.0 * straight, |at| {
        world.request_route(goal, 0, at).expect("inside");
        world.update();
        world.route(goal, 0).expect("known").sample_for(at, 0.0)
    });
    assert!(
        walk.arrived(),
        "sectors of {sector}, {start:?} to {end:?}: {walk:?}"
    );
    walk.length / straight
}

/// A goal that is seen is gone to in a straight line over any number of sectors.
#[test]
fn visible_goals_are_gone_to_straight() {
    let map = open(400, 300);
    let mut random = SplitMix64::new(6);
    let mut place = || Vec2::new(random.below(400) as f32, random.below(300) as f32) + 0.5;
    for sector in [10, 16] {
        for _ in 0..24 {
            let (start, end) = (place(), place());
            let found = detour(&map, sector, start, end);
            // From afar agents do not look along the edge of the map.
            let is_near = start.distance(end) < 60.0;
            let most = if is_near { 1.001 } else { 1.002 };
            assert!(
                found < most,
                "sectors of {sector}, {start:?} to {end:?}: {found}"
            );
        }
    }
}

/// What agents see from afar follows edits, also back, and is the same in a world that was loaded and has not looked
/// yet.
#[test]
fn far_goals_are_seen_as_the_ground_is_now() {
    let map = open(320, 120);
    let target = Vec2::new(300.5, 60.5);
    let mut world = plain_world(&map, Workers::serial());
    let goal = tiled(&mut world, target);
    let starts: Vec<Vec2> = (0..160)
        .map(|number| Vec2::new((6 + number / 40) as f32, (20 + 2 * (number % 40)) as f32) + 0.5)
        .collect();
    let mut swarm = swarm_of(&world, &starts, goal);
    let are_straight = |world: &mut FlowWorld, swarm: &Swarm| {
        let route = world.route(goal, 0).expect("known");
        let goes_straight = |&&at: &&Vec2| {
            let wanted = (target - at).normalize();
            route.sample_for(at, 0.3).dot(wanted) > 0.999_999
        };
        swarm.positions().iter().filter(goes_straight).count()
    };
    let build = |world: &mut FlowWorld, id: u8| {
        let rect = CellRect {
            low: IVec2::new(150, 50),
            high: IVec2::new(154, 70),
        };
        world.set_terrain_rect(rect, id).expect("inside");
    };
    for _ in 0..3 {
        tick(&mut world, &mut swarm);
    }
    assert_eq!(are_straight(&mut world, &swarm), starts.len());
    let free = world.snapshot();
    build(&mut world, WALL);
    for _ in 0..3 {
        tick(&mut world, &mut swarm);
    }
    let beside = are_straight(&mut world, &swarm);
    assert!(
        (1..starts.len() / 2).contains(&beside),
        "{beside} see past the wall"
    );
    let walled = world.snapshot();
    for (snapshot, expected) in [(&free, starts.len()), (&walled, beside)] {
        world.restore(snapshot).expect("its own snapshot");
        assert_eq!(are_straight(&mut world, &swarm), expected);
    }
    let mut loaded = plain_world(&map, Workers::serial());
    let saved = world.save_state().expect("nothing is in its way");
    loaded.load_state(&saved).expect("its own save");
    let mut its_swarm = swarm_of(&loaded, &starts, goal);
    let saved = swarm.save();
    its_swarm.load_in(&loaded, &saved).expect("its own save");
    for number in 0..90 {
        if number == 40 {
            build(&mut world, 1);
            build(&mut loaded, 1);
        }
        tick(&mut world, &mut swarm);
        tick(&mut loaded, &mut its_swarm);
        assert_eq!(swarm.positions(), its_swarm.positions(), "tick {number}");
    }
    assert_eq!(are_straight(&mut world, &swarm), starts.len());
}
