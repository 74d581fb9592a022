//! What is known of the ways to a goal: routes, tiles, and which sectors have been asked for.

use super::Aim;
use crate::error::Result;
use crate::integrate::GoalCell;
use crate::movement::{Changes, CostField};
use crate::route::tiles::{TileSettings, TiledField};
use crate::route::{GoalRoutes, PortalGraph, RouteStart, SectorSearch};
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What somebody lacks who stands in a cell, from the least to the most urgent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lack {
    Nothing,
    /// A tile leads on, but the route along which it was made has been forgotten after an edit.
    Renewal,
    /// Nothing leads on.
    Route,
}

/// Routes and tiles to a goal for one movement type.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    pub(super) aim: Aim,
    pub(super) routes: GoalRoutes,
    pub(super) field: TiledField,
    /// Exact targets in cell space.
    pub(super) targets: Vec<Vec2>,
    /// Whether anything has asked for a route.
    pub(super) was_asked: bool,
    /// From where no route was found at some time, as (y, x).
    pub(super) refused: BTreeSet<(i32, i32)>,
    /// A bit for each sector on a route, or beside one, that was found since routes were last forgotten.
    covered: Vec<u64>,
    /// Sectors that are to become active.
    wanted: Vec<u32>,
}

impl Ways {
    pub(super) fn new(
        aim: Aim,
        graph: &PortalGraph,
        costs: &CostField,
        cells: &[GoalCell],
        targets: Vec<Vec2>,
    ) -> Result<Self> {
        let sectors = *graph.sectors();
        let settings = TileSettings {
            solver: aim.solver,
            ..TileSettings::default()
        };
        Ok(Self {
            aim,
            routes: GoalRoutes::new(graph, costs, cells)?,
            field: TiledField::new(sectors, cells, &targets, settings)?
                .with_links(Arc::clone(graph.links())),
            targets,
            was_asked: false,
            refused: BTreeSet::new(),
            covered: vec![0; sectors.count().div_ceil(64)],
            wanted: Vec::new(),
        })
    }

    fn is_covered(&self, sector: u32) -> bool {
        self.covered[sector as usize / 64] >> (sector % 64) & 1 == 1
    }

    /// Whether somebody who stands in a cell of the map must ask for a route.
    pub(super) fn lack(&self, graph: &PortalGraph, cell: IVec2) -> Lack {
        let is_covered = self.is_covered(graph.sectors().at(cell));
        let leads_on = match self.field.has_route(cell) {
            Some(true) if !is_covered => return Lack::Renewal,
            Some(has_route) => has_route,
            None => is_covered && self.routes.known_start(graph, cell).is_some(),
        };
        if leads_on { Lack::Nothing } else { Lack::Route }
    }

    /// Whether somebody who stands in a cell of the map must ask for a route, at once or later.
    pub(super) fn lacks_route(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        self.lack(graph, cell) != Lack::Nothing
    }

    /// Finds the route from an open cell of the map, and notes the sectors along it. [`Self::activate`] must
    /// follow.
    pub(super) fn ask(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        cell: IVec2,
        search: &mut SectorSearch,
    ) -> Result<Option<RouteStart>> {
        self.was_asked = true;
        let Some(start) = self.routes.find(graph, costs, cell, search)? else {
            self.refused.insert((cell.y, cell.x));
            return Ok(None);
        };
        self.cover(graph, graph.sectors().at(cell));
        for portal in self.routes.join(graph, &start) {
            if let Some(entered) = self.routes.entered(graph, portal) {
                self.cover(graph, entered.sector);
            }
        }
        Ok(Some(start))
    }

    /// Wants a sector and those around it.
    fn cover(&mut self, graph: &PortalGraph, sector: u32) {
        let sectors = graph.sectors();
        let around = (0..8).filter_map(|step| sectors.neighbour(sector, step));
        for sector in around.chain([sector]) {
            let word = &mut self.covered[sector as usize / 64];
            let bit = 1 << (sector % 64);
            if *word & bit == 0 {
                *word |= bit;
                if !self.field.is_active(sector) {
                    self.wanted.push(sector);
                }
            }
        }
    }

    /// Makes the sectors active that routes have come to need.
    pub(super) fn activate(&mut self) -> Result<()> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        self.wanted.sort_unstable();
        let wanted = std::mem::take(&mut self.wanted);
        self.field.activate(&wanted)
    }

    /// Takes over changes of the costs, and of the graph's parts in the sectors `changed`.
    pub(super) fn update(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        (changes, changed): (&Changes, &[u32]),
        search: &mut SectorSearch,
    ) {
        if self.routes.update(graph, costs, changed, search) {
            self.covered.fill(0);
        }
        self.field.set_links(Arc::clone(graph.links()));
        self.field.invalidate(costs, changes);
    }

    /// Whether agents who stand in a sector find a tile.
    pub(super) fn is_built(&self, sector: u32) -> bool {
        (sector as usize) < self.field.layout().count() && self.field.is_built(sector)
    }
}
