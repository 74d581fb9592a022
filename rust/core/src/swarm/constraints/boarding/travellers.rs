//! The agents on links, by where they land.

use super::tiles::Tiles;
use crate::grid::CellRect;
use glam::{IVec2, Vec2, Vec3};

/// An agent that is coming.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traveller {
    /// The link's first and last cell.
    pub(super) first: IVec2,
    pub(super) end: IVec2,
    /// Where it lands.
    pub(super) landing: Vec2,
    /// The seconds until it lands.
    pub(super) seconds: f32,
    /// Its speed after it has landed.
    pub(super) speed: f32,
    pub(super) kind: u8,
    /// Where it is now on the straight line between both ends, without layers and above its start, and its velocity.
    pub(super) at: Vec3,
    pub(super) velocity: Vec3,
}

/// All agents that are on links, those included that have taken one in this step.
#[derive(Debug, Default)]
pub(super) struct Coming {
    travellers: Vec<Traveller>,
    /// By the last cells of their links.
    tiles: Tiles,
}

impl Coming {
    pub(super) fn clear(&mut self, agents: usize) {
        self.tiles.clear(agents);
        self.travellers.clear();
        self.travellers.reserve(agents);
    }

    pub(super) fn push(&mut self, traveller: Traveller) {
        self.tiles.push(traveller.end);
        self.travellers.push(traveller);
    }

    /// At least those whose links end in a rectangle of cells.
    pub(super) fn near(&self, cells: CellRect) -> impl Iterator<Item = &Traveller> {
        self.tiles
            .near(cells)
            .map(|number| &self.travellers[number])
    }
}

impl Traveller {
    /// The least distance to another one on the way.
    pub(super) fn nearest_to(&self, other: &Self) -> f32 {
        let (apart, speed) = (other.at - self.at, other.velocity - self.velocity);
        let most = self.seconds.min(other.seconds);
        let seconds =
            (-apart.dot(speed) / speed.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, most);
        (apart + speed * seconds).length()
    }
}
