//! No disc of an agent ends a step deeper in a wall than it started; an agent that starts in a wall is moved to free
//! space; no agent passes through a wall.

use crate::common::{
    SOLVERS_AND_RULES, as_map, cell_of, fresh_seeds, index_of, world_of, world_on,
};
use flow_swarm::grid::{Grid, floor_to_cell};
use flow_swarm::swarm::{
    AgentState, AgentType, ArrivalAction, Avoidance, Force, ForceKind, Pose, Settings, Shape, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, areas, every_kind, open};
use flow_swarm_bench::oracle::wall_depth;

/// The greatest depth in a wall, in cells, that is accepted: the documented tolerance plus rounding.
const TOLERANCE: f64 = 2.0e-3 + 1.0e-5;

fn point_in(map: &CostMap, random: &mut SplitMix64) -> Vec2 {
    let unit = Vec2::new(random.unit() as f32, random.unit() as f32);
    unit * 0.9999 * Vec2::new(map.width as f32, map.height as f32)
}

fn disc(radius: f32, max_speed: f32) -> AgentType {
    AgentType {
        radius,
        max_speed,
        acceleration: max_speed * 8.0,
        ..AgentType::default()
    }
}

/// Compares a crowd before and after a step.
struct Watch {
    map: CostMap,
    areas: Vec<Option<usize>>,
    before: Vec<(Vec2, f64)>,
}

impl Watch {
    /// Records the crowd before a step, after all edits.
    fn begin(world: &mut FlowWorld, swarm: &Swarm) -> Self {
        let map = as_map(world.fresh_costs(0));
        let before = Self::depths(&map, world.grid(), swarm);
        Self {
            areas: areas(&map),
            map,
            before,
        }
    }

    fn depths(map: &CostMap, grid: &Grid, swarm: &Swarm) -> Vec<(Vec2, f64)> {
        let radius = |kind: u8| swarm.types()[usize::from(kind)].radius / grid.cell_size();
        let agents = swarm.positions().iter().zip(swarm.kinds());
        agents
            .map(|(&at, &kind)| {
                let at = grid.to_cell_space(at);
                (at, wall_depth(map, at, radius(kind)))
            })
            .collect()
    }

    fn area(&self, at: Vec2) -> Option<usize> {
        let cell = floor_to_cell(at);
        let size = IVec2::new(self.map.width as i32, self.map.height as i32);
        let inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all();
        inside
            .then(|| self.areas[index_of(&self.map, cell)])
            .flatten()
    }

    /// Checks the crowd after a step in which no agent was removed.
    fn check(&self, world: &FlowWorld, swarm: &Swarm, what: &str) {
        let after = Self::depths(&self.map, world.grid(), swarm);
        for (index, (&(old, old_depth), (new, depth))) in self.before.iter().zip(after).enumerate()
        {
            let radius = swarm.types()[usize::from(swarm.kinds()[index])].radius;
            assert!(new.is_finite(), "{what}: agent {index} is at {new}");
            assert!(
                depth <= old_depth.max(0.0) + TOLERANCE,
                "{what}: agent {index} of radius {radius} went {depth} deep into a wall from {old} \
                 ({old_depth} deep) to {new}"
            );
            if let Some(area) = self.area(old) {
                assert_eq!(
                    self.area(new),
                    Some(area),
                    "{what}: agent {index} of radius {radius} went from {old} through a wall to {new}"
                );
            } else if self.areas.iter().any(Option::is_some) {
                assert!(
                    self.area(new).is_some(),
                    "{what}: agent {index} in the wall at {old} is in one at {new}"
                );
            }
        }
        assert!(swarm.events().quarantined.is_empty(), "{what}");
    }
}

fn random_types(random: &mut SplitMix64, cell_size: f32) -> Vec<AgentType> {
    let radii = [0.05, 0.2, 0.3, 0.45, 0.499, 0.6, 1.0, 1.7, 3.0];
    let speeds = [0.5, 3.0, 12.0, 60.0, 400.0];
    (0..6)
        .map(|_| AgentType {
            position_smoothing: [1.0, 0.8][random.below(2)],
            avoidance: [Avoidance::Separation, Avoidance::Contact][random.below(2)],
            ..disc(
                radii[random.below(radii.len())] * cell_size,
                speeds[random.below(speeds.len())] * cell_size,
            )
        })
        .collect()
}

#[test]
fn any_map_any_radius_any_speed_with_walls_painted_onto_agents() {
    for seed in (0..6).chain(fresh_seeds(2, 20)) {
        for (name, map) in every_kind(26, 21, seed) {
            let mut random = SplitMix64::new(seed);
            let cell_size = [1.0, 0.01, 16.0][random.below(3)];
            // Near the world's origin, and as far from it as a grid may be.
            let origins = [Vec2::new(-7.0, 3.0), Vec2::new(16_350.0, -16_380.0)];
            let origin = origins[random.below(2)] * cell_size;
            let size = IVec2::new(map.width as i32, map.height as i32);
            let grid = Grid::new(size, cell_size, origin).expect("valid");
            let mut world = world_on(grid, &map, Workers::serial());
            let (solver, rule) = SOLVERS_AND_RULES[random.below(SOLVERS_AND_RULES.len())];
            world.set_solver(solver);
            world.set_direction_rule(rule);
            let mut swarm = Swarm::new(seed);
            swarm
                .set_types(&random_types(&mut random, cell_size))
                .expect("valid");
            let goal = world
                .create_goal(&[grid.to_world(point_in(&map, &mut random))])
                .expect("inside");
            swarm.set_group_goal(0, Some(goal)).expect("a group");
            for kind in 0..6 {
                // At random positions, also in walls.
                let positions: Vec<Vec2> = (0..10)
                    .map(|_| grid.to_world(point_in(&map, &mut random)))
                    .collect();
                swarm.spawn(&world, &positions, kind, 0).expect("inside");
            }
            world.require(goal, 0).expect("known");
            for tick in 0..40 {
                if tick % 5 == 4 {
                    paint(&mut world, &swarm, &mut random);
                    let target = grid.to_world(point_in(&map, &mut random));
                    world.move_goal(goal, &[target]).expect("inside");
                }
                if tick % 4 == 3 {
                    add_body_or_field(&mut swarm, &grid, &map, &mut random);
                }
                if tick % 7 == 6 {
                    let ids = [swarm.ids()[random.below(swarm.len())]];
                    let push = Vec2::new(random.unit() as f32 - 0.5, random.unit() as f32 - 0.5);
                    let push = push * 3000.0 * cell_size;
                    swarm.apply_impulse(&ids, push).expect("small");
                }
                world.update();
                let watch = Watch::begin(&mut world, &swarm);
                let dt = [1.0 / 60.0, 0.1, 1.0][random.below(3)];
                swarm.step(&world, dt).expect("valid");
                watch.check(&world, &swarm, &format!("{name}, seed {seed}, tick {tick}"));
            }
        }
    }
}

/// Adds a solid body, or a force field that moves agents.
fn add_body_or_field(swarm: &mut Swarm, grid: &Grid, map: &CostMap, random: &mut SplitMix64) {
    let center = grid.to_world(point_in(map, random));
    let size = (0.1 + 3.0 * random.unit() as f32) * grid.cell_size();
    if random.percent(50) {
        let shape = [Shape::Disc(size), Shape::Box(Vec2::new(size, 0.2 * size))][random.below(2)];
        let pose = Pose::turned(center, Vec2::new(1.0, random.unit() as f32)).expect("valid");
        swarm.add_body(shape, pose, true).expect("valid");
    } else {
        let kinds = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex];
        let force = Force {
            kind: kinds[random.below(3)],
            strength: 200.0 * grid.cell_size(),
        };
        swarm
            .add_force_field(center, 3.0 * size, force)
            .expect("valid");
    }
}

/// Turns the cells of some agents into walls, and clears some other cells.
fn paint(world: &mut FlowWorld, swarm: &Swarm, random: &mut SplitMix64) {
    let grid = *world.grid();
    for _ in 0..6 {
        let cell = grid.clamped_cell_at(swarm.positions()[random.below(swarm.len())]);
        world.set_terrain(cell, WALL).expect("inside");
        let other = grid.cell(random.below(grid.cell_count()));
        world.set_terrain(other, 1).expect("inside");
    }
}

/// Scripted agents run against the walls of a closed room.
fn run_in_a_closed_room(map: &CostMap, center: Vec2, radius: f32, speed: f32, dt: f32) {
    let mut world = world_of(map, Workers::serial());
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[disc(radius, speed)]).expect("valid");
    let ids = swarm.spawn(&world, &[center; 24], 0, 0).expect("inside");
    swarm.set_state(&ids, AgentState::Scripted).expect("alive");
    let mut random = SplitMix64::new(3);
    for tick in 0..60 {
        let velocities: Vec<Vec2> = (0..ids.len())
            .map(|_| {
                let any = Vec2::new(random.unit() as f32 - 0.5, random.unit() as f32 - 0.5);
                // Straight and diagonal runs find gaps between cells most reliably.
                let snapped = any.signum() * Vec2::new(1.0, [0.0, 1.0, 1.001][random.below(3)]);
                [any.normalize_or(Vec2::X), snapped][random.below(2)] * speed
            })
            .collect();
        swarm
            .set_scripted_velocities(&ids, &velocities)
            .expect("alive");
        let watch = Watch::begin(&mut world, &swarm);
        swarm.step(&world, dt).expect("valid");
        let what = format!("radius {radius}, speed {speed}, dt {dt}, tick {tick}");
        watch.check(&world, &swarm, &what);
    }
}

#[test]
fn closed_rooms_stay_closed() {
    // Walls one cell thick, and one that consists of diagonal neighbours only.
    let room = CostMap::from_rows(&[
        "....................",
        ".##################.",
        ".#................#.",
        ".#................#.",
        ".#....#...........#.",
        ".#................#.",
        ".#................#.",
        ".#.........##.....#.",
        ".#................#.",
        ".##################.",
        "....................",
    ]);
    let diamond = CostMap::from_rows(&[
        "...............",
        ".......#.......",
        "......#.#......",
        ".....#...#.....",
        "....#.....#....",
        "...#.......#...",
        "..#.........#..",
        "...#.......#...",
        "....#.....#....",
        ".....#...#.....",
        "......#.#......",
        ".......#.......",
        "...............",
    ]);
    let everything = open(9, 9);
    for radius in [0.05, 0.3, 0.5, 0.9, 1.5, 3.0] {
        for speed in [2.0, 30.0, 200.0, 5000.0] {
            for dt in [1.0 / 60.0, 1.0] {
                run_in_a_closed_room(&room, Vec2::new(9.5, 5.5), radius, speed, dt);
                run_in_a_closed_room(&diamond, Vec2::new(7.5, 6.5), radius, speed, dt);
                run_in_a_closed_room(&everything, Vec2::new(4.5, 4.5), radius, speed, dt);
            }
        }
    }
}

#[test]
fn agents_in_walls_get_out_where_there_is_room() {
    for radius in [0.1, 0.3, 0.5, 0.8, 1.4, 2.0, 3.0] {
        for side in [1, 2, 5, 9] {
            let mut map = open(40, 40);
            for y in 18..18 + side {
                for x in 17..17 + side {
                    let cell = map.index(x, y);
                    map.cost[cell] = WALL;
                }
            }
            let world = world_of(&map, Workers::serial());
            let mut swarm = Swarm::new(5);
            swarm.set_types(&[disc(radius, 2.0)]).expect("valid");
            let everywhere: Vec<Vec2> = (0..400)
                .map(|index| {
                    Vec2::new(
                        12.1 + 0.7 * (index % 20) as f32,
                        13.2 + 0.75 * (index / 20) as f32,
                    )
                })
                .collect();
            let settings = Settings {
                separation: false,
                ..Settings::default()
            };
            swarm.set_settings(settings).expect("valid");
            swarm.spawn(&world, &everywhere, 0, 0).expect("inside");
            swarm.step(&world, 1.0 / 60.0).expect("valid");
            for (&from, &at) in everywhere.iter().zip(swarm.positions()) {
                let depth = wall_depth(&map, at, radius);
                assert!(
                    depth <= TOLERANCE,
                    "radius {radius} in a block of {side}: from {from} to {at}, still {depth} deep"
                );
                let way = from.distance(at);
                let needed = radius + side as f32;
                assert!(
                    way <= needed + 0.5,
                    "radius {radius}: from {from} as far as {at}"
                );
            }
        }
    }
}

#[test]
fn agents_outside_the_grid_come_back_in() {
    for map in [open(1, 1), open(6, 1), open(5, 7)] {
        let world = world_of(&map, Workers::serial());
        let mut swarm = Swarm::new(5);
        swarm.set_types(&[disc(0.3, 90.0)]).expect("valid");
        let free = Settings {
            wall_correction: false,
            ..Settings::default()
        };
        swarm.set_settings(free).expect("valid");
        let ids = swarm
            .spawn(&world, &[Vec2::splat(0.5); 4], 0, 0)
            .expect("inside");
        swarm.set_state(&ids, AgentState::Scripted).expect("alive");
        let away = [
            Vec2::new(90.0, 0.0),
            Vec2::new(0.0, 90.0),
            Vec2::splat(90.0),
            Vec2::splat(-90.0),
        ];
        swarm.set_scripted_velocities(&ids, &away).expect("alive");
        swarm.step(&world, 0.5).expect("valid");
        let (low, high) = world.grid().bounds();
        for &at in swarm.positions() {
            assert!(
                at.cmpge(low).all() && at.cmple(high).all(),
                "kept to the map's edge"
            );
        }
        swarm.set_state(&ids, AgentState::Idle).expect("alive");
        swarm.set_settings(Settings::default()).expect("valid");
        for _ in 0..30 {
            swarm.step(&world, 0.1).expect("valid");
        }
        for &at in swarm.positions() {
            assert!(wall_depth(&map, at, 0.3) <= TOLERANCE, "still at {at}");
        }
    }
}

#[test]
fn a_map_that_becomes_all_wall_moves_no_agent() {
    let mut world = world_of(&open(5, 4), Workers::serial());
    let mut swarm = Swarm::new(5);
    swarm.set_types(&[disc(0.3, 4.0)]).expect("valid");
    let goal = world.create_goal(&[Vec2::splat(0.5)]).expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    world.require(goal, 0).expect("known");
    let at = Vec2::new(3.2, 2.7);
    swarm.spawn(&world, &[at], 0, 0).expect("inside");
    world.set_terrain_bytes(&[WALL; 20]).expect("same size");
    world.update();
    for _ in 0..10 {
        swarm.step(&world, 0.1).expect("valid");
    }
    assert_eq!(swarm.positions(), [at]);
    assert_eq!(swarm.stats().lost, 1);
}

#[test]
fn a_crowd_pressed_into_a_corner_stays_out_of_the_walls() {
    let map = CostMap::from_rows(&["......", ".####.", ".#....", ".#.##.", ".#....", "......"]);
    let mut world = world_of(&map, Workers::new(2).expect("threads"));
    let mut swarm = Swarm::new(2);
    swarm
        .set_types(&[AgentType {
            separation_weight: 60.0,
            ..disc(0.25, 6.0)
        }])
        .expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::KeepGoing,
        ..Settings::default()
    };
    swarm.set_settings(settings).expect("valid");
    let goal = world.create_goal(&[Vec2::new(2.05, 2.05)]).expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    world.require(goal, 0).expect("known");
    let start = cell_of(&map, map.index(4, 4)).as_vec2() + 0.5;
    swarm.spawn(&world, &[start; 120], 0, 0).expect("inside");
    for tick in 0..400 {
        let watch = Watch::begin(&mut world, &swarm);
        swarm.step(&world, 1.0 / 30.0).expect("valid");
        watch.check(&world, &swarm, &format!("tick {tick}"));
    }
}
