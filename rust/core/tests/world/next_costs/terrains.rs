//! Terrains of which much has changed.

use crate::next_costs::{paint, settle, told};
use crate::slices::{SIZE, found, goal_in, other_costs, pair, updates_until_there};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::random_walls;

#[test]
fn the_costs_of_the_old_terrain_stay_in_use_as_a_whole() {
    let [mut limited, mut whole] = pair();
    let plain = MovementType::default();
    let kinds = [plain.clone(), other_costs()];
    let goals = [&mut limited, &mut whole].map(|world| {
        world.set_movement_types(&kinds).expect("two");
        let goal = goal_in(world, GoalMode::Full);
        world.update();
        goal
    });
    settle(&mut limited);
    limited.set_update_cells(50);
    let old = [0, 1].map(|it| told(limited.costs(it)));
    let field = found(&mut limited, goals[0]);
    // Walls that are built meanwhile wait as well, and a goal that is new gets its field then.
    let low = IVec2::splat(30);
    let wall = CellRect {
        low,
        high: low + IVec2::new(1, 9),
    };
    for world in [&mut limited, &mut whole] {
        paint(world);
        world.update();
        world.set_terrain_rect(wall, 255).expect("inside");
    }
    let late = goal_in(&mut limited, GoalMode::Full);
    limited.require(late, 0).expect("known");
    let mut updates = 0;
    while limited.has_next_costs() {
        let now = [0, 1].map(|it| told(limited.costs(it)));
        assert!(now == old, "update {updates}");
        assert!(found(&mut limited, goals[0]) == field, "update {updates}");
        limited.update();
        updates += 1;
    }
    assert!(updates > 20, "{updates}");
    whole.update();
    for movement in 0..2 {
        assert!(told(limited.costs(movement)) == told(whole.costs(movement)));
    }
    updates_until_there(&mut limited, late);
    settle(&mut limited);
    assert!(found(&mut limited, goals[0]) == found(&mut whole, goals[1]));
}

#[test]
fn another_large_edit_waits_for_the_costs_in_work() {
    let [mut limited, mut whole] = pair();
    for world in [&mut limited, &mut whole] {
        world.update();
        world.set_terrain(IVec2::splat(9), 9).expect("inside");
        world.update();
    }
    limited.set_update_cells(50);
    let mut states = vec![told(whole.costs(0))];
    let mut in_use = states.clone();
    let edit = |world: &mut FlowWorld, number: usize| match number {
        0 | 2 => paint(world),
        1 => world.set_movement_types(&[other_costs()]).expect("one"),
        _ => world.set_terrain(IVec2::splat(70), 255).expect("inside"),
    };
    // The first one begins, the second one comes while it is being written, and so do the others.
    for number in 0..4 {
        for world in [&mut limited, &mut whole] {
            edit(world, number);
            world.update();
        }
        states.push(told(whole.costs(0)));
    }
    while limited.has_next_costs() {
        limited.update();
        let now = told(limited.costs(0));
        if in_use.last() != Some(&now) {
            in_use.push(now);
        }
    }
    // The new type waits too. The wall is part of the last large edit.
    assert_eq!(in_use.len(), 3);
    assert!(in_use[..2] == states[..2] && in_use[2] == states[4]);
}

#[test]
fn small_edits_change_the_costs_at_once() {
    let [mut world, mut whole] = pair();
    let rect = |side: i32| CellRect {
        low: IVec2::ONE,
        high: IVec2::ONE + side,
    };
    for world in [&mut world, &mut whole] {
        world.update();
        world.set_update_cells(50);
        world.set_terrain_rect(rect(7), 3).expect("inside");
        world.update();
    }
    whole.set_update_cells(0);
    assert!(!world.has_next_costs(), "49 cells");
    world.set_terrain_rect(rect(8), 5).expect("inside");
    assert!(world.has_next_costs(), "64 cells");
    let bad = CellRect {
        low: IVec2::ONE,
        high: IVec2::splat(SIZE as i32 + 1),
    };
    settle(&mut world);
    assert!(world.set_terrain_rect(bad, 7).is_err());
    assert!(world.set_terrain_bytes(&[1; 9]).is_err());
    assert!(!world.has_next_costs(), "what is refused changes nothing");
    // Tiles are loaded for the newest terrain.
    whole.set_terrain_rect(rect(8), 5).expect("inside");
    goal_in(&mut whole, GoalMode::Tiled);
    let tiles = whole.save_tiles();
    paint(&mut world);
    assert!(world.load_tiles(&tiles).is_err(), "for another terrain");
    assert!(world.has_next_costs(), "what is refused changes nothing");
    paint(&mut world);
    assert!(world.load_tiles(&tiles).is_ok());
    assert!(!world.has_next_costs());
    // A grid that grows has all costs at once.
    paint(&mut world);
    let larger = Grid::new(IVec2::splat(SIZE as i32 + 4), 1.0, Vec2::ZERO).expect("valid");
    world.set_grid(larger);
    assert!(!world.has_next_costs());
}

#[test]
fn types_may_change_while_the_costs_of_a_terrain_are_written() {
    let plain = MovementType::default();
    let other = other_costs();
    for kinds in [
        vec![plain.clone()],
        vec![other.clone()],
        vec![plain.clone(), other.clone()],
        vec![other, plain.clone(), plain],
    ] {
        let [mut limited, mut whole] = pair();
        for world in [&mut limited, &mut whole] {
            world.update();
        }
        limited.set_update_cells(50);
        let old = told(limited.costs(0));
        for world in [&mut limited, &mut whole] {
            paint(world);
            (0..9).for_each(|_| drop(world.update()));
            world.set_movement_types(&kinds).expect("few");
            world.update();
        }
        assert!(told(limited.costs(0)) == old);
        settle(&mut limited);
        for movement in 0..kinds.len() {
            let is_same = told(limited.costs(movement)) == told(whole.costs(movement));
            assert!(is_same, "{movement} of {}", kinds.len());
        }
    }
}

/// Clearance continues over links between floors, also over those that are removed while its costs are written.
#[test]
fn the_links_of_a_terrain_belong_to_its_costs() {
    let grid = Grid::layered(IVec2::splat(20), 1.0, Vec2::ZERO, 2).expect("valid");
    let size = grid.size();
    let clearance = Clearance::new(1.7).expect("in range");
    let kinds = [MovementType::default().with_clearance(clearance)];
    let [mut limited, mut whole] = [50, 0].map(|cells| {
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_movement_types(&kinds).expect("one");
        world.set_update_cells(cells);
        world.update();
        world
    });
    let above = IVec2::new(0, grid.layers().cells(1, 9).low.y);
    let links = (0..6).map(|number| Link {
        from: IVec2::splat(2 + 3 * number),
        to: IVec2::splat(2 + 3 * number) + above,
        cost: 2.0,
        both_ways: true,
        travel: Travel::Walk,
    });
    let links: Vec<Link> = links.collect();
    let walls = |share| random_walls(size.x as usize, size.y as usize, share, 3).cost;
    for world in [&mut limited, &mut whole] {
        world.add_links(&links).expect("inside");
        world.update();
        world.set_terrain_bytes(&walls(5)).expect("as large");
        world.update();
    }
    let linked = told(whole.costs(0));
    let before = told(limited.costs(0));
    for world in [&mut limited, &mut whole] {
        world.set_terrain_bytes(&walls(3)).expect("as large");
        let ids: Vec<_> = world.link_ids().collect();
        world.replace_links(&ids, &[]).expect("known");
        world.update();
    }
    while told(limited.costs(0)) == before {
        limited.update();
    }
    assert!(told(limited.costs(0)) == linked);
    settle(&mut limited);
    assert!(told(limited.costs(0)) == told(whole.costs(0)));
    whole.set_terrain_bytes(&walls(5)).expect("as large");
    whole.update();
    assert!(told(whole.costs(0)) != linked, "links matter");
}
