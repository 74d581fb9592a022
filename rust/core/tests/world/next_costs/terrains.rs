//! Terrains of which much has changed.

use crate::next_costs::{paint, settle, told};
use crate::slices::{SIZE, found, goal_in, other_costs, pair, updates_until_there};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::MovementType;
use flow_swarm::world::GoalMode;
use flow_swarm::{IVec2, Vec2};

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
        high: low + IVec2::new(3, 9),
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
