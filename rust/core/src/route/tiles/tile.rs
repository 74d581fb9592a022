//! A built tile: the directions of its cells, and the values that neighbouring tiles need.
//!
//! A cell takes two bytes (Emerson, Game AI Pro, 23.4.3): one for its direction, and one for the steps to cells of
//! lower cost, which prove that agents arrive. Costs are not kept except along the border and at links. The directions
//! of straight paths are exact: they are indices into a list of the tile's roots. Few tiles have more than a dozen
//! roots.

use super::border;
use super::roots::RootList;
use crate::flow::{Direction, FlowCell};
use crate::integrate::{Candidate, IntegrationField, Root, Sight, UNREACHED};
use crate::movement::CostField;
use glam::IVec2;
use std::sync::Arc;

/// The cost of a cell in which links start or end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinkCell {
    /// The index of the cell within the tile, row by row.
    pub(super) place: u16,
    /// The cost less the tile's base; [`UNREACHED`] if the cell is not reached.
    pub(super) cost: u32,
}

/// A tile that is independent of its position: roots are relative to its cells, and costs to the least value that it
/// was made from.
#[derive(Debug)]
pub(crate) struct Tile {
    pub(super) size: IVec2,
    /// The cells of the tile and one row or column around it on each side.
    pub(super) cells: Box<[FlowCell]>,
    pub(super) roots: RootList,
    pub(super) border: Box<[Candidate]>,
    /// The cells in which links start or end, ordered by index.
    pub(super) links: Box<[LinkCell]>,
    /// The costs of `cells`, in a tile to a part of a window only. Such a tile has no border: see
    /// [`super::exit_tiles`].
    pub(super) costs: Box<[u32]>,
    /// The greatest cost along the border and at links, or of all costs.
    pub(super) highest: u32,
}

impl Tile {
    pub(super) fn of(
        size: IVec2,
        cells: Box<[FlowCell]>,
        roots: RootList,
        border: Box<[Candidate]>,
        links: Box<[LinkCell]>,
    ) -> Self {
        let costs = border.iter().map(|candidate| candidate.cost);
        let costs = costs.chain(links.iter().map(|link| link.cost));
        let highest = costs.filter(|&cost| cost != UNREACHED).max().unwrap_or(0);
        Self {
            size,
            cells,
            roots,
            border,
            links,
            costs: Box::default(),
            highest,
        }
    }

    /// A tile to a part of a window.
    pub(super) fn to_exit(
        size: IVec2,
        cells: Box<[FlowCell]>,
        roots: RootList,
        costs: Box<[u32]>,
    ) -> Self {
        let reached = costs.iter().copied().filter(|&cost| cost != UNREACHED);
        Self {
            size,
            cells,
            roots,
            border: Box::default(),
            links: Box::default(),
            highest: reached.max().unwrap_or(0),
            costs,
        }
    }

    /// Returns true if the tile leads to a part of a window, and cannot be the content of a sector.
    pub(super) fn is_to_exit(&self) -> bool {
        !self.costs.is_empty()
    }

    /// Returns true if the tile may equal another one with the same key. A tile that was read from bytes may not.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let form = |tile: &Self| (tile.size, tile.highest, tile.is_to_exit());
        form(self) == form(other)
    }

    /// Returns true if all of its costs plus `base` are below `most`.
    pub(super) fn is_below(&self, most: u32, base: u32) -> bool {
        self.highest
            .checked_add(base)
            .is_some_and(|highest| highest < most)
    }

    /// Makes a tile from the middle of a solved window. `cells` are the directions of the window, `link_cells` the
    /// cells in which links start or end, row by row.
    pub(super) fn new(
        costs: &CostField,
        integration: &IntegrationField,
        (cells, link_cells): (&[FlowCell], &[IVec2]),
        base: u32,
    ) -> Self {
        let size = IVec2::new(costs.width() as i32, costs.height() as i32) - 2;
        let index = |cell: IVec2| costs.index(cell + 1);
        let mut cells: Box<[FlowCell]> = cells.into();
        for cell in edge(size) {
            // The costs of the cells around are read when the tile is used, so all legal steps out are stored.
            let out = border::steps_out(size, cell);
            let lower = &mut cells[at(size, cell)].lower;
            *lower = *lower & !out | costs.steps()[index(cell)] & out;
        }
        let roots = if integration.roots().is_empty() {
            RootList::default()
        } else {
            let root = |cell: IVec2| integration.roots()[index(cell)];
            RootList::take_over(&mut cells, size, root)
        };
        let mut border = Vec::with_capacity(border::entries(size));
        for side in [0, 2, 4, 6] {
            for at in 0..border::length(size, side) {
                let index = index(border::cell(size, side, at));
                let cost = integration.stored()[index];
                border.push(if cost == UNREACHED {
                    Candidate::NONE
                } else {
                    Candidate {
                        cost: cost - base,
                        root: integration
                            .roots()
                            .get(index)
                            .copied()
                            .unwrap_or(Root::HERE),
                    }
                });
            }
        }
        let link = |&cell: &IVec2| {
            let cost = integration.stored()[index(cell)];
            LinkCell {
                place: (cell.y * size.x + cell.x) as u16,
                cost: if cost == UNREACHED { cost } else { cost - base },
            }
        };
        let links = link_cells.iter().map(link).collect();
        Self::of(size, cells, roots, border.into(), links)
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.cells)
            + size_of_val(&*self.border)
            + size_of_val(&*self.links)
            + size_of_val(&*self.costs)
            + self.roots.bytes()
    }

    fn is_goal(&self, cell: IVec2) -> bool {
        self.cells[at(self.size, cell)].direction == Direction::GOAL
    }
}

/// The stored index of a cell in a tile of `size` cells with the cells around it.
pub(super) fn at(size: IVec2, cell: IVec2) -> usize {
    ((cell.y + 1) * (size.x + 2) + cell.x + 1) as usize
}

/// The cells along the border; those in corners come twice.
fn edge(size: IVec2) -> impl Iterator<Item = IVec2> {
    [0, 2, 4, 6].into_iter().flat_map(move |side| {
        (0..border::length(size, side)).map(move |at| border::cell(size, side, at))
    })
}

/// The content of a solved sector.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// No cell reaches the goal.
    Unreached,
    /// All cells are open and see the same root; no cells are stored.
    Clear(Sight),
    /// A tile, and the number to add to its costs.
    Cells(Arc<Tile>, u32),
}

impl Content {
    /// The value of the cell with the number `at` along a side.
    #[inline]
    pub(super) fn candidate(&self, size: IVec2, side: usize, at: i32) -> Candidate {
        match self {
            Self::Unreached => Candidate::NONE,
            Self::Clear(sight) => sight.candidate_at(border::cell(size, side, at)),
            Self::Cells(tile, base) => {
                let candidate = tile.border[border::entry(size, side, at)];
                if candidate.cost == UNREACHED {
                    return candidate;
                }
                Candidate {
                    cost: candidate.cost + base,
                    ..candidate
                }
            }
        }
    }

    /// The cost of a cell along the border.
    pub(super) fn border_cost(&self, size: IVec2, cell: IVec2) -> u32 {
        let entry = border::entry_of(size, cell);
        entry.map_or(UNREACHED, |(side, at)| self.candidate(size, side, at).cost)
    }

    /// The cost of a cell in which links start or end; `None` if there was no such link when the tile was made.
    pub(super) fn link_cost(&self, size: IVec2, cell: IVec2) -> Option<u32> {
        match self {
            Self::Unreached => Some(UNREACHED),
            Self::Clear(sight) => Some(sight.candidate_at(cell).cost),
            Self::Cells(tile, base) => {
                let place = (cell.y * size.x + cell.x) as u16;
                let found = tile.links.binary_search_by_key(&place, |link| link.place);
                let cost = tile.links[found.ok()?].cost;
                Some(cost.saturating_add(*base))
            }
        }
    }

    /// Returns true if links started or ended in the sector when the tile was made.
    pub(super) fn has_links(&self) -> bool {
        matches!(self, Self::Cells(tile, _) if !tile.links.is_empty())
    }

    /// Returns true if the path from a cell continues by a link.
    pub(super) fn is_left_by_link(&self, cell: IVec2) -> bool {
        let Self::Cells(tile, _) = self else {
            return false;
        };
        tile.cells[at(tile.size, cell)].direction == Direction::LINK
    }

    /// Returns true if a cell is a goal at which paths end.
    pub(super) fn is_goal(&self, cell: IVec2) -> bool {
        match self {
            Self::Unreached => false,
            Self::Clear(sight) => sight.cell() == Some(cell),
            Self::Cells(tile, _) => tile.is_goal(cell),
        }
    }

    /// Memory of the tile, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Cells(tile, _) => tile.bytes(),
            _ => 0,
        }
    }

    /// A lower bound of the cost of all cells.
    pub(super) fn least(&self) -> u32 {
        match self {
            Self::Unreached => 0,
            Self::Clear(sight) => sight.base(),
            Self::Cells(_, base) => *base,
        }
    }
}
