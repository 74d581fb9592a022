//! Queries in 3D find the agents whose standing capsules a sphere or ray touches, on all storeys, where they are drawn.

use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentStatus, AgentType, LayerView, QueryOrder, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2, Vec3};
use flow_swarm_bench::maps::SplitMix64;
use proptest::prelude::*;

const SIZE: IVec2 = IVec2::new(26, 19);
const DT: f32 = 1.0 / 30.0;

/// A point in 64 bits, with y up.
type Point = [f64; 3];

fn point(at: Vec3) -> Point {
    at.to_array().map(f64::from)
}

fn distance(one: Point, other: Point) -> f64 {
    let squares = [0, 1, 2].map(|axis: usize| (one[axis] - other[axis]).powi(2));
    squares.iter().sum::<f64>().sqrt()
}

fn between(random: &mut SplitMix64, low: f32, high: f32) -> f32 {
    low + (high - low) * random.unit() as f32
}

/// An agent as a test sees it: a line from `low` to `high`, and everything at most `radius` from it.
struct Body {
    id: AgentId,
    low: Point,
    high: Point,
    radius: f64,
}

impl Body {
    /// The distance of a point from the surface, below 0 inside.
    fn gap(&self, to: Point) -> f64 {
        let nearest = [
            self.low[0],
            to[1].clamp(self.low[1], self.high[1]),
            self.low[2],
        ];
        distance(nearest, to) - self.radius
    }
}

/// The bodies of all agents, by what the swarm says about each.
fn bodies(swarm: &Swarm, above: f32) -> Vec<Body> {
    let ids = swarm.ids().iter().enumerate();
    ids.map(|(index, &id)| {
        let kind = &swarm.types()[usize::from(swarm.kinds()[index])];
        let size = f64::from(swarm.size_factor(id).expect("there"));
        let radius = f64::from(kind.radius) * size;
        let height = (f64::from(kind.body_height) * size).max(2.0 * radius);
        let flat = swarm.layers().flat(swarm.positions()[index]);
        let foot = f64::from(swarm.drawn_height(id, 1.0, above).expect("there"));
        let at = |height: f64| [f64::from(flat.x), foot + height, f64::from(flat.y)];
        Body {
            id,
            low: at(radius),
            high: at(height - radius),
            radius,
        }
    })
    .collect()
}

/// A world of storeys, some of them with hills, and a crowd of three types and many sizes on them, of which some agents
/// are on links that take long.
struct Scene {
    world: FlowWorld,
    swarm: Swarm,
    random: SplitMix64,
    above: f32,
}

impl Scene {
    fn new(layers: u32, seed: u64, has_links: bool, has_sizes: bool) -> Self {
        let mut random = SplitMix64::new(seed);
        let origin = Vec2::new(between(&mut random, -40.0, 9.0), 7.5);
        let grid = Grid::layered(SIZE, 1.0, origin, layers).expect("small");
        let mut world = FlowWorld::new(grid, Workers::new(2).expect("threads"));
        for layer in 0..layers {
            if random.percent(60) {
                let base = 5.0 * layer as f32;
                let heights: Vec<f32> = (0..(SIZE.x + 1) * (SIZE.y + 1))
                    .map(|_| base + between(&mut random, -1.0, 2.0))
                    .collect();
                world
                    .set_heights(i64::from(layer), &heights)
                    .expect("corners");
            }
        }
        let mut scene = Self {
            world,
            swarm: Swarm::new(seed),
            above: between(&mut random, -1.0, 1.0),
            random,
        };
        let kinds = [(0.3, 1.8), (0.25, 0.0), (1.4, 2.0)].map(|(radius, body_height)| AgentType {
            radius,
            body_height,
            max_speed: 3.0,
            ..AgentType::default()
        });
        scene.swarm.set_types(&kinds).expect("valid");
        let view = LayerView {
            height: 4.0,
            only: None,
        };
        scene.swarm.set_layer_view(view).expect("valid");
        scene.populate(has_links && layers > 1);
        if has_sizes {
            let ids = scene.swarm.ids().to_vec();
            let sizes: Vec<f32> = ids
                .iter()
                .map(|_| between(&mut scene.random, 0.2, 2.5))
                .collect();
            scene.swarm.set_size_factors(&ids, &sizes).expect("valid");
        }
        scene.swarm.set_ground(scene.world.ground());
        scene
    }

    /// A place on any layer.
    fn place(&mut self) -> Vec2 {
        let unit = Vec2::new(self.random.unit() as f32, self.random.unit() as f32);
        let layers = *self.world.grid().layers();
        let (low, _) = self.world.grid().bounds();
        let layer = self.random.below(layers.count() as usize) as u32;
        layers.place(low + unit * SIZE.as_vec2() * 0.999, layer)
    }

    fn populate(&mut self, has_links: bool) {
        if has_links {
            let cells = |layer| {
                let row = move |y| (IVec2::new(13, y), layer);
                (0..SIZE.y).map(row)
            };
            let place = |(cell, layer)| self.world.grid().place_of(cell, layer).expect("inside");
            let links: Vec<Link> = cells(0)
                .zip(cells(1))
                .map(|(from, to)| Link {
                    from: place(from),
                    to: place(to),
                    cost: 1.0,
                    both_ways: false,
                    travel: Travel::Timed {
                        seconds: 2.0,
                        arc: 3.0,
                    },
                })
                .collect();
            self.world.add_links(&links).expect("valid");
            let target = self.world.grid().place_of(IVec2::new(24, 9), 1);
            let target = self.world.grid().center_of(target.expect("inside"));
            let goal = self.world.create_goal(&[target]).expect("inside");
            self.swarm.set_group_goal(0, Some(goal)).expect("a group");
        }
        for kind in 0..3 {
            let places: Vec<Vec2> = (0..50).map(|_| self.place()).collect();
            self.swarm
                .spawn(&self.world, &places, kind, 0)
                .expect("inside");
        }
        for _ in 0..60 {
            self.swarm.request_routes(&mut self.world).expect("known");
            self.world.update();
            self.swarm.step(&self.world, DT).expect("valid");
        }
        // Some are where no step has put them.
        let ids: Vec<AgentId> = self.swarm.ids().iter().copied().step_by(7).collect();
        let places: Vec<Vec2> = ids.iter().map(|_| self.place()).collect();
        self.swarm
            .set_positions(&self.world, &ids, &places)
            .expect("inside");
    }

    fn travelling(&self) -> usize {
        let is_travelling = |&&id: &&AgentId| self.swarm.status(id) == Ok(AgentStatus::Travelling);
        self.swarm.ids().iter().filter(is_travelling).count()
    }

    /// A point in or around the scene.
    fn spot(&mut self) -> Vec3 {
        let (low, _) = self.world.grid().bounds();
        let random = &mut self.random;
        let at = [
            between(random, -4.0, 30.0) + low.x,
            between(random, -4.0, 18.0),
            between(random, -4.0, 23.0) + low.y,
        ];
        Vec3::from_array(at)
    }

    /// Compares a sphere with all bodies, except those that rounding decides about.
    fn check_sphere(&mut self) {
        let (center, radius) = (self.spot(), between(&mut self.random, 0.0, 5.0));
        let query = AgentQuery::default();
        let sphere = (center, radius);
        let found = self
            .swarm
            .query_sphere(&self.world, sphere, self.above, &query)
            .expect("valid");
        assert!(found.is_sorted(), "by ascending id");
        for body in bodies(&self.swarm, self.above) {
            let gap = body.gap(point(center)) - f64::from(radius);
            if gap.abs() > 1.0e-5 {
                let is_found = found.contains(&body.id);
                assert_eq!(is_found, gap < 0.0, "{sphere:?}: {gap}");
            }
        }
    }

    /// Compares a ray with all bodies: the nearest point is found by ternary search, the entry by bisection.
    fn check_ray(&mut self, case: usize) {
        let (mut from, mut to) = (self.spot(), self.spot());
        match case % 7 {
            0 => to = from,
            1 => to = Vec3::new(from.x, to.y, from.z),
            2 => to.y = from.y,
            // From far away, as a camera.
            3 => to = from + 20.0 * (to - from),
            // Ends whose coordinates are rounded to whole numbers still have the line in between.
            4 => {
                let long = 1.0e6 * (to - from);
                (from, to) = (from - long, to + long);
            }
            _ => {}
        }
        let query = AgentQuery::default();
        let found = self
            .swarm
            .query_ray(&self.world, (from, to), self.above, &query)
            .expect("valid");
        let [start, end] = [from, to].map(point);
        let length = distance(start, end);
        let at = |share: f64| {
            [0, 1, 2].map(|axis: usize| start[axis] + (end[axis] - start[axis]) * share)
        };
        let mut entries = std::collections::BTreeMap::new();
        for body in bodies(&self.swarm, self.above) {
            let gap = |share| body.gap(at(share));
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..90 {
                let third = (high - low) / 3.0;
                if gap(low + third) <= gap(high - third) {
                    high -= third;
                } else {
                    low += third;
                }
            }
            let nearest = gap(low);
            let is_found = found.contains(&body.id);
            if nearest.abs() < 1.0e-5 {
                continue;
            }
            assert_eq!(is_found, nearest < 0.0, "{from} to {to}: {nearest}");
            let (mut before, mut after) = (0.0, if gap(0.0) <= 0.0 { 0.0 } else { low });
            for _ in 0..60 {
                let middle = 0.5 * (before + after);
                if gap(middle) <= 0.0 {
                    after = middle;
                } else {
                    before = middle;
                }
            }
            entries.insert(body.id, after * length);
        }
        for pair in found.windows(2) {
            let [Some(one), Some(other)] = [0, 1].map(|n: usize| entries.get(&pair[n])) else {
                continue;
            };
            assert!(*one <= *other + 1.0e-3, "{one} before {other}");
            assert!(
                *one > 0.0 || *other > 0.0 || pair[0] < pair[1],
                "ties by id"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn spheres_and_rays_find_what_capsules_touch(
        layers in 1u32..4,
        seed in 0u64..u64::MAX,
        has_links in any::<bool>(),
        has_sizes in any::<bool>(),
    ) {
        let mut scene = Scene::new(layers, seed, has_links, has_sizes);
        for case in 0..24 {
            scene.check_sphere();
            scene.check_ray(case);
        }
    }

    #[test]
    fn positions_in_3d_are_those_that_are_drawn(
        layers in 1u32..4,
        seed in 0u64..u64::MAX,
        has_links in any::<bool>(),
    ) {
        let scene = Scene::new(layers, seed, has_links, false);
        let swarm = &scene.swarm;
        let all = swarm.standing_positions(scene.above);
        prop_assert_eq!(all.len(), swarm.len());
        for (&id, &stands) in swarm.ids().iter().zip(&all) {
            let (flat, _) = swarm.drawn_pose(id, 1.0).expect("there");
            let height = swarm.drawn_height(id, 1.0, scene.above).expect("there");
            prop_assert_eq!(stands, Vec3::new(flat.x, height, flat.y));
            prop_assert_eq!(swarm.standing_position(id, scene.above), Ok(stands));
        }
    }
}

#[test]
fn agents_on_links_are_found_in_the_air() {
    let mut scene = Scene::new(2, 3, true, false);
    assert!(scene.travelling() > 3, "only {}", scene.travelling());
    let flying: Vec<AgentId> = scene.swarm.ids().to_vec();
    for id in flying {
        if scene.swarm.status(id) != Ok(AgentStatus::Travelling) {
            continue;
        }
        let foot = scene.swarm.standing_position(id, 0.0).expect("there");
        let sphere = (foot + 0.1 * Vec3::Y, 0.01);
        let found = scene
            .swarm
            .query_sphere(&scene.world, sphere, 0.0, &AgentQuery::default())
            .expect("valid");
        assert!(found.contains(&id), "at {foot}");
    }
}

/// Two storeys, 4 m apart, with an agent 1.8 m tall on each, one above the other, and one more on the lower storey.
fn storeys() -> (FlowWorld, Swarm, [AgentId; 3]) {
    let grid = Grid::layered(IVec2::new(20, 12), 1.0, Vec2::ZERO, 2).expect("small");
    let world = FlowWorld::new(grid, Workers::serial());
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.4,
        body_height: 1.8,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let view = LayerView {
        height: 4.0,
        only: None,
    };
    swarm.set_layer_view(view).expect("valid");
    let layers = *world.grid().layers();
    let places =
        [(5.5, 0), (5.5, 1), (9.5, 0)].map(|(x, layer)| layers.place(Vec2::new(x, 6.5), layer));
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    (world, swarm, [ids[0], ids[1], ids[2]])
}

fn ray(
    world: &FlowWorld,
    swarm: &mut Swarm,
    ends: [[f32; 3]; 2],
    query: &AgentQuery,
) -> Vec<AgentId> {
    let [from, to] = ends.map(Vec3::from_array);
    swarm
        .query_ray(world, (from, to), 0.0, query)
        .expect("valid")
}

#[test]
fn a_ray_meets_storeys_in_its_order() {
    let (world, mut swarm, [below, above, beside]) = storeys();
    let all = AgentQuery::default();
    let [sky, ground] = [[5.5, 20.0, 6.5], [5.5, -1.0, 6.5]];
    assert_eq!(ray(&world, &mut swarm, [sky, ground], &all), [above, below]);
    assert_eq!(ray(&world, &mut swarm, [ground, sky], &all), [below, above]);
    // Over the head, and past the round shoulder, of the lower agents.
    for (height, found) in [
        (1.0, vec![below, beside]),
        (1.79, vec![below, beside]),
        (1.85, vec![]),
        (5.0, vec![above]),
    ] {
        let ends = [[0.0, height, 6.5], [19.0, height, 6.5]];
        assert_eq!(ray(&world, &mut swarm, ends, &all), found, "at {height}");
    }
    let shoulder = [[0.0, 1.75, 6.8], [19.0, 1.75, 6.8]];
    assert_eq!(ray(&world, &mut swarm, shoulder, &all), []);
    let flank = [[0.0, 1.0, 6.8], [19.0, 1.0, 6.8]];
    assert_eq!(ray(&world, &mut swarm, flank, &all), [below, beside]);
    let short = [[0.0, 1.0, 6.5], [5.0, 1.0, 6.5]];
    assert_eq!(ray(&world, &mut swarm, short, &all), []);
}

#[test]
fn conditions_orders_and_limits_hold_in_3d() {
    let (world, mut swarm, [below, above, beside]) = storeys();
    let ends = [[5.5, 20.0, 6.5], [5.5, -1.0, 6.5]];
    let first = AgentQuery::default().first(1).expect("valid");
    assert_eq!(ray(&world, &mut swarm, ends, &first), [above]);
    let rest = AgentQuery::default().without(&[above]);
    assert_eq!(ray(&world, &mut swarm, ends, &rest), [below]);
    let farthest = AgentQuery::default().by(QueryOrder::Distance);
    let farthest = farthest.expect("valid").descending();
    // The centre of an agent is 0.9 above its foot.
    let sphere = (Vec3::new(5.5, 4.0, 6.5), 9.0);
    let found = swarm.query_sphere(&world, sphere, 0.0, &farthest);
    assert_eq!(found, Ok(vec![beside, below, above]));
    let small = (Vec3::new(5.5, 2.0, 6.5), 0.1);
    let found = swarm.query_sphere(&world, small, 0.0, &AgentQuery::default());
    assert_eq!(found, Ok(vec![]), "above the head");
    let found = swarm.query_sphere(&world, small, 0.5, &AgentQuery::default());
    assert_eq!(found, Ok(vec![below]), "all stand half a metre higher");
}

#[test]
fn damage_in_3d_spares_other_storeys() {
    let (world, mut swarm, ids) = storeys();
    let [below, above, beside] = ids;
    swarm.set_user_ints(0, &ids, &[10]).expect("there");
    let all = AgentQuery::default();
    let blast = (Vec3::new(7.0, 0.5, 6.5), 3.0);
    let fallen = swarm.damage_sphere(&world, blast, 0.0, (0, 4), &all);
    assert_eq!(fallen, Ok(vec![]));
    let shot = (Vec3::new(12.0, 1.0, 6.5), Vec3::new(0.0, 1.0, 6.5));
    let fallen = swarm.damage_ray(&world, shot, 0.0, (0, 6), &all);
    assert_eq!(fallen, Ok(vec![beside, below]), "in the order of the ray");
    assert_eq!(swarm.user_int(0, above), Ok(10));
    assert!(
        swarm
            .damage_sphere(&world, blast, 0.0, (0, -1), &all)
            .is_err()
    );
    assert!(swarm.damage_ray(&world, shot, 0.0, (4, 1), &all).is_err());
    assert_eq!(swarm.user_int(0, below), Ok(0), "nothing has changed");
}

#[test]
fn bad_arguments_are_named() {
    let (world, mut swarm, _) = storeys();
    let all = AgentQuery::default();
    let nowhere = Vec3::new(1.0, f32::NAN, 2.0);
    let refused = swarm.query_sphere(&world, (nowhere, 1.0), 0.0, &all);
    let error: Error = refused.expect_err("not finite");
    assert_eq!(error.to_string(), "center must be finite, not (1, NaN, 2)");
    for radius in [-1.0, f32::NAN, f32::INFINITY, 2.0e6] {
        let refused = swarm.query_sphere(&world, (Vec3::ONE, radius), 0.0, &all);
        assert!(refused.expect_err("bad").to_string().contains("radius"));
    }
    for (ends, name) in [
        ((nowhere, Vec3::ONE), "from"),
        ((Vec3::ONE, Vec3::INFINITY), "to"),
        ((Vec3::Y * -1.1e9, Vec3::ONE), "from"),
        ((Vec3::ONE, Vec3::Z * 1.1e9), "to"),
    ] {
        let refused = swarm.query_ray(&world, ends, 0.0, &all);
        assert!(refused.expect_err("bad").to_string().contains(name));
    }
    let refused = swarm.query_ray(&world, (Vec3::ZERO, Vec3::ONE), f32::NAN, &all);
    assert!(refused.expect_err("bad").to_string().contains("height"));
    let most = Vec3::splat(1.0e9);
    for end in [Vec3::ONE, most, -most, Vec3::Y * 1.0e9] {
        let found = swarm.query_ray(&world, (-most, end), f32::MAX, &all);
        assert_eq!(found, Ok(vec![]), "far away, to {end}");
    }
    for body_height in [-1.0, f32::NAN, 1.0e7] {
        let kind = AgentType {
            body_height,
            ..AgentType::default()
        };
        let refused = kind.check().expect_err("bad").to_string();
        assert!(refused.contains("body_height"), "{refused}");
    }
}
