//! Bodies with known positions, and ground for them.

use super::world_of;
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, BodyId, Pose, Shape, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};
use glam::DVec2;

pub const DT: f32 = 1.0 / 60.0;

/// Open ground of 64 by 64 cells.
pub fn world(threads: usize) -> FlowWorld {
    world_of(&open(64, 64), Workers::new(threads).expect("threads"))
}

pub fn disc() -> AgentType {
    AgentType {
        radius: 0.4,
        max_speed: 5.0,
        acceleration: 40.0,
        ..AgentType::default()
    }
}

/// A body with a known position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub id: BodyId,
    pub shape: Shape,
    pub at: Vec2,
    pub ahead: Vec2,
}

impl Known {
    pub fn add(swarm: &mut Swarm, shape: Shape, at: Vec2, ahead: Vec2, is_solid: bool) -> Self {
        let pose = Pose::turned(at, ahead).expect("valid");
        let id = swarm.add_body(shape, pose, is_solid).expect("valid");
        Self {
            id,
            shape,
            at,
            ahead,
        }
    }

    pub fn put(&mut self, swarm: &mut Swarm, at: Vec2, ahead: Vec2) {
        (self.at, self.ahead) = (at, ahead);
        let pose = Pose::turned(at, ahead).expect("valid");
        swarm.move_body(self.id, pose).expect("there");
    }

    /// The distance of a point from the body, in `f64`; negative inside the body.
    pub fn distance(&self, point: Vec2) -> f64 {
        let away = (point - self.at).as_dvec2();
        match self.shape {
            Shape::Disc(radius) => away.length() - f64::from(radius),
            Shape::Box(half) => {
                let (half, ahead) = (half.as_dvec2(), self.ahead.as_dvec2().normalize());
                let turned = DVec2::new(ahead.dot(away), ahead.perp_dot(away));
                let nearest = turned.clamp(-half, half);
                if nearest == turned {
                    (turned.abs() - half).max_element()
                } else {
                    turned.distance(nearest)
                }
            }
        }
    }
}

/// A random unit vector.
pub fn unit(random: &mut SplitMix64) -> Vec2 {
    let any = Vec2::new(random.unit() as f32 - 0.5, random.unit() as f32 - 0.5);
    any.normalize_or(Vec2::X)
}
