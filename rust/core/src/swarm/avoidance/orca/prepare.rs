//! Collects the data for ORCA at the start of a step, and calls it for an agent.

use super::{Avoider, Orca, OrcaAgent, PreferredVelocity, Solids, Workspace};
use crate::swarm::limits::CHUNK;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use crate::swarm::{AgentType, Avoidance};
use crate::world::FlowWorld;
use glam::Vec2;

/// The least step, in seconds, that contacts are computed with.
const SHORTEST_STEP: f32 = 1.0e-4;
/// The width of a bucket as a fraction of the neighbour radius.
const BUCKET_WIDTH: f32 = 0.7;

/// The width of buckets for finding neighbours; 0 if no type uses ORCA.
pub(in crate::swarm) fn bucket_width<'a>(types: impl Iterator<Item = &'a AgentType>) -> f32 {
    let avoiders =
        types.filter(|kind| kind.avoidance == Avoidance::Orca && kind.max_neighbours > 0);
    let reach = avoiders
        .map(|kind| kind.neighbour_radius)
        .fold(0.0, f32::max);
    BUCKET_WIDTH * reach
}

impl Swarm {
    /// Collects what ORCA reads of each agent, if any type avoids by ORCA.
    pub(in crate::swarm) fn prepare_orca(&mut self, world: &FlowWorld, dt: f32) {
        let mut bodies = std::mem::take(&mut self.scratch.bodies);
        let is_orca = |kind: &AgentType| kind.avoidance == Avoidance::Orca;
        if self.types.iter().any(is_orca) {
            bodies.resize(self.agents.len(), OrcaAgent::default());
            let context = self.context(world, dt);
            let workers = world.workers();
            workers.for_each_chunk(&mut bodies, CHUNK, |offset, part| {
                for (body, agent) in part.iter_mut().zip(&context.buckets.sorted()[offset..]) {
                    *body = context.orca_agent(agent);
                }
            });
            let solids = context.solids();
            solids.note_near(context.buckets, context.types, &mut bodies);
        } else {
            bodies.clear();
        }
        self.scratch.bodies = bodies;
    }
}

impl Context<'_> {
    /// The data of an agent that others read, with its preferred velocity if it uses ORCA.
    pub(in crate::swarm) fn orca_agent(&self, agent: &SortedAgent) -> OrcaAgent {
        let kind = &self.types[usize::from(agent.kind)];
        let avoids = kind.avoidance == Avoidance::Orca && self.decides(agent);
        let preferred = avoids.then(|| {
            let mut moved = StepResult {
                flags: agent.flags & flag::LASTING,
                ..StepResult::default()
            };
            PreferredVelocity {
                velocity: self.wanted(agent, kind, self.max_speed(agent, kind), &mut moved),
                flags: moved.flags,
                under_way: moved.under_way,
            }
        });
        let key = self.agents.key[agent.index as usize];
        OrcaAgent::new(
            agent,
            kind,
            preferred,
            self.settings.arrival,
            self.seed,
            key,
        )
    }

    fn solids(&self) -> Solids<'_> {
        Solids {
            colliders: self.solids,
            dt: self.dt,
        }
    }

    /// The velocity nearest to `wanted` that keeps an agent from colliding with others.
    ///
    /// The preferred velocity is within the agent's acceleration. The velocity that avoids a collision may exceed it.
    #[inline(never)]
    pub(in crate::swarm) fn go_round_others(
        &self,
        place: usize,
        kind: &AgentType,
        wanted: Vec2,
        space: &mut Workspace,
    ) -> Vec2 {
        let orca = Orca {
            buckets: self.buckets,
            bodies: self.bodies,
            keys: &self.agents.key,
            solids: self.solids(),
            grid: self.world.grid(),
            seed: self.seed,
            tick: self.tick,
        };
        let walls = self.settings.wall_correction;
        let placed = &self.buckets.sorted()[place];
        let index = placed.index as usize;
        let agent = Avoider {
            place,
            key: self.agents.key[index],
            kind,
            max_speed: self.max_speed(placed, kind),
            wanted,
            costs: walls.then(|| self.world.costs(kind.movement)),
            stalled: self.agents.stalled[index],
            step: (self.dt * kind.position_smoothing).max(SHORTEST_STEP),
        };
        orca.velocity(&agent, space)
    }
}
