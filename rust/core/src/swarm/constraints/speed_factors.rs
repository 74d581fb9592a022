//! The effect of terrain and slopes on speeds.

use crate::movement::SPEED_FACTORS;
use crate::swarm::AgentType;
use crate::world::{FlowWorld, MAX_MOVEMENT_TYPES};
use glam::Vec2;

/// Looks up the speed factors of terrain and slopes.
#[derive(Clone, Copy)]
pub(in crate::swarm) struct SpeedFactors<'a> {
    world: &'a FlowWorld,
    /// A bit set of the movement types whose speed some terrain on the map changes. For all others the terrain is not
    /// read.
    uneven: u64,
    /// A bit set of the movement types whose speed slopes change. For all others heights are not read.
    sloped: u64,
}

const _: () = assert!(MAX_MOVEMENT_TYPES <= u64::BITS as usize);

impl<'a> SpeedFactors<'a> {
    pub(in crate::swarm) fn new(world: &'a FlowWorld) -> Self {
        Self {
            world,
            uneven: world.uneven_movements(),
            sloped: world.sloped_movements(),
        }
    }

    /// Whether neither terrain nor slopes change the speed of any movement type.
    #[inline]
    pub(in crate::swarm) fn is_even(&self) -> bool {
        self.uneven | self.sloped == 0
    }

    /// The greatest speed of agents of a type on any ground of the map.
    pub(in crate::swarm) fn greatest_speed(&self, kind: &AgentType) -> f32 {
        if (self.uneven | self.sloped) >> kind.movement & 1 == 0 {
            kind.max_speed
        } else {
            kind.max_speed * SPEED_FACTORS.1
        }
    }

    /// The factor of the speed of agents of a type at a position that are heading in the direction `ahead`.
    #[inline]
    pub(in crate::swarm) fn factor(&self, kind: &AgentType, position: Vec2, ahead: Vec2) -> f32 {
        if self.sloped >> kind.movement & 1 == 1 {
            return self
                .world
                .speed_factor_ahead(kind.movement, position, ahead);
        }
        if self.uneven >> kind.movement & 1 == 0 {
            1.0
        } else {
            self.world.speed_factor(kind.movement, position)
        }
    }
}
