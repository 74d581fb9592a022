//! Fields and portal graphs after large edits and changed movement types, in slices: those before stay in use, and at
//! the end the next ones are what a world without a limit builds at once.

use crate::slices::{
    CELLS, SIZE, followed, found, goal_in, open_places, other_costs, pair, updates_until_there,
};
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::MovementType;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;

/// A wall across the map with a gap at its end.
fn wall_across() -> CellRect {
    let low = IVec2::new(0, SIZE as i32 / 2);
    let high = low + IVec2::new(SIZE as i32 - 9, 2);
    CellRect { low, high }
}

#[test]
fn the_old_field_stays_in_use_while_one_for_a_large_edit_is_built() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        updates_until_there(world, goal);
    }
    let before = followed(&limited, goal);
    for world in [&mut limited, &mut whole] {
        world.set_terrain_rect(wall_across(), 255).expect("inside");
        world.update();
    }
    let mut updates = 1;
    while limited.build_stats().full_solves == 1 {
        assert!(followed(&limited, goal) == before, "update {updates}");
        // A small edit meanwhile.
        if updates == 5 {
            for world in [&mut limited, &mut whole] {
                world.set_terrain(IVec2::new(3, 4), 255).expect("inside");
                world.update();
            }
        } else {
            limited.update();
        }
        updates += 1;
        assert!(updates < 100, "it is never finished");
    }
    assert!(updates > 8, "{updates} updates");
    limited.update();
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
}

#[test]
fn fields_are_repaired_at_once_after_small_edits() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    // The cell from which the way is longest: nothing depends on it.
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        updates_until_there(world, goal);
        let places = open_places(world);
        let costs = world.costs_to_goal(goal, &places, 0).expect("known");
        let far = costs.iter().zip(&places).max_by(|one, other| {
            let cost = |it: &Option<f64>| it.unwrap_or(0.0);
            cost(one.0).total_cmp(&cost(other.0))
        });
        let (_, &far) = far.expect("some are open");
        let cell = world.grid().cell_at(far);
        world.set_terrain(cell, 255).expect("inside");
        world.update();
    }
    assert_eq!(limited.build_stats().repairs, 1);
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
}

#[test]
fn queries_see_edits_before_agents_do() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.require(goal, 0).expect("known");
        updates_until_there(world, goal);
        world.set_terrain_rect(wall_across(), 255).expect("inside");
    }
    let before = followed(&limited, goal);
    assert!(found(&mut limited, goal) == found(&mut whole, goal));
    assert!(
        followed(&limited, goal) == before,
        "agents follow the old field"
    );
    assert_eq!(limited.build_stats().full_solves, 1);
}

#[test]
fn the_old_graph_stays_in_use_until_the_new_one_is_built() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Tiled);
    goal_in(&mut whole, GoalMode::Tiled);
    let places = open_places(&limited);
    let starts: Vec<Vec2> = (0..6).map(|number| places[number * 40]).collect();
    let settle = |world: &mut FlowWorld| {
        for update in 0..400 {
            for &from in &starts {
                world.request_route(goal, 0, from).expect("known");
            }
            world.update();
            let stats = world.tile_stats();
            if update > 90 && (stats.waiting, stats.queued) == (0, 0) {
                return;
            }
        }
        panic!("it is never finished");
    };
    let mut known = None;
    for change in 0..3 {
        for world in [&mut limited, &mut whole] {
            match change {
                1 => world.set_terrain_rect(wall_across(), 255).expect("inside"),
                2 => world.set_movement_types(&[other_costs()]).expect("one"),
                _ => {}
            }
        }
        if change > 0 {
            // Directions of tiles follow the costs at once, and routes only once the graph does.
            limited.update();
            let route = limited.cost_to_goal(goal, starts[0], 0).expect("known");
            assert_eq!(route, known, "change {change}");
        }
        settle(&mut limited);
        settle(&mut whole);
        let costs = [&mut limited, &mut whole].map(|world| {
            let cost = |&from: &Vec2| world.cost_to_goal(goal, from, 0).expect("known");
            starts.iter().map(cost).collect::<Vec<_>>()
        });
        assert_eq!(costs[0], costs[1], "change {change}");
        assert!(known.is_none() || known != costs[0][0], "change {change}");
        known = costs[0][0];
        let directions = [&mut limited, &mut whole]
            .map(|world| world.flow_vectors(goal, &starts, 0).expect("known"));
        assert_eq!(directions[0], directions[1], "change {change}");
    }
}

#[test]
fn graphs_in_slices_go_on_after_a_load_and_whatever_is_asked() {
    let world = || {
        let [mut world, _] = pair();
        world.set_route_limit(2).expect("in range");
        world.set_tile_limit(7);
        world
    };
    let mut worlds = [world(), world(), world()];
    let goals = worlds.each_mut().map(|world| {
        let goal = goal_in(world, GoalMode::Tiled);
        world.set_update_cells(2 * CELLS / 3);
        goal
    });
    let goal = goals[0];
    let mut random = SplitMix64::new(9);
    let mut link = None;
    for tick in 0..220 {
        let places = open_places(&worlds[0]);
        let from = places[random.below(places.len())];
        let cell = worlds[0].grid().cell(random.below(SIZE * SIZE));
        for world in &mut worlds {
            match tick {
                40 => world.set_terrain_rect(wall_across(), 255).expect("inside"),
                52 | 60 => world.set_terrain(cell, 255).expect("inside"),
                70 | 95 => {
                    let kind = if tick == 70 {
                        other_costs()
                    } else {
                        MovementType::default()
                    };
                    world.set_movement_types(&[kind]).expect("one");
                }
                130 => world.set_terrain_rect(wall_across(), 1).expect("inside"),
                140 => {
                    let ends = (IVec2::new(2, 2), IVec2::new(90, 90));
                    let added = world.add_link(Link {
                        from: ends.0,
                        to: ends.1,
                        cost: 2.0,
                        both_ways: true,
                        travel: Travel::AtOnce,
                    });
                    link = added.ok();
                }
                180 => link.map_or((), |link| world.remove_link(link).expect("known")),
                _ => {}
            }
            if tick % 4 == 0 {
                world.request_route(goal, 0, from).expect("known");
            }
        }
        let [quiet, loaded, asked] = &mut worlds;
        if random.percent(30) {
            let mut other = world();
            other.set_update_cells(2 * CELLS / 3);
            if (70..95).contains(&tick) {
                other.set_movement_types(&[other_costs()]).expect("one");
            }
            let bytes = loaded.save_state().expect("the costs before are known");
            other.load_state(&bytes).expect("just saved");
            assert!(other.save_state() == Ok(bytes), "tick {tick}");
            *loaded = other;
        }
        asked.flow_vector(goal, from, 0).expect("known");
        asked.cost(cell, 0).expect("inside");
        asked.query_status(goal, from, 0).expect("known");
        for world in [&mut *quiet, &mut *loaded, &mut *asked] {
            world.update();
        }
        let expected = (quiet.world_hash(), followed(quiet, goal));
        let found = (loaded.world_hash(), followed(loaded, goal));
        assert!(found == expected, "loaded, tick {tick}");
        let found = (asked.world_hash(), followed(asked, goal));
        assert!(found == expected, "asked, tick {tick}");
    }
}
