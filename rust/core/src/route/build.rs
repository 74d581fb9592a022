//! Builds the portals, links and edges of single sectors for the portal graph.

use super::link_portals::LinkPortals;
use super::sector_links::SectorLinks;
use super::sector_portals::{NO_EDGE, PortalSettings, SectorPortals};
use super::sector_search::{NO_PATH, SectorSearch, Source};
use super::sectors::{Sectors, Side};
use super::windows::{Portal, find_portals};
use crate::grid::STEPS;
use crate::integrate::FINEST;
use crate::movement::CostField;
use crate::terrain::CLEAR;
use glam::IVec2;
use std::sync::Arc;

/// The edges of a clear sector between clear sectors, which all such sectors share (as all clear ground shares one cost
/// field in Emerson, Game AI Pro, 23.4.1).
#[derive(Debug, Clone)]
pub(super) struct SharedEdges {
    middles: Vec<IVec2>,
    edges: Arc<[u32]>,
}

impl SharedEdges {
    pub(super) fn new(settings: PortalSettings) -> Self {
        let size = settings.sector_size as usize;
        let extent = IVec2::splat(size as i32);
        let mut middles = Vec::new();
        for side in Side::ALL {
            let mut portals = Vec::new();
            let clear = |_| (CLEAR, CLEAR);
            find_portals(size, clear, settings.widest_window as usize, &mut portals);
            let of_side = |portal: &Portal| portal.middle_in(side, extent);
            middles.extend(portals.iter().map(of_side));
        }
        let mut edges = Vec::new();
        add_clear_edges(&middles, CLEAR, &mut edges);
        Self {
            middles,
            edges: edges.into(),
        }
    }
}

impl SharedEdges {
    /// The costs between the portals, in the order of [`SectorPortals::edges`].
    pub(super) fn edges(&self) -> &Arc<[u32]> {
        &self.edges
    }
}

/// Adds the costs between all of `middles` in a sector in which every cell costs `cost`.
fn add_clear_edges(middles: &[IVec2], cost: u8, edges: &mut Vec<u32>) {
    for &to in middles {
        let row = middles
            .iter()
            .map(|&from| (FINEST.octile(to - from) * u64::from(cost)) as u32);
        edges.extend(row);
    }
}

/// Builds sectors one by one and reuses its memory.
pub(super) struct Builder<'a> {
    costs: &'a CostField,
    links: &'a SectorLinks,
    sectors: &'a Sectors,
    settings: PortalSettings,
    shared: &'a SharedEdges,
    search: SectorSearch,
    portals: Vec<Portal>,
    middles: Vec<IVec2>,
    edges: Vec<u32>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        (costs, links): (&'a CostField, &'a SectorLinks),
        sectors: &'a Sectors,
        settings: PortalSettings,
        shared: &'a SharedEdges,
    ) -> Self {
        Self {
            costs,
            links,
            sectors,
            settings,
            shared,
            search: SectorSearch::new(),
            portals: Vec::new(),
            middles: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The edges that clear sectors share.
    pub(super) fn shared(&self) -> &SharedEdges {
        self.shared
    }

    /// Finds the portals of a sector's windows. Returns the index of each side's first portal, and the portals.
    pub(super) fn find_windows(&mut self, sector: u32) -> ([u16; 5], &[Portal]) {
        let rect = self.sectors.rect(sector);
        let extent = rect.high - rect.low;
        let mut sides = [0; 5];
        self.portals.clear();
        self.middles.clear();
        for side in Side::ALL {
            let from = self.portals.len();
            if self.sectors.beyond(sector, side).is_some() {
                self.add_portals(rect.low, extent, side);
            }
            let of_side = |portal: &Portal| portal.middle_in(side, extent);
            self.middles
                .extend(self.portals[from..].iter().map(of_side));
            sides[side as usize + 1] = self.portals.len() as u16;
        }
        (sides, &self.portals)
    }

    /// Builds a sector. `before` is the sector's part of the graph, if no cell inside the sector has changed since it
    /// was built.
    pub(super) fn build(&mut self, sector: u32, before: Option<&SectorPortals>) -> SectorPortals {
        let (sides, _) = self.find_windows(sector);
        let links = self.links_of(sector);
        if let Some(links) = &links {
            self.middles.extend(&*links.cells);
        }
        let same = |before: &&SectorPortals| {
            let middles = |portals: &[Portal]| portals.iter().map(|portal| portal.middle).collect();
            let (old, new): (Vec<u8>, Vec<u8>) = (middles(&before.portals), middles(&self.portals));
            let cells = |links: &Option<Box<LinkPortals>>| {
                let links = links.as_ref();
                links.map_or_else(Vec::new, |links| links.cells.to_vec())
            };
            before.sides == sides && old == new && cells(&before.links) == cells(&links)
        };
        let edges = match before.filter(same) {
            Some(before) => Arc::clone(&before.edges),
            None => self.edges(sector),
        };
        SectorPortals {
            portals: self.portals.as_slice().into(),
            sides,
            links,
            edges,
        }
    }

    /// The portals of a sector's links.
    pub(super) fn links_of(&self, sector: u32) -> Option<Box<LinkPortals>> {
        let widest = self.settings.widest_window;
        LinkPortals::of(self.costs, self.sectors, self.links, sector, widest)
    }

    /// Adds the portals on a side of the sector whose first cell is `low`.
    fn add_portals(&mut self, low: IVec2, extent: IVec2, side: Side) {
        let length = match side {
            Side::East | Side::West => extent.y,
            Side::South | Side::North => extent.x,
        };
        let across = STEPS[2 * side as usize];
        let pair = |along: usize| {
            let cell = low + side.cell(along as i32, extent);
            (self.costs.cost_at(cell), self.costs.cost_at(cell + across))
        };
        let widest = self.settings.widest_window as usize;
        find_portals(length as usize, pair, widest, &mut self.portals);
    }

    /// The costs between all portals of a sector.
    fn edges(&mut self, sector: u32) -> Arc<[u32]> {
        if self.middles.is_empty() {
            return Arc::default();
        }
        self.search.load(self.costs, self.sectors, sector);
        self.edges.clear();
        match self.search.clear_cost() {
            Some(CLEAR) if self.middles == self.shared.middles => {
                return Arc::clone(&self.shared.edges);
            }
            Some(cost) => add_clear_edges(&self.middles, cost, &mut self.edges),
            None => self.search_edges(),
        }
        self.edges.as_slice().into()
    }

    /// Searches the costs to each portal.
    fn search_edges(&mut self) {
        let width = self.search.width() as i32;
        let place = |middle: IVec2| (middle.y * width + middle.x) as u16;
        for &to in &self.middles {
            let source = Source {
                place: place(to),
                cost: 0,
                mark: 0,
            };
            self.search.spread(&mut [source]);
            let costs = self.middles.iter().map(|&from| {
                let cost = self.search.to_go[usize::from(place(from))];
                if cost == NO_PATH {
                    NO_EDGE
                } else {
                    cost as u32
                }
            });
            self.edges.extend(costs);
        }
    }
}
