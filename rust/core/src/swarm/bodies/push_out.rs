//! Pushes agents out of solid bodies after they have moved.
//!
//! Only agents near a body are visited: the search uses the buckets from the start of the step, widened by the longest
//! displacement of any agent since. Walls take precedence: an agent that is pushed out moves from its position at the
//! start of the step, slides along walls, and stays in a body rather than in a wall.

use crate::swarm::bodies::body::Body;
use crate::swarm::bodies::{Collider, Nearest};
use crate::swarm::limits::{CHUNK, MAX_STEP_CELLS};
use crate::swarm::neighbours::placed_piece::within;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::world::FlowWorld;
use glam::Vec2;
use std::sync::atomic::{AtomicU32, Ordering};

/// The depth in a body at which an agent still counts as outside, as a fraction of its radius.
const TOLERANCE: f32 = 1.0e-3;
/// The distance from a body at which a pushed agent is put, as a fraction of its radius.
const SKIN: f32 = 2.0e-3;
/// The most rounds over all bodies. Between several bodies, a push out of one may lead into another.
const ROUNDS: usize = 3;
/// The most strides in which a fast agent's displacement is searched for bodies, and the shortest stride as a fraction
/// of the agent's radius.
const STRIDES: usize = 64;
const SHORTEST_STRIDE: f32 = 0.1;

impl Swarm {
    /// Pushes all agents out of solid bodies. Returns the longest displacement of any agent in this step.
    pub(in crate::swarm) fn push_out_of_bodies(&mut self, world: &FlowWorld, dt: f32) -> f32 {
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let context = self.context(world, dt);
        let farthest = context.longest_displacement(&mut moved);
        // Non-negative floats have the order of their bits.
        let pushed = AtomicU32::new(farthest.to_bits());
        if self.bodies.iter().any(|collider| collider.role.is_solid) {
            let workers = world.workers();
            let length = workers.piece_length(moved.len(), CHUNK);
            workers.for_each_chunk(&mut moved, length, |first, part| {
                let longest = context.push_piece_out(first, part, farthest);
                pushed.fetch_max(longest.to_bits(), Ordering::Relaxed);
            });
        }
        self.scratch.moved = moved;
        f32::from_bits(pushed.into_inner())
    }
}

impl Context<'_> {
    /// Pushes the agents from place `first` on out of bodies. `farthest` is the longest displacement before; returns
    /// the longest one after.
    ///
    /// An agent's result depends only on the bodies and its own displacement, not on the other agents of the piece:
    /// agents that were not pushed in a round are not pushed in the next one.
    fn push_piece_out(&self, first: usize, part: &mut [StepResult], mut farthest: f32) -> f32 {
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for collider in self.solids.iter().filter(|collider| collider.role.is_solid) {
                let margin = Vec2::splat(farthest + self.buckets.largest_radius());
                let (low, high) = collider.shape.bounds(&collider.pose);
                for row in self.buckets.rows_between(low - margin, high + margin) {
                    for number in within(row, first, part.len()) {
                        if let Some(length) =
                            self.push_out(collider, first + number, &mut part[number])
                        {
                            farthest = farthest.max(length);
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

    /// The longest displacement of any agent in this step.
    fn longest_displacement(&self, moved: &mut [StepResult]) -> f32 {
        // Non-negative floats have the order of their bits.
        let farthest = AtomicU32::new(0);
        let workers = self.world.workers();
        workers.for_each_chunk(moved, CHUNK, |offset, part| {
            let rows = part.iter().zip(&self.buckets.sorted()[offset..]);
            let squares = rows
                .map(|(moved, agent)| moved.position.distance_squared(agent.position))
                .filter(|square| square.is_finite());
            let most = squares.fold(0.0, f32::max);
            farthest.fetch_max(most.to_bits(), Ordering::Relaxed);
        });
        f32::from_bits(farthest.into_inner()).sqrt()
    }

    /// Pushes an agent out of a body, and returns its displacement in this step; `None` if it is not in the body or
    /// cannot leave it.
    fn push_out(
        &self,
        collider: &Collider<Body>,
        place: usize,
        moved: &mut StepResult,
    ) -> Option<f32> {
        let agent = &self.buckets.sorted()[place];
        let layers = self.world.grid().layers();
        let is_away = moved.flags & flag::QUARANTINED != 0
            || moved.link == OnLink::Travels
            || layers.at(moved.position) != layers.at(collider.pose.position());
        if is_away || !moved.is_finite() {
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
        // The displacement starts at the position before the step, because each slide along walls adds a rounding.
        let most = MAX_STEP_CELLS * self.world.grid().cell_size();
        let displacement = (outside - agent.position).clamp_length_max(most);
        let end = self.end_of(agent.position, displacement, kind);
        if end == moved.position || !end.is_finite() {
            return None;
        }
        moved.position = end;
        moved.velocity = self.velocity_to(end, agent, kind, moved.velocity);
        Some(end.distance(agent.position))
    }
}

/// The point where an agent that moves to `end` first touches a body, or `end`, and the nearest part of the body there.
/// An agent that moves no farther than its own radius is only tested at `end`.
fn first_touch(
    collider: &Collider<Body>,
    agent: &SortedAgent,
    end: Vec2,
    radius: f32,
) -> (Vec2, Nearest) {
    let nearest = |at| collider.shape.nearest(&collider.pose, at);
    let displacement = end - agent.position;
    let length = displacement.length();
    if length > radius {
        let mut gone = 0.0;
        for _ in 0..STRIDES {
            let at = agent.position + displacement * (gone / length);
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
