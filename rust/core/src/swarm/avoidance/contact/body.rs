//! Agents as the solver sees them, in bucket order.

use crate::grid::Grid;
use crate::swarm::avoidance::contact::special::is_special;
use crate::swarm::neighbours::buckets::SortedAgent;
use crate::swarm::state::agents::{AgentState, flag};
use crate::swarm::step::context::{Context, StepResult};
use crate::swarm::{AgentType, Avoidance};
use crate::workers::Columns;
use crate::world::Route;
use glam::{IVec2, Vec2};
use std::sync::atomic::{AtomicBool, Ordering};

/// What the solver knows of an agent beside its place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactBody {
    /// The direction it wants to go in: a unit vector under way, shorter near its own target ([`NEAR`]), zero if it
    /// wants to go nowhere.
    pub(super) wish: Vec2,
    pub(super) radius: f32,
    /// 0 for agents that no other moves.
    pub(super) inverse_mass: f32,
    /// The greatest speed it has where it is.
    pub(super) speed: f32,
    /// How far it still has to go, in world units, if it is on its way to a goal among others; else not a number.
    pub(super) remaining: f32,
    /// The group whose goal it is on its way to; [`OWN_WAY`] if it has a target of its own.
    pub(super) way: u16,
    /// How much right of way counts, of 255: it grows while a conflict holds the agent up.
    pub(super) held: u8,
    pub(super) kind: u8,
    /// Whether it is on its way, and not near its own target.
    pub(super) is_under_way: bool,
    /// See [`is_special`].
    pub(super) is_special: bool,
}

/// What [`ContactBody::way`] is of agents that go where no other goes.
pub(super) const OWN_WAY: u16 = u16::MAX;

/// How long the wish is of agents near their own target.
pub(super) const NEAR: f32 = 0.5;

impl ContactBody {
    /// Whether both go to the same goal.
    #[inline]
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.way == other.way && self.way != OWN_WAY
    }
}

/// What becomes of an agent's [`ContactState`](super::ContactState).
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) cap: f32,
    pub(super) conflict: f32,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            cap: 1.0,
            conflict: 0.0,
        }
    }
}

/// All agents; without meaning between steps.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// Where steering has put them, and the solver then. Not a number for those that take no part.
    pub(super) positions: Vec<Vec2>,
    pub(super) bodies: Vec<ContactBody>,
    pub(super) outcomes: Vec<Outcome>,
    /// Whether any is special.
    pub(super) has_special: AtomicBool,
}

impl Bodies {
    /// Makes room for so many agents.
    pub(super) fn resize(&mut self, count: usize) {
        self.positions.resize(count, Vec2::NAN);
        self.bodies.resize(count, ContactBody::default());
        self.outcomes.resize(count, Outcome::default());
        *self.has_special.get_mut() = false;
    }

    pub(super) fn rows(&mut self) -> BodyRows<'_> {
        BodyRows {
            positions: &mut self.positions,
            bodies: &mut self.bodies,
            outcomes: &mut self.outcomes,
            has_special: &self.has_special,
        }
    }
}

/// Consecutive rows of [`Bodies`]; none where agents have no contacts.
pub(in crate::swarm) struct BodyRows<'a> {
    positions: &'a mut [Vec2],
    bodies: &'a mut [ContactBody],
    outcomes: &'a mut [Outcome],
    has_special: &'a AtomicBool,
}

impl Columns for BodyRows<'_> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let middle = middle.min(self.positions.len());
        let (positions, more_positions) = self.positions.split_at_mut(middle);
        let (bodies, more_bodies) = self.bodies.split_at_mut(middle);
        let (outcomes, more_outcomes) = self.outcomes.split_at_mut(middle);
        let one = Self {
            positions,
            bodies,
            outcomes,
            has_special: self.has_special,
        };
        let two = Self {
            positions: more_positions,
            bodies: more_bodies,
            outcomes: more_outcomes,
            has_special: self.has_special,
        };
        (one, two)
    }
}

impl BodyRows<'_> {
    /// Notes in the rows from `row` on where steering has moved the agents to that are at `place` and after it in bucket
    /// order.
    pub(in crate::swarm) fn note(
        &mut self,
        row: usize,
        context: &Context<'_>,
        place: usize,
        moved: &[StepResult],
    ) {
        if self.bodies.is_empty() {
            return;
        }
        let rows = row..row + moved.len();
        let agents = &context.buckets.sorted()[place..place + moved.len()];
        let out = self.bodies[rows.clone()]
            .iter_mut()
            .zip(&mut self.positions[rows.clone()]);
        let mut has_special = false;
        for ((body, position), (agent, moved)) in out.zip(agents.iter().zip(moved)) {
            let kind = &context.types[usize::from(agent.kind)];
            *body = context.contact_body(agent, kind, moved);
            *position = if takes_part(kind, moved) {
                moved.position
            } else {
                body.is_special = false;
                Vec2::NAN
            };
            has_special |= body.is_special;
        }
        self.outcomes[rows].fill(Outcome::default());
        if has_special {
            self.has_special.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether an agent can be touched at all.
#[inline]
fn takes_part(kind: &AgentType, moved: &StepResult) -> bool {
    kind.avoidance != Avoidance::None
        && moved.flags & flag::QUARANTINED == 0
        && !moved.has_jumped
        && moved.is_finite()
}

impl Context<'_> {
    #[inline]
    fn contact_body(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        moved: &StepResult,
    ) -> ContactBody {
        let is_free = agent.state != AgentState::Scripted;
        let wish = if moved.is_near_target {
            moved.wish * NEAR
        } else {
            moved.wish
        };
        ContactBody {
            wish,
            radius: kind.radius,
            inverse_mass: if is_free { 1.0 / kind.mass } else { 0.0 },
            speed: kind.max_speed * self.ground.factor(kind, moved.position),
            remaining: self.remaining_among(agent, moved),
            way: if agent.flags & flag::OWN_TARGET == 0 {
                u16::from(agent.group)
            } else {
                OWN_WAY
            },
            held: right_of_way(moved.contact.held()),
            kind: agent.kind,
            is_under_way: moved.wish != Vec2::ZERO && !moved.is_near_target,
            is_special: is_special(self, agent, kind, moved),
        }
    }

    /// See [`ContactBody::remaining`].
    #[inline]
    fn remaining_among(&self, agent: &SortedAgent, moved: &StepResult) -> f32 {
        let is_own = agent.flags & flag::OWN_TARGET != 0;
        if moved.contact.is_alone() || is_own || moved.wish == Vec2::ZERO {
            return f32::NAN;
        }
        let radius = self.types[usize::from(agent.kind)].radius;
        // Of two that are equally near one is in front all the same, and always the same one.
        let key = self.agents.key[agent.index as usize];
        let more = TIE * radius * (key % 16) as f32;
        self.route_of(agent).map_or(f32::NAN, |route| {
            way_left_at(self.world.grid(), route, moved.position) + more
        })
    }
}

/// How far it is from a point to the goal, in world units: interpolated between the middles of the four nearest cells,
/// walls left out. It must not jump between cells: an agent that crosses into another one would come to be in front
/// of its neighbour, be pushed back, and so on for ever, and two of them close a door.
#[inline]
pub(super) fn way_left_at(grid: &Grid, route: &Route, place: Vec2) -> f32 {
    let point = grid.to_cell_space(place) - 0.5;
    let low = point.floor();
    let share = point - low;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let cell = (low.as_ivec2() + IVec2::new(x, y)).clamp(IVec2::ZERO, grid.size() - 1);
        let way = route.remaining_cost(cell);
        if way.is_finite() {
            let across = if x == 1 { share.x } else { 1.0 - share.x };
            let along = if y == 1 { share.y } else { 1.0 - share.y };
            sum += across * along * way;
            weights += across * along;
        }
    }
    sum / weights * grid.cell_size()
}

/// How much farther, in radii, agents count as for each of 16 kinds of keys.
const TIE: f32 = 0.03;
/// From which share of the longest time that counts a held-up agent has right of way, and how fast it gains it.
const RIGHT_OF_WAY: (f32, f32) = (1.0 / 3.0, 3.0);

#[inline]
fn right_of_way(held: f32) -> u8 {
    // Conversions saturate.
    ((held - RIGHT_OF_WAY.0) * RIGHT_OF_WAY.1 * 255.0) as u8
}
