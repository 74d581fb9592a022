//! A built tile: what its cells and the tiles beside it need to know.
//!
//! A cell takes two bytes (Emerson, Game AI Pro, 23.4.3): one for its direction
//! and one for the steps to lower cells, from which follows that whoever walks
//! arrives. Costs are gone, but for those along the border. The directions of
//! straight paths are exact: they are numbers of a list of the tile's roots, which
//! few tiles have more than a dozen of.

use super::border;
use super::roots::RootList;
use crate::flow::{Direction, FlowCell, FlowMap};
use crate::integrate::{IntegrationField, Offer, Root, Sight, UNREACHED};
use crate::movement::{CostField, STEPS};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// A tile wherever it may lie: roots are relative to its cells, and costs to the least that it was made
/// from.
#[derive(Debug)]
pub(crate) struct Tile {
    size: IVec2,
    /// With the cells around the tile as a border.
    cells: Box<[FlowCell]>,
    roots: RootList,
    border: Box<[Offer]>,
}

impl Tile {
    /// The tile in the middle of a solved window, with the directions that `cells` has for the window.
    pub(super) fn new(
        costs: &CostField,
        integration: &IntegrationField,
        cells: &[FlowCell],
        base: u32,
    ) -> Self {
        let size = IVec2::new(costs.width() as i32, costs.height() as i32) - 2;
        let index = |cell: IVec2| costs.index(cell + 1);
        let mut cells: Box<[FlowCell]> = cells.into();
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
                    Offer::NONE
                } else {
                    Offer {
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
        Self {
            size,
            cells,
            roots,
            border: border.into(),
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.cells)
            + size_of_val(&*self.border)
            + self.roots.bytes()
    }

    fn is_goal(&self, cell: IVec2) -> bool {
        let index = (cell.y + 1) * (self.size.x + 2) + cell.x + 1;
        self.cells[index as usize].direction == Direction::GOAL
    }
}

/// What a solved sector has.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// No cell reaches the goal.
    Unreached,
    /// All cells are open and see the same root; nothing is stored.
    Clear(Sight),
    /// A tile, and what to add to its costs.
    Cells(Arc<Tile>, u32),
}

impl Content {
    /// What the cell with number `at` along a side has.
    #[inline]
    pub(super) fn offer(&self, size: IVec2, side: usize, at: i32) -> Offer {
        match self {
            Self::Unreached => Offer::NONE,
            Self::Clear(sight) => sight.offer_at(border::cell(size, side, at)),
            Self::Cells(tile, base) => {
                let offer = tile.border[border::entry(size, side, at)];
                if offer.cost == UNREACHED {
                    return offer;
                }
                Offer {
                    cost: offer.cost + base,
                    ..offer
                }
            }
        }
    }

    /// Whether a goal's cell is one to end at.
    pub(super) fn is_goal(&self, cell: IVec2) -> bool {
        match self {
            Self::Unreached => false,
            Self::Clear(sight) => sight.cell() == Some(cell),
            Self::Cells(tile, _) => tile.is_goal(cell),
        }
    }

    /// At most as much as any of its cells costs.
    pub(super) fn least(&self) -> u32 {
        match self {
            Self::Unreached => 0,
            Self::Clear(sight) => sight.base(),
            Self::Cells(_, base) => *base,
        }
    }
}

/// A tile in its place.
pub(super) struct TileView<'a, T: Fn(IVec2) -> Option<Vec2>> {
    pub(super) tile: &'a Tile,
    /// The exact target in a cell, both from the tile's corner.
    pub(super) target: T,
}

impl<T: Fn(IVec2) -> Option<Vec2>> FlowMap for TileView<'_, T> {
    fn size(&self) -> IVec2 {
        self.tile.size
    }

    #[inline]
    fn own(&self, index: usize) -> Direction {
        self.tile.roots.direction(self.tile.cells[index].direction)
    }

    #[inline]
    fn root(&self, index: usize) -> Root {
        let stride = self.stride();
        let cell = IVec2::new((index % stride) as i32, (index / stride) as i32) - 1;
        self.tile
            .roots
            .root(self.tile.cells[index].direction, index, cell)
    }

    #[inline]
    fn lower(&self, index: usize) -> u8 {
        self.tile.cells[index].lower
    }

    fn exact_target(&self, cell: IVec2) -> Option<Vec2> {
        (self.target)(cell)
    }
}

/// A clear sector in its place.
pub(super) struct ClearView<T: Fn(IVec2) -> Option<Vec2>> {
    pub(super) sight: Sight,
    pub(super) size: IVec2,
    /// As that of [`TileView`].
    pub(super) target: T,
}

impl<T: Fn(IVec2) -> Option<Vec2>> ClearView<T> {
    fn cell(&self, index: usize) -> IVec2 {
        let stride = self.stride();
        IVec2::new((index % stride) as i32, (index / stride) as i32) - 1
    }
}

impl<T: Fn(IVec2) -> Option<Vec2>> FlowMap for ClearView<T> {
    fn size(&self) -> IVec2 {
        self.size
    }

    fn own(&self, index: usize) -> Direction {
        if self.sight.cell() == Some(self.cell(index)) {
            Direction::GOAL
        } else {
            Direction::STRAIGHT
        }
    }

    fn root(&self, index: usize) -> Root {
        self.sight.root_at(self.cell(index))
    }

    /// Of the cells around the sector only those count from which lines come in.
    fn lower(&self, index: usize) -> u8 {
        let cell = self.cell(index);
        let sides = self.sight.sides(self.size);
        let low = sides.min(IVec2::ZERO);
        let high = self.size + sides.max(IVec2::ZERO);
        let cost = self.sight.offer_at(cell).cost;
        STEPS.iter().enumerate().fold(0, |set, (step, &by)| {
            let next = cell + by;
            let counts = next.cmpge(low).all() && next.cmplt(high).all();
            set | u8::from(counts && self.sight.offer_at(next).cost < cost) << step
        })
    }

    fn exact_target(&self, cell: IVec2) -> Option<Vec2> {
        (self.target)(cell)
    }
}
