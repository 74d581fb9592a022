//! [`SectorMap`] for a tiled field, and its public queries.

use super::field::TiledField;
use super::sector_map::{SectorMap, Surroundings};
use super::tile::Content;
use crate::integrate::UNREACHED;
use crate::route::Sectors;
use glam::{IVec2, Vec2};

impl<'a> SectorMap<'a> for &'a TiledField {
    type Around = Self;

    fn sectors(self) -> &'a Sectors {
        &self.layout
    }

    fn content_at(self, cell: IVec2) -> Option<(&'a Content, Self)> {
        let content = self.slot(self.layout.at(cell))?.served.as_ref()?;
        Some((content, self))
    }

    fn link_from(self, cell: IVec2) -> Option<IVec2> {
        TiledField::link_from(self, cell)
    }
}

impl Surroundings for &TiledField {
    fn cost_beyond(&self, cell: IVec2) -> u32 {
        self.served_cost(cell)
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        TiledField::target_in(self, cell)
    }
}

impl TiledField {
    /// The unit direction at a point in cell space for an agent of some radius in cells, as
    /// [`crate::flow::FlowField::sample_for`] computes it. `None` if the sector has no tile yet.
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        SectorMap::sample_for(self, point, radius)
    }

    /// Returns true if the path from a cell of the map is one straight line to a target; false if the sector has no
    /// tile yet.
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        SectorMap::sees_target(self, cell)
    }

    /// The set of steps from a cell of the map to cells of lower cost, with a bit for each of
    /// [`crate::grid::STEPS`]; 0 at a goal, where no goal can be reached, and if the sector has no tile yet.
    #[must_use]
    pub fn lower_steps(&self, cell: IVec2) -> u8 {
        self.steps_down(cell).unwrap_or(0)
    }

    /// Returns true if a cell is a goal at which paths end.
    #[must_use]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        self.goal_at(cell).is_some_and(|goal| goal.is_settled)
    }

    /// The exact target in a goal cell, in cell space.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        let goal = self.goal_at(cell).filter(|goal| goal.is_settled);
        goal.and_then(|goal| goal.target)
    }

    /// The cost of a cell along a border, by the tile that agents follow there.
    pub(super) fn served_cost(&self, cell: IVec2) -> u32 {
        if !self.layout.contains(cell) {
            return UNREACHED;
        }
        let sector = self.layout.at(cell);
        let Some(content) = self.slot(sector).and_then(|slot| slot.served.as_ref()) else {
            return UNREACHED;
        };
        let rect = self.layout.rect(sector);
        content.border_cost(rect.high - rect.low, cell - rect.low)
    }
}
