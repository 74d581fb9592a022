//! Zones: the costs and directions around the targets of a goal of the kinds FLEE and RANGE.

use crate::direction::Direction;
use crate::flow::{FlowField, FlowMap};
use crate::integrate::IntegrationField;
use crate::world::zones::area::Area;
use crate::world::zones::ground::GroundMap;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// How many units of cost on the small map of a zone make a unit of cost of the ground.
pub(super) const UNITS: u8 = 4;

/// The costs and directions around the targets of a goal.
#[derive(Debug, Clone)]
pub(in crate::world) struct Zone {
    pub(super) area: Area,
    pub(super) integration: IntegrationField,
    pub(super) flow: FlowField,
    /// What the cells of the small map belong to, by stored index.
    pub(super) parts: Vec<ZonePart>,
    pub(super) beyond: Beyond,
    /// How many units of cost of `integration` make a unit of cost of the ground.
    pub(super) units: u8,
    /// The cells of the grid in which agents may stop in a RANGE goal, and whether a target is in sight from there.
    pub(super) in_range: Vec<(IVec2, bool)>,
}

/// The part of a zone to which a cell belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ZonePart {
    /// None: the cell belongs to what is beyond the zone.
    Beyond,
    /// The cell has a direction of the zone.
    Own,
    /// The cell has a direction of the zone, for agents that have no path to a target.
    Substitute,
    /// The cell has a direction of the zone to a place out of sight, for agents that have no path to one in sight.
    Hidden,
}

/// What agents do beyond a zone.
#[derive(Debug, Clone)]
pub(in crate::world) enum Beyond {
    /// They have arrived.
    Arrived(Arc<GroundMap>),
    /// They follow the field to the targets.
    Seek,
}

/// Where a cell of the grid is.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) enum Place {
    /// In a zone, with its cell on the zone's small map.
    Inside(IVec2),
    /// In a zone, with its cell on the small map, for agents that have no path to a target.
    Substitute(IVec2),
    /// In a zone, with its cell on the small map, for agents that have no path to a place in sight of a target.
    Hidden(IVec2),
    /// Beyond the zone, where agents have arrived.
    Arrived,
    /// Beyond the zone, in a wall.
    Wall,
    /// Beyond the zone, where agents follow the field to the targets.
    Seek,
}

impl Zone {
    /// Where a cell of the grid is.
    #[inline]
    pub(in crate::world) fn place_of(&self, cell: IVec2) -> Place {
        let own = self.area.own(cell);
        let part = own.map(|own| (self.parts[self.flow.stored_index(own)], own));
        match (part, &self.beyond) {
            (Some((ZonePart::Own, own)), _) => Place::Inside(own),
            (Some((ZonePart::Substitute, own)), _) => Place::Substitute(own),
            (Some((ZonePart::Hidden, own)), _) => Place::Hidden(own),
            (_, Beyond::Seek) => Place::Seek,
            (_, Beyond::Arrived(ground)) if ground.is_wall(cell) => Place::Wall,
            (_, Beyond::Arrived(_)) => Place::Arrived,
        }
    }

    /// Whether the area around the targets holds a cell of the grid.
    pub(super) fn holds(&self, cell: IVec2) -> bool {
        self.area.shift_at(cell).is_some()
    }

    /// The cost from a cell beyond the zone where agents have arrived; `None` if it is closed.
    pub(in crate::world) fn cost_beyond(&self, cell: IVec2) -> Option<f64> {
        match &self.beyond {
            Beyond::Arrived(ground) if ground.is_open(cell) => Some(0.0),
            _ => None,
        }
    }

    /// The size of the grid, if this is all that is known of its cells.
    pub(in crate::world) fn grid_size(&self) -> Option<IVec2> {
        match &self.beyond {
            Beyond::Arrived(ground) => Some(ground.size()),
            Beyond::Seek => None,
        }
    }

    /// The cost from a cell of the small map, in cost units.
    pub(in crate::world) fn cost_at(&self, own: IVec2) -> Option<f64> {
        Some(self.integration.cost_at(own)? / f64::from(self.units))
    }

    pub(in crate::world) fn direction_at(&self, own: IVec2) -> Direction {
        self.flow.direction_at(own)
    }

    pub(in crate::world) fn vector_at(&self, own: IVec2) -> Vec2 {
        self.flow.vector_at(own)
    }

    #[inline]
    pub(in crate::world) fn is_goal(&self, own: IVec2) -> bool {
        self.flow.is_goal(own)
    }

    /// The direction at a point of the grid in a cell, which comes with its cell on the small map.
    #[inline]
    pub(in crate::world) fn sample_in(
        &self,
        (cell, own): (IVec2, IVec2),
        point: Vec2,
        radius: f32,
    ) -> Vec2 {
        let point = point - (cell - own).as_vec2();
        self.flow.sample_in(own, point, radius)
    }

    pub(in crate::world) fn lean(
        &self,
        (cell, own): (IVec2, IVec2),
        point: Vec2,
        radius: f32,
        direction: Vec2,
        side: f32,
    ) -> Vec2 {
        let point = point - (cell - own).as_vec2();
        self.flow.lean(point, radius, direction, side)
    }

    /// The end, in the grid, of the link that the path from a cell of the small map takes.
    #[inline]
    pub(in crate::world) fn link_from(&self, own: IVec2) -> Option<IVec2> {
        self.area.in_grid(self.flow.link_from(own)?)
    }

    /// The next cell of the grid on the path from a cell of the small map.
    pub(in crate::world) fn next_cell(&self, own: IVec2) -> Option<IVec2> {
        self.area.in_grid(self.flow.next_cell(own)?)
    }

    /// Calls `each` for every cell of the grid in the area around the targets.
    pub(in crate::world) fn for_each_cell(&self, mut each: impl FnMut(IVec2)) {
        self.area.for_each_cell(|cell, _| each(cell));
    }
}
