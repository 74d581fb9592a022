//! Snapshots that are restored in another world, which has given the same revisions to other costs.

use crate::common::unit_grid;
use flow_swarm::grid::CellRect;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;
use proptest::prelude::*;

const SIZE: i32 = 90;
const START: Vec2 = Vec2::splat(5.5);

/// What happens in both worlds.
#[derive(Debug, Clone, Copy)]
enum Deed {
    /// A wall across the map but for one cell, whose place differs between the worlds.
    Wall(i32),
    /// A square with a cost, which differs as well.
    Fill(IVec2),
    Move(usize, f32),
    /// Islands become known, and a route is asked for.
    Ask(f32),
    Updates(usize),
    /// Updates between which both goals walk.
    Walk(usize),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        1 => (0..SIZE).prop_map(Deed::Wall),
        2 => (0..SIZE, 0..SIZE).prop_map(|(x, y)| Deed::Fill(IVec2::new(x, y))),
        2 => (0..2_usize, 3.0..80.0_f32).prop_map(|(goal, at)| Deed::Move(goal, at)),
        2 => (3.0..80.0_f32).prop_map(Deed::Ask),
        3 => (1..12_usize).prop_map(Deed::Updates),
        3 => (1..12_usize).prop_map(Deed::Walk),
    ];
    prop::collection::vec(deed, 1..30)
}

/// A world with a whole and a tiled goal.
struct Played {
    world: FlowWorld,
    goals: [GoalId; 2],
    course: Course,
}

#[derive(Debug, Clone)]
struct Course {
    /// By how much its terrain differs.
    shift: i32,
    /// Where the goals walk.
    at: f32,
    /// From where routes to the tiled goal were asked for.
    asked: Vec<Vec2>,
}

impl Played {
    fn new((walking, cells): (usize, usize), shift: i32) -> Self {
        let grid = unit_grid(&open(SIZE as usize, SIZE as usize));
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_walking_cells(walking);
        world.set_update_cells(cells);
        let goals = [GoalMode::Full, GoalMode::Tiled].map(|mode| {
            let targets = [Vec2::splat(20.5)];
            let goal = world
                .create_goal_with_mode(&targets, &[0.0], mode)
                .expect("inside");
            world.require(goal, 0).expect("known");
            goal
        });
        Self {
            world,
            goals,
            course: Course {
                shift,
                at: 10.0,
                asked: Vec::new(),
            },
        }
    }

    fn play(&mut self, deed: Deed) {
        let Self {
            world,
            goals,
            course,
        } = self;
        let Course { shift, at, asked } = course;
        match deed {
            Deed::Wall(x) => {
                let x = (x + *shift) % SIZE;
                for (from, to) in [(0, x), (x + 1, SIZE)] {
                    let rect = CellRect {
                        low: IVec2::new(x, from),
                        high: IVec2::new(x + 1, to),
                    };
                    world.set_terrain_rect(rect, 255).expect("inside");
                }
            }
            Deed::Fill(low) => {
                let high = (low + 5).min(IVec2::splat(SIZE));
                let id = [1, 9][(low.x + *shift) as usize % 2];
                world
                    .set_terrain_rect(CellRect { low, high }, id)
                    .expect("inside");
            }
            Deed::Move(goal, to) => {
                world
                    .move_goal(goals[goal], &[Vec2::splat(to)])
                    .expect("inside");
            }
            Deed::Ask(x) => {
                let at = Vec2::new(x, 80.0);
                world.is_reachable(START, at, 0).expect("inside");
                world.request_route(goals[1], 0, at).expect("inside");
                asked.push(at);
            }
            Deed::Updates(count) => (0..count).for_each(|_| drop(world.update())),
            Deed::Walk(count) => {
                for _ in 0..count {
                    *at = (*at + 0.4) % 70.0;
                    for goal in *goals {
                        world
                            .move_goal(goal, &[Vec2::splat(*at + 10.0)])
                            .expect("inside");
                    }
                    world.update();
                }
            }
        }
    }

    /// What is seen of the world. Routes to the tiled goal are in the hash; queries may find others.
    fn seen(&mut self) -> Seen {
        let Self {
            world,
            goals,
            course,
        } = self;
        let place = |number: i32| {
            let column = (number % 7) as f32 * 11.0 + 2.0;
            Vec2::new(number as f32 * 2.4 + 1.0, column)
        };
        let places: Vec<Vec2> = (0..36).map(place).collect();
        let field = world.field(goals[0], 0).map(|field| {
            places
                .iter()
                .map(|&at| field.cost_at(at.as_ivec2()))
                .collect()
        });
        let vectors = world.flow_vectors(goals[0], &places, 0).expect("inside");
        let tiled = world
            .flow_vectors(goals[1], &course.asked, 0)
            .expect("inside");
        let is_reached = |&place: &Vec2| world.is_reachable(START, place, 0).expect("inside");
        let reached = places.iter().map(is_reached).collect();
        (
            world.world_hash().expect("nothing hinders"),
            field,
            [vectors, tiled].concat(),
            reached,
        )
    }
}

type Seen = (u64, Option<Vec<Option<f64>>>, Vec<Vec2>, Vec<bool>);

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_snapshot_leads_to_the_same_in_another_world(
        before in deeds(),
        after in deeds(),
        (is_asked, last) in (any::<bool>(), 0..40_usize),
        walking in prop::sample::select(vec![0_usize, 300]),
        cells in prop::sample::select(vec![0_usize, 60, 500]),
    ) {
        let new = |shift| Played::new((walking, cells), shift);
        let (mut own, mut other, mut stayed) = (new(0), new(3), [new(0), new(3)]);
        let [first, second] = &mut stayed;
        for played in [&mut own, &mut other, first, second] {
            for &deed in &before {
                played.play(deed);
            }
            // Fields may be unfinished.
            played.play(Deed::Walk(last));
            if is_asked {
                played.seen();
            }
        }
        let after = [after, vec![Deed::Updates(150)]].concat();
        let back = (own.world.snapshot(), own.course.clone());
        own.world.restore(&other.world.snapshot()).expect("the same settings");
        own.course = other.course;
        for &deed in &after {
            own.play(deed);
            second.play(deed);
            prop_assert_eq!(own.seen(), second.seen());
        }
        own.world.restore(&back.0).expect("the same settings");
        own.course = back.1;
        for &deed in &after {
            own.play(deed);
            first.play(deed);
            prop_assert_eq!(own.seen(), first.seen());
        }
    }
}
