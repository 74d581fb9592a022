//! Queries find the agents that meet all conditions, in the order asked for, whatever has happened since the last sort.

use crate::common::world_on;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentType, ArrivalAction, QueryOrder, Settings, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;
use proptest::collection::vec;
use proptest::prelude::*;

const SIZE: i32 = 40;

fn world() -> FlowWorld {
    let grid = Grid::new(IVec2::splat(SIZE), 1.0, Vec2::ZERO).expect("valid");
    let map = open(SIZE as usize, SIZE as usize);
    world_on(grid, &map, Workers::new(2).expect("threads"))
}

/// Three types, on the collision layers 1, 2 and 4.
fn types() -> Vec<AgentType> {
    let on_layer = |collision_layer| AgentType {
        radius: 0.2,
        max_speed: 6.0,
        collision_layer,
        ..AgentType::default()
    };
    [1, 2, 4].map(on_layer).to_vec()
}

/// The conditions of a query, in the plainest form.
#[derive(Debug, Clone)]
struct Conditions {
    groups: Vec<i64>,
    kinds: Vec<i64>,
    mask: u32,
    ints: Option<(i32, i32)>,
    floats: Option<(f32, f32)>,
    excluded: Vec<usize>,
    order: usize,
    is_descending: bool,
    limit: usize,
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let selected = (vec(0..4_i64, 0..3), vec(0..3_i64, 0..3), 0..8_u32);
    let numbers = (
        prop::option::of((-5..5_i32, 0..6_i32)),
        prop::option::of((-5..5_i32, 0..6_i32)),
    );
    let rest = (
        vec(0..200_usize, 0..4),
        0..4_usize,
        any::<bool>(),
        0..9_usize,
    );
    (selected, numbers, rest).prop_map(|(selected, numbers, rest)| Conditions {
        groups: selected.0,
        kinds: selected.1,
        mask: selected.2,
        ints: numbers.0.map(|(least, more)| (least, least + more)),
        floats: numbers
            .1
            .map(|(least, more)| (least as f32, (least + more) as f32)),
        excluded: rest.0,
        order: rest.1,
        is_descending: rest.2,
        limit: rest.3,
    })
}

impl Conditions {
    /// The query. Empty lists, a mask of 0 and a limit of 0 stand for no condition.
    fn query(&self, swarm: &Swarm) -> AgentQuery {
        let mut query = AgentQuery::default();
        if !self.groups.is_empty() {
            query = query.in_groups(&self.groups).expect("groups");
        }
        if !self.kinds.is_empty() {
            query = query.of_types(&self.kinds).expect("types");
        }
        if self.mask != 0 {
            query = query.on_collision_layers(self.mask).expect("layers");
        }
        if let Some((least, most)) = self.ints {
            query = query.with_ints(1, least..=most).expect("a range");
        }
        if let Some((least, most)) = self.floats {
            query = query.with_floats(2, least..=most).expect("a range");
        }
        let order = [
            QueryOrder::Natural,
            QueryOrder::Distance,
            QueryOrder::Ints(1),
            QueryOrder::Floats(2),
        ][self.order];
        query = query
            .without(&self.excluded(swarm))
            .by(order)
            .expect("valid");
        if self.is_descending {
            query = query.descending();
        }
        match self.limit {
            0 => query,
            limit => query.first(limit).expect("above 0"),
        }
    }

    fn excluded(&self, swarm: &Swarm) -> Vec<AgentId> {
        let ids = swarm.ids();
        let excluded = self.excluded.iter().filter_map(|&number| ids.get(number));
        excluded.copied().collect()
    }

    /// Whether an agent is found, wherever it is.
    fn hold_for(&self, swarm: &Swarm, index: usize) -> bool {
        let id = swarm.ids()[index];
        let (group, kind) = (swarm.groups()[index], swarm.kinds()[index]);
        let layer = swarm.types()[usize::from(kind)].collision_layer;
        let int = swarm.user_int(1, id).expect("alive");
        let float = swarm.user_float(2, id).expect("alive");
        (self.groups.is_empty() || self.groups.contains(&group.into()))
            && (self.kinds.is_empty() || self.kinds.contains(&kind.into()))
            && (self.mask == 0 || layer & self.mask != 0)
            && self
                .ints
                .is_none_or(|(least, most)| least <= int && int <= most)
            && self
                .floats
                .is_none_or(|(least, most)| least <= float && float <= most)
            && !self.excluded(swarm).contains(&id)
    }

    /// The agents that are found, in order, if `natural` is the natural order of those at places that are searched.
    fn expected(
        &self,
        swarm: &Swarm,
        from: Vec2,
        natural: impl Fn(Vec2) -> Option<f64>,
    ) -> Vec<AgentId> {
        let mut found: Vec<(f64, AgentId)> = Vec::new();
        for (index, &at) in swarm.positions().iter().enumerate() {
            let Some(natural) = natural(at).filter(|_| self.hold_for(swarm, index)) else {
                continue;
            };
            let id = swarm.ids()[index];
            let key = match self.order {
                0 => natural,
                1 => f64::from(at.distance_squared(from)),
                2 => f64::from(swarm.user_int(1, id).expect("alive")),
                _ => f64::from(swarm.user_float(2, id).expect("alive")),
            };
            found.push((if self.is_descending { -key } else { key }, id));
        }
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        if self.limit > 0 {
            found.truncate(self.limit);
        }
        found.into_iter().map(|(_, id)| id).collect()
    }
}

/// What may happen between a sort and a query.
#[derive(Debug, Clone)]
enum Change {
    Step,
    Spawn(Vec<(f32, f32)>),
    Despawn(Vec<usize>),
    Teleport(usize, f32, f32),
    SetType(usize, i64),
    SetNumbers(usize, i32),
}

fn change() -> impl Strategy<Value = Change> {
    let span = 0.0..SIZE as f32 - 0.01;
    prop_oneof![
        3 => Just(Change::Step),
        1 => vec((span.clone(), span.clone()), 0..4).prop_map(Change::Spawn),
        3 => vec(0..300_usize, 0..6).prop_map(Change::Despawn),
        1 => (0..300_usize, span.clone(), span).prop_map(|(which, x, y)| Change::Teleport(which, x, y)),
        1 => (0..300_usize, 0..3_i64).prop_map(|(which, kind)| Change::SetType(which, kind)),
        1 => (0..300_usize, -5..5_i32).prop_map(|(which, number)| Change::SetNumbers(which, number)),
    ]
}

struct Game {
    world: FlowWorld,
    swarm: Swarm,
}

impl Game {
    fn new(places: &[(f32, f32)]) -> Self {
        let world = world();
        let mut swarm = Swarm::new(1);
        swarm.set_types(&types()).expect("valid");
        for (number, &(x, y)) in places.iter().enumerate() {
            let (kind, group) = (number as i64 % 3, number as i64 % 4);
            let ids = swarm
                .spawn(&world, &[Vec2::new(x, y)], kind, group)
                .expect("inside");
            let number = number as i32 % 11 - 5;
            swarm.set_user_ints(1, &ids, &[number]).expect("alive");
            let numbers = [-number as f32];
            swarm.set_user_floats(2, &ids, &numbers).expect("alive");
        }
        let mut game = Self { world, swarm };
        let goal = game
            .world
            .create_goal(&[Vec2::splat(20.5)])
            .expect("inside");
        game.swarm.set_group_goal(1, Some(goal)).expect("a group");
        game
    }

    fn id(&self, number: usize) -> Option<AgentId> {
        let count = self.swarm.len();
        (count > 0).then(|| self.swarm.ids()[number % count])
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Step => {
                self.swarm.request_routes(&mut self.world).expect("valid");
                self.world.update();
                self.swarm.step(&self.world, 0.1).expect("valid");
            }
            Change::Spawn(places) => {
                let places: Vec<Vec2> = places.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
                self.swarm
                    .spawn(&self.world, &places, 1, 1)
                    .expect("inside");
            }
            Change::Despawn(numbers) => {
                let ids: Vec<_> = numbers
                    .iter()
                    .filter_map(|&number| self.id(number))
                    .collect();
                self.swarm.despawn(&ids);
            }
            Change::Teleport(number, x, y) => {
                if let Some(id) = self.id(*number) {
                    let places = [Vec2::new(*x, *y)];
                    let moved = self.swarm.set_positions(&self.world, &[id], &places);
                    moved.expect("inside");
                }
            }
            Change::SetType(number, kind) => {
                if let Some(id) = self.id(*number) {
                    self.swarm.set_type(&[id], *kind).expect("alive");
                }
            }
            Change::SetNumbers(number, value) => {
                if let Some(id) = self.id(*number) {
                    self.swarm
                        .set_user_ints(1, &[id], &[*value])
                        .expect("alive");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn queries_find_agents_that_meet_all_conditions_in_order(
        places in vec((0.0..SIZE as f32 - 0.01, 0.0..SIZE as f32 - 0.01), 0..160),
        rounds in vec((vec(change(), 0..4), conditions(), (0.0..40.0_f32, 0.0..40.0_f32), 0.0..30.0_f32), 1..12),
    ) {
        let mut game = Game::new(&places);
        for (changes, conditions, (x, y), radius) in &rounds {
            for change in changes {
                game.apply(change);
            }
            let Game { world, swarm } = &mut game;
            let (center, radius) = (Vec2::new(*x, *y), *radius);
            let query = conditions.query(swarm);
            let is_near = |at: Vec2| at.distance_squared(center) <= radius * radius;

            let expected = conditions.expected(swarm, center, |at| is_near(at).then_some(0.0));
            prop_assert_eq!(swarm.query_circle(world, center, radius, &query), Ok(expected));

            let (low, high) = (center - radius, center + Vec2::new(radius, 3.0));
            let is_inside = |at: Vec2| at.cmpge(low).all() && at.cmple(high).all();
            let middle = low + 0.5 * (high - low);
            let expected = conditions.expected(swarm, middle, |at| is_inside(at).then_some(0.0));
            prop_assert_eq!(swarm.query_rect(world, (low, high), &query), Ok(expected));

            let by_distance = |at: Vec2| is_near(at).then(|| at.distance_squared(center).into());
            let expected = conditions.expected(swarm, center, by_distance);
            let first = expected.first().copied();
            prop_assert_eq!(swarm.nearest(world, center, radius, &query), Ok(first));
        }
    }

    #[test]
    fn one_call_for_many_positions_finds_what_one_call_for_each_finds(
        places in vec((0.0..SIZE as f32 - 0.01, 0.0..SIZE as f32 - 0.01), 0..160),
        conditions in conditions(),
        from in vec((-3.0..43.0_f32, -3.0..43.0_f32), 0..200),
        radius in 0.0..60.0_f32,
    ) {
        let Game { world, mut swarm } = Game::new(&places);
        let from: Vec<Vec2> = from.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        let query = conditions.query(&swarm);
        let found = swarm.nearest_many(&world, &from, radius, &query).expect("valid");
        prop_assert_eq!(found.len(), from.len());
        for (found, &from) in found.iter().zip(&from) {
            let by_distance = |at: Vec2| {
                let squared = at.distance_squared(from);
                (squared <= radius * radius).then(|| squared.into())
            };
            let expected = conditions.expected(&swarm, from, by_distance);
            prop_assert_eq!(*found, expected.first().copied());
        }
    }
}

/// A snake of a corridor: the agent with the least way left is not the one nearest to the goal.
fn snake() -> FlowWorld {
    let rows = [
        "..........",
        "#########.",
        "..........",
        ".#########",
        "..........",
    ];
    let cells: Vec<u8> = rows
        .iter()
        .flat_map(|row| row.bytes())
        .map(|cell| if cell == b'#' { 255 } else { 1 })
        .collect();
    let grid = Grid::new(IVec2::new(10, 5), 2.0, Vec2::new(-7.0, 3.0)).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::new(2).expect("threads"));
    world
        .set_terrain_bytes(&cells)
        .expect("as many as the grid has");
    world
}

#[test]
fn the_first_on_the_path_is_the_one_with_the_least_cost_left() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let mut world = snake();
        let grid = *world.grid();
        let goal = world
            .create_goal_with_mode(&[grid.center_of(IVec2::new(0, 4))], &[0.0], mode)
            .expect("inside");
        let mut swarm = Swarm::new(1);
        swarm.set_types(&types()).expect("valid");
        // From the last to the first on the path; two are in one cell.
        let cells = [
            (0.5, 0.5),
            (8.2, 0.5),
            (9.5, 1.5),
            (5.5, 2.5),
            (0.3, 2.5),
            (0.5, 3.2),
            (0.5, 3.8),
        ];
        let places = cells.map(|(x, y)| grid.to_world(Vec2::new(x, y)));
        let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
        let lost = swarm.spawn(&world, &places[..1], 0, 7).expect("inside");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        for _ in 0..50 {
            swarm.request_routes(&mut world).expect("valid");
            world.update();
        }
        let by_cost = AgentQuery::default()
            .by(QueryOrder::CostToGoal)
            .expect("valid");
        let (low, _) = grid.bounds();
        let found = swarm
            .query_circle(&world, low, 100.0, &by_cost)
            .expect("valid");
        let mut expected: Vec<AgentId> = ids.iter().rev().copied().collect();
        expected.extend(&lost);
        assert_eq!(found, expected, "{mode:?}");
        let found = swarm.query_circle(&world, low, 100.0, &by_cost.clone().descending());
        let mut expected = ids.clone();
        expected.extend(&lost);
        assert_eq!(found, Ok(expected), "without a goal is last both ways");
        // The last three are out of reach.
        let at = grid.to_world(Vec2::new(9.5, 0.5));
        let first = swarm.nearest(&world, at, 9.0, &by_cost).expect("valid");
        assert_eq!(first, Some(ids[3]), "{mode:?}");
        let four = by_cost.first(4).expect("above 0");
        let found = swarm
            .query_circle(&world, low, 100.0, &four)
            .expect("valid");
        assert_eq!(found, [ids[6], ids[5], ids[4], ids[3]]);
    }
}

#[test]
fn a_nearer_agent_outside_the_square_that_is_searched_first_is_found() {
    let world = world();
    let mut swarm = Swarm::new(1);
    swarm.set_types(&types()).expect("valid");
    for (step, distance) in (0..60).flat_map(|step| (5..50).map(move |tenths| (step, tenths))) {
        let center = Vec2::new(10.0 + 0.05 * step as f32, 20.0);
        let distance = 0.1 * distance as f32;
        swarm.clear();
        let diagonal = center + Vec2::splat(0.8 * distance);
        let ahead = center + Vec2::new(distance, 0.0);
        let ids = swarm
            .spawn(&world, &[diagonal, ahead], 0, 0)
            .expect("inside");
        let found = swarm.nearest(&world, center, f32::INFINITY, &AgentQuery::default());
        assert_eq!(found, Ok(Some(ids[1])), "{distance} from {center}");
    }
}

#[test]
fn a_new_type_counts_at_once() {
    let world = world();
    let mut swarm = Swarm::new(1);
    let large = AgentType {
        radius: 3.0,
        ..AgentType::default()
    };
    swarm.set_types(&[types()[0], large]).expect("valid");
    let at = Vec2::splat(20.0);
    let ids = swarm.spawn(&world, &[at], 0, 0).expect("inside");
    let beside = (at + Vec2::new(-5.0, 2.0), at + Vec2::new(5.0, 2.0));
    let all = AgentQuery::default();
    assert_eq!(swarm.query_segment(&world, beside, 0.0, &all), Ok(vec![]));
    swarm.set_type(&ids, 1).expect("alive");
    assert_eq!(swarm.query_segment(&world, beside, 0.0, &all), Ok(ids));
}

#[test]
fn agents_that_despawn_on_arrival_are_not_found() {
    let mut world = world();
    let target = Vec2::splat(20.5);
    let goal = world.create_goal(&[target]).expect("inside");
    let mut swarm = Swarm::new(1);
    swarm.set_types(&types()).expect("valid");
    let settings = Settings {
        arrival: ArrivalAction::Despawn,
        ..*swarm.settings()
    };
    swarm.set_settings(settings).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let places: Vec<Vec2> = (0..90)
        .map(|n| target + Vec2::new(0.2 * n as f32, 0.3))
        .collect();
    swarm.spawn(&world, &places, 0, 0).expect("inside");
    for _ in 0..60 {
        swarm.request_routes(&mut world).expect("valid");
        world.update();
        swarm.step(&world, 0.05).expect("valid");
        let mut ids = swarm.ids().to_vec();
        ids.sort_unstable();
        let found = swarm.query_circle(&world, target, 100.0, &AgentQuery::default());
        assert_eq!(found, Ok(ids));
    }
    assert!(swarm.len() < 60, "{} left", swarm.len());
}

#[test]
fn conditions_that_select_nothing_are_refused() {
    let query = AgentQuery::default;
    let error = |result: flow_swarm::Result<AgentQuery>| result.expect_err("refused").to_string();
    assert_eq!(
        error(query().in_groups(&[])),
        "groups must have at least 1 entry, not 0"
    );
    assert_eq!(
        error(query().in_groups(&[3, 256])),
        "group must be from 0 to 255, not 256"
    );
    assert_eq!(
        error(query().of_types(&[])),
        "types must have at least 1 entry, not 0"
    );
    assert_eq!(
        error(query().of_types(&[-1])),
        "type must be from 0 to 63, not -1"
    );
    assert_eq!(
        error(query().on_collision_layers(0)),
        "collision_mask must be from 1 to 4294967295, not 0"
    );
    assert_eq!(
        error(query().with_ints(4, 0..=1)),
        "column must be from 0 to 3, not 4"
    );
    let [least, most] = [2, 1];
    let empty = least..=most;
    assert_eq!(
        error(query().with_ints(0, empty)),
        "greatest value of a range must be from 2 to 2147483647, not 1"
    );
    assert_eq!(
        error(query().with_floats(0, f32::NAN..=1.0)),
        "least value of a range must be finite, not NaN"
    );
    assert!(query().with_floats(0, 0.0..=f32::NAN).is_err());
    assert!(query().with_floats(0, 1.0..=f32::INFINITY).is_err());
    assert!(query().with_floats(0, f32::MIN..=f32::MAX).is_ok());
    assert!(query().by(QueryOrder::Ints(4)).is_err() && query().by(QueryOrder::Floats(9)).is_err());
    assert!(query().first(0).is_err());
}
