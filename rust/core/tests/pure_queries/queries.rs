//! All queries.

use std::collections::VecDeque;

use flow_swarm::swarm::{
    AgentQuery, CustomData, InstanceLayout, Packer, Plane, SwarmSnapshot, View,
};
use flow_swarm::terrain::Stamp;
use flow_swarm::{IVec2, Vec2, Vec3};
use flow_swarm_bench::maps::SplitMix64;

use crate::game::Game;

/// The number of queries of a tick that are named in a failure.
const NAMED: usize = 24;

pub struct Asker {
    random: SplitMix64,
    pub last: VecDeque<&'static str>,
}

impl Asker {
    pub fn new(seed: u64) -> Self {
        Self {
            random: SplitMix64::new(seed ^ 0xA5C),
            last: VecDeque::new(),
        }
    }

    pub fn draw(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn place(&mut self, game: &Game) -> Vec2 {
        let (low, high) = game.world.grid().bounds();
        let unit = Vec2::new(self.random.unit() as f32, self.random.unit() as f32);
        // Some points are outside.
        low - 1.0 + (high - low + 2.0) * unit
    }

    /// Makes one query. Errors and answers are both accepted.
    pub fn ask(&mut self, game: &mut Game) {
        let goal = game.goals[self.random.below(game.goals.len())];
        let movement = self.random.below(2);
        let (at, other) = (self.place(game), self.place(game));
        let radius = 12.0 * self.random.unit() as f32;
        let Game { world, swarm, .. } = game;
        let name = match self.random.below(33) {
            0 => called("flow_vector", world.flow_vector(goal, at, movement)),
            1 => called(
                "flow_vectors",
                world.flow_vectors(goal, &[at, other, Vec2::splat(9.5)], movement),
            ),
            2 | 3 => called("query_status", world.query_status(goal, at, movement)),
            4 => called("cost_to_goal", world.cost_to_goal(goal, at, movement)),
            5 => called("path_from", world.path_from(goal, at, movement)),
            6 => called(
                "smooth_path_from",
                world.smooth_path_from(goal, at, movement),
            ),
            7 => called("link_ahead", world.link_ahead(goal, at, movement)),
            8 => called("whole_field", world.whole_field(goal, movement)),
            9 => called("cost", world.cost(IVec2::new(3, 4), movement)),
            10 => called("fresh_costs", world.fresh_costs(movement)),
            11 => called("closest_walls", world.closest_walls(at, radius, movement)),
            12 if radius < 6.0 => called("is_in_sight", world.is_in_sight(at, other, movement)),
            12 => called("is_reachable", world.is_reachable(at, other, movement)),
            13 => called("island_at", world.island_at(at, movement)),
            14 => called(
                "nearest_reachable_cell",
                world.nearest_reachable_cell(at, other, movement),
            ),
            15 => called(
                "has_line_of_sight",
                world.has_line_of_sight(goal, at, movement),
            ),
            16 => called("sight_map", world.sight_map(goal, movement)),
            17 => called("island_map", world.island_map(movement)),
            18 => called("closed_map", world.closed_map(movement)),
            19 => called("direction_map", world.direction_map(goal, movement)),
            20 => called("built_sectors", world.built_sectors(goal, movement)),
            21 => called("portal_graph", world.portal_graph(movement)),
            22 => called("portal_windows", world.portal_windows(movement)),
            23 => {
                called("save_tiles", world.save_tiles());
                called("begin_tile_bake", world.begin_tile_bake());
                called("bake_tiles", world.bake_tiles())
            }
            24 => called("has_first_tiles", world.has_first_tiles(goal, movement, at)),
            27 => called("field_age", world.field_age(goal, at, movement)),
            28 => called("field_ages", world.field_ages(goal, movement)),
            25 => called(
                "query_circle",
                swarm.query_circle(world, at, radius, &AgentQuery::default()),
            ),
            26 => called(
                "nearest",
                swarm.nearest(world, at, radius, &AgentQuery::default()),
            ),
            29 => called(
                "costs_to_goal",
                world.costs_to_goal(goal, &[at, other, Vec2::splat(9.5)], movement),
            ),
            30 => {
                let size = IVec2::new(1 + radius as i32, 3);
                let ids = vec![255; size.element_product() as usize];
                let stamp = Stamp::new(size, &ids, None).expect("right length");
                let cell = world.grid().cell_at(at);
                let pairs = [(at, other), (Vec2::splat(9.5), other)];
                called("cut_pairs", world.cut_pairs(cell, &stamp, &pairs, movement))
            }
            31 => called("reach", world.reach(at, f64::from(3.0 * radius), movement)),
            _ => {
                let (low, high) = (at.min(other), at.max(other));
                drop(swarm.query_rect(world, (low, high), &AgentQuery::default()));
                drop(swarm.query_segment(world, (at, other), 0.1 * radius, &AgentQuery::default()));
                let [from, to] = [at, other].map(|at| Vec3::new(at.x, 0.5 * radius, at.y));
                drop(swarm.query_sphere(world, (from, radius), 0.0, &AgentQuery::default()));
                drop(swarm.query_ray(world, (from, to), 0.0, &AgentQuery::default()));
                drop(swarm.overlaps(world));
                drop(swarm.nearest_many(world, &[at, other], radius, &AgentQuery::default()));
                self.look_at(game);
                "query_rect, query_segment, query_sphere, query_ray, nearest_many, overlaps and what cannot change anything"
            }
        };
        if self.last.len() == NAMED {
            self.last.pop_front();
        }
        self.last.push_back(name);
    }

    /// Makes a query that takes `&self`.
    fn look_at(&mut self, game: &Game) {
        let (world, swarm) = (&game.world, &game.swarm);
        drop(swarm.save());
        let layout = InstanceLayout {
            plane: Plane::Xy,
            color: false,
            custom: CustomData::None,
            face_movement: true,
            size: 1.0,
            height: 0.0,
            height_offset_2d: 0.0,
        };
        let mut packer = Packer::default();
        let workers = world.workers();
        drop(swarm.instances(&layout, &View::default(), &mut packer, workers));
        let seen = (
            swarm.state_hash(),
            swarm.stats(),
            swarm.body_contacts(game.body),
            swarm.needed_fields(world),
            world.tile_stats(),
            world.build_stats(),
            (world.memory_bytes(), world.tiles_built()),
            world.crowding_at(self.place(game)),
        );
        let mut crowd = SwarmSnapshot::default();
        swarm.take_snapshot(&mut crowd);
        drop((seen, world.snapshot(), crowd));
    }
}

/// Returns the name of a query and drops its answer.
fn called<T>(name: &'static str, answer: T) -> &'static str {
    drop(answer);
    name
}
