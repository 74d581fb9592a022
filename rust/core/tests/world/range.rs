//! Goals of the kind RANGE: agents get to cells between two distances of the targets, in sight of one where possible.

use crate::common::{SOLVERS_AND_RULES, cell_of, every_map, fresh_seeds, index_of, world_of};
use flow_swarm::grid::STEPS;
use flow_swarm::workers::Workers;
use flow_swarm::world::{Field, FlowWorld, GoalId, GoalKind, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open};
use flow_swarm_bench::oracle::legal_step;
use flow_swarm_bench::steps::Corners;

/// Whether a line is free, tested at many points: surely free if even points beside it are, and surely not if it leads
/// through the inside of a wall.
fn sees(map: &CostMap, from: IVec2, to: IVec2, margin: f32) -> bool {
    let (from, to) = (from.as_vec2() + 0.5, to.as_vec2() + 0.5);
    let steps = 40 * (1 + (to - from).length() as usize);
    (0..=steps).all(|step| {
        let at = from.lerp(to, step as f32 / steps as f32);
        let corners = [
            Vec2::ONE,
            -Vec2::ONE,
            Vec2::new(1.0, -1.0),
            Vec2::new(-1.0, 1.0),
        ];
        let is_free = |by: Vec2| {
            let cell = (at + by * margin.abs()).floor().as_ivec2();
            let is_inside = cell.cmpge(IVec2::ZERO).all()
                && (cell.x as usize) < map.width
                && (cell.y as usize) < map.height;
            is_inside && map.is_passable(index_of(map, cell))
        };
        if margin > 0.0 {
            corners.into_iter().all(is_free)
        } else {
            corners.into_iter().any(is_free)
        }
    })
}

struct Case<'a> {
    map: &'a CostMap,
    targets: Vec<IVec2>,
    least: f32,
    most: f32,
}

impl Case<'_> {
    fn distance(&self, cell: usize) -> f32 {
        let cell = cell_of(self.map, cell);
        let distances = self
            .targets
            .iter()
            .map(|&at| (at - cell).as_vec2().length());
        distances.fold(f32::INFINITY, f32::min)
    }

    fn is_in_ring(&self, cell: usize) -> bool {
        let most = self.most.max(self.least + 1.0);
        self.map.is_passable(cell) && (self.least..=most).contains(&self.distance(cell))
    }

    /// Whether a target in range is in sight: surely, or perhaps.
    fn is_in_sight(&self, cell: usize, margin: f32) -> bool {
        let at = cell_of(self.map, cell);
        let most = self.most.max(self.least + 1.0);
        let near = |target: &&IVec2| (**target - at).as_vec2().length() <= most;
        let mut near = self.targets.iter().filter(near);
        near.any(|&target| sees(self.map, at, target, margin))
    }

    /// Whether agents keep away from a cell because it is beside a target.
    fn is_beside(&self, cell: usize) -> bool {
        self.least > 1.0 && self.distance(cell) <= 1.0
    }

    /// The cells from which steps lead to any of `ends`, not past targets.
    fn leading_to(&self, ends: impl Iterator<Item = usize>) -> Vec<bool> {
        let map = self.map;
        let mut leads = vec![false; map.len()];
        let mut open: Vec<usize> = ends.collect();
        for &end in &open {
            leads[end] = true;
        }
        while let Some(cell) = open.pop() {
            let at = cell_of(map, cell);
            for step in STEPS {
                let next = at + step;
                let is_inside = next.cmpge(IVec2::ZERO).all()
                    && (next.x as usize) < map.width
                    && (next.y as usize) < map.height;
                if !is_inside {
                    continue;
                }
                let clears = |by: IVec2| !self.is_beside(index_of(map, at + by));
                let clears = clears(IVec2::new(step.x, 0)) && clears(IVec2::new(0, step.y));
                let next = index_of(map, next);
                let is_legal = legal_step(map, next, cell, Corners::Closed) && clears;
                if is_legal && !self.is_beside(next) && !leads[next] {
                    leads[next] = true;
                    open.push(next);
                }
            }
        }
        leads
    }

    fn check(&self, field: &Field) {
        let map = self.map;
        let is_surely = |cell: &usize| self.is_in_ring(*cell) && self.is_in_sight(*cell, 0.03);
        let surely: Vec<usize> = (0..map.len()).filter(is_surely).collect();
        let leads = self.leading_to(surely.iter().copied());
        for start in (0..map.len()).filter(|&cell| map.is_passable(cell)) {
            let cell = cell_of(map, start);
            let path = field.path_from(cell);
            if leads[start] {
                let last = *path.last().expect("a path");
                let end = index_of(map, last);
                assert!(self.is_in_ring(end), "from {cell} to {last}");
                assert!(
                    self.is_in_sight(end, -0.03),
                    "from {cell} to {last}, hidden"
                );
                assert!(field.is_goal(last));
                assert!(field.cost_at(cell).is_some());
            }
            if self.is_in_ring(start) && leads[start] && self.is_in_sight(start, 0.03) {
                assert_eq!(path, [cell], "it is there");
            }
            let mut after = path.iter().skip(1).map(|&cell| index_of(map, cell));
            let past = after.find(|&next| !self.is_beside(start) && self.is_beside(next));
            assert!(!leads[start] || past.is_none(), "from {cell} past a target");
        }
    }
}

fn range(world: &mut FlowWorld, targets: &[IVec2], least: f32, most: f32) -> GoalId {
    let places: Vec<Vec2> = targets.iter().map(|cell| cell.as_vec2() + 0.5).collect();
    let kind = GoalKind::Range { least, most };
    world.create_goal_of_kind(&places, kind).expect("inside")
}

#[test]
fn from_every_cell_with_a_path_agents_get_into_the_ring_and_see() {
    for seed in fresh_seeds(20, 25) {
        let mut random = SplitMix64::new(seed);
        for (name, map) in every_map(24, 18, seed) {
            let open: Vec<usize> = (0..map.len())
                .filter(|&cell| map.is_passable(cell))
                .collect();
            if open.is_empty() {
                continue;
            }
            let mut targets = vec![cell_of(&map, open[random.below(open.len())])];
            while random.percent(30) {
                targets.push(cell_of(&map, open[random.below(open.len())]));
            }
            // The area around the targets is the whole map.
            let least = [0.0, 0.7, 2.0, 5.0, 9.0][random.below(5)];
            let most = [16.0, 20.0, 30.0][random.below(3)];
            let (solver, rule) = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
            eprintln!("{name} {targets:?} {least} {most} {solver:?} {rule:?}");
            let mut world = world_of(&map, Workers::serial());
            world.set_solver(solver);
            world.set_direction_rule(rule);
            let goal = range(&mut world, &targets, least, most);
            let case = Case {
                map: &map,
                targets,
                least,
                most,
            };
            case.check(&world.whole_field(goal, 0).expect("known").expect("built"));
        }
    }
}

#[test]
fn in_the_open_the_ring_is_a_ring_and_directions_lead_straight_to_it() {
    let map = open(121, 121);
    let mut world = world_of(&map, Workers::serial());
    let middle = IVec2::splat(60);
    let goal = range(&mut world, &[middle], 12.0, 20.0);
    let case = Case {
        map: &map,
        targets: vec![middle],
        least: 12.0,
        most: 20.0,
    };
    let field = world.whole_field(goal, 0).expect("known").expect("built");
    for index in 0..map.len() {
        let cell = cell_of(&map, index);
        assert_eq!(field.is_goal(cell), case.is_in_ring(index), "{cell}");
        if field.is_goal(cell) {
            assert_eq!(field.cost_at(cell), Some(0.0));
        }
    }
    let middle = Vec2::splat(60.5);
    for number in 0..20_000 {
        let distance = 1.5 + 56.0 * ((number % 997) as f32 / 997.0);
        let at = middle + Vec2::from_angle(number as f32 * 0.618_034) * distance;
        let cell = world.grid().clamped_cell_at(at);
        if field.is_goal(cell) {
            continue;
        }
        let direction = world.flow_vector(goal, at, 0).expect("inside");
        let straight = if distance < 16.0 {
            at - middle
        } else {
            middle - at
        };
        let off = direction.angle_to(straight).abs().to_degrees();
        assert!(off < 5.0, "{off} degrees, {distance} away");
    }
}

/// A wall with a target behind it: archers at the wall are in range, but must go around to see.
#[test]
fn a_place_in_range_that_sees_nothing_is_left_if_there_is_a_path_around() {
    let mut map = open(60, 40);
    for y in 0..32 {
        map.cost[y * 60 + 30] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let goal = range(&mut world, &[IVec2::new(33, 4)], 3.0, 8.0);
    let at = Vec2::new(27.5, 4.5);
    let path = world.path_from(goal, at, 0).expect("inside");
    let end = path.last().expect("a path");
    assert!(
        end.x > 31.0 && end.distance(Vec2::new(33.5, 4.5)) <= 8.0,
        "{end}"
    );
    // Without a path around they shoot over the wall.
    for y in 32..40 {
        world.set_terrain(IVec2::new(30, y), WALL).expect("inside");
    }
    let end = *world
        .path_from(goal, at, 0)
        .expect("inside")
        .last()
        .expect("a path");
    let distance = end.distance(Vec2::new(33.5, 4.5));
    assert!(end.x < 30.0 && (3.0..=8.0).contains(&distance), "{end}");
    let status = world.query_status(goal, at, 0).expect("inside");
    assert_eq!(status, QueryStatus::Ok);
}

/// Agents in a room that is too small for the distance go to its far end; those behind a target in a dead end too.
#[test]
fn agents_that_cannot_get_far_enough_go_as_far_as_they_can() {
    let mut map = open(40, 9);
    for x in 0..40 {
        for y in 0..9 {
            let is_corridor = y == 4 && x > 0;
            if !is_corridor {
                map.cost[y * 40 + x] = WALL;
            }
        }
    }
    let mut world = world_of(&map, Workers::serial());
    // The dead end is to the left of the target, and shorter than the least distance.
    let goal = range(&mut world, &[IVec2::new(6, 4)], 9.0, 14.0);
    let end = |world: &mut FlowWorld, x: f32| {
        let path = world.path_from(goal, Vec2::new(x, 4.5), 0).expect("inside");
        *path.last().expect("a path")
    };
    assert_eq!(end(&mut world, 3.5), Vec2::new(1.5, 4.5), "to its end");
    assert_eq!(end(&mut world, 8.5), Vec2::new(15.5, 4.5), "out");
    assert_eq!(end(&mut world, 38.5), Vec2::new(20.5, 4.5), "in");
}

/// A river from edge to edge, with one bank to each side.
fn river(width: usize, height: usize, columns: std::ops::Range<usize>) -> CostMap {
    let mut map = open(width, height);
    for y in 0..height {
        for x in columns.clone() {
            map.cost[y * width + x] = WALL;
        }
    }
    map
}

#[test]
fn agents_beyond_a_river_walk_to_where_they_are_in_range() {
    let mut world = world_of(&river(100, 60, 50..53), Workers::serial());
    let target = Vec2::new(40.5, 30.5);
    let goal = range(&mut world, &[target.as_ivec2()], 4.0, 16.0);
    let end = |world: &mut FlowWorld, at: Vec2| {
        let path = world.path_from(goal, at, 0).expect("inside");
        *path.last().expect("a path")
    };
    let at = Vec2::new(95.5, 5.5);
    let there = end(&mut world, at);
    assert!(
        there.x > 53.0 && (4.0..=16.0).contains(&there.distance(target)),
        "{there}"
    );
    assert_eq!(world.query_status(goal, at, 0), Ok(QueryStatus::Ok));
    assert!(world.flow_vector(goal, at, 0).expect("inside").x < 0.0);
    let cost = world
        .cost_to_goal(goal, at, 0)
        .expect("inside")
        .expect("a path");
    assert!((cost - f64::from(at.distance(there))).abs() < 3.0, "{cost}");
    let stands = Vec2::new(54.5, 31.5);
    assert_eq!(end(&mut world, stands), stands, "in range, it stays");
    // A target that walks takes them along, and a bridge lets them cross.
    for step in 1..30 {
        let target = target - Vec2::new(0.0, step as f32);
        world.move_goal(goal, &[target]).expect("inside");
        world.update();
        assert!(end(&mut world, at).distance(target) <= 16.0);
    }
    for x in 50..53 {
        world.set_terrain(IVec2::new(x, 55), 1).expect("inside");
    }
    let there = end(&mut world, at);
    assert!(there.x < 50.0, "over the bridge: {there}");
    // Too far from the river, no unit beyond can do anything.
    let goal = range(&mut world, &[IVec2::new(10, 30)], 4.0, 16.0);
    world.set_terrain(IVec2::new(51, 55), WALL).expect("inside");
    assert_eq!(world.path_from(goal, at, 0), Ok(Vec::new()));
}

/// A wall with a slit that can be seen through, but is too narrow for the archers.
#[test]
fn beyond_a_slit_they_go_where_they_see_through_it() {
    let mut map = river(90, 50, 40..41);
    map.cost[20 * 90 + 40] = 1;
    let mut world = world_of(&map, Workers::serial());
    let wide = flow_swarm::movement::Clearance::new(1.0).expect("in range");
    let kind = flow_swarm::movement::MovementType::default().with_clearance(wide);
    world.set_movement_types(&[kind]).expect("one");
    let target = Vec2::new(36.5, 20.5);
    let goal = range(&mut world, &[target.as_ivec2()], 2.0, 12.0);
    for at in [
        Vec2::new(85.5, 40.5),
        Vec2::new(43.5, 27.5),
        Vec2::new(60.5, 20.5),
    ] {
        let path = world.path_from(goal, at, 0).expect("inside");
        let end = *path.last().expect("a path");
        assert!(end.x > 41.0 && end.distance(target) <= 12.0, "{end}");
        assert_eq!(
            world.is_in_sight(end, target, 0),
            Ok(true),
            "from {at} to {end}"
        );
    }
}

/// The cells that paths lead to from one, by a flood of its own.
fn island_of(map: &CostMap, start: usize) -> Vec<bool> {
    let mut reached = vec![false; map.len()];
    let mut open = vec![start];
    reached[start] = true;
    while let Some(cell) = open.pop() {
        let at = cell_of(map, cell);
        for step in STEPS {
            let next = at + step;
            let is_inside = next.cmpge(IVec2::ZERO).all()
                && (next.x as usize) < map.width
                && (next.y as usize) < map.height;
            if is_inside && legal_step(map, cell, index_of(map, next), Corners::Closed) {
                let next = index_of(map, next);
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
    }
    reached
}

/// On islands without a target all paths end in range on the same island, in sight if that is possible there.
#[test]
fn every_island_is_led_to_its_own_cells_in_range() {
    let mut apart = 0;
    for seed in (0..16).chain(fresh_seeds(6, 15)) {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (60, 24);
        let mut map = river(width, height, 20..22);
        for x in 40..60 {
            map.cost[12 * width + x] = WALL;
        }
        for _ in 0..250 {
            let cell = random.below(map.len());
            if map.is_passable(cell) {
                map.cost[cell] = [1, 1, 3, WALL][random.below(4)];
            }
        }
        let open: Vec<usize> = (0..map.len())
            .filter(|&cell| map.is_passable(cell))
            .collect();
        let target = open[random.below(open.len())];
        let (solver, rule) = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
        let mut world = world_of(&map, Workers::serial());
        world.set_solver(solver);
        world.set_direction_rule(rule);
        let targets = vec![cell_of(&map, target)];
        let (least, most) = (2.0, 9.0);
        let goal = range(&mut world, &targets, least, most);
        let case = Case {
            map: &map,
            targets,
            least,
            most,
        };
        let field = world.whole_field(goal, 0).expect("known").expect("built");
        let own = island_of(&map, target);
        for start in open.into_iter().filter(|&cell| !own[cell]) {
            let island = island_of(&map, start);
            let cells = (0..map.len()).filter(|&cell| island[cell] && case.is_in_ring(cell));
            let cells: Vec<usize> = cells.collect();
            let path = field.path_from(cell_of(&map, start));
            if cells.is_empty() {
                continue;
            }
            apart += 1;
            let end = index_of(&map, *path.last().expect("a path"));
            assert!(
                island[end] && case.is_in_ring(end),
                "{seed}: from {start} to {end}"
            );
            let is_seen = cells.iter().any(|&cell| case.is_in_sight(cell, 0.03));
            assert!(
                !is_seen || case.is_in_sight(end, -0.03),
                "{seed}: from {start} to {end}"
            );
            assert!(field.cost_at(cell_of(&map, start)).is_some());
        }
    }
    assert!(apart > 1500, "{apart}");
}
