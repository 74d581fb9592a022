//! The properties of an agent of a scene.

use flow_swarm::swarm::{AgentType, Avoidance};

use super::{RADIUS, SPEED};

/// The properties of an agent of a scene, in the scene's unit of length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// Radius of the disc.
    pub(crate) radius: f32,
    /// Greatest speed, per second.
    pub(crate) speed: f32,
    /// Greatest change of velocity, per second squared.
    pub(crate) acceleration: f32,
    /// Mass, relative to other agents.
    pub(crate) mass: f32,
    /// The distance within which others are taken into account by avoidance that looks ahead.
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

    /// The core's default agent, in the scenes in pixels.
    pub(crate) const SPRITE: Self = Self {
        radius: 4.0,
        speed: 60.0,
        acceleration: 240.0,
        mass: 1.0,
        neighbour_radius: 40.0,
    };

    /// Returns an agent type with this body and an avoidance, otherwise with defaults.
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
