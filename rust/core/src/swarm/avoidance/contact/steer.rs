//! What an agent makes of others before it moves: it turns to get past those that do not go its way, and goes no faster
//! than those ahead let it.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// How much faster agents change their velocity in a crowd than alone: they close up at once when the one ahead goes
/// on, and stop when it stops.
const HURRY: f32 = 4.0;
/// Agents with a greater conflict than this press on: in long steps with less hurry, as they cannot see in between that
/// there is no room. Steps are long if fewer than so many are in a second.
const PRESSING: f32 = 0.3;
const SHORT_STEPS: f32 = 60.0;
/// How far agents look, in radii, and half as far.
const LOOK: f32 = 12.0;
/// The cost ahead from which on an agent looks to its sides.
const DEAR: f32 = 0.05;
/// What a turn costs at a right angle, by how much another way has to be better, and what keeping the present side is
/// worth.
const TURN: f32 = 0.1;
const BETTER: f32 = 0.02;
const SAME_SIDE: f32 = 0.05;
/// A way aside costs at most this share of the way ahead.
const SHARE: f32 = 0.6;
/// The cost of a place that walls hide, at least.
const HIDDEN: f32 = 1.0;
/// Agents with a greater conflict than this are in the midst of a stream that crosses theirs. To turn then would be to be
/// carried along by it.
const IN_CONFLICT: f32 = 0.8;
/// In how many steps agents look.
const OFTEN: u64 = 8;

/// Turns: the tangents of half the angles, cosines and sines of 0.4, 0.8 and 1.2 radians.
const TURNS: [(f32, f32, f32); 3] = [
    (0.202_710, 0.921_061, 0.389_418),
    (0.422_793, 0.696_707, 0.717_356),
    (0.684_137, 0.362_358, 0.932_039),
];

impl Context<'_> {
    /// The velocity that an agent wants among others, whose speed is limited where it stands, and by which factor it is in a hurry.
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
        let most = state.cap() * max_speed;
        let hurry = if state.is_alone() {
            1.0
        } else if state.conflict() > PRESSING {
            HURRY / (SHORT_STEPS * self.dt).max(1.0)
        } else {
            HURRY
        };
        (moved.preferred_direction * speed.min(most), hurry)
    }

    /// Finds out in some steps how far an agent turns from its way.
    #[inline]
    fn look(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        state: ContactState,
        moved: &mut StepResult,
    ) {
        let key = self.agents.key[agent.index as usize];
        if (key + self.tick).is_multiple_of(OFTEN) {
            let best = if moved.is_near_target || state.conflict() > IN_CONFLICT {
                0.0
            } else {
                self.best_turn(agent, kind, moved)
            };
            moved.contact = state.with_turn(0.5 * (state.turn() + best));
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
                // What costs least to find out comes first.
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
                // Else a crowd around one place would whirl.
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

    /// How far an agent at a place would still have to go, in world units.
    fn remaining(&self, agent: &SortedAgent, place: Vec2) -> f32 {
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

    /// Whether an agent sees as far again, if it can go some distance in a direction.
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

/// A unit vector turned by an angle, of which the tangent of the half is given.
#[inline]
pub(super) fn turned(direction: Vec2, tangent: f32) -> Vec2 {
    let square = tangent * tangent;
    let scale = 1.0 / (1.0 + square);
    turned_by(direction, (1.0 - square) * scale, 2.0 * tangent * scale)
}

/// A vector turned by an angle of some cosine and sine.
#[inline]
fn turned_by(vector: Vec2, cosine: f32, sine: f32) -> Vec2 {
    vector * cosine + vector.perp() * sine
}
