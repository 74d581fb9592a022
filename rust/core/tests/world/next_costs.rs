//! Changed movement types whose costs are written in slices: the old costs stay in use as a whole, and then all are those
//! that a world without a limit writes at once.

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
fn told(costs: &CostField) -> (Vec<[u8; 4]>, [usize; 2], [u8; 2]) {
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
fn settle(world: &mut FlowWorld) -> usize {
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
    let mut most_updates = 0;
    for seed in 0..160 {
        let mut game = Edited::new(seed);
        for change in 0..3 {
            let before: Vec<_> = (0..2).map(|it| told(game.worlds[0].costs(it))).collect();
            let number = game.random.below(2);
            game.kinds[number] = draw_kind(&mut game.random);
            if game.random.percent(30) {
                game.kinds[1 - number] = draw_kind(&mut game.random);
            }
            for world in &mut game.worlds {
                world.set_movement_types(&game.kinds).expect("two");
            }
            let after: Vec<_> = (0..2).map(|it| told(game.worlds[0].costs(it))).collect();
            assert!(before == after, "seed {seed}: nothing changes at once");
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
    assert!(most_updates > 60, "{most_updates}");
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

#[test]
fn saves_and_snapshots_go_on_with_the_rows_that_are_written() {
    let ready = || {
        let [mut world, _] = pair();
        world.update();
        world.set_update_cells(50);
        world
    };
    let mut quiet = ready();
    quiet.set_movement_types(&[other_costs()]).expect("one");
    let mut hashes = Vec::new();
    let mut loaded = ready();
    loaded.set_movement_types(&[other_costs()]).expect("one");
    let low = IVec2::new(9, 9);
    let rect = CellRect {
        low,
        high: low + 80,
    };
    while quiet.has_slices_left() {
        let bytes = loaded.save_state().expect("nothing hinders");
        let mut other = ready();
        let refused = other.load_state(&bytes).expect_err("other types");
        assert!(refused.to_string().contains("movement types"), "{refused}");
        other.set_movement_types(&[other_costs()]).expect("one");
        other.load_state(&bytes).expect("just saved");
        assert!(other.save_state() == Ok(bytes));
        loaded = other;
        let snapshot = quiet.snapshot();
        let edited = quiet.set_terrain_rect(rect, 255);
        edited.expect("inside");
        quiet.update();
        quiet.update();
        quiet.restore(&snapshot).expect("the same types");
        for world in [&mut quiet, &mut loaded] {
            let number = hashes.len() as i32;
            let cell = IVec2::new(40 + number % 7, 3 * number % SIZE as i32);
            world.set_terrain(cell, 255).expect("inside");
            world.update();
        }
        let hash = quiet.world_hash();
        assert_eq!(hash, loaded.world_hash());
        hashes.push(hash);
        assert_eq!(told(quiet.costs(0)), told(loaded.costs(0)));
    }
    assert!(!loaded.has_slices_left() && hashes.len() > 20);
    let mut fresh = FlowWorld::new(*quiet.grid(), Workers::serial());
    let terrain = quiet.terrain().to_bytes();
    fresh.set_terrain_bytes(&terrain).expect("as large");
    fresh.set_movement_types(&[other_costs()]).expect("one");
    assert_eq!(told(quiet.costs(0)), told(fresh.costs(0)));
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
