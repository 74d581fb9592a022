//! Solid bodies as half-planes of permitted velocities.
//!
//! Bodies do not react to agents, so agents make the whole change. A disc counts as an agent that avoids no others. A
//! straight side forbids approaching it so fast that the agent touches it within the horizon. A corner is a point that
//! moves with its body. This finds no path around a broad body; that is the flow field's task.

use crate::swarm::avoidance::orca::bodies::OrcaAgent;
use crate::swarm::avoidance::orca::lines::{HalfPlanes, Seen, permitted};
use crate::swarm::avoidance::orca::program;
use crate::swarm::avoidance::orca::scene::{Avoider, Orca, Solids};
use crate::swarm::bodies::body::Body as SolidBody;
use crate::swarm::bodies::{Collider, Nearest};
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::{AgentType, Avoidance};
use glam::{Vec2, Vec4};

/// The most bodies that an agent avoids: those with the least ids.
const MOST: usize = 8;

impl<'a> Solids<'a> {
    fn iter(self) -> impl Iterator<Item = &'a Collider<SolidBody>> {
        self.colliders
            .iter()
            .filter(|collider| collider.role.is_solid)
    }

    /// Marks in `bodies`, which are in bucket order, the agents that may have a solid body within their neighbour
    /// radius.
    pub(in crate::swarm) fn note_near(
        self,
        buckets: &Buckets,
        types: &[AgentType],
        bodies: &mut [OrcaAgent],
    ) {
        let avoiders = types
            .iter()
            .filter(|kind| kind.avoidance == Avoidance::Orca);
        let reach = avoiders
            .map(|kind| kind.neighbour_radius.max(kind.radius))
            .fold(0.0, f32::max);
        for collider in self.iter() {
            let (low, high) = collider.shape.bounds(&collider.pose);
            for row in buckets.rows_between(low - reach, high + reach) {
                for body in &mut bodies[row] {
                    body.is_near_solid = true;
                }
            }
        }
    }
}

impl Orca<'_> {
    /// Adds the half-planes of solid bodies; to `hard` those of bodies that the agent might touch in this step.
    #[cold]
    pub(super) fn add_solids(
        &self,
        hard: &mut HalfPlanes,
        soft: &mut HalfPlanes,
        agent: &Avoider<'_>,
    ) {
        let position = self.bodies[agent.place].position();
        let radius = agent.kind.radius;
        let reach = agent.kind.neighbour_radius.max(radius);
        let layers = self.grid.layers();
        let layer = layers.at(position);
        let near = self.solids.iter().filter_map(|collider| {
            let nearest = collider.shape.nearest(&collider.pose, position);
            let is_on_layer = layers.at(collider.pose.position()) == layer;
            (is_on_layer && nearest.distance < reach)
                .then(|| (collider.velocity(self.solids.dt), nearest))
        });
        for (velocity, nearest) in near.take(MOST) {
            let towards = nearest.normal.dot(velocity);
            let gap = nearest.distance - radius;
            if gap < 0.0 {
                let creep = program::CREEP * agent.max_speed;
                hard.push(nearest.normal, towards + creep);
                continue;
            }
            if gap < (agent.max_speed + velocity.length()) * agent.step {
                hard.push(nearest.normal, towards - gap / agent.step);
            }
            if nearest.is_straight {
                soft.push(nearest.normal, towards - gap / agent.kind.time_horizon);
            } else {
                self.add_round(soft, agent, velocity, &nearest);
            }
        }
    }

    /// Adds the half-plane of the round part or corner of a body that is nearest to the agent.
    fn add_round(
        &self,
        soft: &mut HalfPlanes,
        agent: &Avoider<'_>,
        velocity: Vec2,
        nearest: &Nearest,
    ) {
        let away = -nearest.normal * (nearest.distance + nearest.rounding);
        let seen = Seen {
            away: [Vec4::splat(away.x), Vec4::splat(away.y)],
            velocity: [Vec4::splat(velocity.x), Vec4::splat(velocity.y)],
            touching: Vec4::splat(agent.kind.radius + nearest.rounding),
            share: Vec4::ONE,
            slack: Vec4::ONE,
        };
        let own = self.bodies[agent.place].velocity();
        let lanes = permitted(own, &seen, agent.kind.time_horizon, agent.step);
        if lanes.lost & 1 == 0 {
            soft.push(Vec2::new(lanes.x.x, lanes.y.x), lanes.offset.x);
        }
    }
}
