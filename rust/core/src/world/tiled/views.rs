//! Data of tiled goals for debug views.

use crate::error::Result;
use crate::grid::CellRect;
use crate::route::tiles::SectorMap;
use crate::route::{PortalGraph, Side};
use crate::world::FlowWorld;
use crate::world::flow_source::FlowSource as _;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::GoalMode;
use glam::Vec2;
use std::sync::Arc;

impl FlowWorld {
    /// The portal graph of a movement type with all edits. It is built for queries alone if there is none yet.
    ///
    /// # Errors
    /// A movement type out of range.
    pub fn portal_graph(&mut self, movement: usize) -> Result<Arc<PortalGraph>> {
        self.check_movement(movement as i64)?;
        self.refresh_for_query();
        self.query_graph(movement)
    }

    /// The cells of all portal windows of a movement type, on both sides of their border.
    ///
    /// # Errors
    /// A movement type out of range.
    pub fn portal_windows(&mut self, movement: usize) -> Result<Vec<CellRect>> {
        let graph = self.portal_graph(movement)?;
        let window = |portal| {
            graph
                .cells(portal)
                .union(&graph.cells(graph.across(portal)))
        };
        let sectors = 0..graph.sectors().count() as u32;
        let of_sector = |sector| {
            // The windows of the other sides belong to the neighbours there.
            let east = graph.portals_on(sector, Side::East);
            east.chain(graph.portals_on(sector, Side::South))
        };
        Ok(sectors.flat_map(of_sector).map(window).collect())
    }

    /// The cells of the sectors that have a tile of a goal; empty for a goal with whole fields.
    ///
    /// # Errors
    /// An unknown goal or movement type.
    pub fn built_sectors(&mut self, goal: GoalId, movement: usize) -> Result<Vec<CellRect>> {
        self.check_movement(movement as i64)?;
        self.goal_mode(goal)?;
        let Some(route) = self.tiled_route(goal, movement) else {
            return Ok(Vec::new());
        };
        let field = &route.current.field;
        let sectors = 0..field.layout().count() as u32;
        let built = sectors.filter(|&sector| route.current.is_built(sector));
        Ok(built.map(|sector| field.layout().rect(sector)).collect())
    }

    /// The unit direction at the middle of each cell, row by row; zero at goals, in walls and without a route. For a
    /// tiled goal it is also zero in cells without a tile.
    ///
    /// # Errors
    /// An unknown goal or movement type.
    pub fn direction_map(&mut self, goal: GoalId, movement: usize) -> Result<Vec<Vec2>> {
        self.check_movement(movement as i64)?;
        let count = self.grid.cell_count();
        if self.goal_mode(goal)? == GoalMode::Full {
            let field = self.queried(goal, movement)?;
            return Ok(field.map_or_else(Vec::new, |field| field.to_vectors()));
        }
        let Some(route) = self.tiled_route(goal, movement) else {
            return Ok(vec![Vec2::ZERO; count]);
        };
        let direction = |index: usize| {
            let cell = self.grid.cell(index);
            let leads_on = route.costs.is_open(cell) && !route.is_goal(cell);
            let middle = cell.as_vec2() + 0.5;
            if let Some(part) = route.parts.at(cell) {
                return part.vector_at(cell);
            }
            let sampled = match route.current.plain_view() {
                Some(plain) => plain.sample_downhill(middle, 0.0),
                None => route.current.field.sample_for(middle, 0.0),
            };
            sampled.filter(|_| leads_on).unwrap_or(Vec2::ZERO)
        };
        Ok((0..count).map(direction).collect())
    }
}
