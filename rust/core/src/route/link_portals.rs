//! Links in the portal graph: cells in which they begin and end are portals, beside those of windows.
//!
//! A wide ramp is many links side by side. As with a wide window, one in its middle stands for a run of
//! them: its cells are open, so a route that reaches any of them reaches that one.

use super::sector_links::{SectorLink, SectorLinks};
use super::sectors::Sectors;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// What the graph holds of the links of a sector.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LinkPortals {
    /// The portals' cells, from the first of the sector, row by row. Their slots follow those of the windows.
    pub(super) cells: Box<[IVec2]>,
    /// The ways that begin here.
    pub(super) leaving: Box<[Crossing]>,
    /// Those that end here.
    pub(super) arriving: Box<[Crossing]>,
}

/// One way along a link, seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The end's place among the sector's [`LinkPortals::cells`].
    pub(super) own: u16,
    /// Where the other end is.
    pub(super) sector: u32,
    pub(super) cell: IVec2,
    /// What it costs in stored units.
    pub(super) units: u64,
}

impl LinkPortals {
    /// The portals of a sector's links; `None` if it has none that can be taken. It follows from the links
    /// and from whether their cells are open, here and at the other ends.
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

    /// The place among the portals of one in a cell, which is counted from the first of the sector.
    pub(super) fn find(&self, cell: IVec2) -> Option<u16> {
        let key = |cell: &IVec2| (cell.y, cell.x);
        let found = self.cells.binary_search_by_key(&key(&cell), key);
        found.ok().map(|at| at as u16)
    }
}

/// What ways of one run have in common.
fn kind(link: &SectorLink) -> (u32, u32, u32, i32, i32) {
    let offset = link.to - link.from;
    let cost = link.cost.to_bits();
    (link.from_sector, link.to_sector, cost, offset.y, offset.x)
}

/// The middles of runs of at most `widest` ways of the same kind, along rows or, where there are no others in
/// the row, along columns. Both sectors of a way find the same.
fn middles_of_runs(mut links: Vec<SectorLink>, widest: usize) -> Vec<SectorLink> {
    let ends = |link: &SectorLink| (link.from.y, link.from.x, link.to.y, link.to.x);
    links.sort_by(|one, other| {
        let by_ends = ends(one).cmp(&ends(other));
        by_ends.then(one.cost.total_cmp(&other.cost))
    });
    // Of several from and to the same cells the cheapest.
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

/// The middles of the parts of a run.
fn middles_of(run: &[SectorLink], widest: usize) -> impl Iterator<Item = SectorLink> {
    let parts = run.len().div_ceil(widest);
    (0..parts).map(move |part| {
        let end = |part: usize| run.len() * part / parts;
        run[usize::midpoint(end(part), end(part + 1))]
    })
}
