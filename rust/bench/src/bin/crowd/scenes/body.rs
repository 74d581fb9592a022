//! What an agent of a scene is like.

use flow_swarm::swarm::{AgentType, Avoidance};

use super::{RADIUS, SPEED};

/// What an agent of a scene is like, in the scene's unit of length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// Radius of its disc.
    pub(crate) radius: f32,
    /// Greatest speed, a second.
    pub(crate) speed: f32,
    /// Greatest change of velocity, a second squared.
    pub(crate) acceleration: f32,
    /// How heavy it is; others weigh 1.
    pub(crate) mass: f32,
    /// How far away others are taken into account where avoidance looks ahead.
    pub(crate) neighbour_radius: f32,
}

impl Body {
    /// A person of the scenes in metres.
    pub(crate) const PERSON: Self = Self {
        radius: RADIUS,
        speed: SPEED,
        acceleration: 10.0,
        mass: 1.0,
        neighbour_radius: 5.0,
    };

    /// The core's default agent, of the scenes in pixels.
    pub(crate) const SPRITE: Self = Self {
        radius: 4.0,
        speed: 60.0,
        acceleration: 240.0,
        mass: 1.0,
        neighbour_radius: 40.0,
    };

    /// An agent type that differs from the default in what a body has, and in how it avoids others.
    pub(crate) fn agent_type(self, avoidance: Avoidance) -> AgentType {
        AgentType {
            radius: self.radius,
            max_speed: self.speed,
            acceleration: self.acceleration,
            mass: self.mass,
            avoidance,
            neighbour_radius: self.neighbour_radius,
            max_neighbours: 10,
            time_horizon: 2.0,
            ..AgentType::default()
        }
    }
}
