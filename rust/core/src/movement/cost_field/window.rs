//! Copies of parts of a cost field, for tiles and near fields.

use super::cell_values::{CellValues, Stored};
use super::legal_steps::find_legal_steps;
use super::{CostField, stored_rect};
use crate::grid::CellRect;
use crate::grid::STEPS;
use crate::grid::layers::Layers;
use crate::grid::links::{LinkEdge, Links};
use crate::movement::{BLOCKED, MAX_COST};
use glam::IVec2;
use std::sync::Arc;

impl CostField {
    /// A field without any cells, for [`Self::copy_window`] to fill.
    pub(crate) fn empty() -> Self {
        Self {
            width: 0,
            height: 0,
            stride: 2,
            cost: CellValues::Flat(vec![BLOCKED; 4]),
            steps: CellValues::Flat(vec![0; 4]),
            walls: CellValues::none(),
            written_rows: 0,
            walled_rows: 0,
            surcharged: None,
            wall_count: 0,
            histogram: [0; 256],
            extremes: (MAX_COST, 1),
            layers: Layers::default(),
            links: Arc::default(),
            seams: Arc::default(),
            continued: Arc::default(),
        }
    }

    /// Makes this a copy of the cells `rect` of `from`, with the cells around them as its border. Unlike in other
    /// fields the border need not be closed. `rect` may extend beyond the grid by one cell; cells outside are walls.
    /// There is no histogram, only the least and the greatest cost.
    pub(crate) fn copy_window(&mut self, from: &Self, rect: CellRect) {
        let size = rect.high - rect.low;
        self.width = size.x as usize;
        self.height = size.y as usize;
        self.stride = self.width + 2;
        let count = self.stride * (self.height + 2);
        let walled = if from.has_clearance() { count } else { 0 };
        let (cost, steps, walls) = (
            refill(&mut self.cost, count, BLOCKED),
            refill(&mut self.steps, count, 0),
            refill(&mut self.walls, walled, true),
        );
        // In stored rows and columns of `from`, the border's included.
        let first = rect.low;
        let rows = from.height as i32 + 2;
        let left = first.x.max(0);
        let right = (first.x + self.stride as i32).min(from.stride as i32);
        let top = first.y.max(0);
        let bottom = (first.y + self.height as i32 + 2).min(rows);
        let part = (left as usize..right as usize, top as usize..bottom as usize);
        let target = (top - first.y) as usize * self.stride + (left - first.x) as usize;
        from.cost.copy_rect(
            part.clone(),
            from.stride,
            (&mut cost[target..], self.stride),
        );
        from.steps.copy_rect(
            part.clone(),
            from.stride,
            (&mut steps[target..], self.stride),
        );
        if from.has_clearance() {
            from.walls
                .copy_rect(part, from.stride, (&mut walls[target..], self.stride));
        }
        self.note_extremes();
    }

    /// Replaces the links of a window. They must be ordered by first cell.
    pub(crate) fn set_window_links(&mut self, links: &[LinkEdge]) {
        if !links.is_empty() || !self.links.is_empty() {
            self.links = Arc::new(Links::of(links.to_vec()));
        }
    }

    /// The cells `rect` of the grid as a separate map, with the links that lie entirely in it. Its border is wall.
    pub(crate) fn cut_out(&self, rect: CellRect) -> Self {
        let mut map = Self::empty();
        map.copy_window(self, rect);
        map.close_border();
        map.links = Arc::new(self.links.cut_out(self.stride, rect));
        map
    }

    /// Updates a map that was [cut out](Self::cut_out) with the cells `changed` of the original, given by stored index.
    /// Returns the changed cells of this map by its own stored indices.
    pub(crate) fn copy_changes(
        &mut self,
        from: &Self,
        rect: CellRect,
        changed: &[u32],
    ) -> Vec<u32> {
        let last = rect.high - rect.low - 1;
        let mut own = Vec::new();
        for &index in changed {
            let source = index as usize;
            let cell = from.cell(source);
            if !rect.contains(cell) {
                continue;
            }
            let cell = cell - rect.low;
            let target = self.index(cell);
            let steps = from.steps.get(source) & inwards(cell, last);
            self.cost.replace(target, from.cost.get(source));
            self.steps.replace(target, steps);
            if self.has_clearance() {
                self.walls.replace(target, from.walls.get(source));
            }
            own.push(target as u32);
        }
        if !own.is_empty() {
            self.note_extremes();
        }
        own
    }

    fn close_border(&mut self) {
        let size = IVec2::new(self.width as i32, self.height as i32);
        let (low, high) = (IVec2::NEG_ONE, size + 1);
        let row = |y: i32| CellRect {
            low: IVec2::new(low.x, y),
            high: IVec2::new(high.x, y + 1),
        };
        let column = |x: i32| CellRect {
            low: IVec2::new(x, low.y),
            high: IVec2::new(x + 1, high.y),
        };
        for side in [row(low.y), row(size.y), column(low.x), column(size.x)] {
            self.close_window(side);
        }
        // Legal steps of other cells do not change.
        let last = size - 1;
        let rows = [0, last.y].map(|y| (y, 0, size.x));
        let columns = (0..size.y).flat_map(|y| [(y, 0, 1), (y, last.x, size.x)]);
        for (y, from, to) in rows.into_iter().chain(columns) {
            for cell in (from..to).map(|x| IVec2::new(x, y)) {
                let index = self.index(cell);
                self.steps.array_mut()[index] &= inwards(cell, last);
            }
        }
        // Restores the border, into which cells may have been copied.
        for side in [row(low.y), row(size.y), column(low.x), column(size.x)] {
            for y in side.low.y..side.high.y {
                let from = self.index(IVec2::new(side.low.x, y));
                let count = (side.high.x - side.low.x) as usize;
                self.steps.array_mut()[from..from + count].fill(0);
            }
        }
    }

    /// Turns a half-open rectangle of cells of a window into walls. It may extend into the border by one cell.
    /// [`Self::find_window_steps`] must follow.
    pub(crate) fn close_window(&mut self, rect: CellRect) {
        for y in rect.low.y..rect.high.y {
            let from = self.index(IVec2::new(rect.low.x, y));
            let count = (rect.high.x - rect.low.x) as usize;
            self.cost.array_mut()[from..from + count].fill(BLOCKED);
            if self.has_clearance() {
                self.walls.array_mut()[from..from + count].fill(true);
            }
        }
    }

    /// Forbids all steps to a window's outermost cells and its border. [`Self::find_window_steps`] allows
    /// them again.
    pub(crate) fn close_way_out(&mut self) {
        let (width, height) = (self.width as i32, self.height as i32);
        for y in 0..height {
            let is_edge = |at: i32, length: i32| at <= 1 || at >= length - 2;
            for x in (0..width).filter(|&x| is_edge(x, width) || is_edge(y, height)) {
                let cell = IVec2::new(x, y);
                let inside = |to: IVec2| {
                    to.cmpge(IVec2::ONE).all() && to.cmplt(IVec2::new(width, height) - 1).all()
                };
                let allowed = STEPS.iter().enumerate().fold(0, |set, (step, &by)| {
                    set | u8::from(inside(cell + by)) << step
                });
                let index = self.index(cell);
                self.steps.array_mut()[index] &= allowed;
            }
        }
    }

    /// Finds the legal steps of a window anew, after cells of it were closed.
    pub(crate) fn find_window_steps(&mut self) {
        let stride = self.stride;
        let (cost, steps) = (self.cost.array(), self.steps.array_mut());
        for y in 0..self.height {
            let from = (y + 1) * stride;
            let row = |from: usize| &cost[from..from + stride];
            let (above, here, below) = (row(from - stride), row(from), row(from + stride));
            let out = &mut steps[from + 1..][..self.width];
            find_legal_steps(above, here, below, out);
        }
        self.note_extremes();
    }

    /// Finds the least and the greatest cost of a window.
    pub(super) fn note_extremes(&mut self) {
        let (mut least, mut most) = (BLOCKED, 0);
        let all = self.cost.array();
        for y in 1..=self.height {
            for &cost in &all[y * self.stride + 1..][..self.width] {
                least = least.min(cost);
                most = most.max(if cost == BLOCKED { 0 } else { cost });
            }
        }
        self.extremes = (least.min(MAX_COST), most.max(1));
    }

    /// The cost of every cell of a rectangle of the grid, if all are open and cost the same.
    pub(crate) fn one_cost(&self, rect: CellRect) -> Option<u8> {
        let cost = self.cost.get(self.index(rect.low));
        let is_even = cost != BLOCKED && self.cost.all_are(stored_rect(rect), self.stride, cost);
        is_even.then_some(cost)
    }
}

/// The steps that do not lead out of a map whose last cell is `last`.
fn inwards(cell: IVec2, last: IVec2) -> u8 {
    let is_inside = |to: IVec2| to.cmpge(IVec2::ZERO).all() && to.cmple(last).all();
    STEPS.iter().enumerate().fold(0, |set, (number, &step)| {
        set | u8::from(is_inside(cell + step)) << number
    })
}

/// The array of `values`, with `count` times the same one.
fn refill<T: Stored>(values: &mut CellValues<T>, count: usize, value: T) -> &mut Vec<T> {
    let array = values.array_mut();
    array.clear();
    array.resize(count, value);
    array
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::movement::{Clearance, MovementType};
    use crate::terrain::Terrain;
    use glam::Vec2;
    use proptest::prelude::*;

    proptest! {
        /// A map that is cut out equals the cost field of that part of the terrain.
        #[test]
        fn a_piece_is_a_map_of_its_own(
            (width, height) in (1_i32..30, 1_i32..30),
            corners in prop::array::uniform4(0_u32..1000),
            seed in any::<u64>(),
        ) {
            let size = IVec2::new(width, height);
            let ends = |one: u32, other: u32, most: i32| {
                let (one, other) = (one as i32 % most, other as i32 % most);
                (one.min(other), one.max(other) + 1)
            };
            let ((left, right), (top, bottom)) =
                (ends(corners[0], corners[1], width), ends(corners[2], corners[3], height));
            let rect = CellRect { low: IVec2::new(left, top), high: IVec2::new(right, bottom) };
            let id = |cell: IVec2| {
                let drawn = crate::random::keyed(seed, cell.x as u64, cell.y as u64);
                [1, 1, 4, BLOCKED][drawn as usize % 4]
            };
            let field = |size: IVec2, low: IVec2| {
                let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
                let mut terrain = Terrain::new(&grid);
                for index in 0..grid.cell_count() {
                    terrain.set(grid.cell(index), id(low + grid.cell(index))).expect("inside");
                }
                CostField::new(&grid, &terrain, &MovementType::default())
            };
            let piece = field(size, IVec2::ZERO).cut_out(rect);
            let alone = field(rect.high - rect.low, rect.low);
            prop_assert_eq!(piece.costs(), alone.costs());
            prop_assert_eq!(piece.steps(), alone.steps());
            prop_assert_eq!(piece.cheapest(), alone.cheapest());
            prop_assert_eq!(piece.dearest(), alone.dearest());
        }
    }

    #[test]
    fn a_piece_knows_walls_from_what_is_too_narrow() {
        let grid = Grid::new(IVec2::splat(12), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        terrain.set(IVec2::splat(6), BLOCKED).expect("inside");
        let kind = MovementType::default().with_clearance(Clearance::new(1.2).expect("in range"));
        let low = IVec2::splat(3);
        let rect = CellRect { low, high: low + 6 };
        let costs = CostField::new(&grid, &terrain, &kind);
        let piece = costs.cut_out(rect);
        for y in 3..9 {
            for cell in (3..9).map(|x| IVec2::new(x, y)) {
                assert_eq!(piece.is_wall(cell - low), costs.is_wall(cell), "{cell}");
                assert_eq!(piece.is_open(cell - low), costs.is_open(cell), "{cell}");
            }
        }
        assert!(piece.is_wall_at(0), "around it is wall");
    }
}
