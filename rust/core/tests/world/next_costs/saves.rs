//! Saves, snapshots and tiles while costs are written.

use crate::next_costs::{paint, settle, told};
use crate::slices::{SIZE, goal_in, open_places, other_costs, pair};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{CostOverlay, MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};

/// What is to be written in slices.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Kind,
    /// A type that is added, and then changes.
    Addition,
    Terrain,
    Both,
}

impl Change {
    fn is_of_kinds(self) -> bool {
        matches!(self, Self::Kind | Self::Addition)
    }
}

#[test]
fn saves_and_snapshots_go_on_with_the_rows_that_are_written() {
    for change in [
        Change::Kind,
        Change::Addition,
        Change::Terrain,
        Change::Both,
    ] {
        play_with_saves(change);
    }
}

/// The movement type before and after it changes again.
fn kind_number(number: usize) -> MovementType {
    let penalty = WallPenalty::new(40 + number as i64, 3, true);
    MovementType::with_wall_penalty(penalty.expect("in range"))
}

/// Adds an overlay that does not concern a type that is added.
fn cover_for_the_first(world: &mut FlowWorld) {
    let overlay = CostOverlay::circle(9.0, 9).expect("in range");
    let overlay = overlay.with_movement_types(1);
    let at = Vec2::splat(70.0);
    world.add_cost_overlay(at, &overlay).expect("inside");
}

fn play_with_saves(change: Change) {
    let ready = || {
        let [mut world, _] = pair();
        cover_for_the_first(&mut world);
        world.update();
        world.set_update_cells(50);
        world
    };
    let set_kind = |world: &mut FlowWorld, number: usize| {
        let kind = kind_number(number);
        let kinds = match change {
            Change::Terrain => return,
            Change::Kind | Change::Both => vec![kind],
            Change::Addition => vec![MovementType::default(), kind],
        };
        world.set_movement_types(&kinds).expect("one or two");
    };
    let mut newest = 0;
    let mut quiet = ready();
    let mut hashes = Vec::new();
    let mut loaded = ready();
    for world in [&mut quiet, &mut loaded] {
        set_kind(world, newest);
        if !change.is_of_kinds() {
            paint(world);
        }
    }
    let low = IVec2::new(9, 9);
    let rect = CellRect {
        low,
        high: low + 80,
    };
    while quiet.has_slices_left() {
        let bytes = loaded.save_state().expect("nothing hinders");
        let mut other = ready();
        if change != Change::Terrain {
            let refused = other.load_state(&bytes).expect_err("other types");
            assert!(refused.to_string().contains("movement types"), "{refused}");
        }
        set_kind(&mut other, newest);
        other.load_state(&bytes).expect("just saved");
        assert!(other.save_state() == Ok(bytes), "{change:?}");
        loaded = other;
        let snapshot = quiet.snapshot();
        // Without an edit it goes on with the rows that were written meanwhile.
        if hashes.len() % 2 == 0 {
            let edited = quiet.set_terrain_rect(rect, 255);
            edited.expect("inside");
        }
        quiet.update();
        quiet.update();
        quiet.restore(&snapshot).expect("the same types");
        // More changes while these are being written.
        let changes_again = [4, 7].contains(&hashes.len());
        newest += usize::from(changes_again);
        for world in [&mut quiet, &mut loaded] {
            if changes_again {
                set_kind(world, newest);
                if !change.is_of_kinds() {
                    paint(world);
                }
            }
            let number = hashes.len() as i32;
            let cell = IVec2::new(40 + number % 7, 3 * number % SIZE as i32);
            world.set_terrain(cell, 255).expect("inside");
            if number == 5 {
                let overlay = CostOverlay::circle(9.0, 9).expect("in range");
                let at = Vec2::splat(33.0);
                world.add_cost_overlay(at, &overlay).expect("inside");
            }
            world.update();
        }
        let last = quiet.movement_type_count() - 1;
        let hash = quiet.world_hash();
        assert_eq!(hash, loaded.world_hash(), "{change:?}");
        hashes.push(hash);
        assert!(
            told(quiet.costs(last)) == told(loaded.costs(last)),
            "{change:?}"
        );
    }
    assert!(!loaded.has_slices_left());
    assert!(hashes.len() > 20, "{change:?}: {}", hashes.len());
    let mut fresh = FlowWorld::new(*quiet.grid(), Workers::serial());
    let terrain = quiet.terrain().to_bytes();
    fresh.set_terrain_bytes(&terrain).expect("as large");
    cover_for_the_first(&mut fresh);
    set_kind(&mut fresh, newest);
    let overlay = CostOverlay::circle(9.0, 9).expect("in range");
    let at = Vec2::splat(33.0);
    fresh.add_cost_overlay(at, &overlay).expect("inside");
    fresh.update();
    let last = quiet.movement_type_count() - 1;
    assert!(
        told(quiet.costs(last)) == told(fresh.costs(last)),
        "{change:?}"
    );
}

#[test]
fn the_hash_tells_how_far_costs_have_come() {
    let world = |updates: usize, cells: usize| {
        let [mut world, _] = pair();
        world.update();
        world.set_update_cells(cells);
        world.set_movement_types(&[other_costs()]).expect("one");
        (0..updates).for_each(|_| drop(world.update()));
        world.world_hash()
    };
    assert_ne!(world(3, 50), world(3, 70));
    assert_eq!(world(3, 50), world(3, 50));
}

/// Tiles are of the ground that a game sees, not of that before.
#[test]
fn tiles_are_saved_and_loaded_for_the_newest_costs() {
    let ready = |change: Change, begins: bool| {
        let worlds = [50, 0].map(|cells| {
            let [mut world, _] = pair();
            let goal = goal_in(&mut world, GoalMode::Tiled);
            world
                .request_route(goal, 0, open_places(&world)[0])
                .expect("known");
            settle(&mut world);
            world.set_update_cells(cells);
            if begins {
                // Others are being written, and these follow after them.
                paint(&mut world);
                world.set_terrain(IVec2::splat(9), 9).expect("inside");
                (0..3).for_each(|_| drop(world.update()));
            }
            if change != Change::Kind {
                paint(&mut world);
            }
            if change != Change::Terrain {
                world.set_movement_types(&[other_costs()]).expect("one");
            }
            world
        });
        assert!(worlds[0].has_next_costs() && !worlds[1].has_next_costs());
        worlds
    };
    let open = |world: &mut FlowWorld, bytes: &[u8]| {
        let (kept, length) = (bytes.to_vec(), bytes.len() as u64);
        let read = move |from: u64, count: usize| {
            kept.get(from as usize..from as usize + count)
                .map(<[u8]>::to_vec)
        };
        world.open_tiles(Box::new(read), length)
    };
    let changes = [Change::Kind, Change::Terrain, Change::Both];
    for (change, begins) in changes.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let [mut limited, mut whole] = ready(change, begins);
        let [saved, baked] = [&mut limited, &mut whole].map(|world| {
            let baked = world.bake_tiles().expect("no links");
            (world.save_tiles(), baked)
        });
        assert!(saved.1 == baked.1, "{change:?}: bakes differ");
        let (tiles, of_whole) = ([saved.0, baked.0], baked.1);
        let [mut before, _] = pair();
        let old = (before.save_tiles(), before.bake_tiles().expect("no links"));
        let costs = told(limited.costs(0));
        limited.load_tiles(&old.0).expect_err("of other ground");
        open(&mut limited, &old.1).expect_err("of other ground");
        assert!(
            told(limited.costs(0)) == costs,
            "{change:?}: refused, and changed"
        );
        for bytes in &tiles {
            let [mut loading, _] = ready(change, begins);
            loading.load_tiles(bytes).expect("of this ground");
            assert!(told(loading.costs(0)) == told(whole.costs(0)), "{change:?}");
            whole.load_tiles(bytes).expect("of this ground");
        }
        open(&mut limited, &of_whole).expect("of this ground");
        assert!(!limited.has_next_costs(), "{change:?}");
        assert!(told(limited.costs(0)) == told(whole.costs(0)), "{change:?}");
    }
}
