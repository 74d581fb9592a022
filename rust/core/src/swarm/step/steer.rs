//! The steering stage: for each agent the wanted velocity, avoidance, the limit of acceleration, and walls.

use crate::swarm::AgentType;
use crate::swarm::avoidance::orca::Workspace;
use crate::swarm::constraints::inertia::{AccelerationLimiter, BLOCK};
use crate::swarm::constraints::link_users::LinkUsers;
use crate::swarm::goal::pace::pace;
use crate::swarm::limits::{CHUNK, MAX_SPEED};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::world::FlowWorld;
use glam::Vec2;

/// The most agents in a piece of parallel work. Each piece also reads the agents before it, about one row of buckets.
const MOST_STEERED: usize = 4096;
/// The number of pieces that a crowd is cut into, unless they would be smaller than [`CHUNK`] or larger than
/// [`MOST_STEERED`].
const LEAST_PIECES: usize = 32;

impl Swarm {
    pub(in crate::swarm) fn steer(&mut self, world: &FlowWorld, dt: f32) {
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let mut contacts = std::mem::take(&mut self.scratch.contacts);
        let mut link_users = std::mem::take(&mut self.scratch.link_users);
        self.make_room_for_travels(world);
        link_users.make_room(self.uses_links(world), self.agents.len());
        let context = self.context(world, dt);
        moved.resize(self.agents.len(), StepResult::default());
        let piece = (moved.len() / LEAST_PIECES).clamp(CHUNK, MOST_STEERED);
        let piece = piece.next_multiple_of(BLOCK);
        let columns = (
            &mut moved[..],
            contacts.make_room(context.types, context.agents.len()),
        );
        let workers = world.workers();
        workers.for_each_rows(columns, piece, |offset, (part, mut bodies)| {
            let mut pushes = [Vec2::ZERO; MOST_STEERED];
            let pushes = &mut pushes[..part.len()];
            context.push_apart(offset, pushes);
            let mut space = Workspace::default();
            let blocks = part.chunks_mut(BLOCK).zip(pushes.chunks(BLOCK));
            for (row, (out, pushes)) in (0..).step_by(BLOCK).zip(blocks) {
                let first = offset + row;
                context.move_agents(first, pushes, out, (&mut space, &link_users));
                bodies.note(row, &context, first, out);
            }
        });
        self.scratch.moved = moved;
        self.scratch.contacts = contacts;
        link_users.sort();
        self.scratch.link_users = link_users;
    }
}

impl Context<'_> {
    /// The velocity that an agent wants without neighbours. `max_speed` is its maximum speed on its terrain.
    /// Updates the agent's flags in `moved`.
    #[inline]
    pub(in crate::swarm) fn wanted(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        max_speed: f32,
        moved: &mut StepResult,
    ) -> Vec2 {
        if agent.state != AgentState::Following {
            return Vec2::ZERO;
        }
        let speed = if kind.speed_variation > 0.0 {
            max_speed * pace(kind, self.seed, self.agents.key[agent.index as usize])
        } else {
            max_speed
        };
        self.follow(agent, kind, speed, moved)
    }

    /// Steers and moves at most [`BLOCK`] agents from place `first` in bucket order on.
    fn move_agents(
        &self,
        first: usize,
        pushes: &[Vec2],
        out: &mut [StepResult],
        (space, link_users): (&mut Workspace, &LinkUsers),
    ) {
        let agents = &self.buckets.sorted()[first..first + out.len()];
        let mut limiter = AccelerationLimiter::new();
        for (number, (agent, moved)) in agents.iter().zip(&mut *out).enumerate() {
            let place = first + number;
            self.limit_acceleration(place, pushes[number], moved, |wanted, max_speed, most| {
                limiter.set(number, agent.velocity, wanted, max_speed, most);
            });
        }
        limiter.accelerate();
        for (number, (agent, moved)) in agents.iter().zip(out).enumerate() {
            if agent.is_out() {
                continue;
            }
            let kind = &self.types[usize::from(agent.kind)];
            if agent.state == AgentState::Travelling {
                self.go_on(agent, kind, moved);
                link_users.note(first + number);
                continue;
            }
            if self.wants_link(agent, moved) {
                moved.link = OnLink::Wants;
                link_users.note(first + number);
            }
            let velocity = limiter.velocity(number);
            let velocity = self.velocity_past_others(first + number, kind, velocity, space);
            self.travel(agent, kind, velocity, moved);
        }
    }

    /// Calls `accelerate` with the velocity that the agent at `place` in bucket order wants, the limit of its speed,
    /// and the largest change of its velocity. Fills `moved`.
    #[inline]
    fn limit_acceleration(
        &self,
        place: usize,
        push: Vec2,
        moved: &mut StepResult,
        accelerate: impl FnOnce(Vec2, f32, f32),
    ) {
        let agent = &self.buckets.sorted()[place];
        *moved = StepResult {
            position: agent.position,
            velocity: Vec2::ZERO,
            flags: agent.flags & flag::LASTING,
            ..StepResult::default()
        };
        if !agent.is_on_ground() {
            return;
        }
        if self.update_lod.skips_update(agent, &self.agents.id) {
            moved.flags |= agent.flags & (flag::LOST | flag::HEADING_OCTANT);
            moved.contact = self.agents.contact[agent.index as usize];
            let has_aim = agent.flags & flag::OWN_TARGET != 0 || self.route_of(agent).is_some();
            moved.under_way = moved.flags & flag::LOST == 0 && has_aim;
            return accelerate(agent.velocity, f32::INFINITY, f32::INFINITY);
        }
        if agent.state == AgentState::Scripted {
            let wanted = self.agents.scripted[agent.index as usize];
            moved.flags |= self.heading_octant(agent, wanted);
            moved.contact = self.agents.contact[agent.index as usize];
            return accelerate(wanted, f32::INFINITY, f32::INFINITY);
        }
        let kind = &self.types[usize::from(agent.kind)];
        let factor = self.speed_factor(agent, kind, agent.position);
        let max_speed = (kind.max_speed * factor).min(MAX_SPEED);
        // Pushes are scaled down on slow ground, so that their ratio to the wanted velocity stays the same.
        let push = push * factor;
        let (wanted, hurry) = self.velocity_among_others(place, kind, (push, max_speed), moved);
        let most = kind.acceleration * hurry * self.dt * self.update_lod.steps(agent);
        accelerate(wanted, max_speed, most);
    }
}
