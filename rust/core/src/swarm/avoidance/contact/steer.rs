//! Steering among contacts: an agent turns to pass agents that do not go its way, and keeps to the speed that its
//! leaders allow.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::avoidance::contact::bottlenecks::Bottleneck;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// The factor of acceleration in a crowd: agents close up at once when their leader moves on, and stop when it stops.
pub(super) const HURRY: f32 = 4.0;
/// That of a jammed agent that no other blocks, or that steps back beside a wall: full speed in one step. From rest it
/// would come no farther in a step than others press it back.
pub(super) const AT_ONCE: f32 = 100.0;
/// Agents with a greater conflict than this press on.
const PRESSING: f32 = 0.3;
/// In longer steps, fewer than this a second, the acceleration of agents that press on or queue abreast is reduced,
/// because they cannot react within a step to a lack of room.
const SHORT_STEPS: f32 = 60.0;
/// The farther distance at which agents sample the streams, in radii. The nearer one is half of it.
const LOOK: f32 = 12.0;
/// The cost straight ahead above which an agent samples other directions.
const DEAR: f32 = 0.05;
/// The cost of a turn by a right angle, the least gain for which an agent turns, and the bonus for staying on the
/// present side.
const TURN: f32 = 0.1;
const BETTER: f32 = 0.02;
const SAME_SIDE: f32 = 0.05;
/// A direction is taken only if it costs at most this share of straight ahead.
const SHARE: f32 = 0.6;
/// The least cost of a place that is not in line of sight.
const HIDDEN: f32 = 1.0;
/// Agents with a greater conflict than this are inside a crossing stream. They do not turn, as the stream would carry
/// them along.
const IN_CONFLICT: f32 = 0.8;
/// Each agent samples the streams once in this many steps.
const OFTEN: u64 = 8;
/// Each agent that is held up looks for a bottleneck ahead once in this many steps, and once in [`OFTEN`] in a queue.
const SELDOM: u64 = 32;

/// The sampled turns of 0.4, 0.8 and 1.2 radians: the tangent of half the angle, the cosine and the sine.
const TURNS: [(f32, f32, f32); 3] = [
    (0.202_710, 0.921_061, 0.389_418),
    (0.422_793, 0.696_707, 0.717_356),
    (0.684_137, 0.362_358, 0.932_039),
];

impl Context<'_> {
    /// The velocity that an agent wants among others, from the velocity `wanted` and the maximum speed on its terrain,
    /// and the factor of its acceleration.
    #[inline]
    pub(in crate::swarm) fn follow_others(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        (wanted, max_speed): (Vec2, f32),
        moved: &mut StepResult,
    ) -> (Vec2, f32) {
        let state = self.agents.contact[agent.index as usize];
        moved.contact = state;
        let speed = wanted.length();
        if speed <= 0.0 || moved.flags & flag::ARRIVED != 0 {
            return (wanted, if state.cap() >= 1.0 { 1.0 } else { HURRY });
        }
        moved.preferred_direction = wanted / speed;
        if !self.streams.is_empty() {
            self.look(agent, kind, state, moved);
            moved.preferred_direction = turned(moved.preferred_direction, moved.contact.turn());
        }
        let is_jammed = self.is_jammed(agent)
            && !moved.is_near_target
            && (state.conflict() > PRESSING || self.is_wedged(agent, kind, state));
        if is_jammed && self.has_turn(agent) {
            return self.step_back(agent, kind, (moved.preferred_direction, speed));
        }
        let most = state.cap() * max_speed;
        let hurry = if state.is_alone() {
            1.0
        } else if is_jammed && !state.is_blocked() {
            AT_ONCE
        } else if state.conflict() > PRESSING || state.is_abreast() {
            HURRY / (SHORT_STEPS * self.dt).max(1.0)
        } else {
            HURRY
        };
        (moved.preferred_direction * speed.min(most), hurry)
    }

    /// Updates, once in [`OFTEN`] steps, how far the agent turns from its preferred direction.
    #[inline]
    fn look(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        state: ContactState,
        moved: &mut StepResult,
    ) {
        let key = self.agents.key[agent.index as usize];
        let number = key + self.tick;
        if number.is_multiple_of(OFTEN) {
            let is_held_up = state.cap() < 1.0 || state.conflict() > 0.0;
            let looks_ahead = is_held_up && (state.is_queued() || number.is_multiple_of(SELDOM));
            if looks_ahead && let Some(bottleneck) = self.bottleneck_ahead(agent, kind) {
                moved.contact = moved
                    .contact
                    .with_queue(1.0, bottleneck == Bottleneck::Wide);
            }
            let is_queued = moved.contact.is_queued();
            let best = if is_queued || moved.is_near_target || state.conflict() > IN_CONFLICT {
                0.0
            } else {
                self.best_turn(agent, kind, moved)
            };
            moved.contact = moved.contact.with_turn(0.5 * (state.turn() + best));
        }
    }

    #[inline(never)]
    fn best_turn(&self, agent: &SortedAgent, kind: &AgentType, moved: &StepResult) -> f32 {
        let (at, ahead) = (agent.position, moved.preferred_direction);
        let near = kind.radius * LOOK * 0.5;
        let cost = |distance: f32, direction: Vec2| {
            self.streams.cost(at + direction * distance, direction)
        };
        let straight = 0.5 * (cost(near, ahead) + cost(2.0 * near, ahead));
        if straight <= DEAR {
            return 0.0;
        }
        let here = self.remaining(agent, at);
        let (mut least, mut best) = (straight - BETTER, 0.0);
        for (tangent, cosine, sine) in TURNS {
            for side in [-1.0, 1.0] {
                let direction = turned_by(ahead, cosine, sine * side);
                let first = 0.5 * cost(near, direction);
                let extra = TURN * (1.0 - cosine)
                    - SAME_SIDE * (2.0 * moved.contact.turn() * side * tangent).clamp(-0.5, 0.5);
                // The cheapest tests come first.
                let is_better = |second: f32| {
                    let all = first + 0.5 * second;
                    (all <= SHARE * straight && all + extra < least).then_some(all + extra)
                };
                if is_better(0.0).is_none() {
                    continue;
                }
                let second = cost(2.0 * near, direction);
                if is_better(second).is_none() {
                    continue;
                }
                // Without this test a crowd around one place would rotate.
                if self.remaining(agent, at + direction * near) > here {
                    continue;
                }
                let seen = self
                    .is_free(at, direction, near, kind)
                    .map(|is_open| if is_open { second } else { second.max(HIDDEN) });
                if let Some(all) = seen.and_then(is_better) {
                    (least, best) = (all, side * tangent);
                }
            }
        }
        best
    }

    /// The remaining distance of an agent if it were at `place`, in world units.
    pub(super) fn remaining(&self, agent: &SortedAgent, place: Vec2) -> f32 {
        if agent.flags & flag::OWN_TARGET != 0 {
            return self.agents.target[agent.index as usize].distance(place);
        }
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(place);
        let cells = self
            .route_of(agent)
            .map_or(0.0, |route| route.remaining_cost(cell));
        cells * grid.cell_size()
    }

    /// Whether twice the distance in a direction is in line of sight; `None` if not even the distance itself is.
    fn is_free(&self, at: Vec2, direction: Vec2, distance: f32, kind: &AgentType) -> Option<bool> {
        let grid = self.world.grid();
        let costs = self.world.costs(kind.movement);
        let [at, near, far] = [0.0, distance, 2.0 * distance]
            .map(|distance| grid.to_cell_space(at + direction * distance));
        costs
            .has_line_of_sight(at, near)
            .then(|| costs.has_line_of_sight(near, far))
    }
}

/// A unit vector turned by the angle whose half has the given tangent.
#[inline]
pub(super) fn turned(direction: Vec2, tangent: f32) -> Vec2 {
    let square = tangent * tangent;
    let scale = 1.0 / (1.0 + square);
    turned_by(direction, (1.0 - square) * scale, 2.0 * tangent * scale)
}

/// A vector turned by the angle with the given cosine and sine.
#[inline]
fn turned_by(vector: Vec2, cosine: f32, sine: f32) -> Vec2 {
    vector * cosine + vector.perp() * sine
}
