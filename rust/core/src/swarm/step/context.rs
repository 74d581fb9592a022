//! The data that steering reads.

use crate::swarm::avoidance::contact::Streams;
use crate::swarm::avoidance::contact::longest_stride;
use crate::swarm::avoidance::orca::OrcaAgent;
use crate::swarm::bodies::Colliders;
use crate::swarm::bodies::body::Body as SolidBody;
use crate::swarm::constraints::speed_factors::SpeedFactors;
use crate::swarm::goal::brakes::reaches;
use crate::swarm::goal::group_center::GroupCenter;
use crate::swarm::goal::settling::Crowds;
use crate::swarm::limits::{MAX_AGENT_TYPES, MAX_SPEED};
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::group::Groups;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::update_lod::UpdateLod;
use crate::swarm::{AgentType, Settings};
use crate::world::{FlowWorld, Route};
use glam::Vec2;

/// Everything that steering reads.
pub(in crate::swarm) struct Context<'a> {
    pub(in crate::swarm) world: &'a FlowWorld,
    pub(in crate::swarm) agents: &'a Agents,
    pub(in crate::swarm) types: &'a [AgentType],
    pub(in crate::swarm) groups: &'a Groups,
    pub(in crate::swarm) routes: &'a [Option<Route>],
    pub(in crate::swarm) settings: &'a Settings,
    pub(in crate::swarm) update_lod: UpdateLod,
    pub(in crate::swarm) speeds: SpeedFactors<'a>,
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
    /// Whether any agent is pushed by separation.
    pub(in crate::swarm) pushes: bool,
    pub(in crate::swarm) seed: u64,
    pub(in crate::swarm) tick: u64,
    pub(in crate::swarm) dt: f32,
}

impl Swarm {
    pub(in crate::swarm) fn context<'a>(&'a self, world: &'a FlowWorld, dt: f32) -> Context<'a> {
        let speeds = SpeedFactors::new(world);
        let lengths = (dt, world.grid().cell_size());
        Context {
            world,
            agents: &self.agents,
            types: &self.types,
            groups: &self.groups,
            routes: &self.scratch.routes,
            settings: &self.settings,
            update_lod: UpdateLod::new(&self.settings, self.tick, &self.layers),
            reach: reaches(
                &self.types,
                &self.settings,
                &speeds,
                lengths,
                self.agents.factors.greatest_speed(),
            ),
            speeds,
            stride: longest_stride(self.types.iter(), self.buckets.regular_radius(), dt),
            buckets: &self.buckets,
            bodies: &self.scratch.bodies,
            solids: &self.bodies,
            crowds: &self.scratch.crowds,
            group_centers: &self.scratch.group_centers,
            streams: &self.scratch.streams,
            pushes: self.settings.separation && self.types.iter().any(AgentType::is_pushed),
            seed: self.seed,
            tick: self.tick,
            dt,
        }
    }
}

impl Context<'_> {
    /// The maximum speed of an agent on the terrain where it stands.
    #[inline]
    pub(in crate::swarm) fn max_speed(&self, agent: &SortedAgent, kind: &AgentType) -> f32 {
        (kind.max_speed * self.speed_factor(agent, kind, agent.position)).min(MAX_SPEED)
    }

    /// The factor on the maximum speed of an agent, its own and that of the ground at a position.
    #[inline]
    pub(in crate::swarm) fn speed_factor(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        position: Vec2,
    ) -> f32 {
        let index = agent.index as usize;
        let ahead = self.agents.heading[index];
        self.speeds.factor(kind, position, ahead) * self.agents.factors.speed_of(index)
    }

    /// Whether an agent chooses its velocity in this step.
    #[inline]
    pub(in crate::swarm) fn decides(&self, agent: &SortedAgent) -> bool {
        matches!(agent.state, AgentState::Following | AgentState::Idle)
            && agent.flags & flag::QUARANTINED == 0
            && !self.update_lod.skips_update(agent, &self.agents.id)
    }
}
