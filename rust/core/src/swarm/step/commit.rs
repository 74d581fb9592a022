//! Copies the results of a step from bucket order into the agents' columns, block by block.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::constraints::inertia::{BLOCK, Turning};
use crate::swarm::constraints::speed_factors::SpeedFactors;
use crate::swarm::limits::CHUNK;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::result::StepResult;
use crate::workers::Workers;
use crate::world::FlowWorld;
use glam::{BVec2, Vec2};
use std::sync::atomic::{AtomicU32, Ordering};

/// The rate at which headings turn towards the velocity, per second.
const TURN_RATE: f32 = 12.0;
/// The fraction of its maximum speed below which an agent keeps its heading.
const LEAST_TURNING_SPEED: f32 = 0.1;

impl Swarm {
    /// Copies the step's results into the agents' columns.
    pub(in crate::swarm) fn commit(&mut self, world: &FlowWorld, dt: f32) {
        self.scratch.old_flags.clone_from(&self.agents.flags);
        let agents = &mut self.agents;
        let columns = Columns {
            position: &mut agents.position,
            velocity: &mut agents.velocity,
            heading: &mut agents.heading,
            anchor: &mut agents.anchor,
            stalled: &mut agents.stalled,
            contact: &mut agents.contact,
            flags: &mut agents.flags,
            kind: &agents.kind,
            speed: &agents.factors.speed,
            sorted_index: self.buckets.sorted_index(),
        };
        let commit = Commit {
            moved: &self.scratch.moved,
            types: &self.types,
            has_contacts: self.types.iter().any(AgentType::uses_contacts),
            speeds: SpeedFactors::new(world),
            stuck_seconds: self.settings.stuck_seconds,
            dt,
        };
        commit.run(columns, world.workers());
    }
}

/// The agents' columns that a step writes, and other data of the same rows.
struct Columns<'a> {
    position: &'a mut [Vec2],
    velocity: &'a mut [Vec2],
    heading: &'a mut [Vec2],
    anchor: &'a mut [Vec2],
    stalled: &'a mut [f32],
    contact: &'a mut [ContactState],
    flags: &'a mut [u8],
    kind: &'a [u8],
    /// The factors on maximum speeds; empty if all are 1.
    speed: &'a [f32],
    sorted_index: &'a [AtomicU32],
}

impl Columns<'_> {
    fn split_at(self, middle: usize) -> (Self, Self) {
        let (position, more_position) = self.position.split_at_mut(middle);
        let (velocity, more_velocity) = self.velocity.split_at_mut(middle);
        let (heading, more_heading) = self.heading.split_at_mut(middle);
        let (anchor, more_anchor) = self.anchor.split_at_mut(middle);
        let (stalled, more_stalled) = self.stalled.split_at_mut(middle);
        let (contact, more_contact) = self.contact.split_at_mut(middle);
        let (flags, more_flags) = self.flags.split_at_mut(middle);
        let (kind, more_kind) = self.kind.split_at(middle);
        let (speed, more_speed) = self.speed.split_at(middle.min(self.speed.len()));
        let (sorted_index, more_sorted_index) = self.sorted_index.split_at(middle);
        let first = Self {
            position,
            velocity,
            heading,
            anchor,
            stalled,
            contact,
            flags,
            kind,
            speed,
            sorted_index,
        };
        let second = Self {
            position: more_position,
            velocity: more_velocity,
            heading: more_heading,
            anchor: more_anchor,
            stalled: more_stalled,
            contact: more_contact,
            flags: more_flags,
            kind: more_kind,
            speed: more_speed,
            sorted_index: more_sorted_index,
        };
        (first, second)
    }
}

/// Copies the step's results into the agents' columns.
struct Commit<'a> {
    moved: &'a [StepResult],
    types: &'a [AgentType],
    /// Whether agents remember contacts.
    has_contacts: bool,
    speeds: SpeedFactors<'a>,
    stuck_seconds: f32,
    dt: f32,
}

impl Commit<'_> {
    /// Splits the rows in halves until a piece is small, which needs no list of pieces.
    fn run(&self, columns: Columns<'_>, workers: &Workers) {
        let count = columns.sorted_index.len();
        if count <= 4 * CHUNK {
            self.rows(columns);
            return;
        }
        let (first, second) = columns.split_at(count / 2);
        workers.join(|| self.run(first, workers), || self.run(second, workers));
    }

    fn rows(&self, columns: Columns<'_>) {
        let mut rest = columns;
        while rest.sorted_index.len() > BLOCK {
            let (block, more) = rest.split_at(BLOCK);
            self.block(block);
            rest = more;
        }
        self.block(rest);
    }

    /// At most [`BLOCK`] rows.
    fn block(&self, columns: Columns<'_>) {
        // Results are scattered in memory. A loop that only loads them waits for many loads at once.
        let mut results = [StepResult::default(); BLOCK];
        for (moved, sorted_index) in results.iter_mut().zip(columns.sorted_index) {
            *moved = self.moved[sorted_index.load(Ordering::Relaxed) as usize];
        }
        let results = &results[..columns.sorted_index.len()];
        if self.has_contacts {
            for (state, moved) in columns.contact.iter_mut().zip(results) {
                *state = moved.contact;
            }
        }
        let factors = self.factors(results, (columns.kind, columns.heading), columns.speed);
        self.turn(results, columns.kind, &factors, columns.heading);
        for (row, moved) in results.iter().enumerate() {
            if !moved.is_finite() {
                columns.velocity[row] = Vec2::ZERO;
                columns.flags[row] = flag::QUARANTINED;
                continue;
            }
            let kind = &self.types[usize::from(columns.kind[row])];
            columns.position[row] = moved.position;
            columns.velocity[row] = moved.velocity;
            // Whether an agent has left its circle cannot be predicted: both outcomes are written without a branch.
            let anchor = columns.anchor[row];
            let strayed = moved.position.distance_squared(anchor);
            let starts_anew = !moved.under_way | (strayed > kind.radius * kind.radius);
            let stalled = if starts_anew {
                0.0
            } else {
                columns.stalled[row] + self.dt * factors[row].min(1.0)
            };
            let is_stuck = !starts_anew & (stalled >= self.stuck_seconds);
            columns.anchor[row] = Vec2::select(BVec2::splat(starts_anew), moved.position, anchor);
            columns.stalled[row] = stalled;
            columns.flags[row] = moved.flags | (u8::from(is_stuck) * flag::STUCK);
        }
    }

    /// The factor on the maximum speed of each agent, its own and that of the ground under it.
    fn factors(
        &self,
        results: &[StepResult],
        (kinds, headings): (&[u8], &[Vec2]),
        own: &[f32],
    ) -> [f32; BLOCK] {
        let mut factors = [1.0; BLOCK];
        if !self.speeds.is_even() {
            let agents = results.iter().zip(kinds).zip(headings);
            for (factor, ((moved, &kind), &heading)) in factors.iter_mut().zip(agents) {
                let kind = &self.types[usize::from(kind)];
                *factor = self.speeds.factor(kind, moved.position, heading);
            }
        }
        for (factor, own) in factors.iter_mut().zip(own) {
            *factor *= own;
        }
        factors
    }

    /// Turns agents towards their velocities.
    fn turn(
        &self,
        results: &[StepResult],
        kinds: &[u8],
        factors: &[f32; BLOCK],
        headings: &mut [Vec2],
    ) {
        let mut turning = Turning::new();
        for (number, moved) in results.iter().enumerate() {
            let kind = &self.types[usize::from(kinds[number])];
            let velocity = if moved.is_finite() {
                moved.velocity
            } else {
                Vec2::ZERO
            };
            let max_speed = kind.max_speed * factors[number];
            let least_speed = LEAST_TURNING_SPEED * max_speed;
            turning.set(number, velocity, headings[number], least_speed);
        }
        turning.turn((TURN_RATE * self.dt).min(1.0));
        for (number, heading) in headings.iter_mut().enumerate() {
            *heading = turning.heading(number);
        }
    }
}
