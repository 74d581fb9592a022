//! Fills the solver's bodies with the results of steering.

use crate::grid::Grid;
use crate::swarm::avoidance::contact::body::{BodyRows, ContactBody, NEAR, NO_GROUP, Outcome};
use crate::swarm::avoidance::contact::reach::SKIN;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::swarm::{AgentType, Avoidance};
use crate::world::Route;
use glam::{IVec2, Vec2};
use std::sync::atomic::Ordering;

impl BodyRows<'_> {
    /// Fills the rows from `row` on with the steering results `moved` of the agents from `place` on in bucket order.
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
            *position = if takes_part(agent, kind, moved) {
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

/// Whether an agent takes part in contacts.
#[inline]
fn takes_part(agent: &SortedAgent, kind: &AgentType, moved: &StepResult) -> bool {
    kind.avoidance != Avoidance::None
        && !agent.is_out()
        && matches!(moved.link, OnLink::No | OnLink::Wants)
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
        let preferred_direction = if moved.is_near_target {
            moved.preferred_direction * NEAR
        } else {
            moved.preferred_direction
        };
        ContactBody {
            preferred_direction,
            radius: kind.radius,
            inverse_mass: if is_free { 1.0 / kind.mass } else { 0.0 },
            speed: kind.max_speed * self.speed_factor(agent, kind, moved.position),
            remaining: self.remaining_among(agent, moved),
            goal_group: if agent.flags & flag::OWN_TARGET == 0 {
                agent.goal_group
            } else {
                NO_GROUP
            },
            held: right_of_way(moved.contact.held()),
            kind: agent.kind,
            is_queued: moved.contact.is_queued(),
            is_abreast: moved.contact.is_abreast(),
            is_under_way: moved.preferred_direction != Vec2::ZERO && !moved.is_near_target,
            is_special: is_special(self, agent, kind, moved),
        }
    }

    /// See [`ContactBody::remaining`].
    #[inline]
    fn remaining_among(&self, agent: &SortedAgent, moved: &StepResult) -> f32 {
        let is_own = agent.flags & flag::OWN_TARGET != 0;
        if moved.contact.is_alone() || is_own || moved.preferred_direction == Vec2::ZERO {
            return f32::NAN;
        }
        let radius = self.types[usize::from(agent.kind)].radius;
        // A tie-break by key: of two agents with the same remaining distance always the same one is in front.
        let key = self.agents.key[agent.index as usize];
        let more = TIE * radius * (key % 16) as f32;
        self.route_of(agent).map_or(f32::NAN, |route| {
            remaining_distance(self.world.grid(), route, moved.position) + more
        })
    }
}

/// The remaining distance from a point to the goal, in world units. It is interpolated between the centres of the four
/// nearest cells, walls left out, because it must not jump at cell borders: an agent that crosses a border would get in
/// front of its neighbour, be pushed back, and repeat this for ever. Two such agents block a door.
#[inline]
pub(super) fn remaining_distance(grid: &Grid, route: &Route, place: Vec2) -> f32 {
    let point = grid.to_cell_space(place) - 0.5;
    let low = point.floor();
    let share = point - low;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let cell = (low.as_ivec2() + IVec2::new(x, y)).clamp(IVec2::ZERO, grid.size() - 1);
        let remaining = route.remaining_cost(cell);
        if remaining.is_finite() {
            let across = if x == 1 { share.x } else { 1.0 - share.x };
            let along = if y == 1 { share.y } else { 1.0 - share.y };
            sum += across * along * remaining;
            weights += across * along;
        }
    }
    sum / weights * grid.cell_size()
}

/// The distance, in radii, that the tie-break adds for each of its 16 ranks.
const TIE: f32 = 0.03;

/// The share of the longest counted time after which a held-up agent gains right of way, and the slope by which it
/// gains it.
const RIGHT_OF_WAY: (f32, f32) = (1.0 / 3.0, 3.0);

#[inline]
fn right_of_way(held: f32) -> u8 {
    // Conversions saturate.
    ((held - RIGHT_OF_WAY.0) * RIGHT_OF_WAY.1 * 255.0) as u8
}

/// How much farther than a stride an agent may be displaced, in regular radii: walls put an agent out that had sunk
/// into them by rounding. Two such agents are paired as long as they are apart by less than [`SKIN`] without twice this
/// distance.
const PUT_OUT: f32 = 0.25 * SKIN;

/// Whether an agent is special, which means that bands cannot hold it: it is oversized, or was moved farther in this
/// step than agents go under their own power.
#[inline]
pub(super) fn is_special(
    context: &Context<'_>,
    agent: &SortedAgent,
    kind: &AgentType,
    moved: &StepResult,
) -> bool {
    let displacement = moved.position - agent.position;
    let regular = context.buckets.regular_radius();
    let farthest = context.stride + PUT_OUT * regular;
    kind.radius > regular || displacement.length_squared() > farthest * farthest
}
