//! What A* estimates: the cost from the sector that a search is headed for.

use super::graph::PortalGraph;
use super::sector_links::{FAR, SectorLinks, away, octile_length};
use crate::grid::CellRect;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// How much estimates count, in percent, when patience has run out so many times. Where costs of cells
/// differ it goes on doubling, as estimates from the least cost are then too low to begin with.
const HASTE: [u64; 7] = [100, 112, 125, 150, 200, 300, 400];

/// The sector that a search is headed for, and how much its estimates count.
#[derive(Debug, Clone)]
pub(super) struct Aim {
    pub(super) sector: u32,
    rect: CellRect,
    /// The least and the greatest cost of any cell.
    pub(super) cheapest: u8,
    dearest: u8,
    /// How much estimates count, 100 if routes are to be the cheapest.
    pub(super) percent: u64,
    /// What it costs at least to get from the sector to the end of any link.
    by_link: u64,
    /// The same for each of the groups of links.
    by_groups: Vec<u64>,
}

impl Aim {
    pub(super) fn new(graph: &PortalGraph, costs: &CostField, sector: u32) -> Self {
        let mut aim = Self {
            sector,
            rect: graph.sectors().rect(sector),
            cheapest: costs.cheapest(),
            dearest: costs.dearest(),
            percent: 100,
            by_link: FAR,
            by_groups: Vec::new(),
        };
        let links = graph.links();
        let (groups, between) = links.groups();
        let first = |from: CellRect| aim.on_foot(links, from);
        if groups.is_empty() {
            let ways = links.ways().iter();
            let by_links = ways.map(|way| {
                let first = first(CellRect::cell(way.from));
                first + u64::from(way.units(FINEST))
            });
            aim.by_link = by_links.min().unwrap_or(FAR);
            return aim;
        }
        let firsts: Vec<u64> = groups
            .iter()
            .map(|group| first(group.from) + group.units)
            .collect();
        let by_group = |at: usize| {
            let from = firsts.iter().enumerate();
            let over = from.map(|(group, first)| first + between[group * groups.len() + at]);
            over.fold(firsts[at], u64::min)
        };
        aim.by_groups = (0..groups.len()).map(by_group).collect();
        aim.by_link = aim.by_groups.iter().copied().min().unwrap_or(FAR);
        aim
    }

    /// Makes estimates count as much as when patience has run out so many times.
    pub(super) fn hasten(&mut self, times: usize) {
        let last = HASTE.len() - 1;
        let doubled = times.saturating_sub(last).min(8) as u32;
        let most = HASTE[last] * u64::from(self.dearest).div_ceil(u64::from(self.cheapest));
        self.percent = (HASTE[times.min(last)] << doubled).min(most);
    }

    /// How much estimates from the level above count. Where costs differ routes choose the cheap ground, and
    /// estimates from what walking costs on average are higher to begin with.
    pub(super) fn trust(&self) -> u64 {
        if self.cheapest == self.dearest {
            115
        } else {
            105
        }
    }

    /// Makes such estimates count for more, as patience has run out again.
    pub(super) fn hasten_more(&mut self) {
        self.percent = (self.percent * 5 / 4).min(400);
    }

    /// At 100 percent a cost below which nothing leads from the sector to a cell.
    #[inline]
    pub(super) fn estimate(&self, graph: &PortalGraph, cell: IVec2) -> u64 {
        let links = graph.links();
        let rect = CellRect::cell(cell);
        if links.is_empty() {
            return self.weigh(self.cost_over(away(self.rect, rect)));
        }
        let direct = self.on_foot(links, rect);
        if self.by_groups.is_empty() {
            return self.weigh(direct.min(self.by_link));
        }
        self.weigh(direct.min(self.by_groups_to(links, rect, away)))
    }

    /// By how much no estimate exceeds that of an aim at another sector: what it costs at most to get there by
    /// this one's estimates.
    pub(super) fn shift_to(&self, graph: &PortalGraph, sector: u32) -> u64 {
        let (links, other) = (graph.links(), graph.sectors().rect(sector));
        let direct = self.cost_over(farthest(self.rect, other));
        let shift = if links.is_empty() || sector == self.sector {
            direct
        } else if links.are_of_several_layers(self.rect) || links.are_of_several_layers(other) {
            FAR
        } else if self.is_of_layer_of(links, other) {
            direct
        } else if self.by_groups.is_empty() {
            self.by_link
        } else {
            self.by_groups_to(links, other, farthest)
        };
        self.weigh(shift)
    }

    /// What it costs at least to get to cells by links, `away` from whose ends they are.
    fn by_groups_to(
        &self,
        links: &SectorLinks,
        cells: CellRect,
        away: impl Fn(CellRect, CellRect) -> IVec2,
    ) -> u64 {
        let (groups, _) = links.groups();
        let ends = groups.iter().zip(&self.by_groups);
        let ends = ends.filter(|(group, _)| links.are_of_one_layer(group.to, cells));
        let ways = ends.map(|(group, by)| by + self.cost_over(away(group.to, cells)));
        ways.fold(FAR, u64::min)
    }

    fn is_of_layer_of(&self, links: &SectorLinks, cells: CellRect) -> bool {
        links.are_of_one_layer(self.rect, cells)
    }

    /// What it costs at least to get from the sector to cells without any link.
    fn on_foot(&self, links: &SectorLinks, cells: CellRect) -> u64 {
        if self.is_of_layer_of(links, cells) {
            self.cost_over(away(self.rect, cells))
        } else {
            FAR
        }
    }

    /// What a cost counts for.
    #[inline]
    fn weigh(&self, cost: u64) -> u64 {
        cost.min(FAR) * self.percent / 100
    }

    /// What the shortest way over so many columns and rows of the cheapest cells costs.
    #[inline]
    fn cost_over(&self, away: IVec2) -> u64 {
        octile_length(away) * u64::from(self.cheapest)
    }
}

/// How much farther a cell of `other` is at most from a place than any of `one` is.
fn farthest(one: CellRect, other: CellRect) -> IVec2 {
    (one.low - other.low).max(other.high - one.high)
}
