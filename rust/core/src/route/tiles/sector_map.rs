//! The interface of tiles: sectors, some of which have a tile, and the queries of agents (Emerson, Game AI Pro, 23.12).
//!
//! Tiles have different sources: a [`TiledField`](super::field::TiledField) builds them from their neighbours, others
//! are made from routes. The queries are the same for all. An implementation of [`SectorMap`] returns the tile of a
//! cell and the costs around the tile; directions, steps and lines of sight follow from these here.

use super::border;
use super::tile::Content;
use crate::flow::{Direction, FlowMap, lean, nearest_step, sample, sees_target};
use crate::grid::STEPS;
use crate::grid::{CellRect, floor_to_cell};
use crate::integrate::{Root, UNREACHED};
use crate::route::Sectors;
use glam::{IVec2, Vec2};

/// The surroundings of a tile. All cells are cells of the map.
pub(crate) trait Surroundings {
    /// The cost of a cell beyond the tile's border, in the units of the tile's own costs and relative to the same base.
    fn cost_beyond(&self, cell: IVec2) -> u32;

    /// The exact target in a cell, if the cell is a goal.
    fn target_in(&self, cell: IVec2) -> Option<Vec2>;
}

/// The first of `targets` that lies in a cell.
pub(super) fn target_among(targets: &[Vec2], cell: IVec2) -> Option<Vec2> {
    let mut targets = targets.iter();
    targets.find(|&&at| floor_to_cell(at) == cell).copied()
}

/// A map of sectors, some of which have a tile.
pub(crate) trait SectorMap<'a>: Copy {
    type Around: Surroundings;

    /// The map's division into sectors.
    fn sectors(self) -> &'a Sectors;

    /// The content of the tile of a cell, and its surroundings; `None` if there is no tile, or none that agents follow
    /// from that cell.
    fn content_at(self, cell: IVec2) -> Option<(&'a Content, Self::Around)>;

    /// The unit direction at a point in cell space for an agent of some radius in cells, as
    /// [`crate::flow::FlowField::sample_for`] computes it. `None` if there is no tile.
    fn sample_for(self, point: Vec2, radius: f32) -> Option<Vec2> {
        let cell = self.cell_near(point);
        self.with_tile(cell, Vec2::ZERO, |view| {
            sample(view, point - view.low.as_vec2(), radius)
        })
    }

    /// [`Self::sample_for`], but zero in cells from which no step leads to a lower cost.
    fn sample_downhill(self, point: Vec2, radius: f32) -> Option<Vec2> {
        match self.steps_down(self.cell_near(point))? {
            0 => Some(Vec2::ZERO),
            _ => self.sample_for(point, radius),
        }
    }

    /// Turns `direction`, which was sampled at a point for an agent of some radius, to one side, as
    /// [`crate::flow::FlowField::lean`] does.
    fn lean(self, (point, radius): (Vec2, f32), direction: Vec2, side: f32) -> Vec2 {
        let cell = self.cell_near(point);
        let leaning = self.with_tile(cell, direction, |view| {
            lean(view, point - view.low.as_vec2(), radius, direction, side)
        });
        leaning.unwrap_or(direction)
    }

    /// Returns true if the path from a cell is known to be one straight line to a target.
    fn sees_target(self, cell: IVec2) -> bool {
        let seen = self.with_tile(cell, false, |view| sees_target(view, cell - view.low));
        seen.unwrap_or(false)
    }

    /// The set of steps from a cell to cells of lower cost, with a bit for each of [`STEPS`]; 0 at a goal and where no
    /// goal can be reached. `None` if there is no tile.
    fn steps_down(self, cell: IVec2) -> Option<u8> {
        self.with_tile(cell, 0, |view| view.lower(view.index(cell)))
    }

    /// The end of the link that the path takes from a cell; `None` if it takes none, and while there is none to take.
    /// Tiles that are made from routes take no links.
    fn link_from(self, _cell: IVec2) -> Option<IVec2> {
        None
    }

    /// Returns true if the tile has a direction for a cell or the cell is a goal. Walls are not checked and count as
    /// true. Cells from which the tile takes a link count only while there is such a link, as it may be removed before
    /// the tile is rebuilt. `None` if there is no tile.
    fn has_route(self, cell: IVec2) -> Option<bool> {
        let own = self.with_tile(cell, Direction::NO_ROUTE, |view| view.own(view.index(cell)))?;
        let is_stale = own == Direction::LINK && self.link_from(cell).is_none();
        Some(own != Direction::NO_ROUTE && !is_stale)
    }

    /// Returns true if the tile has a cell as a goal. `None` if there is no tile.
    fn is_goal_by_tile(self, cell: IVec2) -> Option<bool> {
        self.with_tile(cell, false, |view| {
            view.own(view.index(cell)) == Direction::GOAL
        })
    }

    /// The grid step of the tile from a cell: of the legal steps to cells of lower cost the one nearest to the cell's
    /// direction. `None` at a goal, without a route, and if there is no tile.
    fn next_step(self, cell: IVec2) -> Option<usize> {
        self.with_tile(cell, None, |view| {
            let index = view.index(cell);
            nearest_step(view.lower(index), view.own_vector(index))
        })?
    }

    /// The cell of the map nearest to a point.
    fn cell_near(self, point: Vec2) -> IVec2 {
        floor_to_cell(point).clamp(IVec2::ZERO, self.sectors().map_size() - 1)
    }

    /// Applies `read` to the tile of a cell; returns `nothing` if the tile has no route to a goal, and `None` if there
    /// is no tile.
    #[inline]
    fn with_tile<R>(
        self,
        cell: IVec2,
        nothing: R,
        read: impl FnOnce(&TileView<'a, Self::Around>) -> R,
    ) -> Option<R> {
        let (content, around) = self.content_at(cell)?;
        if matches!(content, Content::Unreached) {
            return Some(nothing);
        }
        let sectors = self.sectors();
        let CellRect { low, high } = sectors.rect(sectors.at(cell));
        Some(read(&TileView {
            content,
            low,
            size: high - low,
            around,
        }))
    }
}

/// A tile at its position on the map.
pub(crate) struct TileView<'a, A> {
    content: &'a Content,
    low: IVec2,
    size: IVec2,
    around: A,
}

impl<A: Surroundings> TileView<'_, A> {
    /// The stored index of a cell of the map.
    fn index(&self, cell: IVec2) -> usize {
        self.stored_index(cell - self.low)
    }

    /// The cell with a stored index, in the tile or around it.
    fn cell(&self, index: usize) -> IVec2 {
        let stride = self.stride();
        IVec2::new((index % stride) as i32, (index / stride) as i32) - 1
    }

    /// The cost of a cell along the tile's border or beyond it.
    fn cost(&self, cell: IVec2) -> u32 {
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all() {
            self.content.border_cost(self.size, cell)
        } else {
            self.around.cost_beyond(cell + self.low)
        }
    }

    /// Removes from the steps `stored` of a cell along the border those that lead out of the tile to a cell that does
    /// not cost less. A tile does not store the costs of the cells beyond its border.
    fn lower_beyond(&self, stored: u8, cell: IVec2) -> u8 {
        let out = stored & border::steps_out(self.size, cell);
        if out == 0 {
            return stored;
        }
        let cost = self.cost(cell);
        let is_higher = |step: usize| out >> step & 1 == 1 && self.cost(cell + STEPS[step]) >= cost;
        let higher = (0..8).fold(0, |set, step| set | u8::from(is_higher(step)) << step);
        stored & !higher
    }
}

impl<A: Surroundings> FlowMap for TileView<'_, A> {
    fn size(&self) -> IVec2 {
        self.size
    }

    #[inline]
    fn own(&self, index: usize) -> Direction {
        match self.content {
            Content::Unreached => Direction::NO_ROUTE,
            Content::Clear(sight) if sight.cell() == Some(self.cell(index)) => Direction::GOAL,
            Content::Clear(_) => Direction::STRAIGHT,
            Content::Cells(tile, _) => tile.roots.direction(tile.cells[index].direction),
        }
    }

    fn root(&self, index: usize) -> Root {
        let cell = self.cell(index);
        match self.content {
            Content::Unreached => Root::HERE,
            Content::Clear(sight) => sight.root_at(cell),
            Content::Cells(tile, _) => tile.roots.root(tile.cells[index].direction, index, cell),
        }
    }

    fn lower(&self, index: usize) -> u8 {
        let cell = self.cell(index);
        match self.content {
            Content::Unreached => 0,
            Content::Cells(tile, _) => self.lower_beyond(tile.cells[index].lower, cell),
            Content::Clear(sight) => {
                let out = border::steps_out(self.size, cell);
                let costs: [u32; 8] = std::array::from_fn(|step| {
                    let next = cell + STEPS[step];
                    if out >> step & 1 == 1 {
                        self.cost(next)
                    } else {
                        sight.candidate_at(next).cost
                    }
                });
                let cost = sight.candidate_at(cell).cost;
                (0..8).fold(0, |set, step| {
                    // In a clear tile every open cell is reached.
                    let sides = [costs[(step + 1) % 8], costs[(step + 7) % 8]];
                    let is_legal = step & 1 == 0 || !sides.contains(&UNREACHED);
                    set | u8::from(is_legal && costs[step] < cost) << step
                })
            }
        }
    }

    fn exact_target(&self, cell: IVec2) -> Option<Vec2> {
        let target = self.around.target_in(cell + self.low)?;
        Some(target - self.low.as_vec2())
    }
}
