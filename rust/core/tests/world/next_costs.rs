//! Changed movement types and terrains whose costs are written in slices: the old costs stay in use as a whole, and then all
//! are those that a world without a limit writes at once.

use crate::common::random_rect;
use crate::slices::{
    CELLS, SIZE, found, goal_in, open_places, other_costs, pair, updates_until_there,
};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{
    Clearance, CostField, CostOverlay, CrowdPenalty, MovementType, TerrainSpeed, WallPenalty,
};
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};

/// All that a cost field tells of its cells.
pub fn told(costs: &CostField) -> (Vec<[u8; 4]>, [usize; 2], [u8; 2]) {
    let cells = costs.costs().iter().zip(costs.steps()).enumerate();
    let cells = cells.map(|(index, (&cost, &steps))| {
        let cell = costs.cell(index);
        let walls = u8::from(costs.is_wall_at(index)) | u8::from(costs.is_obstacle(cell)) << 1;
        [cost, steps, walls, costs.plain_cost_at(cell)]
    });
    let counts = [costs.open_cell_count(), costs.wall_count()];
    let extremes = [costs.cheapest(), costs.dearest()];
    (cells.collect(), counts, extremes)
}

/// Updates until nothing waits. Returns how many updates that took.
pub fn settle(world: &mut FlowWorld) -> usize {
    let mut updates = 0;
    while world.has_slices_left() {
        assert!(updates < 2_000, "it is never finished");
        world.update();
        updates += 1;
    }
    updates
}

/// A type with everything that costs may depend on.
fn draw_kind(random: &mut SplitMix64) -> MovementType {
    let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
    costs[4] = [4, 9, 255][random.below(3)];
    costs[7] = [7, 255][random.below(2)];
    let penalty = WallPenalty::new(9, random.below(4) as i64, random.percent(50));
    let kind = MovementType::new(&costs, penalty.expect("in range")).expect("no cost is 0");
    let room = [0.0, 0.0, 0.9, 1.7][random.below(4)];
    let crowds = [0, 0, 12][random.below(3)];
    kind.with_clearance(Clearance::new(room).expect("in range"))
        .with_crowd_penalty(CrowdPenalty::new(crowds).expect("in range"))
}

/// A game of edits on two worlds, the first of which is limited.
struct Edited {
    worlds: [FlowWorld; 2],
    swarms: [Swarm; 2],
    random: SplitMix64,
    kinds: Vec<MovementType>,
}

impl Edited {
    fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let size = IVec2::new(30 + random.below(40) as i32, 20 + random.below(30) as i32);
        let layers = 1 + random.below(3) as u32;
        let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("valid");
        let size = grid.size();
        let maps = every_kind(size.x as usize, size.y as usize, seed);
        let map = &maps[random.below(maps.len())].1;
        let kinds = vec![draw_kind(&mut random), draw_kind(&mut random)];
        let limit = [1, 30, 200, 599][random.below(4)];
        let worlds = [limit, 0].map(|limit| {
            let mut world = FlowWorld::new(grid, Workers::serial());
            world.set_terrain_bytes(&map.cost).expect("the same size");
            world.set_movement_types(&kinds).expect("two");
            world.set_update_cells(limit);
            world.update();
            world
        });
        let swarms = [0, 1].map(|_| {
            let mut swarm = Swarm::new(seed);
            swarm.set_types(&[AgentType::default()]).expect("valid");
            swarm
        });
        Self {
            worlds,
            swarms,
            random,
            kinds,
        }
    }

    fn cell(&mut self) -> IVec2 {
        let grid = *self.worlds[0].grid();
        loop {
            let cell = grid.cell(self.random.below((grid.size().x * grid.size().y) as usize));
            if grid.contains(cell) && grid.is_on_layer(cell) {
                return cell;
            }
        }
    }

    /// Another whole terrain.
    fn paint_everything(&mut self) {
        let size = self.worlds[0].grid().size();
        let maps = every_kind(size.x as usize, size.y as usize, self.random.next_u64());
        let map = &maps[self.random.below(maps.len())].1;
        for world in &mut self.worlds {
            world.set_terrain_bytes(&map.cost).expect("the same size");
        }
    }

    fn edit(&mut self) {
        let (cell, other) = (self.cell(), self.cell());
        let at = self.worlds[0].grid().center_of(cell);
        let id = [1, 4, 7, 255][self.random.below(4)];
        let choice = self.random.below(9);
        let rect = random_rect(&mut self.random, self.worlds[0].grid().size(), 9);
        let radius = self.random.below(5) as f32;
        let layers = *self.worlds[0].grid().layers();
        // Links on foot between floors are seams, over which clearance continues.
        let above = layers.cells(1, 9).low.y;
        let is_seam = cell.y + above < self.worlds[0].grid().size().y;
        let link = Link {
            from: cell,
            to: if is_seam {
                cell + IVec2::new(0, above)
            } else {
                other
            },
            cost: 2.0,
            both_ways: true,
            travel: Travel::Walk,
        };
        for (world, swarm) in self.worlds.iter_mut().zip(&mut self.swarms) {
            match choice {
                0 | 1 => world.set_terrain(cell, id).expect("inside"),
                2 => world.set_terrain_rect(rect, id).expect("inside"),
                3 => drop(world.add_link(link)),
                4 => {
                    let first = world.link_ids().next();
                    if let Some(link) = first {
                        world.remove_link(link).expect("known");
                    }
                }
                5 => {
                    let overlay = CostOverlay::circle(radius, 9).expect("in range");
                    world.add_cost_overlay(at, &overlay).expect("inside");
                }
                6 => {
                    let first = world.cost_overlay_ids().next();
                    if let Some(overlay) = first {
                        world.remove_cost_overlay(overlay).expect("known");
                    }
                }
                7 => {
                    let spawned = swarm.spawn(world, &[at, at + 0.3, at - 0.2], 0, 0);
                    spawned.expect("inside");
                }
                _ => {
                    let some: Vec<_> = swarm.ids().iter().copied().take(2).collect();
                    let _ = swarm.despawn(&some);
                }
            }
            swarm.report_crowding(world);
        }
    }
}

#[test]
fn costs_in_slices_are_those_at_once_whatever_is_edited_meanwhile() {
    let (mut most_updates, mut terrains) = (0, 0);
    for seed in 0..160 {
        let mut game = Edited::new(seed);
        for change in 0..3 {
            let before: Vec<_> = (0..2).map(|it| told(game.worlds[0].costs(it))).collect();
            let number = game.random.below(2);
            let is_terrain = game.random.percent(50);
            if is_terrain {
                game.paint_everything();
            }
            game.kinds[number] = draw_kind(&mut game.random);
            if game.random.percent(30) {
                game.kinds[1 - number] = draw_kind(&mut game.random);
            }
            for world in &mut game.worlds {
                world.set_movement_types(&game.kinds).expect("two");
            }
            let after: Vec<_> = (0..2).map(|it| told(game.worlds[0].costs(it))).collect();
            assert!(before == after, "seed {seed}: nothing changes at once");
            terrains += usize::from(is_terrain && game.worlds[0].has_next_costs());
            let mut updates = 0;
            while game.worlds[0].has_slices_left() {
                for _ in 0..game.random.below(3) {
                    game.edit();
                    if game.random.percent(30) {
                        let at = game.cell();
                        game.worlds[0].cost(at, number).expect("inside");
                    }
                }
                game.worlds
                    .iter_mut()
                    .for_each(|world| drop(world.update()));
                updates += 1;
                assert!(updates < 9_000, "seed {seed}: it is never finished");
            }
            most_updates = most_updates.max(updates);
            for movement in 0..2 {
                let [limited, whole] = &game.worlds;
                let is_same = told(limited.costs(movement)) == told(whole.costs(movement));
                assert!(is_same, "seed {seed}, change {change}, type {movement}");
            }
        }
    }
    assert!(
        most_updates > 60 && terrains > 99,
        "{most_updates}, {terrains}"
    );
}

/// Another terrain of the same size as in [`pair`].
fn paint(world: &mut FlowWorld) {
    let ids = world.terrain().to_bytes();
    let ids: Vec<u8> = ids.iter().rev().copied().collect();
    world.set_terrain_bytes(&ids).expect("as large");
}

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

#[test]
fn the_old_costs_stay_in_use_as_a_whole() {
    let [mut limited, mut whole] = pair();
    let goal = goal_in(&mut limited, GoalMode::Full);
    goal_in(&mut whole, GoalMode::Full);
    for world in [&mut limited, &mut whole] {
        world.update();
    }
    let before = (told(limited.costs(0)), found(&mut limited, goal));
    for world in [&mut limited, &mut whole] {
        world.set_movement_types(&[other_costs()]).expect("one");
    }
    let after = (told(whole.costs(0)), found(&mut whole, goal));
    let mut updates = 0;
    while limited.has_slices_left() {
        let now = (told(limited.costs(0)), found(&mut limited, goal));
        assert!(now == before, "update {updates}");
        limited.update();
        updates += 1;
    }
    // 96 rows of 11 cells of work each, 900 in an update, and the update that takes them over.
    assert_eq!(updates, 3);
    let now = (told(limited.costs(0)), found(&mut limited, goal));
    assert!(now == after && now != before);
}

#[test]
fn another_call_goes_on_with_what_it_does_not_change() {
    let ready = || {
        let [mut world, _] = pair();
        world.update();
        world.set_update_cells(50);
        world.set_movement_types(&[other_costs()]).expect("one");
        world
    };
    let updates = settle(&mut ready());
    assert!(updates > 20, "{updates}");
    // The same costs again, with other speeds: these change at once.
    let mut world = ready();
    let slow = TerrainSpeed::even().with_factor(1, 0.5).expect("in range");
    let slowed = other_costs().with_terrain_speed(&slow);
    for _ in 0..updates / 2 {
        world.update();
    }
    let old = told(world.costs(0));
    let at = open_places(&world)[0];
    let terrain = world.grid().cell_at(at);
    world.set_terrain(terrain, 1).expect("inside");
    assert_ne!(world.speed_factor(0, at), 0.5);
    world.set_movement_types(&[slowed]).expect("one");
    assert_eq!(world.speed_factor(0, at), 0.5);
    assert_eq!(settle(&mut world), updates - updates / 2);
    assert_eq!(world.speed_factor(0, at), 0.5);
    // Other costs begin again.
    let mut world = ready();
    let kind = MovementType::with_wall_penalty(WallPenalty::new(30, 3, true).expect("in range"));
    for _ in 0..updates / 2 {
        world.update();
    }
    world.set_movement_types(&[kind]).expect("one");
    assert_eq!(settle(&mut world), updates);
    assert_ne!(told(world.costs(0)), old);
    // Costs that change in every update are written at once, after one more beginning.
    let mut world = ready();
    let (mut in_use, mut changes) = (told(world.costs(0)), 0);
    for update in 0..30 {
        let penalty = WallPenalty::new(9 + update, 3, true).expect("in range");
        let kind = MovementType::with_wall_penalty(penalty);
        world.set_movement_types(&[kind]).expect("one");
        world.update();
        let before = std::mem::replace(&mut in_use, told(world.costs(0)));
        changes += i32::from(before != in_use);
    }
    assert_eq!(changes, 10, "in every third update");
    // Those in use are there.
    let mut world = ready();
    world.update();
    world
        .set_movement_types(&[MovementType::default()])
        .expect("one");
    assert!(!world.has_slices_left());
    world.update();
    assert_eq!(told(world.costs(0)), old);
}

#[test]
fn types_are_there_at_once_where_nothing_has_used_the_old_ones_or_nothing_waits() {
    let [mut world, mut whole] = [CELLS, 0].map(|cells| {
        let grid = Grid::new(IVec2::splat(SIZE as i32), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_update_cells(cells);
        world.set_terrain(IVec2::splat(9), 255).expect("inside");
        world.set_movement_types(&[other_costs()]).expect("one");
        world
    });
    assert!(!world.has_slices_left(), "before the first update");
    assert_eq!(told(world.costs(0)), told(whole.costs(0)));
    world.update();
    // A type that is added is there at once, and the other one waits.
    let plain = MovementType::default();
    let kinds = [plain.clone(), plain.clone()];
    world.set_movement_types(&kinds).expect("two");
    assert_eq!(told(world.costs(0)), told(whole.costs(0)));
    whole.set_movement_types(&kinds).expect("two");
    assert_eq!(told(world.costs(1)), told(whole.costs(1)));
    world.update();
    assert!(world.has_slices_left());
    // Without a limit all is taken over at once.
    world.set_update_cells(0);
    assert_ne!(told(world.costs(0)), told(whole.costs(0)));
    world.update();
    assert!(!world.has_slices_left());
    assert_eq!(told(world.costs(0)), told(whole.costs(0)));
}

#[test]
fn a_new_grid_has_the_costs_of_the_newest_types() {
    let [mut limited, mut whole] = pair();
    let shorter = IVec2::new(SIZE as i32, SIZE as i32 - 7);
    let grid = Grid::new(shorter, 1.0, Vec2::ZERO).expect("valid");
    for world in [&mut limited, &mut whole] {
        world.update();
        world.set_movement_types(&[other_costs()]).expect("one");
        world.update();
    }
    limited.update();
    for world in [&mut limited, &mut whole] {
        world.set_grid(grid);
    }
    assert!(!limited.has_slices_left());
    assert_eq!(told(limited.costs(0)), told(whole.costs(0)));
}

#[test]
fn a_field_is_built_on_the_old_costs_beside_the_new_ones() {
    let [mut world, _] = pair();
    world.update();
    world.set_update_cells(100);
    world.set_movement_types(&[other_costs()]).expect("one");
    let alone = settle(&mut world);
    let penalty = WallPenalty::new(20, 3, true).expect("in range");
    let kind = MovementType::with_wall_penalty(penalty);
    world.set_movement_types(&[kind]).expect("one");
    let goal = goal_in(&mut world, GoalMode::Full);
    world.require(goal, 0).expect("known");
    let before = told(world.costs(0));
    let mut updates = 0;
    while told(world.costs(0)) == before {
        world.update();
        updates += 1;
    }
    // Both have half of the work.
    assert!(
        updates > 3 * alone / 2 && updates < 3 * alone,
        "{updates} {alone}"
    );
    updates_until_there(&mut world, goal);
}

/// What is to be written in slices.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Kind,
    Terrain,
    Both,
}

#[test]
fn saves_and_snapshots_go_on_with_the_rows_that_are_written() {
    for change in [Change::Kind, Change::Terrain, Change::Both] {
        play_with_saves(change);
    }
}

fn play_with_saves(change: Change) {
    let ready = || {
        let [mut world, _] = pair();
        world.update();
        world.set_update_cells(50);
        world
    };
    let set_kind = |world: &mut FlowWorld| {
        if change != Change::Terrain {
            world.set_movement_types(&[other_costs()]).expect("one");
        }
    };
    let mut quiet = ready();
    let mut hashes = Vec::new();
    let mut loaded = ready();
    for world in [&mut quiet, &mut loaded] {
        set_kind(world);
        if change != Change::Kind {
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
        set_kind(&mut other);
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
        for world in [&mut quiet, &mut loaded] {
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
        let hash = quiet.world_hash();
        assert_eq!(hash, loaded.world_hash(), "{change:?}");
        hashes.push(hash);
        assert!(told(quiet.costs(0)) == told(loaded.costs(0)), "{change:?}");
    }
    assert!(!loaded.has_slices_left() && hashes.len() > 10);
    let mut fresh = FlowWorld::new(*quiet.grid(), Workers::serial());
    let terrain = quiet.terrain().to_bytes();
    fresh.set_terrain_bytes(&terrain).expect("as large");
    set_kind(&mut fresh);
    let overlay = CostOverlay::circle(9.0, 9).expect("in range");
    let at = Vec2::splat(33.0);
    fresh.add_cost_overlay(at, &overlay).expect("inside");
    fresh.update();
    assert!(told(quiet.costs(0)) == told(fresh.costs(0)), "{change:?}");
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
    let ready = |change: Change| {
        let worlds = [50, 0].map(|cells| {
            let [mut world, _] = pair();
            let goal = goal_in(&mut world, GoalMode::Tiled);
            world
                .request_route(goal, 0, open_places(&world)[0])
                .expect("known");
            settle(&mut world);
            world.set_update_cells(cells);
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
    for change in [Change::Kind, Change::Terrain, Change::Both] {
        let [mut limited, mut whole] = ready(change);
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
            let [mut loading, _] = ready(change);
            loading.load_tiles(bytes).expect("of this ground");
            assert!(told(loading.costs(0)) == told(whole.costs(0)), "{change:?}");
            whole.load_tiles(bytes).expect("of this ground");
        }
        open(&mut limited, &of_whole).expect("of this ground");
        assert!(!limited.has_next_costs(), "{change:?}");
        assert!(told(limited.costs(0)) == told(whole.costs(0)), "{change:?}");
    }
}
