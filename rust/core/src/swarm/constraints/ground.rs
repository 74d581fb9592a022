//! The ground that agents stand on, as far as it changes their speed.

use crate::movement::SPEED_FACTORS;
use crate::swarm::AgentType;
use crate::world::{FlowWorld, MAX_MOVEMENT_TYPES};
use glam::Vec2;

/// Tells how fast agents are where they stand.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct Ground<'a> {
    world: &'a FlowWorld,
    /// The movement types, a bit for each, that some terrain on the map makes slower or faster: all others are spared
    /// the look at the terrain.
    uneven: u64,
}

const _: () = assert!(MAX_MOVEMENT_TYPES <= u64::BITS as usize);

impl<'a> Ground<'a> {
    pub(in crate::swarm) fn new(world: &'a FlowWorld) -> Self {
        Self {
            world,
            uneven: world.uneven_movements(),
        }
    }

    /// Whether no terrain on the map changes the speed of any movement type.
    #[inline]
    pub(in crate::swarm) fn is_even(&self) -> bool {
        self.uneven == 0
    }

    /// The greatest speed that agents of a type have anywhere.
    pub(in crate::swarm) fn greatest_speed(&self, kind: &AgentType) -> f32 {
        if self.uneven >> kind.movement & 1 == 0 {
            kind.max_speed
        } else {
            kind.max_speed * SPEED_FACTORS.1
        }
    }

    /// By what the speed of agents of a type is multiplied at a position.
    #[inline]
    pub(in crate::swarm) fn factor(&self, kind: &AgentType, position: Vec2) -> f32 {
        if self.uneven >> kind.movement & 1 == 0 {
            1.0
        } else {
            self.world.speed_factor(kind.movement, position)
        }
    }
}
