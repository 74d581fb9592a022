//! Fills outlines ([`Outline`]).

use crate::swarm::avoidance::contact::body::NEAR as NEAR_DIRECTION;
use crate::swarm::avoidance::contact::discs::{Disc, Size};
use crate::swarm::avoidance::contact::gather::remaining_distance;
use crate::swarm::avoidance::contact::outline::Outline;
use crate::swarm::avoidance::contact::steer::turned;
use crate::swarm::goal::brakes::NEAR;
use crate::swarm::limits::CHUNK;
use crate::swarm::neighbours::oversized::regular_radius;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::{AgentType, Avoidance};
use crate::world::{FlowWorld, Route};
use glam::Vec2;

/// The share of its maximum speed above which the velocity of an agent that is alone is its preferred direction.
const STEADY: f32 = 0.5;

impl Swarm {
    /// The collision layers of other swarms' agents that this swarm's agents keep out of, as a bit set: the masks of
    /// all types with [`Avoidance::Contact`]. 0 if agents do not keep apart
    /// ([`Settings::separation`](crate::swarm::Settings::separation)).
    #[must_use]
    pub fn contact_mask(&self) -> u32 {
        if !self.settings.separation {
            return 0;
        }
        let types = self.types.iter().filter(|kind| kind.uses_contacts());
        types.fold(0, |mask, kind| mask | kind.collision_mask)
    }

    /// Fills `outline` with the solid agents that are in any of `layers`, a bit set such as the other swarms'
    /// [`Self::contact_mask`]. Agents with [`Avoidance::None`] are not solid. `moves` says whether this swarm moves on
    /// while others step by the outline; if not, its agents are taken to stand still.
    ///
    /// O(agents), or O(types) if no type is in those layers. Only scratch memory of the swarm changes.
    pub fn outline(&mut self, world: &FlowWorld, layers: u32, moves: bool, outline: &mut Outline) {
        let is_seen = |kind: &AgentType| {
            kind.avoidance != Avoidance::None && kind.collision_layer & layers != 0
        };
        if self.is_empty() || !self.types.iter().any(is_seen) {
            outline.clear();
            return;
        }
        outline.types.clone_from(&self.types);
        outline.keeps_apart = self.settings.separation;
        outline.goals.clear();
        let goals = self.groups.iter().map(|group| group.goal);
        outline.goals.extend(goals);
        let has_fields = |kind: &AgentType| world.check_movement(kind.movement as i64).is_ok();
        if self.types.iter().all(has_fields) && self.check_reach(world).is_ok() {
            self.find_routes(world);
        }
        let tracer = Tracer {
            world,
            agents: &self.agents,
            types: &self.types,
            routes: &self.scratch.routes,
            regular: regular_radius(&self.agents, &self.types),
            layers,
            moves,
        };
        let Outline {
            found,
            regular,
            oversized,
            ..
        } = outline;
        found.resize(self.len(), Disc::default());
        let workers = world.workers();
        workers.for_each_chunk(found, CHUNK, |offset, discs| {
            for (row, disc) in discs.iter_mut().enumerate() {
                *disc = tracer.disc(offset + row);
            }
        });
        regular.fill(found, Size::Regular, &self.types);
        oversized.fill(found, Size::Oversized, &self.types);
        self.scratch.routes.clear();
    }
}

/// Makes the discs of an outline.
struct Tracer<'a> {
    world: &'a FlowWorld,
    agents: &'a Agents,
    types: &'a [AgentType],
    routes: &'a [Option<Route>],
    /// The largest radius of regular agents; larger ones are oversized.
    regular: f32,
    layers: u32,
    moves: bool,
}

impl Tracer<'_> {
    #[inline]
    fn disc(&self, index: usize) -> Disc {
        let agents = self.agents;
        let (flags, kind) = (agents.flags[index], agents.kind[index]);
        let size = self.size(usize::from(kind), agents.is_solid(index));
        if size == Size::None {
            return Disc::default();
        }
        let kind = &self.types[usize::from(kind)];
        let state = agents.contact[index];
        let is_alone = state.is_alone();
        let (preferred_direction, remaining) = self.aim(index, kind, is_alone);
        let preferred_direction = turned(preferred_direction, state.turn());
        let is_scripted = agents.state[index] == AgentState::Scripted;
        let velocity = if self.moves {
            agents.velocity[index] * kind.position_smoothing
        } else {
            Vec2::ZERO
        };
        let most = state.cap() * kind.max_speed;
        Disc {
            position: agents.position[index],
            velocity,
            // In a crowd an agent's velocity shows where it was pushed, and not where it goes next.
            drift: if is_alone || is_scripted {
                velocity
            } else {
                preferred_direction * velocity.dot(preferred_direction).clamp(0.0, most)
            },
            preferred_direction,
            remaining,
            conflict: state.conflict(),
            kind: agents.kind[index],
            goal_group: agents.goal_group[index],
            is_scripted,
            has_own_target: flags & flag::OWN_TARGET != 0,
            size,
        }
    }

    #[inline]
    fn size(&self, kind: usize, is_solid: bool) -> Size {
        let kind = &self.types[kind];
        let is_seen = kind.avoidance != Avoidance::None && kind.collision_layer & self.layers != 0;
        if !(is_solid && is_seen) {
            Size::None
        } else if kind.radius <= self.regular {
            Size::Regular
        } else {
            Size::Oversized
        }
    }

    /// The preferred direction of an agent, and its remaining distance to its group's goal; NaN where it is not needed.
    #[inline]
    fn aim(&self, index: usize, kind: &AgentType, is_alone: bool) -> (Vec2, f32) {
        const NOWHERE: (Vec2, f32) = (Vec2::ZERO, f32::NAN);
        let agents = self.agents;
        let flags = agents.flags[index];
        let (position, near) = (agents.position[index], NEAR * kind.radius);
        if agents.state[index] != AgentState::Following || flags & flag::ARRIVED != 0 {
            return NOWHERE;
        }
        if flags & flag::OWN_TARGET != 0 {
            let left = agents.target[index] - position;
            return (direction_over(left, near), f32::NAN);
        }
        let route = usize::from(agents.goal_group[index]) * self.types.len()
            + usize::from(agents.kind[index]);
        let Some(Some(route)) = self.routes.get(route) else {
            return NOWHERE;
        };
        let (velocity, steady) = (agents.velocity[index], STEADY * kind.max_speed);
        if is_alone && velocity.length_squared() > steady * steady {
            // Nothing holds the agent up, so its velocity shows its preferred direction.
            return (velocity.normalize_or_zero(), f32::NAN);
        }
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(position);
        let left = route.remaining_cost(cell) * grid.cell_size();
        let preferred_direction = if let Some(target) = route.target_in(cell) {
            direction_over(grid.to_world(target) - position, near)
        } else {
            let point = grid.to_cell_space(position);
            let direction = route.sample_for(point, kind.radius / grid.cell_size());
            direction * if left > near { 1.0 } else { NEAR_DIRECTION }
        };
        let remaining = if is_alone {
            f32::NAN
        } else {
            remaining_distance(grid, route, position)
        };
        (preferred_direction, remaining)
    }
}

/// The preferred direction of an agent that goes straight to a target at the offset `left`.
#[inline]
fn direction_over(left: Vec2, near: f32) -> Vec2 {
    let length = if left.length_squared() > near * near {
        1.0
    } else {
        NEAR_DIRECTION
    };
    left.normalize_or_zero() * length
}
