//! After an update the fields of a world equal those of a new world, whatever the edits.

use crate::common::{
    SOLVERS_AND_RULES, SolverAndRule, random_rect, system_a_penalty, unit_grid, world_of,
};
use flow_swarm::error::Error;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, every_kind, open};

fn movement_types() -> [MovementType; 3] {
    // A boat: id 3 is clear for it, id 1 is slow, and all other ids are walls.
    let mut boat = [WALL; 256];
    boat[3] = 1;
    boat[1] = 40;
    [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
        MovementType::new(&boat, WallPenalty::new(60, 3, true).expect("in range"))
            .expect("256 costs"),
    ]
}

/// The expected state of a world.
struct Model {
    grid: Grid,
    terrain: Vec<u8>,
    types: Vec<MovementType>,
    pair: SolverAndRule,
    goals: Vec<(GoalId, Vec<Vec2>)>,
}

impl Model {
    fn point(&self, random: &mut SplitMix64) -> Vec2 {
        let (low, high) = self.grid.bounds();
        let unit = Vec2::new(random.unit() as f32, random.unit() as f32) * 0.999;
        low + (high - low) * unit
    }

    fn points(&self, random: &mut SplitMix64) -> Vec<Vec2> {
        (0..1 + random.below(3))
            .map(|_| self.point(random))
            .collect()
    }

    fn rect(&self, random: &mut SplitMix64) -> CellRect {
        random_rect(random, self.grid.size(), 7)
    }

    /// Makes one random change to both.
    fn change(&mut self, world: &mut FlowWorld, random: &mut SplitMix64) {
        let id = [1, 1, 2, 3, 3, 90, WALL, WALL][random.below(8)];
        match random.below(11) {
            0..=2 => {
                let rect = self.rect(random);
                world.set_terrain_rect(rect, id).expect("inside");
                for y in rect.low.y..rect.high.y {
                    for x in rect.low.x..rect.high.x {
                        self.terrain[self.grid.index(IVec2::new(x, y))] = id;
                    }
                }
            }
            3..=5 => {
                let cell = self.rect(random).low;
                world.set_terrain(cell, id).expect("inside");
                self.terrain[self.grid.index(cell)] = id;
            }
            6 => {
                let size = self.grid.size();
                let kinds = every_kind(size.x as usize, size.y as usize, random.next_u64());
                self.terrain = kinds[random.below(kinds.len())].1.cost.clone();
                world.set_terrain_bytes(&self.terrain).expect("same size");
            }
            7 => {
                self.pair = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
                world.set_solver(self.pair.0);
                world.set_direction_rule(self.pair.1);
            }
            8 => {
                let kinds = movement_types();
                let count = 1 + random.below(3);
                self.types = (0..count).map(|_| kinds[random.below(3)].clone()).collect();
                world.set_movement_types(&self.types).expect("few");
            }
            9 => {
                let targets = self.points(random);
                if self.goals.len() < 4 {
                    let goal = world.create_goal(&targets).expect("inside");
                    self.goals.push((goal, targets));
                } else {
                    let (goal, _) = self.goals.remove(random.below(4));
                    world.release_goal(goal).expect("known");
                    assert!(
                        world.field(goal, 0).is_none(),
                        "a released goal has no field"
                    );
                }
            }
            _ => {
                let targets = self.points(random);
                let count = self.goals.len();
                if let Some((goal, known)) = self.goals.get_mut(random.below(count)) {
                    world.move_goal(*goal, &targets).expect("known");
                    *known = targets;
                }
            }
        }
    }

    fn built_anew(&self) -> (FlowWorld, Vec<GoalId>) {
        let mut world = FlowWorld::new(self.grid, Workers::serial());
        world.set_terrain_bytes(&self.terrain).expect("same size");
        world.set_movement_types(&self.types).expect("few");
        world.set_solver(self.pair.0);
        world.set_direction_rule(self.pair.1);
        let goals = self.goals.iter();
        let ids = goals
            .map(|(_, targets)| world.create_goal(targets).expect("inside"))
            .collect();
        (world, ids)
    }

    /// Compares every field of `world` with one of a new world.
    fn compare(&self, world: &FlowWorld, what: &str) {
        let (mut fresh, ids) = self.built_anew();
        for (&(goal, _), id) in self.goals.iter().zip(ids) {
            for movement in 0..self.types.len() {
                let field = world.field(goal, movement).expect("required before");
                let expected = fresh
                    .whole_field(id, movement)
                    .expect("known")
                    .expect("no background");
                let (found, expected_costs) = (&field.integration, &expected.integration);
                assert_eq!(found.scale(), expected_costs.scale(), "{what}");
                assert_eq!(found.goals(), expected_costs.goals(), "{what}");
                assert!(found.stored() == expected_costs.stored(), "{what}: costs");
                assert!(
                    field.flow.to_vectors() == expected.flow.to_vectors(),
                    "{what}: directions"
                );
            }
        }
        for movement in 0..self.types.len() {
            let costs = fresh.fresh_costs(movement);
            assert!(world.costs(movement).costs() == costs.costs(), "{what}");
            assert!(world.costs(movement).steps() == costs.steps(), "{what}");
        }
    }

    fn require_all(&self, world: &mut FlowWorld) {
        for &(goal, _) in &self.goals {
            for movement in 0..self.types.len() {
                world.require(goal, movement).expect("known");
            }
        }
    }
}

fn model(width: i32, height: i32) -> (Model, FlowWorld) {
    let grid = Grid::new(IVec2::new(width, height), 2.5, Vec2::new(-30.0, 17.0)).expect("valid");
    let model = Model {
        grid,
        terrain: vec![1; grid.cell_count()],
        types: vec![MovementType::default()],
        pair: SolverAndRule::default(),
        goals: Vec::new(),
    };
    (
        model,
        FlowWorld::new(grid, Workers::new(2).expect("threads")),
    )
}

#[test]
fn edits_in_any_order_give_the_fields_of_a_fresh_world() {
    for (width, height) in [(23, 17), (1, 19), (40, 1), (1, 1)] {
        let (mut model, mut world) = model(width, height);
        let mut random = SplitMix64::new(3);
        for round in 0..120 {
            for _ in 0..random.below(4) {
                model.change(&mut world, &mut random);
            }
            model.require_all(&mut world);
            world.update();
            model.compare(&world, &format!("{width}x{height}, round {round}"));
        }
    }
}

#[test]
fn the_background_converges_to_the_same_fields() {
    for threads in [1, 3] {
        let (mut model, mut world) = model(31, 22);
        world.set_workers(Workers::new(threads).expect("threads"));
        world.set_background(true);
        let mut random = SplitMix64::new(11);
        for round in 0..60 {
            for _ in 0..1 + random.below(4) {
                model.change(&mut world, &mut random);
                if random.percent(50) {
                    model.require_all(&mut world);
                    world.update();
                }
            }
            model.require_all(&mut world);
            // Replacing the workers waits for all jobs. One update then applies the finished ones and restarts those
            // that became outdated.
            for _ in 0..3 {
                world.update();
                world.set_workers(Workers::new(threads).expect("threads"));
            }
            world.update();
            model.compare(&world, &format!("{threads} threads, round {round}"));
        }
    }
}

#[test]
fn switching_the_background_off_brings_fields_up_to_date() {
    let (mut model, mut world) = model(200, 150);
    model.goals.push((
        world.create_goal(&[Vec2::new(0.0, 20.0)]).expect("inside"),
        vec![Vec2::new(0.0, 20.0)],
    ));
    let mut random = SplitMix64::new(2);
    for round in 0..20 {
        world.set_background(true);
        let rect = model.rect(&mut random);
        world.set_terrain_rect(rect, WALL).expect("inside");
        for y in rect.low.y..rect.high.y {
            for x in rect.low.x..rect.high.x {
                model.terrain[model.grid.index(IVec2::new(x, y))] = WALL;
            }
        }
        model.require_all(&mut world);
        world.update();
        world.set_background(false);
        world.update();
        model.compare(&world, &format!("round {round}"));
    }
}

#[test]
fn another_grid_keeps_what_both_have_and_gives_the_fields_of_a_fresh_world() {
    for threads in [1, 2] {
        let (mut model, mut world) = model(20, 14);
        world.set_workers(Workers::new(threads).expect("threads"));
        world.set_background(threads > 1);
        let mut random = SplitMix64::new(6);
        for round in 0..60 {
            for _ in 0..6 {
                model.change(&mut world, &mut random);
            }
            model.require_all(&mut world);
            let size = IVec2::new(1 + random.below(30) as i32, 1 + random.below(30) as i32);
            let origin = model.grid.origin() + Vec2::new(random.below(3) as f32, 0.0);
            let grid = Grid::new(size, 2.5, origin).expect("valid");
            let bereft = world.set_grid(grid).goals;
            let mut terrain = vec![1; grid.cell_count()];
            for (index, id) in terrain.iter_mut().enumerate() {
                let cell = grid.cell(index);
                if model.grid.contains(cell) {
                    *id = model.terrain[model.grid.index(cell)];
                }
            }
            let mut expected = Vec::new();
            for (goal, targets) in &mut model.goals {
                let before = targets.len();
                targets.retain(|&target| grid.contains(grid.cell_at(target)));
                if targets.len() < before {
                    expected.push(*goal);
                }
            }
            assert_eq!(bereft, expected, "round {round}");
            (model.grid, model.terrain) = (grid, terrain);
            // A world refuses goals without targets, so those get new ones.
            for index in 0..model.goals.len() {
                if model.goals[index].1.is_empty() {
                    let targets = model.points(&mut random);
                    world
                        .move_goal(model.goals[index].0, &targets)
                        .expect("known");
                    model.goals[index].1 = targets;
                }
            }
            world.set_background(false);
            model.require_all(&mut world);
            world.update();
            model.compare(&world, &format!("{threads} threads, round {round}"));
            world.set_background(threads > 1);
        }
    }
}

#[test]
fn updates_tell_what_was_edited_and_what_is_ready() {
    let mut world = world_of(&open(20, 10), Workers::new(2).expect("threads"));
    let one = world.create_goal(&[Vec2::new(1.0, 1.0)]).expect("inside");
    let two = world.create_goal(&[Vec2::new(9.0, 9.0)]).expect("inside");
    let nothing = world.update();
    assert!(
        nothing.terrain.is_none() && nothing.ready.is_empty(),
        "nothing asked for a field"
    );
    world.require(two, 0).expect("known");
    world.require(one, 0).expect("known");
    assert_eq!(world.update().ready, [one, two], "in the order of creation");
    world.set_terrain(IVec2::new(3, 4), 7).expect("inside");
    world.set_terrain(IVec2::new(12, 2), WALL).expect("inside");
    let update = world.update();
    let around = CellRect {
        low: IVec2::new(3, 2),
        high: IVec2::new(13, 5),
    };
    assert_eq!(update.terrain, Some(around));
    assert_eq!(update.ready, [one, two]);
    world.move_goal(one, &[Vec2::new(5.0, 5.0)]).expect("known");
    let update = world.update();
    assert_eq!((update.terrain, update.ready), (None, vec![one]));
    world.move_goal(one, &[Vec2::new(5.0, 5.0)]).expect("known");
    world.set_terrain(IVec2::new(12, 2), WALL).expect("inside");
    let update = world.update();
    assert!(
        update.terrain.is_none() && update.ready.is_empty(),
        "nothing was changed"
    );
    // A query applies an edit, and the next update still reports it.
    world.set_terrain(IVec2::new(0, 0), 9).expect("inside");
    world.cost_to_goal(one, Vec2::ONE, 0).expect("known");
    let update = world.update();
    assert_eq!(update.terrain, Some(CellRect::cell(IVec2::ZERO)));
    assert_eq!(update.ready, [one, two]);
    world.release_goal(two).expect("known");
    world.set_terrain(IVec2::new(0, 0), 1).expect("inside");
    assert_eq!(world.update().ready, [one]);
}

#[test]
fn a_field_that_cannot_be_built_is_reported_once() {
    let size = 1701;
    let mut map = flow_swarm_bench::maps::serpentine(size, size, 1);
    for cost in &mut map.cost {
        *cost = if *cost == WALL { WALL } else { 254 };
    }
    let mut world = world_of(&map, Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(0.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let update = world.update();
    assert!(update.ready.is_empty());
    assert!(matches!(
        update.failed[..],
        [(failed, 0, Error::CostOverflow { .. })] if failed == goal
    ));
    assert!(world.update().failed.is_empty());
    assert!(world.field(goal, 0).is_none());
}

#[test]
fn a_type_that_comes_back_gets_no_field_of_the_one_before() {
    let map = open(120, 120);
    let kinds = movement_types();
    for _ in 0..20 {
        let mut world = world_of(&map, Workers::new(2).expect("threads"));
        world.set_background(true);
        let goal = world.create_goal(&[Vec2::ONE]).expect("inside");
        world.set_movement_types(&kinds[..1]).expect("few");
        world
            .set_movement_types(&[kinds[0].clone(), kinds[1].clone()])
            .expect("few");
        world.require(goal, 1).expect("known");
        // The field of the second type is being built while the type is replaced.
        world.set_movement_types(&kinds[..1]).expect("few");
        world
            .set_movement_types(&[kinds[0].clone(), kinds[2].clone()])
            .expect("few");
        for _ in 0..4 {
            world.require(goal, 1).expect("known");
            world.update();
            world.set_workers(Workers::new(2).expect("threads"));
        }
        let mut fresh = FlowWorld::new(unit_grid(&map), Workers::serial());
        fresh
            .set_movement_types(&[kinds[0].clone(), kinds[2].clone()])
            .expect("few");
        let same = fresh.create_goal(&[Vec2::ONE]).expect("inside");
        let expected = fresh
            .whole_field(same, 1)
            .expect("known")
            .expect("no background");
        let found = world.field(goal, 1).expect("finished");
        assert!(found.integration.stored() == expected.integration.stored());
    }
}
