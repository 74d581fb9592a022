//! Bottlenecks: whether an agent's way soon leads through a narrow passage.
//!
//! Such a passage limits the flow, whatever agents do in the queue before it. Pressing on or going round those ahead
//! gains nothing there, and two that want to be first hold each other up. Queued agents follow those that are nearer to
//! the goal, one by one or in rows ([`rules`](super::rules), [`leaders`](super::leaders)), and look for no way aside
//! ([`steer`](super::steer)).

use crate::movement::CostField;
use crate::swarm::AgentType;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use glam::IVec2;

/// The greatest width of a bottleneck that agents pass one by one, in radii.
const FOR_ONE: f32 = 3.2;
/// That of one that they pass in rows. Before wider ones more agents pass if they press on.
const WIDEST: f32 = 7.1;
/// By how much the remaining distances of the ends of a row across a bottleneck differ at most, as a share of the row's
/// length. Where the way goes on to one side, agents on that side are always nearer, and the others would wait for all
/// of them.
const SLANT: f32 = 0.35;
/// How far along their way agents look for one, in radii. Those farther away learn of it from the agents ahead.
const LOOK: f32 = 12.0;
/// The most cells that are looked at along a way, and the greatest width.
const MOST_CELLS: f32 = 24.0;
/// A bottleneck has at most this share of the width of the ground where the agent is.
const NARROWED: (i32, i32) = (2, 3);

/// A passage ahead that is narrower than the ground where an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bottleneck {
    /// Agents pass it one by one.
    ForOne,
    /// Agents pass it in rows.
    Wide,
}

impl Context<'_> {
    /// The narrowest bottleneck through which the agent's way soon leads. O(cells of the way × width).
    #[inline(never)]
    pub(super) fn bottleneck_ahead(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
    ) -> Option<Bottleneck> {
        let grid = self.world.grid();
        let cells_of = |radii: f32| (radii * kind.radius / grid.cell_size()).min(MOST_CELLS);
        let [for_one, widest] = [FOR_ONE, WIDEST].map(|radii| cells_of(radii) as i32);
        if widest < 1 || agent.flags & flag::OWN_TARGET != 0 {
            return None;
        }
        let route = self.route_of(agent)?;
        let costs = self.world.costs(kind.movement);
        let mut cell = grid.clamped_cell_at(agent.position);
        let steps = std::iter::from_fn(|| {
            let from = cell;
            cell = route.next_cell(from)?;
            let step = cell - from;
            // Behind a longer one, which is a link, lies another place.
            (step.abs().max_element() <= 1).then_some((from, step))
        });
        let mut way = steps.take(1 + cells_of(LOOK).ceil() as usize);
        let (start, step) = way.next()?;
        let here = width_between(ends_across(costs, start, step, 2 * widest));
        let most = widest.min(NARROWED.0 * here / NARROWED.1);
        let is_straight = |[one, other]: [IVec2; 2]| {
            let slant = route.remaining_cost(one) - route.remaining_cost(other);
            slant.abs() <= SLANT * (other - one).element_sum() as f32
        };
        let mut found = None;
        for (cell, step) in way {
            let ends = ends_across(costs, cell, step, widest);
            let width = width_between(ends);
            if width <= most.min(for_one) {
                return Some(Bottleneck::ForOne);
            }
            if width <= most && is_straight(ends) {
                found = Some(Bottleneck::Wide);
            }
        }
        found
    }
}

/// The outermost cells of the row through `cell` across a step out of it, between the nearest walls on either side, at
/// most `most` cells away.
fn ends_across(costs: &CostField, cell: IVec2, step: IVec2, most: i32) -> [IVec2; 2] {
    let along = |axis: IVec2| {
        [-axis, axis].map(|side| {
            let is_free = |&far: &i32| !costs.is_wall(cell + side * far);
            cell + side * (1..=most).take_while(is_free).count() as i32
        })
    };
    if step.y == 0 {
        return along(IVec2::Y);
    }
    let beside = along(IVec2::X);
    if step.x == 0 {
        return beside;
    }
    let above = along(IVec2::Y);
    if width_between(above) < width_between(beside) {
        above
    } else {
        beside
    }
}

/// The number of cells of a row between its ends.
fn width_between([one, other]: [IVec2; 2]) -> i32 {
    1 + (other - one).element_sum()
}

#[cfg(test)]
mod tests {
    use crate::grid::Grid;
    use crate::swarm::{AgentType, Avoidance, Swarm};
    use crate::workers::Workers;
    use crate::world::{FlowWorld, GoalMode};
    use glam::{IVec2, Vec2};

    const RADIUS: f32 = 0.35;

    /// A world of cells of one unit. `#` is a wall, `G` a goal, and four agents start in each `o`.
    fn crowd(rows: &[&str], radius: f32, mode: GoalMode) -> (FlowWorld, Swarm) {
        let size = IVec2::new(rows[0].len() as i32, rows.len() as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        let (mut goals, mut starts) = (Vec::new(), Vec::new());
        for (y, row) in (0..).zip(rows) {
            for (x, mark) in (0..).zip(row.bytes()) {
                let cell = IVec2::new(x, y);
                let middle = cell.as_vec2() + 0.5;
                match mark {
                    b'#' => world.set_terrain(cell, u8::MAX).expect("inside"),
                    b'G' => goals.push(middle),
                    b'o' => {
                        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
                        starts.extend(corners.map(|(x, y)| middle + 0.2 * Vec2::new(x, y)));
                    }
                    _ => {}
                }
            }
        }
        let costs = vec![0.0; goals.len()];
        let goal = world.create_goal_with_mode(&goals, &costs, mode);
        let goal = goal.expect("inside");
        let kind = AgentType {
            radius,
            max_speed: 3.0,
            acceleration: 20.0,
            avoidance: Avoidance::Contact,
            ..AgentType::default()
        };
        let mut swarm = Swarm::new(1);
        swarm.set_types(&[kind]).expect("valid");
        swarm.spawn(&world, &starts, 0, 0).expect("inside");
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        (world, swarm)
    }

    fn count_queued(swarm: &Swarm) -> usize {
        let states = swarm.agents.contact.iter();
        states.filter(|state| state.is_queued()).count()
    }

    fn step(world: &mut FlowWorld, swarm: &mut Swarm) {
        swarm.request_routes(world).expect("goals");
        world.update();
        swarm.step(world, 1.0 / 60.0).expect("valid");
    }

    /// The greatest number of queued agents in four seconds, in a crowd that comes to touch in that time.
    fn most_queued(rows: &[&str], radius: f32, mode: GoalMode) -> usize {
        let (mut world, mut swarm) = crowd(rows, radius, mode);
        let (mut most, mut touches) = (0, false);
        for _ in 0..240 {
            step(&mut world, &mut swarm);
            most = most.max(count_queued(&swarm));
            touches |= swarm.agents.contact.iter().any(|it| !it.is_alone());
        }
        assert!(touches, "no agent meets another");
        most
    }

    /// Whether any agents queue in four seconds one by one, and in rows.
    fn kinds_queued(rows: &[&str], radius: f32) -> [bool; 2] {
        let (mut world, mut swarm) = crowd(rows, radius, GoalMode::Full);
        let mut found = [false; 2];
        for _ in 0..240 {
            step(&mut world, &mut swarm);
            let states = swarm.agents.contact.iter();
            for state in states.filter(|state| state.is_queued()) {
                found[usize::from(state.is_abreast())] = true;
            }
        }
        found
    }

    const DOOR: [&str; 7] = [
        "########################",
        "#......oooo#...........#",
        "#......oooo#...........#",
        "#......oooo............G",
        "#......oooo#...........#",
        "#......oooo#...........#",
        "########################",
    ];

    #[test]
    fn agents_queue_before_a_door_for_one() {
        for mode in [GoalMode::Full, GoalMode::Tiled] {
            assert!(most_queued(&DOOR, RADIUS, mode) > 40, "{mode:?}");
        }
    }

    #[test]
    fn agents_queue_before_a_door_across_their_way_aslant() {
        let rows = [
            "##############",
            "#.oooo#......#",
            "#.oooo#......#",
            "#.oooo#......#",
            "#.ooo........#",
            "######.#######",
            "#............#",
            "#...........G#",
            "##############",
        ];
        assert!(most_queued(&rows, RADIUS, GoalMode::Full) > 20);
    }

    #[test]
    fn agents_queue_in_rows_before_a_wide_door() {
        let mut rows = DOOR;
        rows[2] = "#......oooo............#";
        assert_eq!(kinds_queued(&rows, RADIUS), [false, true]);
        // The door of one cell is wide for small agents.
        assert_eq!(kinds_queued(&DOOR, 0.25), [false, true]);
        assert_eq!(kinds_queued(&DOOR, RADIUS), [true, false]);
    }

    #[test]
    fn agents_queue_one_by_one_before_a_door_for_one_behind_a_wide_one() {
        let rows = [
            "########################",
            "#..........#...........#",
            "#.........o..#.........#",
            "#.........o............G",
            "#..........#.#.........#",
            "#..........#.#.........#",
            "########################",
        ];
        assert_eq!(kinds_queued(&rows, RADIUS), [true, false]);
    }

    #[test]
    fn agents_do_not_queue_before_a_door_for_many() {
        let mut rows = DOOR;
        rows[2] = "#......oooo............#";
        rows[4] = "#......oooo............#";
        assert_eq!(kinds_queued(&rows, RADIUS), [false, false]);
    }

    #[test]
    fn agents_do_not_queue_in_rows_where_the_way_goes_on_to_one_side() {
        let rows = [
            "########################",
            "#..........#...........#",
            "#..........#...........#",
            "#......oooo............#",
            "#......oooo............#",
            "#......oooo#...........#",
            "#......oooo#...........#",
            "#......oooo#...........#",
            "#......oooo#..G........#",
            "########################",
        ];
        assert_eq!(kinds_queued(&rows, RADIUS), [false, false]);
    }

    #[test]
    fn agents_do_not_queue_at_a_corner() {
        let rows = [
            "############",
            "#oooo......#",
            "#oooo......#",
            "#oooo......#",
            "#######....#",
            "#######....#",
            "#######....#",
            "#######GGGG#",
        ];
        assert_eq!(most_queued(&rows, RADIUS, GoalMode::Full), 0);
    }

    #[test]
    fn agents_do_not_queue_in_a_corridor_that_is_narrow_everywhere() {
        let rows = ["##############", "#ooooo.......G", "##############"];
        assert_eq!(most_queued(&rows, RADIUS, GoalMode::Full), 0);
    }

    #[test]
    fn agents_with_targets_of_their_own_do_not_queue() {
        let (mut world, mut swarm) = crowd(&DOOR, RADIUS, GoalMode::Full);
        let targets = vec![Vec2::new(20.5, 3.5); swarm.len()];
        let ids = swarm.ids().to_vec();
        swarm.set_targets(&world, &ids, &targets).expect("inside");
        for _ in 0..240 {
            step(&mut world, &mut swarm);
            assert_eq!(count_queued(&swarm), 0);
        }
    }

    /// Otherwise what follows after loading would differ.
    #[test]
    fn queues_are_saved_and_hashed() {
        for radius in [RADIUS, 0.25] {
            check_saved_and_hashed(radius);
        }
    }

    fn check_saved_and_hashed(radius: f32) {
        let (mut world, mut swarm) = crowd(&DOOR, radius, GoalMode::Full);
        for _ in 0..60 {
            step(&mut world, &mut swarm);
        }
        assert!(count_queued(&swarm) > 0);
        let (_, mut other) = crowd(&DOOR, radius, GoalMode::Full);
        other
            .load_in(&world, &swarm.save())
            .expect("of the same kind");
        assert_eq!(other.agents.contact, swarm.agents.contact);
        assert_eq!(other.state_hash(), swarm.state_hash());
        let queues = other.agents.contact.clone();
        for state in &mut other.agents.contact {
            *state = state.with_queue(0.0, false);
        }
        assert_ne!(other.state_hash(), swarm.state_hash());
        other.agents.contact = queues;
        for state in &mut other.agents.contact {
            *state = state.with_abreast(!state.is_abreast());
        }
        assert_ne!(other.state_hash(), swarm.state_hash());
    }
}
