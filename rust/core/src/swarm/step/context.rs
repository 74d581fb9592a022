//! What a step reads, and what it finds for each agent.

use crate::swarm::avoidance::contact::{ContactState, Streams, longest_stride};
use crate::swarm::avoidance::orca::OrcaAgent;
use crate::swarm::avoidance::separation::keeps_apart;
use crate::swarm::bodies::{Body as SolidBody, Colliders};
use crate::swarm::constraints::ground::Ground;
use crate::swarm::goal::arriving::reaches;
use crate::swarm::goal::lateral_bias::GroupCenter;
use crate::swarm::goal::settling::Crowds;
use crate::swarm::neighbours::buckets::{Buckets, SortedAgent};
use crate::swarm::state::agents::{AgentState, Agents, flag};
use crate::swarm::step::update_lod::UpdateLod;
use crate::swarm::{AgentType, Group, MAX_AGENT_TYPES, MAX_SPEED, Settings, Swarm};
use crate::world::{FlowWorld, Route};
use glam::Vec2;

/// What a step has in store for one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct StepResult {
    pub(in crate::swarm) position: Vec2,
    pub(in crate::swarm) velocity: Vec2,
    /// The direction it wants to go in, a unit vector or zero; for contacts only.
    pub(in crate::swarm) wish: Vec2,
    /// What it remembers of its contacts, with the turn of this step.
    pub(in crate::swarm) contact: ContactState,
    pub(in crate::swarm) flags: u8,
    /// Whether the agent has somewhere to go.
    pub(in crate::swarm) under_way: bool,
    /// Whether a link took it where it is.
    pub(in crate::swarm) has_jumped: bool,
    /// Whether it is about to reach its own target.
    pub(in crate::swarm) is_near_target: bool,
    /// Whether there are walls near where it goes.
    pub(in crate::swarm) is_near_wall: bool,
}

impl StepResult {
    pub(in crate::swarm) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite()
    }
}

/// Everything that steering reads.
pub(in crate::swarm) struct Context<'a> {
    pub(in crate::swarm) world: &'a FlowWorld,
    pub(in crate::swarm) agents: &'a Agents,
    pub(in crate::swarm) types: &'a [AgentType],
    pub(in crate::swarm) groups: &'a [Group],
    pub(in crate::swarm) routes: &'a [Option<Route>],
    pub(in crate::swarm) settings: &'a Settings,
    pub(in crate::swarm) update_lod: UpdateLod,
    pub(in crate::swarm) ground: Ground<'a>,
    /// See [`reaches`].
    pub(in crate::swarm) reach: [f32; MAX_AGENT_TYPES],
    /// See [`longest_stride`].
    pub(in crate::swarm) stride: f32,
    pub(in crate::swarm) buckets: &'a Buckets,
    pub(in crate::swarm) bodies: &'a [OrcaAgent],
    pub(in crate::swarm) solids: &'a Colliders<SolidBody>,
    pub(in crate::swarm) crowds: &'a Crowds,
    pub(in crate::swarm) group_centers: &'a [GroupCenter],
    pub(in crate::swarm) streams: &'a Streams,
    /// Whether any agent is pushed by others.
    pub(in crate::swarm) pushes: bool,
    pub(in crate::swarm) seed: u64,
    pub(in crate::swarm) tick: u64,
    pub(in crate::swarm) dt: f32,
}

impl Swarm {
    pub(in crate::swarm) fn context<'a>(&'a self, world: &'a FlowWorld, dt: f32) -> Context<'a> {
        let ground = Ground::new(world);
        let lengths = (dt, world.grid().cell_size());
        Context {
            world,
            agents: &self.agents,
            types: &self.types,
            groups: &self.groups,
            routes: &self.scratch.routes,
            settings: &self.settings,
            update_lod: UpdateLod::new(&self.settings, self.tick, &self.layers),
            reach: reaches(&self.types, &self.settings, &ground, lengths),
            ground,
            stride: longest_stride(self.types.iter(), self.buckets.regular_radius(), dt),
            buckets: &self.buckets,
            bodies: &self.scratch.bodies,
            solids: &self.bodies,
            crowds: &self.scratch.crowds,
            group_centers: &self.scratch.group_centers,
            streams: &self.scratch.streams,
            pushes: self.settings.separation && self.types.iter().any(keeps_apart),
            seed: self.seed,
            tick: self.tick,
            dt,
        }
    }
}

impl Context<'_> {
    /// The greatest speed of agents of a type where an agent stands.
    #[inline]
    pub(in crate::swarm) fn max_speed(&self, agent: &SortedAgent, kind: &AgentType) -> f32 {
        (kind.max_speed * self.ground.factor(kind, agent.position)).min(MAX_SPEED)
    }

    /// Whether an agent chooses its velocity in this step.
    #[inline]
    pub(in crate::swarm) fn decides(&self, agent: &SortedAgent) -> bool {
        agent.state != AgentState::Scripted
            && agent.flags & flag::QUARANTINED == 0
            && !self.update_lod.skips_update(agent, &self.agents.id)
    }
}
