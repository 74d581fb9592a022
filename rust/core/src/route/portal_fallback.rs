//! The fallback for a sector that has no tile yet: agents walk to the next portal (Emerson, Game AI Pro, 23.12).
//!
//! In the text agents walk straight to the next portal window. Here the table that a request for a route has left in
//! the sector also leads around walls.

use super::find::RouteStart;
use super::goal_routes::{GoalRoutes, TO_GOAL};
use super::graph::{PortalGraph, PortalId};
use crate::grid::CellRect;
use crate::grid::STEPS;
use crate::movement::CostField;
use glam::IVec2;

impl GoalRoutes {
    /// The start of the route from a cell, if an earlier call of [`Self::find`] in the same sector has found one;
    /// `None` otherwise. A look-up.
    #[must_use]
    pub fn known_start(&self, graph: &PortalGraph, cell: IVec2) -> Option<RouteStart> {
        let sectors = graph.sectors();
        let is_known = sectors.contains(cell) && self.version() == graph.version();
        is_known.then(|| self.start_at(sectors.at(cell), sectors.place(cell)))?
    }

    /// Returns true if the known route from a cell ends in that cell.
    #[must_use]
    pub fn ends_at(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        let sectors = graph.sectors();
        if !sectors.contains(cell) || self.version() != graph.version() {
            return false;
        }
        let table = self.tables.get(&sectors.at(cell));
        table.is_some_and(|table| table.ends_at(sectors.place(cell), TO_GOAL))
    }

    /// The end of the link that the known route takes from `cell`; `None` if the route does not take a link there.
    #[must_use]
    pub fn link_from(&self, graph: &PortalGraph, cell: IVec2) -> Option<IVec2> {
        if !graph.sectors().contains(cell) || !graph.is_left_by_links(cell) {
            return None;
        }
        let exit = self.next_window(graph, cell)?;
        let is_here = graph.is_link(exit) && graph.middle(exit) == cell;
        let end = is_here.then(|| self.entered(graph, exit))?;
        end.map(|end| graph.middle(end))
    }

    /// The next cell of the known route from `cell`: a neighbour in the same sector or just across the window by which
    /// the route leaves the sector, or the end of the link that the route takes from there. `None` where the route
    /// ends, and where no route is known. From a blocked cell it is an open neighbour.
    #[must_use]
    pub fn next_cell(&self, graph: &PortalGraph, costs: &CostField, cell: IVec2) -> Option<IVec2> {
        let sectors = graph.sectors();
        if !sectors.contains(cell) || self.version() != graph.version() {
            return None;
        }
        let sector = sectors.at(cell);
        let table = self.tables.get(&sector)?;
        let rect = sectors.rect(sector);
        let is_open = costs.is_open(cell);
        let place = sectors.place(cell);
        if is_open {
            let slot = table.end(place)?;
            let exit = PortalId { sector, slot };
            if let Some(end) = self.link_from(graph, cell) {
                return Some(end);
            }
            if slot != TO_GOAL && !graph.is_link(exit) && holds(graph.cells(exit), cell) {
                return Some(cell + graph.side(exit).step());
            }
            if table.ends_at(place, slot) {
                return None;
            }
        }
        let legal = if is_open {
            costs.steps_at(cell)
        } else {
            u8::MAX
        };
        let own = f64::from(costs.cost_at(cell));
        let to_go = |step: usize| {
            let next = cell + STEPS[step];
            let is_legal = legal >> step & 1 == 1 && holds(rect, next) && costs.is_open(next);
            let length = if step & 1 == 0 {
                1.0
            } else {
                std::f64::consts::SQRT_2
            };
            let to_go = is_legal.then(|| table.units_to_go(sectors.place(next)))??;
            Some((to_go + own * length, next))
        };
        let candidates = (0..8).filter_map(to_go);
        let best = candidates.min_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, next)| next)
    }
}

fn holds(rect: CellRect, cell: IVec2) -> bool {
    cell.cmpge(rect.low).all() && cell.cmplt(rect.high).all()
}
