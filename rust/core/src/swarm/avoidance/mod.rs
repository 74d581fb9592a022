//! How agents keep apart: a folder or file for each [`Avoidance`], and here the interface by which a step knows them.
//!
//! A step calls it in this order:
//!
//! 1. [`bucket_width`]: how far agents look for neighbours, which the buckets are cut by.
//! 2. [`Swarm::prepare_avoidance`]: what is known of all agents before any of them is steered.
//! 3. [`Context::push_apart`] and [`Context::velocity_among_others`]: what an agent wants among its neighbours, before
//!    inertia limits the change of its velocity.
//! 4. [`Context::velocity_past_others`]: what it does then so as not to collide.
//! 5. [`Swarm::project_positions`]: where agents end that have come to overlap.
//!
//! A new one is a folder, a variant of [`Avoidance`], and an arm where these functions tell them apart.

pub(in crate::swarm) mod contact;
mod giving_way;
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

/// A good width of buckets for agents of those `types` that `is_in` says, which look for their neighbours in a step of
/// `dt` seconds; 0 where touching is all that counts.
pub(in crate::swarm) fn bucket_width(
    types: &[AgentType],
    is_in: &dyn Fn(&AgentType) -> bool,
    dt: f32,
) -> f32 {
    let types = types.iter().filter(|kind| is_in(kind));
    orca::bucket_width(types.clone()).max(contact::bucket_width(types, dt))
}

impl Swarm {
    /// Finds what agents need to know of all others before they are steered.
    pub(in crate::swarm) fn prepare_avoidance(&mut self, world: &FlowWorld, dt: f32) {
        self.prepare_orca(world, dt);
        self.find_streams(world);
    }

    /// Moves agents apart that overlap after steering, and out of those of other swarms.
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
    /// The velocity that the agent at a place in bucket order wants among its neighbours, of which those that overlap it
    /// push it by `push`, and by which factor its acceleration is greater than its type's. Notes in `moved` how it stands.
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
        let push = if moved.flags & flag::ARRIVED == 0 {
            push
        } else {
            self.crowds.push_after_friction(kind, max_speed, push)
        };
        (wanted + push, 1.0)
    }

    /// The velocity, as near to `velocity` as it may be, by which the agent at a place in bucket order passes those
    /// around it.
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
