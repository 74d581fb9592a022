//! The state of a tiled goal for one movement type: routes, tiles, and which sectors they need.

use crate::error::Result;
use crate::flow::TargetBounds;
use crate::integrate::GoalCell;
use crate::movement::{Changes, CostField};
use crate::route::tiles::{FirstTiles, FirstView, PlainTiles, PlainView, SectorMap, TiledField};
use crate::route::{GoalRoutes, PortalGraph, RouteStart, SectorSearch};
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::spare::Spare;
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an agent in a cell needs to be led on, from the least to the most urgent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RouteNeed {
    /// Nothing, not even a tile: a field near the goal leads on.
    Tile,
    Nothing,
    /// A tile leads on, but the route along which it was made has been forgotten after an edit.
    Renewal,
    /// Nothing leads on.
    Route,
}

/// Routes and tiles to a goal for one movement type.
#[derive(Debug, Clone)]
pub(super) struct TiledGoalState {
    pub(super) made_for: GoalVersion,
    /// In which update.
    pub(super) begun_at: u64,
    pub(super) routes: GoalRoutes,
    /// How many portals the search can go on from.
    pub(super) portals: usize,
    /// Whether the sectors beside a route are left out.
    pub(super) is_narrow: bool,
    pub(super) field: TiledField,
    /// Until the sectors that routes begin in have been built.
    pub(super) first: FirstTiles,
    /// Cells from which routes begin whose first tiles are not yet wanted.
    beginnings: Vec<IVec2>,
    /// Instead of the field, if tiles are plain: no sector becomes active then.
    pub(super) plain: Option<PlainTiles>,
    /// Exact targets in cell space.
    pub(super) targets: Vec<Vec2>,
    pub(super) bounds: TargetBounds,
    /// Whether anything has asked for a route.
    pub(super) was_asked: bool,
    /// From where no route was found at some time, as (y, x).
    pub(super) refused: BTreeSet<(i32, i32)>,
    /// The same since the last change of the costs.
    cut_off: BTreeSet<(i32, i32)>,
    /// A bit for each sector on a route, or beside one, that was found since routes were last forgotten.
    covered: Vec<u64>,
    /// Sectors that are to become active.
    wanted: Vec<u32>,
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
        Ok(Self {
            made_for,
            begun_at: 0,
            routes,
            is_narrow: false,
            portals: graph.portal_count(),
            field: field.with_links(Arc::clone(graph.links())),
            first: FirstTiles::default(),
            beginnings: Vec::new(),
            plain: (variant == TileVariant::Plain && !has_links(graph)).then(PlainTiles::default),
            bounds: TargetBounds::around(targets.iter().copied()),
            targets,
            was_asked: false,
            refused: BTreeSet::new(),
            cut_off: BTreeSet::new(),
            covered: vec![0; sectors.count().div_ceil(64)],
            wanted: Vec::new(),
        })
    }

    fn is_covered(&self, sector: u32) -> bool {
        self.covered[sector as usize / 64] >> (sector % 64) & 1 == 1
    }

    /// Whether a route has been searched from the sector of a cell, or through it.
    pub(super) fn is_asked_for(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        self.is_covered(graph.sectors().at(cell)) || self.routes.known_start(graph, cell).is_some()
    }

    /// Whether it is known that no way leads on from a cell.
    pub(super) fn is_cut_off(&self, cell: IVec2) -> bool {
        self.cut_off.contains(&(cell.y, cell.x))
    }

    /// Whether an agent that stands in a cell of the map must ask for a route.
    pub(super) fn route_need(&self, graph: &PortalGraph, cell: IVec2) -> RouteNeed {
        if self.is_cut_off(cell) {
            return RouteNeed::Nothing;
        }
        if let Some(plain) = self.plain_view() {
            let sector = graph.sectors().at(cell);
            let is_current = || plain.plain.is_current(&self.routes, sector);
            return match plain.has_route(cell) {
                _ if self.routes.known_start(graph, cell).is_some() => RouteNeed::Nothing,
                Some(true) if is_current() => RouteNeed::Nothing,
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
            RouteNeed::Nothing
        } else {
            RouteNeed::Route
        }
    }

    /// Whether an agent in a cell of the map needs a route, at once or later.
    pub(super) fn needs_route(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        self.route_need(graph, cell) != RouteNeed::Nothing
    }

    /// Whether that takes a search. Where a tile is there, but nothing leads on by it yet, a route is asked for
    /// again though it is known.
    pub(super) fn needs_search(&self, graph: &PortalGraph, cell: IVec2) -> bool {
        let is_covered = self.is_covered(graph.sectors().at(cell));
        self.needs_route(graph, cell)
            && !(is_covered && self.routes.known_start(graph, cell).is_some())
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
        if self.is_cut_off(cell) {
            return Ok(None);
        }
        let Some(start) = self.routes.find(graph, costs, cell, search)? else {
            self.refused.insert((cell.y, cell.x));
            self.cut_off.insert((cell.y, cell.x));
            if let Some(plain) = &mut self.plain {
                plain.forget(graph.sectors().at(cell));
            }
            return Ok(None);
        };
        if self.plain.is_some() {
            return Ok(Some(start));
        }
        self.cover(graph, graph.sectors().at(cell));
        for portal in self.routes.join(graph, &start) {
            if let Some(entered) = self.routes.entered(graph, portal) {
                self.cover(graph, entered.sector);
            }
        }
        Ok(Some(start))
    }

    /// Forgets first tiles that are not needed any more. Where costs were too great for tiles agents are left
    /// to go by routes.
    pub(super) fn after_building(&mut self, has_failed: bool) {
        if has_failed {
            let all: Vec<u32> = (0..self.field.layout().count() as u32).collect();
            drop(self.field.deactivate(&all));
        }
        if self.field.waiting() == 0 {
            self.first = FirstTiles::default();
        }
    }

    /// Notes that first tiles are wanted of the sector of an open cell from which a route has been found, and of the
    /// next one on it. Which one that is [`Self::settle_beginnings`] sees: routes found after this one may show a
    /// better way.
    pub(super) fn want_first_tiles(&mut self, graph: &PortalGraph, cell: IVec2) {
        if self.plain.is_some() {
            if self.routes.known_start(graph, cell).is_some() {
                self.want_plain(graph, graph.sectors().at(cell));
            }
        } else if self.beginnings.last() != Some(&cell) && self.field.has_route(cell) != Some(true)
        {
            self.beginnings.push(cell);
        }
    }

    /// Whether [`Self::settle_beginnings`] has anything to do.
    pub(super) fn has_beginnings(&self) -> bool {
        !self.beginnings.is_empty()
    }

    /// Wants the first tiles of all cells noted by [`Self::want_first_tiles`], unless tiles lead on from there.
    pub(super) fn settle_beginnings(&mut self, graph: &PortalGraph) {
        for cell in std::mem::take(&mut self.beginnings) {
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

    /// The sector of a cell from which a route has been found, and the next one on it. Not those that links
    /// leave: first tiles lead to windows only, and agents there go by the table of their sector.
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

    /// Whether a tile leads on from a cell or, by first tiles, the route that has been found from there: its
    /// first two sectors have tiles then.
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

    /// First tiles where they lie.
    pub(super) fn first_view(&self) -> FirstView<'_> {
        FirstView {
            first: &self.first,
            field: &self.field,
            targets: &self.targets,
        }
    }

    /// Queues the plain tiles of a sector in which an agent stands, and of those that it comes to next, if
    /// tiles are plain.
    pub(super) fn want_plain(&mut self, graph: &PortalGraph, sector: u32) {
        if let Some(plain) = &mut self.plain {
            plain.want(graph, &self.routes, sector);
        }
    }

    /// Whether [`Self::want_plain`] is to be told of a sector.
    pub(super) fn needs_plain(&self, graph: &PortalGraph, sector: u32) -> bool {
        let plain = self.plain.as_ref();
        plain.is_some_and(|plain| plain.needs_update(graph, &self.routes, sector))
    }

    /// The plain tiles where they lie, if tiles are plain.
    pub(super) fn plain_view(&self) -> Option<PlainView<'_>> {
        self.plain.as_ref().map(|plain| PlainView {
            plain,
            layout: self.field.layout(),
            targets: &self.targets,
        })
    }

    /// How many tiles wait to be built.
    pub(super) fn waiting(&self) -> usize {
        self.field.waiting() + self.plain.as_ref().map_or(0, PlainTiles::waiting)
    }

    /// How many sectors are active, or have plain tiles.
    pub(super) fn active_count(&self) -> usize {
        self.field.active_count() + self.plain.as_ref().map_or(0, PlainTiles::count)
    }

    /// Memory of what is known of plain tiles, in bytes.
    pub(super) fn plain_bytes(&self) -> usize {
        self.plain.as_ref().map_or(0, PlainTiles::bytes)
    }

    /// Wants a sector, and those around it unless ways are narrow.
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

    /// Makes the sectors active that routes have come to need.
    pub(super) fn activate(&mut self) -> Result<()> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        self.wanted.sort_unstable();
        let wanted = std::mem::take(&mut self.wanted);
        self.field.activate(&wanted)
    }

    /// Takes over changes of the costs, and of the graph's parts in the sectors `changed`; says whether routes are
    /// forgotten.
    pub(super) fn update(
        &mut self,
        graph: &PortalGraph,
        costs: &CostField,
        (changes, changed): (&Changes, &[u32]),
        search: &mut SectorSearch,
    ) -> bool {
        self.cut_off.clear();
        let are_forgotten = self.routes.update(graph, costs, changed, search);
        if are_forgotten {
            self.covered.fill(0);
            self.first = FirstTiles::default();
        }
        self.first.forget_around(self.field.layout(), changed);
        self.field.set_links(Arc::clone(graph.links()));
        if self.plain.is_some() && has_links(graph) {
            // They are no exits of sectors: all ask again, and get tiles that know links.
            self.plain = None;
            self.covered.fill(0);
        }
        if let Some(plain) = &mut self.plain {
            plain.forget_around(self.field.layout(), changed);
        }
        self.field.invalidate(costs, changes);
        are_forgotten
    }

    /// Whether agents who stand in a sector find a tile.
    pub(super) fn is_built(&self, sector: u32) -> bool {
        let has_plain = |plain: &PlainTiles| plain.contains(sector);
        (sector as usize) < self.field.layout().count()
            && (self.field.is_built(sector) || self.plain.as_ref().is_some_and(has_plain))
    }
}

/// Whether ways may go on by links.
fn has_links(graph: &PortalGraph) -> bool {
    !graph.links().is_empty()
}
