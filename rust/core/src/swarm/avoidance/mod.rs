//! How agents keep apart: a folder or file for each [`Avoidance`], and here the interface through which a step calls
//! them.
//!
//! A step calls it in this order:
//!
//! 1. [`bucket_width`]: how far agents look for neighbours, which sets the width of the buckets.
//! 2. [`Swarm::prepare_avoidance`]: collects data of all agents before any of them is steered.
//! 3. [`Context::push_apart`] and [`Context::velocity_among_others`]: the velocity that an agent wants among its
//!    neighbours, before its acceleration is limited.
//! 4. [`Context::velocity_past_others`]: corrects the limited velocity so that the agent does not collide.
//! 5. [`Swarm::project_positions`]: parts agents that overlap after moving.
//!
//! Read this file first, then `separation`, `giving_way` and `jammed`, then `orca/prepare.rs`, then `contact/mod.rs`.
//! Steering writes only the results of its own agents, so the order of agents does not matter until positions are
//! projected.
//!
//! To add an avoidance, add a folder, a variant of [`Avoidance`], and an arm in each of these functions that
//! distinguishes variants.

pub(in crate::swarm) mod contact;
mod giving_way;
mod jammed;
pub(in crate::swarm) mod orca;
mod separation;

pub(in crate::swarm) use orca::Workspace;

use crate::swarm::avoidance::contact::Others;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::agent_type::{AgentType, Avoidance};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use crate::world::FlowWorld;
use glam::Vec2;

/// The width of buckets for the `types` that `is_in` selects, in a step of `dt` seconds; 0 if agents only need
/// neighbours that they touch.
pub(in crate::swarm) fn bucket_width(
    types: &[AgentType],
    is_in: &dyn Fn(&AgentType) -> bool,
    dt: f32,
) -> f32 {
    let types = types.iter().filter(|kind| is_in(kind));
    orca::bucket_width(types.clone()).max(contact::bucket_width(types, dt))
}

impl Swarm {
    /// Collects what avoidance reads of all agents, before any of them is steered.
    pub(in crate::swarm) fn prepare_avoidance(&mut self, world: &FlowWorld, dt: f32) {
        self.prepare_orca(world, dt);
        self.find_streams(world);
    }

    /// Parts agents that overlap after steering, and moves them out of agents of other swarms.
    pub(in crate::swarm) fn project_positions(
        &mut self,
        world: &FlowWorld,
        dt: f32,
        others: Others<'_>,
    ) {
        self.resolve_contacts(world, dt, others);
    }
}

impl Context<'_> {
    /// The velocity that the agent at `place` in bucket order wants among its neighbours, and the factor of its
    /// acceleration. `push` is the velocity with which overlapping neighbours push it. Updates the agent's flags in
    /// `moved`.
    #[inline]
    pub(in crate::swarm) fn velocity_among_others(
        &self,
        place: usize,
        kind: &AgentType,
        (push, max_speed): (Vec2, f32),
        moved: &mut StepResult,
    ) -> (Vec2, f32) {
        let agent = &self.buckets.sorted()[place];
        if kind.avoidance == Avoidance::Orca {
            let preferred = self.bodies[place].preferred();
            (moved.flags, moved.under_way) = (preferred.flags, preferred.under_way);
            moved.flags |= self.heading_octant(agent, preferred.velocity);
            return (preferred.velocity, 1.0);
        }
        let wanted = self.wanted(agent, kind, max_speed, moved);
        moved.flags |= self.heading_octant(agent, wanted);
        if kind.uses_contacts() {
            return self.follow_others(agent, kind, (wanted, max_speed), moved);
        }
        let push = if moved.flags & flag::ARRIVED != 0 {
            self.crowds.push_after_friction(kind, max_speed, push)
        } else if self.passes_through_others(agent, kind) {
            Vec2::ZERO
        } else {
            push
        };
        (wanted + push, 1.0)
    }

    /// The velocity closest to `velocity` with which the agent at `place` in bucket order avoids its neighbours.
    #[inline]
    pub(in crate::swarm) fn velocity_past_others(
        &self,
        place: usize,
        kind: &AgentType,
        velocity: Vec2,
        space: &mut Workspace,
    ) -> Vec2 {
        if kind.avoidance == Avoidance::Orca && self.decides(&self.buckets.sorted()[place]) {
            self.go_round_others(place, kind, velocity, space)
        } else {
            velocity
        }
    }
}
