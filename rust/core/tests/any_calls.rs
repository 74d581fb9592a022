//! Whatever is called in whatever order with whatever numbers: no panic, and the invariants hold.

mod common;

use common::{wall_depth, walls_of};
use flow_swarm::flow::DirectionRule;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::links::{Link, LinkId};
use flow_swarm::movement::{Clearance, CrowdPenalty, MovementType, WallPenalty};
use flow_swarm::swarm::{
    AgentId, AgentState, AgentType, AreaId, ArrivalAction, Avoidance, BodyId, CustomData, Force,
    ForceKind, InstanceLayout, LayerView, MAX_SPEED, Packer, Palette, Plane, Pose, Settings, Shape,
    Swarm, Tracking, View,
};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};

const CALLS: usize = 20_000;
const MOST_AGENTS: usize = 120;

struct Caller {
    random: SplitMix64,
    world: FlowWorld,
    swarm: Swarm,
    /// All ids ever given, and some that never were.
    ids: Vec<AgentId>,
    goals: Vec<GoalId>,
    saves: Vec<Vec<u8>>,
    packer: Packer,
}

impl Caller {
    /// Mostly a number in the map's range, sometimes one that is none of anybody's business.
    fn number(&mut self) -> f32 {
        const ODD: [f32; 14] = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            1.0e-45,
            1.0e30,
            -1.0e30,
            1.0e6,
            -1.0,
            0.0,
            -0.0,
            1.0,
        ];
        if self.random.percent(15) {
            ODD[self.random.below(ODD.len())]
        } else {
            (self.random.unit() * 40.0 - 4.0) as f32
        }
    }

    fn integer(&mut self) -> i64 {
        const ODD: [i64; 6] = [-1, 256, 65, i64::MAX, i64::MIN, 1 << 32];
        if self.random.percent(15) {
            ODD[self.random.below(ODD.len())]
        } else {
            self.random.below(4) as i64
        }
    }

    fn vector(&mut self) -> Vec2 {
        Vec2::new(self.number(), self.number())
    }

    fn place(&mut self) -> Vec2 {
        if self.random.percent(20) {
            return self.vector();
        }
        let (low, high) = self.world.grid().bounds();
        let unit = Vec2::new(self.random.unit() as f32, self.random.unit() as f32);
        low + (high - low) * unit
    }

    fn places(&mut self) -> Vec<Vec2> {
        let count = self.random.below(5);
        let bad = self.random.percent(20);
        (0..count)
            .map(|_| {
                loop {
                    let place = self.place();
                    let cell = self.world.grid().cell_at(place);
                    if bad || place.is_finite() && self.world.grid().contains(cell) {
                        break place;
                    }
                }
            })
            .collect()
    }

    fn cell(&mut self) -> IVec2 {
        if self.random.percent(10) {
            return IVec2::new(
                self.integer() as i32,
                i32::MIN + self.random.below(9) as i32,
            );
        }
        let size = self.world.grid().size();
        IVec2::new(
            self.random.below(size.x as usize + 1) as i32,
            self.random.below(size.y as usize + 1) as i32,
        )
    }

    fn some_ids(&mut self) -> Vec<AgentId> {
        let alive = self.swarm.ids().to_vec();
        let from = if self.random.percent(70) {
            &alive
        } else {
            &self.ids
        };
        if from.is_empty() {
            return Vec::new();
        }
        let count = self.random.below(6);
        (0..count)
            .map(|_| from[self.random.below(from.len())])
            .collect()
    }

    fn goal(&mut self) -> GoalId {
        let count = self.goals.len();
        self.goals
            .get(self.random.below(count + 1))
            .copied()
            .unwrap_or(GoalId(77))
    }

    fn movement(&mut self) -> usize {
        let number = self.integer();
        usize::try_from(number).unwrap_or(usize::MAX)
    }

    fn agent_type(&mut self) -> AgentType {
        let mut kind = AgentType {
            radius: 0.1 + self.random.unit() as f32,
            max_speed: 1.0 + 20.0 * self.random.unit() as f32,
            movement: self.random.below(2),
            ..AgentType::default()
        };
        if self.random.percent(30) {
            kind.radius = self.number();
            kind.max_speed = self.number();
        }
        if self.random.percent(30) {
            kind.acceleration = self.number();
            kind.mass = self.number();
            kind.separation_weight = self.number();
            kind.position_smoothing = self.number() / 20.0;
        }
        kind.avoidance =
            [Avoidance::None, Avoidance::Separation, Avoidance::Orca][self.random.below(3)];
        if self.random.percent(30) {
            kind.neighbour_radius = self.number();
            kind.max_neighbours = self.random.below(40);
            kind.time_horizon = self.number();
            kind.time_horizon_walls = self.number();
            kind.priority = self.number() / 40.0;
            kind.speed_variation = self.number() / 40.0;
            kind.lateral_bias = self.number() / 40.0;
            kind.cohesion = self.number() / 40.0;
        }
        if self.random.percent(10) {
            kind.movement = self.movement();
            kind.color[0] = self.number();
        }
        kind
    }

    /// One call with whatever arguments. Errors are as good as successes.
    fn call(&mut self) {
        match self.random.below(50) {
            0..=2 => {
                let (places, kind, group) = (self.places(), self.integer(), self.integer());
                if self.swarm.len() < MOST_AGENTS
                    && let Ok(ids) = self.swarm.spawn(&self.world, &places, kind, group)
                {
                    self.ids.extend(ids);
                }
            }
            3 => {
                let ids = self.some_ids();
                self.swarm.despawn(&ids);
            }
            4 => {
                let (cell, id) = (self.cell(), [1, 3, 255][self.random.below(3)]);
                let _ = self.world.set_terrain(cell, id);
            }
            5 => {
                let (low, high) = (self.cell(), self.cell());
                let small = CellRect {
                    low,
                    high: high.min(low.saturating_add(IVec2::splat(3))),
                };
                let _ = self
                    .world
                    .set_terrain_rect(small, [1, 255][self.random.below(2)]);
            }
            6 => {
                let places = self.places();
                let mode = [GoalMode::Full, GoalMode::Tiled][self.random.below(2)];
                let costs = vec![0.0; places.len()];
                let made = (self.world).create_goal_with_mode(&places, &costs, mode);
                if let Ok(goal) = made {
                    self.goals.push(goal);
                    let group = self.integer();
                    let _ = self.swarm.set_group_goal(group, Some(goal));
                }
            }
            7 => {
                let (goal, places) = (self.goal(), self.places());
                let _ = self.world.move_goal(goal, &places);
            }
            8 if self.goals.len() > 5 => {
                let goal = self.goals.swap_remove(self.random.below(5));
                let _ = self.world.release_goal(goal);
                let _ = self.world.release_goal(goal);
            }
            9 => {
                let (group, goal) = (self.integer(), self.goal());
                let _ = self.swarm.set_group_goal(group, Some(goal));
            }
            10 => {
                let (goal, movement) = (self.goal(), self.movement());
                let _ = self.world.require(goal, movement);
            }
            11 => {
                let (goal, at, movement) = (self.goal(), self.place(), self.movement());
                let _ = self.world.flow_vector(goal, at, movement);
                let _ = self.world.cost_to_goal(goal, at, movement);
                let _ = self.world.path_from(goal, at, movement);
                let _ = self.world.query_status(goal, at, movement);
            }
            12 => {
                let (from, to, movement) = (self.place(), self.place(), self.movement());
                let _ = self.world.is_reachable(from, to, movement);
                let _ = self.world.island_at(from, movement);
                let _ = self.world.nearest_reachable_cell(from, to, movement);
            }
            13 => {
                let (at, radius, movement) = (self.place(), self.number(), self.movement());
                let _ = self.world.closest_walls(at, radius, movement);
                let cell = self.cell();
                let _ = self.world.cost(cell, movement);
            }
            14 => {
                let (grid, id, at) = (*self.world.grid(), self.integer(), self.place());
                let _ = self.world.entities.register(&grid, id, at);
                let id = self.integer();
                let _ = self.world.entities.relocate(&grid, id, at);
            }
            15 => {
                let (grid, id) = (*self.world.grid(), self.integer());
                let (at, radius) = (self.vector(), self.number());
                let _ = self.world.entities.near(&grid, at, radius);
                let _ = self.world.entities.unregister(&grid, id);
            }
            16 => {
                let count = self.random.below(4);
                let kinds: Vec<MovementType> = (0..count)
                    .map(|_| {
                        let penalty = WallPenalty::new(self.integer(), self.integer(), true);
                        let clearance = match self.random.below(3) {
                            0 => Clearance::new(self.number()),
                            1 => Clearance::new(1.4),
                            _ => Ok(Clearance::default()),
                        };
                        MovementType::with_wall_penalty(penalty.unwrap_or_default())
                            .with_clearance(clearance.unwrap_or_default())
                            .with_crowd_penalty(
                                CrowdPenalty::new(self.integer()).unwrap_or_default(),
                            )
                    })
                    .collect();
                let _ = self.world.set_movement_types(&kinds);
            }
            17 => {
                let count = self.random.below(4);
                let kinds: Vec<AgentType> = (0..count).map(|_| self.agent_type()).collect();
                let _ = self.swarm.set_types(&kinds);
            }
            18 => {
                let mut settings = Settings {
                    separation: self.random.percent(80),
                    wall_correction: self.random.percent(90),
                    settle_in_crowds: self.random.percent(50),
                    arrival: [
                        ArrivalAction::Stop,
                        ArrivalAction::Despawn,
                        ArrivalAction::KeepGoing,
                    ][self.random.below(3)],
                    ..Settings::default()
                };
                if self.random.percent(30) {
                    settings.arrival_radius = self.number();
                    settings.crowd_fading = self.number();
                    settings.stuck_seconds = self.number();
                }
                let _ = self.swarm.set_settings(settings);
            }
            19 => {
                let ids = self.some_ids();
                let state = AgentState::from_number(self.integer()).unwrap_or_default();
                let _ = self.swarm.set_state(&ids, state);
            }
            20 => {
                let (ids, places) = (self.some_ids(), self.places());
                let count = ids.len().min(places.len());
                let _ = self
                    .swarm
                    .set_positions(&self.world, &ids[..count], &places);
                let _ = self
                    .swarm
                    .set_positions(&self.world, &ids[..count], &places[..count]);
            }
            21 => {
                let ids = self.some_ids();
                let velocities: Vec<Vec2> = ids.iter().map(|_| self.vector()).collect();
                let _ = self.swarm.set_scripted_velocities(&ids, &velocities);
            }
            22 => {
                let (ids, impulse) = (self.some_ids(), self.vector());
                let _ = self.swarm.apply_impulse(&ids, impulse);
                let (group, leader) = (self.integer(), ids.first().copied());
                let _ = self.swarm.set_group_leader(group, leader);
                let _ = self.swarm.group_leader(group);
            }
            23 => {
                let (at, radius, strength) = (self.place(), self.number(), self.number());
                let _ = self
                    .swarm
                    .apply_radial_impulse(&self.world, at, radius, strength);
            }
            24 => {
                let (at, radius) = (self.place(), self.number());
                self.swarm.report_crowding(&mut self.world);
                let _ = self.world.crowding_at(at);
                let _ = self.swarm.query_circle(&self.world, at, radius);
                let _ = self.swarm.nearest(&self.world, at, radius);
                let other = self.place();
                let _ = self.swarm.query_rect(&self.world, at, other);
            }
            25 => {
                let rule = [
                    DirectionRule::BestNeighbour,
                    DirectionRule::NegativeGradient,
                    DirectionRule::Predecessor,
                ];
                self.world.set_direction_rule(rule[self.random.below(3)]);
                self.swarm.set_seed(self.random.next_u64());
            }
            26 if self.random.percent(30) => {
                let size = self.world.grid().size();
                let maps = every_kind(size.x as usize, size.y as usize, self.random.next_u64());
                let map = &maps[self.random.below(maps.len())].1;
                let short = self.random.below(2);
                let _ = self
                    .world
                    .set_terrain_bytes(&map.cost[short.min(map.len())..]);
            }
            27 if self.random.percent(20) => self.change_grid(),
            28 if self.random.percent(30) => {
                self.saves.push(self.swarm.save());
                let save = self.saves[self.random.below(self.saves.len())].clone();
                let _ = self.swarm.load(&save);
                let _ = self.swarm.load(&save[save.len() / 2..]);
            }
            29 => self.pack(),
            30 => {
                let (group, shares) = (self.integer(), self.random.percent(70));
                let _ = self.swarm.set_group_shares_field(group, shares);
            }
            31..=32 => {
                let size = IVec2::new(self.random.below(6) as i32, self.random.below(6) as i32);
                let ids: Vec<u8> = (0..size.x * size.y)
                    .map(|_| [0, 1, 3, 255][self.random.below(4)])
                    .collect();
                if let Ok(stamp) = Stamp::new(size, &ids, Some(0)) {
                    let turns = self.integer();
                    let stamps = [(self.cell(), stamp.turned(turns)), (IVec2::ZERO, stamp)];
                    let _ = self.world.place_stamps(&stamps[self.random.below(2)..]);
                }
            }
            34 => {
                let (ids, places) = (self.some_ids(), self.places());
                let count = ids.len().min(places.len());
                let _ = self
                    .swarm
                    .set_targets(&self.world, &ids[..count], &places[..count]);
            }
            35 => {
                let ids = self.some_ids();
                let _ = self.swarm.clear_targets(&ids);
            }
            36 => {
                let (ids, group) = (self.some_ids(), self.integer());
                let _ = self.swarm.set_group(&ids, group);
            }
            33 => {
                let id = StampId(self.integer());
                let _ = self.world.stamp_cells(id);
                let oldest = self.world.stamp_ids().next();
                let _ = self.world.remove_stamp(oldest.unwrap_or(id));
                let _ = self.world.remove_stamps(&[id, id]);
            }
            37 => {
                let link = Link {
                    from: self.cell(),
                    to: self.cell(),
                    cost: self.number(),
                    both_ways: self.random.percent(50),
                };
                let _ = self.world.add_link(link);
                let _ = self.world.add_link(Link { cost: 2.0, ..link });
                let (goal, at, movement) = (self.goal(), self.place(), self.movement());
                let _ = self.world.link_ahead(goal, at, movement);
                if self.world.link_ids().count() > 20 {
                    let unknown = LinkId(self.integer());
                    let oldest = self.world.link_ids().next().unwrap_or(unknown);
                    let _ = self.world.remove_link(oldest);
                }
                let view = LayerView {
                    height: self.number(),
                    only: u32::try_from(self.integer()).ok(),
                };
                let _ = self.swarm.set_layer_view(view);
            }
            38..=39 => self.change_bodies(),
            40 => self.change_areas(),
            41 => {
                let (from, to, width) = (self.place(), self.place(), self.number());
                let _ = self.swarm.query_segment(&self.world, from, to, width);
            }
            42 => {
                let (column, ids) = (self.integer(), self.some_ids());
                let ints: Vec<i32> = ids.iter().map(|_| self.integer() as i32).collect();
                let floats: Vec<f32> = ids.iter().map(|_| self.number()).collect();
                let _ = self.swarm.set_user_ints(column, &ids, &ints);
                let _ = self.swarm.set_user_floats(column, &ids, &floats);
                let _ = self.swarm.user_ints(column);
                let _ = ids.first().map(|&id| self.swarm.user_float(column, id));
            }
            43 => {
                let color = [self.number(), self.number(), 1.0, 1.0];
                if let Ok(palette) = Palette::new(&[color], &[color, [1.0; 4]]) {
                    self.swarm.set_palette(palette);
                }
                let cycle = self.number();
                let _ = self.swarm.set_tracking(Tracking {
                    between_steps: self.random.percent(50),
                    walk_cycle: self.random.percent(50).then_some(cycle),
                });
            }
            _ => self.step(),
        }
    }

    /// Two bodies and six areas are kept: ids count up from 1.
    fn change_bodies(&mut self) {
        let (shape, ahead) = (self.shape(), self.vector());
        let Ok(pose) = Pose::turned(self.place(), ahead) else {
            return;
        };
        let solid = self.random.percent(80);
        if let Ok(BodyId(last)) = self.swarm.add_body(shape, pose, solid) {
            let _ = self.swarm.remove_body(BodyId(last - 2));
            let some = BodyId(last - self.random.below(8) as i64);
            let _ = self.swarm.move_body(some, pose);
            let _ = self.swarm.body_contacts(some);
        }
    }

    fn change_areas(&mut self) {
        let (shape, center, radius) = (self.shape(), self.place(), self.number());
        let kinds = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex];
        let force = Force {
            kind: kinds[self.random.below(3)],
            strength: [30.0, 1.0].map(|scale| scale * self.number())[self.random.below(2)],
        };
        let added = match Pose::at(self.place()) {
            Ok(pose) if self.random.percent(40) => self.swarm.add_area(shape, pose),
            _ => self.swarm.add_force_field(center, radius, force),
        };
        if let Ok(AreaId(last)) = added {
            let _ = self.swarm.remove_area(AreaId(last - 6));
            let some = AreaId(last - self.random.below(8) as i64);
            let _ = Pose::at(center).and_then(|pose| self.swarm.move_area(some, pose));
            let _ = self.swarm.area_agents(some);
        }
    }

    fn shape(&mut self) -> Shape {
        if self.random.percent(50) {
            Shape::Disc(self.number() / 8.0)
        } else {
            Shape::Box(self.vector() / 8.0)
        }
    }

    fn change_grid(&mut self) {
        let size = IVec2::new(self.random.below(30) as i32, self.random.below(30) as i32);
        let cell_size = if self.random.percent(40) {
            self.number()
        } else {
            1.0
        };
        if let Ok(grid) = Grid::new(size, cell_size, self.vector()) {
            self.world.set_grid(grid);
        }
        // Back to where most numbers mean something.
        let size = IVec2::new(
            9 + self.random.below(22) as i32,
            1 + self.random.below(30) as i32,
        );
        if self.random.percent(80) {
            let layers = 1 + self.random.below(3) as u32;
            let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("valid");
            self.world.set_grid(grid);
        }
    }

    fn pack(&mut self) {
        let layout = InstanceLayout {
            plane: [Plane::Xy, Plane::Xz][self.random.below(2)],
            color: self.random.percent(50),
            custom: [
                CustomData::None,
                CustomData::Motion,
                CustomData::Sprite,
                CustomData::Vertices,
                CustomData::User,
            ][self.random.below(5)],
            face_movement: self.random.percent(50),
            size: self.number(),
            height: self.number(),
        };
        let length = self.random.below(2 * MOST_AGENTS * layout.stride());
        let mut buffer = vec![0.0; length];
        let _ = self.swarm.pack(&layout, &mut buffer, self.world.workers());
        let corner = self.place();
        let view = View {
            rect: self
                .random
                .percent(50)
                .then_some((corner, corner + Vec2::splat(5.0))),
            margin: self.number(),
            y_sort: self.random.percent(50),
            fraction: self.random.unit() as f32 * 1.01,
        };
        let workers = self.world.workers();
        if let Ok(instances) = self
            .swarm
            .instances(&layout, &view, &mut self.packer, workers)
        {
            assert!(instances.len() <= self.swarm.len());
            let _ = instances.write(&mut buffer, workers);
        }
    }

    fn step(&mut self) {
        if self.random.percent(80) {
            for (goal, movement) in self.swarm.needed_fields(&self.world) {
                let _ = self.world.require(goal, movement);
            }
            self.world.update();
        }
        let odd = self.random.percent(10);
        let dt = if odd {
            self.number()
        } else {
            self.random.unit() as f32 * 0.2
        };
        let before = self.depths();
        let quarantined = self.swarm.stats().quarantined;
        if self.swarm.step(&self.world, dt).is_ok() {
            self.check(&before);
            assert_eq!(
                self.swarm.stats().quarantined,
                quarantined,
                "a number got out of hand"
            );
        }
    }

    /// Each agent and how deep it is in walls, in cells; empty where cells are no use as a measure.
    fn depths(&mut self) -> Vec<(AgentId, f64)> {
        let grid = *self.world.grid();
        let is_moving = self.swarm.layers() != grid.layers();
        if grid.cell_size() != 1.0 || grid.origin() != Vec2::ZERO || is_moving {
            return Vec::new();
        }
        let agents = self
            .swarm
            .ids()
            .iter()
            .zip(self.swarm.positions())
            .zip(self.swarm.kinds());
        agents
            .filter_map(|((&id, &at), &kind)| {
                let kind = self.swarm.types()[usize::from(kind)];
                if kind.movement >= self.world.movement_type_count() || kind.radius > 4.0 {
                    return None;
                }
                let map = walls_of(self.world.costs(kind.movement));
                Some((id, wall_depth(&map, at, kind.radius)))
            })
            .collect()
    }

    fn check(&mut self, before: &[(AgentId, f64)]) {
        let swarm = &self.swarm;
        assert!(swarm.positions().iter().all(|at| at.is_finite()));
        assert!(
            swarm
                .velocities()
                .iter()
                .all(|velocity| velocity.length() <= 1.001 * MAX_SPEED)
        );
        assert_eq!(swarm.positions().len(), swarm.ids().len());
        assert!(
            swarm
                .ids()
                .iter()
                .enumerate()
                .all(|(index, &id)| swarm.index_of(id) == Ok(index))
        );
        if !swarm.settings().wall_correction {
            return;
        }
        let after = self.depths();
        for &(id, depth) in &after {
            let old = before
                .iter()
                .find(|entry| entry.0 == id)
                .map(|entry| entry.1);
            if let Some(old) = old {
                assert!(
                    depth <= old + 2.1e-3,
                    "agent {id:?} went from {old} to {depth} deep"
                );
            }
        }
    }
}

fn run(seed: u64, threads: usize) -> u64 {
    let grid = Grid::new(IVec2::new(31, 23), 1.0, Vec2::ZERO).expect("valid");
    let mut caller = Caller {
        random: SplitMix64::new(seed),
        world: FlowWorld::new(grid, Workers::new(threads).expect("threads")),
        swarm: Swarm::new(seed),
        ids: vec![AgentId::from_bits(0), AgentId::from_bits(u64::MAX)],
        goals: Vec::new(),
        saves: Vec::new(),
        packer: Packer::default(),
    };
    for _ in 0..CALLS {
        caller.call();
    }
    caller.swarm.state_hash()
}

#[test]
fn twenty_thousand_calls() {
    for seed in 0..2 {
        assert_eq!(
            run(seed, 1),
            run(seed, 2),
            "the same calls give the same state"
        );
    }
}
