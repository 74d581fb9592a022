//! The portal graph of a movement type (Emerson, Game AI Pro, 23.3): portals, and the exact cost of the path between
//! any two portals of a sector that does not leave the sector.
//!
//! What the graph stores for a sector depends only on the cells of that sector and of the rows that touch it. Sectors
//! can therefore be built in any order and in parallel. An edit rebuilds the sectors that contain or touch changed
//! cells, and the result equals that of a full build. Links join sectors that may be far apart: the portals at their
//! ends depend on the cells at both ends.

use super::build::{Builder, SharedEdges};
use super::changed_sectors::{changed_sectors, keep_each_once};
use super::clusters::Clusters;
use super::sector_links::SectorLinks;
use super::sector_list::SectorList;
use super::sector_portals::{NO_EDGE, PortalSettings, SectorPortals};
use super::sectors::{Sectors, Side};
use super::windows::MAX_WINDOW;
use crate::error::{Result, in_range};
use crate::grid::CellRect;
use crate::integrate::FINEST;
use crate::movement::{Changes, CostField};
use crate::retired::Retired;
use crate::workers::Workers;
use glam::IVec2;
use std::sync::Arc;

/// One side of a portal window, or a cell in which links start or end. The id is valid until the graph of its sector
/// changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PortalId {
    /// The sector that contains the portal.
    pub sector: u32,
    /// The index among the sector's portals.
    pub slot: u16,
}

/// The portals of all sectors for one movement type.
#[derive(Debug, Clone)]
pub struct PortalGraph {
    sectors: Sectors,
    settings: PortalSettings,
    pub(super) portals: SectorList,
    pub(super) shared: SharedEdges,
    /// The level above; `None` if the graph is searched without one.
    pub(super) clusters: Option<Arc<Clusters>>,
    links: Arc<SectorLinks>,
    /// The number of changes.
    pub(super) version: u64,
    /// The number of changes that altered the parts of the level above, or which of them are joined.
    pub(super) connectivity_version: u64,
}

/// The level above a graph of portals. Clusters do not model links, so a map with links has no level above.
fn level_above(
    sectors: &Sectors,
    portals: &SectorList,
    links: &SectorLinks,
    workers: &Workers,
) -> Option<Arc<Clusters>> {
    if links.is_empty() {
        Clusters::new(sectors, portals, workers).map(Arc::new)
    } else {
        None
    }
}

/// The number of sectors that a worker takes at a time.
const CHUNK: usize = 32;

impl PortalGraph {
    /// Builds the graph of all sectors. Linear in the cells times the portals of a sector.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for a setting out of range.
    pub fn new(costs: &CostField, settings: PortalSettings, workers: &Workers) -> Result<Self> {
        let sectors = Sectors::new(
            IVec2::new(costs.width() as i32, costs.height() as i32),
            settings.sector_size,
        )?;
        in_range("widest_window", settings.widest_window, 1, MAX_WINDOW)?;
        let mut portals = vec![SectorPortals::default(); sectors.count()];
        let shared = SharedEdges::new(settings);
        let links = SectorLinks::new(&sectors, costs);
        workers.for_each_chunk(&mut portals, CHUNK, |first, chunk| {
            let mut builder = Builder::new((costs, &links), &sectors, settings, &shared);
            for (sector, portals) in (first as u32..).zip(chunk) {
                *portals = builder.build(sector, None);
            }
        });
        Ok(Self::of(
            sectors,
            settings,
            portals.into(),
            shared,
            (links, workers),
        ))
    }

    /// Makes a graph of parts that were built in slices.
    pub(super) fn of_parts(
        (sectors, settings): (Sectors, PortalSettings),
        (portals, clusters): (SectorList, Option<Arc<Clusters>>),
        (shared, links): (SharedEdges, Arc<SectorLinks>),
    ) -> Self {
        Self {
            sectors,
            settings,
            portals,
            shared,
            clusters,
            connectivity_version: 0,
            links,
            version: 0,
        }
    }

    /// Takes over the level above and the links of an update in slices, which has changed portals or not. The memory of
    /// the level before is given back in parts.
    pub(super) fn replace_level_above(
        &mut self,
        (clusters, links): (Option<Arc<Clusters>>, Arc<SectorLinks>),
        has_changed: bool,
        retired: &mut Retired,
    ) {
        let has_same_parts = match (&self.clusters, &clusters) {
            (Some(before), Some(now)) => now.join_parts_of(before),
            (before, now) => before.is_none() && now.is_none(),
        };
        let has_other_links = !Arc::ptr_eq(&self.links, &links);
        self.version += u64::from(has_changed);
        self.connectivity_version += u64::from(!has_same_parts || has_other_links);
        self.links = links;
        let before = std::mem::replace(&mut self.clusters, clusters);
        if let Some(before) = before.and_then(Arc::into_inner) {
            before.retire(retired);
        }
    }

    /// Gives its memory back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        self.portals.retire(retired);
        if let Some(clusters) = self.clusters.and_then(Arc::into_inner) {
            clusters.retire(retired);
        }
    }

    /// The sectors that changes of the costs concern, ascending.
    pub(crate) fn sectors_of(&self, costs: &CostField, changes: &Changes) -> Vec<u32> {
        let dirty = changed_sectors(&self.sectors, &self.links, costs, changes);
        dirty.into_iter().map(|(sector, _)| sector).collect()
    }

    /// Whether changes of the costs concern at most so many sectors. Of very many changes no sector is looked up.
    pub(crate) fn concerns_at_most(
        &self,
        sectors: usize,
        costs: &CostField,
        changes: &Changes,
    ) -> bool {
        let most_cells = sectors * (self.sectors.size() as usize).pow(2);
        changes.count() <= most_cells && self.sectors_of(costs, changes).len() <= sectors
    }

    /// Makes a graph of portals that were built or read.
    pub(super) fn of(
        sectors: Sectors,
        settings: PortalSettings,
        portals: SectorList,
        shared: SharedEdges,
        (links, workers): (SectorLinks, &Workers),
    ) -> Self {
        let clusters = level_above(&sectors, &portals, &links, workers);
        Self {
            sectors,
            settings,
            portals,
            shared,
            clusters,
            connectivity_version: 0,
            links: Arc::new(links),
            version: 0,
        }
    }

    /// Updates the graph to `costs`, which differ from the costs of the last build or update by `changes` only. Returns
    /// the sectors whose cells or part of the graph have changed, ascending. The result equals that of [`Self::new`].
    pub fn update(&mut self, costs: &CostField, changes: &Changes, workers: &Workers) -> Vec<u32> {
        let links_changed = !self.links.are_of(costs);
        let mut dirty = Vec::new();
        if links_changed {
            let links = Arc::new(SectorLinks::new(&self.sectors, costs));
            let sectors = links.sectors_with(&self.links).into_iter();
            dirty.extend(sectors.map(|sector| (sector, false)));
            self.links = links;
        }
        dirty.extend(changed_sectors(&self.sectors, &self.links, costs, changes));
        keep_each_once(&mut dirty);
        let sectors = self.sectors;
        let (old, shared, links) = (&self.portals, &self.shared, &self.links);
        let mut fresh: Vec<(u32, bool, SectorPortals)> = dirty
            .into_iter()
            .map(|(sector, inside)| (sector, inside, SectorPortals::default()))
            .collect();
        workers.for_each_chunk(&mut fresh, CHUNK, |_, chunk| {
            let mut builder = Builder::new((costs, links), &sectors, self.settings, shared);
            for (sector, inside, portals) in chunk {
                let old = &old[*sector as usize];
                *portals = builder.build(*sector, (!*inside).then_some(old));
            }
        });
        let mut changed = Vec::new();
        for (sector, inside, portals) in fresh {
            let sector = sector as usize;
            if inside || self.portals[sector] != portals {
                *self.portals.get_mut(sector) = portals;
                changed.push(sector as u32);
            }
        }
        if !changed.is_empty() {
            self.version += 1;
        }
        if links_changed {
            self.clusters = level_above(&self.sectors, &self.portals, &self.links, workers);
            self.connectivity_version += 1;
        } else if let Some(clusters) = &mut self.clusters {
            let clusters = Arc::make_mut(clusters);
            self.connectivity_version += u64::from(clusters.update(&self.portals, &changed));
        }
        changed
    }

    /// The division of the map into sectors.
    #[must_use]
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }

    /// The layout of the graph.
    #[must_use]
    pub fn settings(&self) -> PortalSettings {
        self.settings
    }

    /// A number that changes with each change of the graph.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The portals, links and edges of a sector.
    #[inline]
    pub(super) fn sector(&self, sector: u32) -> &SectorPortals {
        &self.portals[sector as usize]
    }

    /// The links that routes can take.
    #[must_use]
    pub fn links(&self) -> &Arc<SectorLinks> {
        &self.links
    }

    /// Whether the links are those of the costs.
    pub(crate) fn has_links_of(&self, costs: &CostField) -> bool {
        self.links.are_of(costs)
    }

    /// The number of portals: two for each window, and those of links.
    #[must_use]
    pub fn portal_count(&self) -> usize {
        self.portals.iter().map(SectorPortals::count).sum()
    }

    /// The number of edges within sectors. Each direction counts as one edge.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        let edges = |sector: &SectorPortals| {
            let joined = sector.edges.iter().filter(|&&cost| cost != NO_EDGE);
            joined.count() - sector.count()
        };
        self.portals.iter().map(edges).sum()
    }

    /// The approximate size in bytes. Edges that sectors share count once.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let bytes = |sector: &SectorPortals| {
            let edges = 4 * sector.edges.len() / Arc::strong_count(&sector.edges);
            size_of::<SectorPortals>() + size_of_val(&*sector.portals) + edges
        };
        self.portals.iter().map(bytes).sum()
    }

    /// The portals of a sector: those of windows by side and along each side, then those of links. None for a sector
    /// that does not exist.
    pub fn portals_of(&self, sector: u32) -> impl Iterator<Item = PortalId> + use<> {
        let found = self.portals.get(sector as usize);
        let count = found.map_or(0, |found| found.count() as u16);
        (0..count).map(move |slot| PortalId { sector, slot })
    }

    /// The portals on one side of a sector, in order. None for a sector that does not exist.
    pub fn portals_on(&self, sector: u32, side: Side) -> impl Iterator<Item = PortalId> + use<> {
        let found = self.portals.get(sector as usize);
        let sides = found.map_or([0; 5], |found| found.sides);
        let slots = sides[side as usize]..sides[side as usize + 1];
        slots.map(move |slot| PortalId { sector, slot })
    }

    /// Returns true if the portal exists.
    #[must_use]
    pub fn contains(&self, portal: PortalId) -> bool {
        let sector = self.portals.get(portal.sector as usize);
        sector.is_some_and(|sector| usize::from(portal.slot) < sector.count())
    }

    /// Returns true if links start in a cell of the map.
    #[must_use]
    #[inline]
    pub fn is_left_by_links(&self, cell: IVec2) -> bool {
        if self.links.is_empty() {
            return false;
        }
        let mut links = self.links.leaving_cell(self.sectors.at(cell), cell);
        links.next().is_some()
    }

    /// Returns true if a portal belongs to links, false if it is one side of a window.
    #[must_use]
    #[inline]
    pub fn is_link(&self, portal: PortalId) -> bool {
        usize::from(portal.slot) >= self.sector(portal.sector).portals.len()
    }

    /// The portal of the links in a cell of a sector.
    pub(super) fn link_portal(&self, sector: u32, cell: IVec2) -> Option<PortalId> {
        let own = self.sector(sector);
        let at = (own.links.as_ref()?).find(cell - self.sectors.low(sector))?;
        let slot = own.portals.len() as u16 + at;
        Some(PortalId { sector, slot })
    }

    /// The portals at the ends of the links that start in a portal, with the cost of each link in stored units. None
    /// for the portal of a window.
    pub fn links_from(&self, portal: PortalId) -> impl Iterator<Item = (PortalId, u64)> {
        let links = self.sector(portal.sector).leaving(portal.slot);
        links.filter_map(|link| Some((self.link_portal(link.sector, link.cell)?, link.units)))
    }

    /// The portals at the starts of the links that end in a portal, with the cost of each link.
    pub(super) fn links_to(&self, portal: PortalId) -> impl Iterator<Item = (PortalId, u64)> {
        let links = self.sector(portal.sector).arriving(portal.slot);
        links.filter_map(|link| Some((self.link_portal(link.sector, link.cell)?, link.units)))
    }

    /// The side of its sector on which a window's portal lies. Unspecified for the portal of a link.
    ///
    /// # Panics
    /// If the portal does not exist. The same holds for the methods below.
    #[must_use]
    pub fn side(&self, portal: PortalId) -> Side {
        self.sector(portal.sector).side_of(portal.slot)
    }

    /// The cell that represents a portal in the graph.
    #[must_use]
    pub fn middle(&self, portal: PortalId) -> IVec2 {
        let CellRect { low, high } = self.sectors.rect(portal.sector);
        let sector = self.sector(portal.sector);
        if let Some(cell) = sector.link_cell(portal.slot) {
            return low + cell;
        }
        let side = sector.side_of(portal.slot);
        low + sector.portals[usize::from(portal.slot)].middle_in(side, high - low)
    }

    /// The cells of a portal: a row or column along the border, on the portal's own side, or a link's cell.
    #[must_use]
    pub fn cells(&self, portal: PortalId) -> CellRect {
        if self.is_link(portal) {
            return CellRect::cell(self.middle(portal));
        }
        let CellRect { low, high } = self.sectors.rect(portal.sector);
        let sector = self.sector(portal.sector);
        let side = sector.side_of(portal.slot);
        let cells = sector.portals[usize::from(portal.slot)].cells_in(side, high - low);
        CellRect {
            low: low + cells.low,
            high: low + cells.high,
        }
    }

    /// The other side of a portal's window; a link's portal itself.
    #[must_use]
    #[inline]
    pub fn across(&self, portal: PortalId) -> PortalId {
        let own = self.sector(portal.sector);
        if usize::from(portal.slot) >= own.portals.len() {
            return portal;
        }
        let side = own.side_of(portal.slot);
        let sector = (portal.sector).wrapping_add_signed(self.sectors.beyond_offset(side));
        let first = self.sector(sector).sides[side.opposite() as usize];
        let slot = portal.slot - own.sides[side as usize] + first;
        PortalId { sector, slot }
    }

    /// The cost of the cheapest path between the middles of two portals within their sector, in stored units: a
    /// straight step over clear ground costs 2378, a diagonal one 3363. `None` without such a path, and for portals of
    /// different sectors.
    #[must_use]
    pub fn exact_cost_between(&self, from: PortalId, to: PortalId) -> Option<u32> {
        let costs = self.sector(to.sector).costs_to(to.slot);
        let cost = costs[usize::from(from.slot)];
        (from.sector == to.sector && cost != NO_EDGE).then_some(cost)
    }
}

impl PartialEq for PortalGraph {
    /// Returns true if both graphs have the same contents, whether they were built, updated or read.
    fn eq(&self, other: &Self) -> bool {
        self.sectors == other.sectors
            && self.settings == other.settings
            && self.portals == other.portals
            && self.clusters == other.clusters
    }
}

/// Converts a stored cost to cost units.
pub(super) fn in_units(cost: u64) -> f64 {
    cost as f64 / f64::from(FINEST.straight)
}
