//! The target of the search over portals, and the estimates of A*: lower bounds of the cost from the target's sector to
//! a cell.

use super::graph::PortalGraph;
use super::sector_links::{FAR, SectorLinks, away};
use crate::bytes::{Saved, Source as _, Unpacker, saved};
use crate::error::Result;
use crate::grid::CellRect;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// The weight of estimates in percent, by the number of expansion budgets that have run out. Where the costs of cells
/// differ the weight keeps doubling beyond the last entry, as estimates from the least cost are too low there.
const HEURISTIC_WEIGHTS: [u64; 7] = [100, 112, 125, 150, 200, 300, 400];

/// The sector that a search is directed at, and the weight of its estimates.
#[derive(Debug, Clone)]
pub(super) struct SearchTarget {
    pub(super) sector: u32,
    rect: CellRect,
    /// The least and the greatest cost of a cell of the map.
    pub(super) cheapest: u8,
    dearest: u8,
    /// The weight of estimates in percent. Routes are the cheapest at 100.
    pub(super) heuristic_weight: u64,
    /// A lower bound of the cost from the sector to the end of any link.
    by_link: u64,
    /// A lower bound of the cost from the sector to the end of each group of links.
    by_groups: Vec<u64>,
}

saved!(SearchTarget {
    sector,
    rect,
    cheapest,
    dearest,
    heuristic_weight,
    by_link,
    by_groups,
});

/// The greatest weight of estimates in percent that any search reaches, and that one reaches with estimates from the
/// level above.
const GREATEST_WEIGHT: u64 = 400 << 8;
const GREATEST_WEIGHT_FROM_ABOVE: u64 = 400;

impl SearchTarget {
    /// Reads a target of a search over a graph.
    pub(super) fn read_checked(input: &mut Unpacker<'_>, graph: &PortalGraph) -> Result<Self> {
        let target = Self::read(input)?;
        let groups = target.by_groups.iter();
        let is_known = (target.sector as usize) < graph.sectors().count();
        if !is_known
            || target.rect != graph.sectors().rect(target.sector)
            || target.cheapest == 0
            || target.dearest == 0
            || target.heuristic_weight > GREATEST_WEIGHT
            || groups.chain([&target.by_link]).any(|&cost| cost > 8 * FAR)
        {
            return Err(input.bad("it has a search that makes no sense"));
        }
        Ok(target)
    }

    pub(super) fn new(graph: &PortalGraph, costs: &CostField, sector: u32) -> Self {
        let mut target = Self {
            sector,
            rect: graph.sectors().rect(sector),
            cheapest: costs.cheapest(),
            dearest: costs.dearest(),
            heuristic_weight: 100,
            by_link: FAR,
            by_groups: Vec::new(),
        };
        let links = graph.links();
        let (groups, between) = links.groups();
        let first = |from: CellRect| target.without_links(links, from);
        if groups.is_empty() {
            let by_links = links.all().iter().map(|link| {
                let first = first(CellRect::cell(link.from));
                first + u64::from(link.units(FINEST))
            });
            target.by_link = by_links.min().unwrap_or(FAR);
            return target;
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
        target.by_groups = (0..groups.len()).map(by_group).collect();
        target.by_link = target.by_groups.iter().copied().min().unwrap_or(FAR);
        target
    }

    /// Sets the weight after `times` expansion budgets have run out.
    pub(super) fn set_heuristic_weight(&mut self, times: usize) {
        let last = HEURISTIC_WEIGHTS.len() - 1;
        let doubled = times.saturating_sub(last).min(8) as u32;
        let most =
            HEURISTIC_WEIGHTS[last] * u64::from(self.dearest).div_ceil(u64::from(self.cheapest));
        self.heuristic_weight = (HEURISTIC_WEIGHTS[times.min(last)] << doubled).min(most);
    }

    /// The first weight of estimates from the level above. Where the costs of cells differ routes prefer the cheap
    /// ones, and estimates from average costs are too high to begin with.
    pub(super) fn initial_heuristic_weight(&self) -> u64 {
        if self.cheapest == self.dearest {
            115
        } else {
            105
        }
    }

    /// Raises the weight of estimates from the level above after an expansion budget has run out.
    pub(super) fn raise_heuristic_weight(&mut self) {
        self.heuristic_weight = (self.heuristic_weight * 5 / 4).min(GREATEST_WEIGHT_FROM_ABOVE);
    }

    /// Returns true if a search with estimates from the level above can have this weight.
    pub(super) fn is_weighted_from_above(&self) -> bool {
        (100..=GREATEST_WEIGHT_FROM_ABOVE).contains(&self.heuristic_weight)
    }

    /// The weighted estimate of the cost from the sector to a cell. At a weight of 100 percent it is a lower bound.
    #[inline]
    pub(super) fn estimate(&self, graph: &PortalGraph, cell: IVec2) -> u64 {
        let links = graph.links();
        let rect = CellRect::cell(cell);
        if links.is_empty() {
            return self.weigh(self.cost_over(away(self.rect, rect)));
        }
        let direct = self.without_links(links, rect);
        if self.by_groups.is_empty() {
            return self.weigh(direct.min(self.by_link));
        }
        self.weigh(direct.min(self.by_groups_to(links, rect, away)))
    }

    /// The most by which an estimate exceeds that of a target in another sector: the greatest cost, by this target's
    /// estimates, between the two sectors.
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

    /// A lower bound of the cost to `cells` by links. `away` is the distance between the end of a group and the cells.
    fn by_groups_to(
        &self,
        links: &SectorLinks,
        cells: CellRect,
        away: impl Fn(CellRect, CellRect) -> IVec2,
    ) -> u64 {
        let (groups, _) = links.groups();
        let ends = groups.iter().zip(&self.by_groups);
        let ends = ends.filter(|(group, _)| links.are_of_one_layer(group.to, cells));
        let costs = ends.map(|(group, by)| by + self.cost_over(away(group.to, cells)));
        costs.fold(FAR, u64::min)
    }

    fn is_of_layer_of(&self, links: &SectorLinks, cells: CellRect) -> bool {
        links.are_of_one_layer(self.rect, cells)
    }

    /// A lower bound of the cost from the sector to cells without links.
    fn without_links(&self, links: &SectorLinks, cells: CellRect) -> u64 {
        if self.is_of_layer_of(links, cells) {
            self.cost_over(away(self.rect, cells))
        } else {
            FAR
        }
    }

    /// Applies the weight to a cost.
    #[inline]
    fn weigh(&self, cost: u64) -> u64 {
        cost.min(FAR) * self.heuristic_weight / 100
    }

    /// The cost of the shortest path across this many columns and rows of the cheapest cells.
    #[inline]
    fn cost_over(&self, away: IVec2) -> u64 {
        FINEST.octile(away) * u64::from(self.cheapest)
    }
}

/// The most by which a cell of `other` is farther from any point than the nearest cell of `one`, along each axis.
fn farthest(one: CellRect, other: CellRect) -> IVec2 {
    (one.low - other.low)
        .max(other.high - one.high)
        .max(IVec2::ZERO)
}
