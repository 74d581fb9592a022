//! What a step does for agents that avoid each other, settle in crowds or have targets of their own.

use super::agents::flag;
use super::buckets::Placed;
use super::steering::orca::{Avoider, Body, Orca, Solids, Wish, Workspace};
use super::step::{CHUNK, Context, Moved, velocity_over};
use super::{AgentType, ArrivalAction, Avoidance, Swarm};
use crate::world::FlowWorld;
use glam::Vec2;

/// Distance from its own target, in radii, at which an agent has reached it.
const REACHED: f32 = 0.5;
/// The shortest step, in seconds, that contacts are reckoned by.
const SHORTEST_STEP: f32 = 1.0e-4;
/// In about how many seconds an agent that was pushed off its own target is back.
const SETTLING: f32 = 0.3;

impl Swarm {
    pub(super) fn measure_crowds(&mut self) {
        let crowds = &mut self.scratch.crowds;
        if self.settings.settle_in_crowds && self.settings.arrival == ArrivalAction::Stop {
            crowds.measure(&self.agents, &self.types);
        } else {
            crowds.clear();
        }
    }

    /// Writes down what agents that avoid each other need to know of everybody.
    pub(super) fn note_bodies(&mut self, world: &FlowWorld, dt: f32) {
        let mut bodies = std::mem::take(&mut self.scratch.bodies);
        let is_orca = |kind: &AgentType| kind.avoidance == Avoidance::Orca;
        if self.types.iter().any(is_orca) {
            bodies.resize(self.agents.len(), Body::default());
            let context = self.context(world, dt);
            let workers = world.workers();
            workers.for_each_chunk(&mut bodies, CHUNK, |offset, part| {
                for (body, agent) in part.iter_mut().zip(&context.buckets.sorted()[offset..]) {
                    *body = context.body_of(agent);
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
    /// What others need to know of an agent, and what it wants if it takes part in that.
    pub(super) fn body_of(&self, agent: &Placed) -> Body {
        let kind = &self.types[usize::from(agent.kind)];
        let avoids = kind.avoidance == Avoidance::Orca && self.decides(agent);
        let wish = avoids.then(|| {
            let mut moved = Moved {
                flags: agent.flags & flag::LASTING,
                ..Moved::default()
            };
            Wish {
                velocity: self.wanted(agent, kind, &mut moved),
                flags: moved.flags,
                under_way: moved.under_way,
            }
        });
        let key = self.agents.key[agent.index as usize];
        Body::new(agent, kind, wish, self.settings.arrival, self.seed, key)
    }

    fn solids(&self) -> Solids<'_> {
        Solids {
            sites: self.solids,
            dt: self.dt,
        }
    }

    /// The velocity nearest to `wanted` that keeps an agent from colliding with others.
    ///
    /// What it wants is within its acceleration; what avoids a collision may be beyond that.
    #[inline(never)]
    pub(super) fn go_round_others(
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
        let index = self.buckets.sorted()[place].index as usize;
        let agent = Avoider {
            place,
            key: self.agents.key[index],
            kind,
            wanted,
            costs: walls.then(|| self.world.costs(kind.movement)),
            stalled: self.agents.stalled[index],
            step: (self.dt * kind.position_smoothing).max(SHORTEST_STEP),
        };
        orca.velocity(&agent, space)
    }

    /// The velocity towards an agent's own target, in a straight line; `None` if the field of its group
    /// is to lead it around what is between. Once there it keeps its place, or returns to it.
    pub(super) fn follow_own_target(
        &self,
        agent: &Placed,
        kind: &AgentType,
        has_route: bool,
        moved: &mut Moved,
    ) -> Option<Vec2> {
        let target = self.agents.target[agent.index as usize];
        let left = target - agent.position;
        let reached = self.settings.arrival_radius.max(REACHED * kind.radius);
        if left.length_squared() <= reached * reached {
            moved.flags |= flag::ARRIVED;
        }
        if moved.flags & flag::ARRIVED != 0 {
            return Some(velocity_over(left, SETTLING.max(self.dt), kind.max_speed));
        }
        let grid = self.world.grid();
        let is_in_sight = || {
            let [from, to] = [agent.position, target].map(|at| grid.to_cell_space(at));
            self.world.costs(kind.movement).has_line_of_sight(from, to)
        };
        if has_route && !is_in_sight() {
            return None;
        }
        moved.under_way = true;
        // Who decides in some steps only is to be there, not past it, when it next does.
        let seconds = self.dt * self.far_away.steps(agent);
        Some(velocity_over(left, seconds, kind.max_speed))
    }
}
