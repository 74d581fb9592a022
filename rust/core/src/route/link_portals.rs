//! Links in the portal graph: each cell in which links start or end is a portal, beside the portals of windows.
//!
//! A wide ramp consists of many links side by side. As with a wide window, the link in the middle represents a run of
//! them: the cells of a run are open and adjacent, so a route that reaches one of them reaches the middle.

use super::sector_links::{SectorLink, SectorLinks};
use super::sectors::Sectors;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// The links of a sector in the portal graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LinkPortals {
    /// The portals' cells relative to the sector's first cell, row by row. Their slots follow those of the windows.
    pub(super) cells: Box<[IVec2]>,
    /// The links that start in the sector.
    pub(super) leaving: Box<[Crossing]>,
    /// The links that end in the sector.
    pub(super) arriving: Box<[Crossing]>,
}

/// One direction of a link, seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The index of this end in [`LinkPortals::cells`].
    pub(super) own: u16,
    /// The sector and cell of the other end.
    pub(super) sector: u32,
    pub(super) cell: IVec2,
    /// The cost in stored units.
    pub(super) units: u64,
}

impl LinkPortals {
    /// The portals of a sector's links; `None` if the sector has no link whose two cells are open. The result depends
    /// only on the links and on whether their cells are open, in this sector and at the other ends.
    pub(super) fn of(
        costs: &CostField,
        sectors: &Sectors,
        links: &SectorLinks,
        sector: u32,
        widest: u32,
    ) -> Option<Box<Self>> {
        if links.is_empty() {
            return None;
        }
        let is_open = |link: &&SectorLink| costs.is_open(link.from) && costs.is_open(link.to);
        let leaving = links.leaving_sector(sector).iter().filter(is_open).copied();
        let leaving = middles_of_runs(leaving.collect(), widest as usize);
        let arriving = links.entering_sector(sector).filter(is_open).copied();
        let arriving = middles_of_runs(arriving.collect(), widest as usize);
        let firsts = leaving.iter().map(|link| link.from);
        let mut cells: Vec<IVec2> = firsts.chain(arriving.iter().map(|link| link.to)).collect();
        if cells.is_empty() {
            return None;
        }
        let place = |cell: IVec2| (cell.y, cell.x);
        cells.sort_unstable_by_key(|&cell| place(cell));
        cells.dedup();
        let crossing = |own: IVec2, sector: u32, cell: IVec2, link: &SectorLink| Crossing {
            own: cells.partition_point(|&cell| place(cell) < place(own)) as u16,
            sector,
            cell,
            units: u64::from(link.units(FINEST)),
        };
        let leave = |link: &SectorLink| crossing(link.from, link.to_sector, link.to, link);
        let arrive = |link: &SectorLink| crossing(link.to, link.from_sector, link.from, link);
        let low = sectors.low(sector);
        Some(Box::new(Self {
            leaving: leaving.iter().map(leave).collect(),
            arriving: arriving.iter().map(arrive).collect(),
            cells: cells.iter().map(|&cell| cell - low).collect(),
        }))
    }

    /// The index of the portal in a cell, which is relative to the sector's first cell.
    pub(super) fn find(&self, cell: IVec2) -> Option<u16> {
        let key = |cell: &IVec2| (cell.y, cell.x);
        let found = self.cells.binary_search_by_key(&key(&cell), key);
        found.ok().map(|at| at as u16)
    }
}

/// The properties that the links of one run share.
fn kind(link: &SectorLink) -> (u32, u32, u32, i32, i32) {
    let offset = link.to - link.from;
    let cost = link.cost.to_bits();
    (link.from_sector, link.to_sector, cost, offset.y, offset.x)
}

/// The middles of runs of at most `widest` links of the same kind. Runs extend along rows, and along columns for links
/// without a neighbour in their row. Both sectors of a link find the same middles.
fn middles_of_runs(mut links: Vec<SectorLink>, widest: usize) -> Vec<SectorLink> {
    let ends = |link: &SectorLink| (link.from.y, link.from.x, link.to.y, link.to.x);
    links.sort_by(|one, other| {
        let by_ends = ends(one).cmp(&ends(other));
        by_ends.then(one.cost.total_cmp(&other.cost))
    });
    // Of several links between the same cells only the cheapest counts.
    links.dedup_by_key(|link| ends(link));
    let mut middles = Vec::new();
    let mut alone = Vec::new();
    links.sort_by_key(|link| (kind(link), link.from.y, link.from.x));
    let goes_on = |one: &SectorLink, next: &SectorLink, by: IVec2| {
        kind(one) == kind(next) && next.from == one.from + by
    };
    for run in links.chunk_by(|one, next| goes_on(one, next, IVec2::X)) {
        match run {
            [link] => alone.push(*link),
            _ => middles.extend(middles_of(run, widest)),
        }
    }
    alone.sort_by_key(|link| (kind(link), link.from.x, link.from.y));
    for run in alone.chunk_by(|one, next| goes_on(one, next, IVec2::Y)) {
        middles.extend(middles_of(run, widest));
    }
    middles
}

/// The middles of the equal parts of a run.
fn middles_of(run: &[SectorLink], widest: usize) -> impl Iterator<Item = SectorLink> {
    let parts = run.len().div_ceil(widest);
    (0..parts).map(move |part| {
        let end = |part: usize| run.len() * part / parts;
        run[usize::midpoint(end(part), end(part + 1))]
    })
}
