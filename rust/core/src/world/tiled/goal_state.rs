//! The state of a tiled goal for one movement type: its routes, its tiles, and the sectors that they need.

use crate::error::Result;
use crate::flow::TargetBounds;
use crate::integrate::GoalCell;
use crate::movement::{CostField, SightFan};
use crate::route::tiles::{FirstTiles, FirstView, PlainTiles, PlainView, SectorMap, TiledField};
use crate::route::{Found, GoalRoutes, PortalGraph, SectorSearch};
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::slot_edits::SlotEdits;
use crate::world::tiled::spare::Spare;
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an agent in a cell needs, from the least to the most urgent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RouteNeed {
    /// No tile and no route: a near field leads on.
    NoTile,
    /// No route: one is known, or none exists.
    NoRoute,
    /// A new route later: a tile leads on, but an edit has removed the route that it was made for.
    Renewal,
    /// A route now: nothing leads on.
    Route,
}

/// The routes and tiles to a goal for one movement type.
#[derive(Debug, Clone)]
pub(in crate::world) struct TiledGoalState {
    pub(super) made_for: GoalVersion,
    /// The tick in which the state was begun.
    pub(super) begun_at: u64,
    pub(super) routes: GoalRoutes,
    /// The number of portals of the graph.
    pub(super) portals: usize,
    /// Whether only the sectors on routes become active, without those beside them.
    pub(super) is_narrow: bool,
    pub(super) field: TiledField,
    /// First tiles, until the sectors in which routes begin have been built.
    pub(super) first: FirstTiles,
    /// The cells in which routes begin whose first tiles are not queued yet.
    pub(super) unqueued_starts: Vec<IVec2>,
    /// The plain tiles, if that is the variant. No sector of the field becomes active then.
    pub(super) plain: Option<PlainTiles>,
    /// From where the target is seen, if tiles are plain and there is one.
    pub(super) sight: Option<SightFan>,
    /// The exact targets in cell space.
    pub(super) targets: Vec<Vec2>,
    pub(super) bounds: TargetBounds,
    /// Whether a route has been requested.
    pub(super) was_requested: bool,
    /// The cells, as (y, x), from which a search has found no route.
    pub(super) refused: BTreeSet<(i32, i32)>,
    /// The cells, as (y, x), from which a search has found no route since the last change of the costs.
    pub(super) cut_off: BTreeSet<(i32, i32)>,
    /// A bit for each sector on or beside a route that was found since routes were last forgotten.
    pub(super) covered: Vec<u64>,
    /// The sectors that are to become active.
    pub(super) wanted: Vec<u32>,
}

impl TiledGoalState {
    pub(super) fn new(
        (made_for, variant): (GoalVersion, TileVariant),
        (graph, costs): (&PortalGraph, &CostField),
        spare: Spare,
        cells: &[GoalCell],
        targets: Vec<Vec2>,
    ) -> Result<Self> {
        let sectors = *graph.sectors();
        let Spare { mut routes, field } = spare;
        routes.begin_at(graph, costs, cells)?;
        let field = TiledField::new_in(field, sectors, (cells, &targets), made_for.solver);
        let is_plain = variant == TileVariant::Plain && !has_links(graph);
        Ok(Self {
            made_for,
            begun_at: 0,
            routes,
            is_narrow: false,
            portals: graph.portal_count(),
            field: field.with_links(Arc::clone(graph.links())),
            first: FirstTiles::default(),
            unqueued_starts: Vec::new(),
            plain: is_plain.then(PlainTiles::default),
            sight: Self::sight_of(is_plain, costs, &targets),
            bounds: TargetBounds::around(targets.iter().copied()),
            targets,
            was_requested: false,
            refused: BTreeSet::new(),
            cut_off: BTreeSet::new(),
            covered: vec![0; sectors.count().div_ceil(64)],
            wanted: Vec::new(),
        })
    }

    /// The sight of the only target of a goal with plain tiles.
    pub(super) fn sight_of(
        is_plain: bool,
        costs: &CostField,
        targets: &[Vec2],
    ) -> Option<SightFan> {
        match targets {
            &[target] if is_plain => Some(SightFan::new(costs, target)),
            _ => None,
        }
    }

    fn is_covered(&self, sector: u32) -> bool {
        self.covered[sector as usize / 64] >> (sector % 64) & 1 == 1
    }

    /// Returns true if a route has been searched from the sector of a cell or through it.
    pub(super) fn is_requested(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        self.is_covered(graph.sectors().at(cell)) || self.routes.known_start(graph, cell).is_some()
    }

    /// Returns true if it is known that no route leads from a cell to the goal.
    pub(super) fn is_cut_off(&self, cell: IVec2) -> bool {
        self.cut_off.contains(&(cell.y, cell.x))
    }

    /// What an agent in a cell of the map needs.
    pub(super) fn route_need(&self, graph: &PortalGraph, cell: IVec2) -> RouteNeed {
        if self.is_cut_off(cell) {
            return RouteNeed::NoRoute;
        }
        if let Some(plain) = self.plain_view() {
            let sector = graph.sectors().at(cell);
            let is_current = || plain.plain.is_current(&self.routes, sector);
            return match plain.has_route(cell) {
                _ if self.routes.known_start(graph, cell).is_some() => RouteNeed::NoRoute,
                Some(true) if is_current() => RouteNeed::NoRoute,
                Some(true) => RouteNeed::Renewal,
                _ => RouteNeed::Route,
            };
        }
        let is_covered = self.is_covered(graph.sectors().at(cell));
        let leads_on = match self.field.has_route(cell) {
            Some(true) if !is_covered => return RouteNeed::Renewal,
            Some(has_route) => has_route,
            None => is_covered && self.routes.known_start(graph, cell).is_some(),
        };
        if leads_on {
            RouteNeed::NoRoute
        } else {
            RouteNeed::Route
        }
    }

    /// Returns true if a tile or a route leads on from a cell of the map.
    pub(super) fn leads_on(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        !self.is_cut_off(cell) && self.route_need(graph, cell) != RouteNeed::Route
    }

    /// Returns true if an agent in a cell of the map needs a route, now or later.
    pub(super) fn needs_route(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        self.route_need(graph, cell) != RouteNeed::NoRoute
    }

    /// Returns true if the route that an agent in a cell needs must be searched. A known route is requested again where
    /// a tile has been built but does not lead on yet.
    pub(super) fn needs_search(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        let is_covered = self.is_covered(graph.sectors().at(cell));
        self.needs_route(graph, cell)
            && !(is_covered && self.routes.known_start(graph, cell).is_some())
    }

    /// Continues to search the route from an open cell of the map, over at most `portals` portals, and records the
    /// sectors along it. The caller must call [`Self::activate`].
    pub(super) fn find_route(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        cell: IVec2,
        search: &mut SectorSearch,
        portals: usize,
    ) -> Result<Found> {
        self.was_requested = true;
        if self.is_cut_off(cell) {
            return Ok(Found::Route(None));
        }
        let found = self
            .routes
            .find_within(graph, costs, cell, search, portals)?;
        let Found::Route(start) = found else {
            return Ok(Found::Unfinished);
        };
        let Some(start) = start else {
            self.refused.insert((cell.y, cell.x));
            self.cut_off.insert((cell.y, cell.x));
            if let Some(plain) = &mut self.plain {
                plain.forget(graph.sectors().at(cell));
            }
            return Ok(found);
        };
        if self.plain.is_some() {
            return Ok(found);
        }
        self.cover(graph, graph.sectors().at(cell));
        for portal in self.routes.join(graph, &start) {
            if let Some(entered) = self.routes.entered(graph, portal) {
                self.cover(graph, entered.sector);
            }
        }
        Ok(found)
    }

    /// Removes first tiles that are no longer needed. If building failed because costs are too great for tiles, agents
    /// follow routes instead.
    pub(super) fn after_building(&mut self, has_failed: bool) {
        if has_failed {
            let all: Vec<u32> = (0..self.field.layout().count() as u32).collect();
            drop(self.field.deactivate(&all));
        }
        if self.field.waiting() == 0 {
            self.first = FirstTiles::default();
        }
    }

    /// Requests first tiles of the sector of an open cell from which a route has been found, and of the next sector on
    /// that route. [`Self::queue_first_tiles`] determines the next sector later, as routes found in between may show a
    /// better one.
    pub(super) fn want_first_tiles(&mut self, graph: &PortalGraph, cell: IVec2) {
        if self.plain.is_some() {
            if self.routes.known_start(graph, cell).is_some() {
                self.want_plain(graph, graph.sectors().at(cell));
            }
        } else if self.unqueued_starts.last() != Some(&cell)
            && self.field.has_route(cell) != Some(true)
        {
            self.unqueued_starts.push(cell);
        }
    }

    /// Returns true if [`Self::queue_first_tiles`] has work.
    pub(super) fn has_unqueued_starts(&self) -> bool {
        !self.unqueued_starts.is_empty()
    }

    /// Queues the first tiles requested by [`Self::want_first_tiles`], unless tiles lead on from there.
    pub(super) fn queue_first_tiles(&mut self, graph: &PortalGraph) {
        for cell in std::mem::take(&mut self.unqueued_starts) {
            if self.field.has_route(cell) == Some(true) {
                continue;
            }
            let own = graph.sectors().at(cell);
            for sector in self.first_sectors(graph, cell) {
                if sector == own || !self.field.is_built(sector) {
                    self.first.want(sector);
                }
            }
        }
    }

    /// The sector of a cell from which a route has been found, and the next sector on the route. Sectors in which links
    /// start are left out: first tiles lead to windows only, and agents there follow the table of their sector.
    fn first_sectors(&self, graph: &PortalGraph, cell: IVec2) -> impl Iterator<Item = u32> + use<> {
        let start = self.routes.known_start(graph, cell);
        let own = start.map(|_| graph.sectors().at(cell));
        let exit = start.and_then(|start| start.exit);
        let entered = exit.and_then(|portal| self.routes.entered(graph, portal));
        let links = Arc::clone(graph.links());
        own.into_iter()
            .chain(entered.map(|portal| portal.sector))
            .filter(move |&sector| !links.leave(sector))
    }

    /// Returns true if a tile leads on from a cell, or if the first two sectors of the route from there have first
    /// tiles or built ones.
    pub(super) fn has_first_tiles(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        if let Some(plain) = &self.plain {
            let mut sectors = self.first_sectors(graph, cell).peekable();
            return sectors.peek().is_some() && sectors.all(|sector| plain.contains(sector));
        }
        let own = graph.sectors().at(cell);
        let has_tile =
            |sector| self.first.contains(sector) || sector != own && self.field.is_built(sector);
        self.field.has_route(cell) == Some(true)
            || self.routes.known_start(graph, cell).is_some()
                && self.first_sectors(graph, cell).all(has_tile)
    }

    /// The first tiles among the tiles of the field.
    pub(super) fn first_view(&self) -> FirstView<'_> {
        FirstView {
            first: &self.first,
            field: &self.field,
            targets: &self.targets,
        }
    }

    /// Queues the plain tiles of a sector in which an agent stands, and of the next sectors on its routes, if tiles are
    /// plain.
    pub(super) fn want_plain(&mut self, graph: &PortalGraph, sector: u32) {
        if let Some(plain) = &mut self.plain {
            plain.want(graph, &self.routes, sector);
        }
    }

    /// Returns true if [`Self::want_plain`] would change anything.
    pub(super) fn needs_plain(&self, graph: &PortalGraph, sector: u32) -> bool {
        let plain = self.plain.as_ref();
        plain.is_some_and(|plain| plain.needs_update(graph, &self.routes, sector))
    }

    /// The plain tiles, if that is the variant.
    pub(super) fn plain_view(&self) -> Option<PlainView<'_>> {
        self.plain.as_ref().map(|plain| PlainView {
            plain,
            layout: self.field.layout(),
            targets: &self.targets,
        })
    }

    /// The number of tiles that wait to be built.
    pub(super) fn waiting(&self) -> usize {
        self.field.waiting() + self.plain.as_ref().map_or(0, PlainTiles::waiting)
    }

    /// The number of sectors that are active or have plain tiles.
    pub(super) fn active_count(&self) -> usize {
        self.field.active_count() + self.plain.as_ref().map_or(0, PlainTiles::count)
    }

    /// The memory of routes and sectors, and of first and plain tiles.
    pub(in crate::world) fn bytes(&self) -> usize {
        let tiles = self.first.bytes() + self.plain_bytes();
        let sight = self.sight.as_ref().map_or(0, SightFan::bytes);
        self.field.bytes() + self.routes.bytes() + tiles + sight
    }

    /// The memory of plain tiles, in bytes.
    pub(super) fn plain_bytes(&self) -> usize {
        self.plain.as_ref().map_or(0, PlainTiles::bytes)
    }

    /// Marks a sector, and those around it unless the state is narrow, as covered by routes. Those that are not active
    /// become so in [`Self::activate`].
    fn cover(&mut self, graph: &PortalGraph, sector: u32) {
        let sectors = graph.sectors();
        let steps = if self.is_narrow { 0..0 } else { 0..8 };
        let around = steps.filter_map(|step| sectors.neighbour(sector, step));
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

    /// Activates the sectors that routes need.
    pub(super) fn activate(&mut self) -> Result<()> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        self.wanted.sort_unstable();
        let wanted = std::mem::take(&mut self.wanted);
        self.field.activate(&wanted)
    }

    /// Takes over edits of the costs, and of the graph or, where it lacks edits, of the costs alone. Returns true if
    /// routes were forgotten.
    pub(super) fn update(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        edits: &SlotEdits,
        search: &mut SectorSearch,
    ) -> bool {
        let (changes, changed) = (&edits.changes, &edits.sectors);
        self.cut_off.clear();
        let are_forgotten = if edits.has_new_graph {
            self.routes.update(graph, costs, changed, search)
        } else {
            self.routes.update_costs(graph, costs, changed, search)
        };
        if are_forgotten {
            self.covered.fill(0);
            self.first = FirstTiles::default();
        }
        self.first.forget_around(self.field.layout(), changed);
        self.field.set_links(Arc::clone(graph.links()), changed);
        if self.plain.is_some() && has_links(graph) {
            // Plain tiles cannot lead to links. Agents request routes again and get seamless tiles.
            (self.plain, self.sight) = (None, None);
            self.covered.fill(0);
        }
        if let Some(sight) = &mut self.sight {
            sight.after(costs, changes);
        }
        if let Some(plain) = &mut self.plain {
            plain.forget_around(self.field.layout(), changed);
        }
        self.field.invalidate(costs, changes);
        are_forgotten
    }

    /// Returns true if a sector has a tile.
    pub(super) fn is_built(&self, sector: u32) -> bool {
        let has_plain = |plain: &PlainTiles| plain.contains(sector);
        (sector as usize) < self.field.layout().count()
            && (self.field.is_built(sector) || self.plain.as_ref().is_some_and(has_plain))
    }
}

/// Returns true if routes can take links.
fn has_links(graph: &PortalGraph) -> bool {
    !graph.links().is_empty()
}
