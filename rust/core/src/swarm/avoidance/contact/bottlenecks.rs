//! Bottlenecks: whether an agent's way soon leads through a passage that agents pass one by one.
//!
//! Such a passage limits the flow, whatever agents do in the queue before it. Pressing on or going round those ahead
//! gains nothing there, and two that want to be first hold each other up. Queued agents follow those that are nearer to
//! the goal one by one ([`rules`](super::rules), [`leaders`](super::leaders)), and look for no way aside
//! ([`steer`](super::steer)).

use crate::movement::CostField;
use crate::swarm::AgentType;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use glam::IVec2;

/// The width of the widest bottleneck, in radii. Wider passages let more agents through if these press on than if they
/// queue.
const WIDEST: f32 = 3.2;
/// How far along their way agents look for one, in radii. Those farther away learn of it from the agents ahead.
const LOOK: f32 = 12.0;
/// The most cells that are looked at along a way, and the greatest width.
const MOST_CELLS: f32 = 24.0;
/// A bottleneck has at most this share of the width of the ground where the agent is.
const NARROWED: (i32, i32) = (2, 3);

impl Context<'_> {
    /// Whether the agent's way soon leads through a bottleneck. O(cells of the way × width).
    #[inline(never)]
    pub(super) fn is_before_bottleneck(&self, agent: &SortedAgent, kind: &AgentType) -> bool {
        let grid = self.world.grid();
        let cells_of = |radii: f32| (radii * kind.radius / grid.cell_size()).min(MOST_CELLS);
        let widest = cells_of(WIDEST) as i32;
        if widest < 1 || agent.flags & flag::OWN_TARGET != 0 {
            return false;
        }
        let Some(route) = self.route_of(agent) else {
            return false;
        };
        let costs = self.world.costs(kind.movement);
        let mut cell = grid.clamped_cell_at(agent.position);
        let mut most = None;
        for _ in 0..=cells_of(LOOK).ceil() as usize {
            let Some(next) = route.next_cell(cell) else {
                return false;
            };
            let step = next - cell;
            if step.abs().max_element() > 1 {
                // The way goes on behind a link.
                return false;
            }
            match most {
                None => {
                    let here = width_across(costs, cell, step, 2 * widest);
                    most = Some(widest.min(NARROWED.0 * here / NARROWED.1));
                }
                Some(most) if width_across(costs, cell, step, widest) <= most => return true,
                Some(_) => {}
            }
            cell = next;
        }
        false
    }
}

/// The number of cells without walls in the row through `cell` across a step out of it. Up to `most` are counted on
/// either side.
fn width_across(costs: &CostField, cell: IVec2, step: IVec2, most: i32) -> i32 {
    let along = |axis: IVec2| {
        let free = |side: IVec2| {
            let is_free = |&far: &i32| !costs.is_wall(cell + side * far);
            (1..=most).take_while(is_free).count() as i32
        };
        1 + free(axis) + free(-axis)
    };
    match (step.x, step.y) {
        (_, 0) => along(IVec2::Y),
        (0, _) => along(IVec2::X),
        _ => along(IVec2::X).min(along(IVec2::Y)),
    }
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
    fn agents_do_not_queue_before_a_wider_door() {
        let mut rows = DOOR;
        rows[2] = "#......oooo............#";
        assert_eq!(most_queued(&rows, RADIUS, GoalMode::Full), 0);
        // The door of one cell is wide for small agents.
        assert_eq!(most_queued(&DOOR, 0.25, GoalMode::Full), 0);
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
        let (mut world, mut swarm) = crowd(&DOOR, RADIUS, GoalMode::Full);
        for _ in 0..60 {
            step(&mut world, &mut swarm);
        }
        assert!(count_queued(&swarm) > 0);
        let (_, mut other) = crowd(&DOOR, RADIUS, GoalMode::Full);
        other
            .load_in(&world, &swarm.save())
            .expect("of the same kind");
        assert_eq!(other.agents.contact, swarm.agents.contact);
        assert_eq!(other.state_hash(), swarm.state_hash());
        for state in &mut other.agents.contact {
            *state = state.with_queue(0.0);
        }
        assert_ne!(other.state_hash(), swarm.state_hash());
    }
}
