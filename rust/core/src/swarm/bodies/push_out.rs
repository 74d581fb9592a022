//! Keeping agents out of solid bodies, once they have moved.
//!
//! Only those near a body are looked at, through the buckets that the step began with and the
//! farthest that any agent has moved since. Walls have the last word: an agent that is pushed out
//! goes there from where the step began, slides along walls and stays in a body rather than in a wall.

use crate::swarm::bodies::body::Body;
use crate::swarm::bodies::{Collider, Nearest};
use crate::swarm::limits::{CHUNK, MAX_STEP_CELLS};
use crate::swarm::neighbours::buckets::within;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use crate::world::FlowWorld;
use glam::Vec2;
use std::sync::atomic::{AtomicU32, Ordering};

/// How deep in a body an agent may be that counts as outside, as a fraction of its radius.
const TOLERANCE: f32 = 1.0e-3;
/// How far outside it is put, as a fraction of its radius.
const SKIN: f32 = 2.0e-3;
/// How often all bodies are gone through: between several, being pushed out of one may push into another.
const ROUNDS: usize = 3;
/// The most strides, and the shortest one as a fraction of an agent's radius, in which a fast agent's way is
/// searched for bodies.
const STRIDES: usize = 64;
const SHORTEST_STRIDE: f32 = 0.1;

impl Swarm {
    /// Corrects the results of steering. Returns how far the agent has come that has come farthest.
    pub(in crate::swarm) fn push_out_of_bodies(&mut self, world: &FlowWorld, dt: f32) -> f32 {
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let context = self.context(world, dt);
        let farthest = context.farthest_way(&mut moved);
        // Numbers that are not negative sort like their bits.
        let pushed = AtomicU32::new(farthest.to_bits());
        if self.bodies.iter().any(|collider| collider.role.is_solid) {
            let workers = world.workers();
            let length = workers.piece_length(moved.len(), CHUNK);
            workers.for_each_chunk(&mut moved, length, |first, part| {
                let way = context.push_piece_out(first, part, farthest);
                pushed.fetch_max(way.to_bits(), Ordering::Relaxed);
            });
        }
        self.scratch.moved = moved;
        f32::from_bits(pushed.into_inner())
    }
}

impl Context<'_> {
    /// Pushes the agents from place `first` on out of bodies; none has come farther than `farthest` before. How far
    /// the one has come then that has come farthest.
    ///
    /// What happens to an agent follows from bodies and its own way alone, whichever others are gone through with
    /// it: those that nothing has happened to in a round have nothing to fear in the next.
    fn push_piece_out(&self, first: usize, part: &mut [StepResult], mut farthest: f32) -> f32 {
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for collider in self.solids.iter().filter(|collider| collider.role.is_solid) {
                let margin = Vec2::splat(farthest + self.buckets.largest_radius());
                let (low, high) = collider.shape.bounds(&collider.pose);
                for row in self.buckets.rows_between(low - margin, high + margin) {
                    for number in within(row, first, part.len()) {
                        if let Some(way) =
                            self.push_out(collider, first + number, &mut part[number])
                        {
                            farthest = farthest.max(way);
                            is_done = false;
                        }
                    }
                }
            }
            if is_done {
                break;
            }
        }
        farthest
    }

    /// How far the agent has come that has come farthest in this step.
    fn farthest_way(&self, moved: &mut [StepResult]) -> f32 {
        // Numbers that are not negative sort like their bits.
        let farthest = AtomicU32::new(0);
        let workers = self.world.workers();
        workers.for_each_chunk(moved, CHUNK, |offset, part| {
            let ways = part.iter().zip(&self.buckets.sorted()[offset..]);
            let squares = ways
                .map(|(moved, agent)| moved.position.distance_squared(agent.position))
                .filter(|way| way.is_finite());
            let most = squares.fold(0.0, f32::max);
            farthest.fetch_max(most.to_bits(), Ordering::Relaxed);
        });
        f32::from_bits(farthest.into_inner()).sqrt()
    }

    /// Pushes an agent out of a body, and returns how far it has then come in this step; `None` if it is not
    /// in it, or cannot get out.
    fn push_out(
        &self,
        collider: &Collider<Body>,
        place: usize,
        moved: &mut StepResult,
    ) -> Option<f32> {
        let agent = &self.buckets.sorted()[place];
        if moved.flags & flag::QUARANTINED != 0 || !moved.is_finite() {
            return None;
        }
        let kind = &self.types[usize::from(agent.kind)];
        let (at, nearest) = first_touch(collider, agent, moved.position, kind.radius);
        let depth = kind.radius - nearest.distance;
        if depth <= TOLERANCE * kind.radius {
            return None;
        }
        let outside = at + nearest.normal * (depth + SKIN * kind.radius);
        if !outside.is_finite() {
            return None;
        }
        // From where the step began: each time that a way is cut short by walls costs a rounding.
        let most = MAX_STEP_CELLS * self.world.grid().cell_size();
        let way = (outside - agent.position).clamp_length_max(most);
        let end = self.end_of(agent.position, way, kind);
        if end == moved.position || !end.is_finite() {
            return None;
        }
        moved.position = end;
        moved.velocity = self.velocity_to(end, agent, kind, moved.velocity);
        Some(end.distance(agent.position))
    }
}

/// Where an agent on its way to `end` first touches a body, or else `end`, and what of the body is nearest
/// there. An agent that goes no farther than its own radius cannot miss it.
fn first_touch(
    collider: &Collider<Body>,
    agent: &SortedAgent,
    end: Vec2,
    radius: f32,
) -> (Vec2, Nearest) {
    let nearest = |at| collider.shape.nearest(&collider.pose, at);
    let way = end - agent.position;
    let length = way.length();
    if length > radius {
        let mut gone = 0.0;
        for _ in 0..STRIDES {
            let at = agent.position + way * (gone / length);
            let found = nearest(at);
            let gap = found.distance - radius;
            if gap < -TOLERANCE * radius {
                return (at, found);
            }
            gone += gap.max(SHORTEST_STRIDE * radius);
            if gone >= length {
                break;
            }
        }
    }
    (end, nearest(end))
}
