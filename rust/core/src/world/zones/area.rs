//! Areas: the parts of a map around the targets of a goal, as one small map.
//!
//! An area has a rectangle around each target, and one around the end of each link by which a path may leave it.
//! Rectangles that overlap are joined. They lie one below the other on the small map, with a row of wall between them,
//! so that one solve covers them all, links included.

use crate::grid::CellRect;
use crate::movement::CostField;
use glam::{IVec2, Vec2};

/// The cells around the last ones that a path within the radius can reach, which solves and directions read.
pub(super) const MARGIN: i32 = 3;

/// The most ends of links that are looked at one by one. With more of them an area is the whole map.
const MOST_ENDS: usize = 64;

/// A rectangle of an area.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    cells: CellRect,
    /// The first row of its cells on the small map.
    row: i32,
}

/// The parts of a map around some cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Area {
    pieces: Vec<Piece>,
    size: IVec2,
}

impl Area {
    /// The cells that paths of up to `radius` cells from `starts` may cross, links included, and the ends of links from
    /// there.
    pub(super) fn around(costs: &CostField, starts: &[IVec2], radius: f32) -> Self {
        let mut rects = Vec::new();
        for &start in starts {
            add(&mut rects, rect_around(costs, start, radius));
        }
        // The first cells of links, with the least cost to get there.
        let mut known: Vec<(IVec2, f32)> = starts.iter().map(|&start| (start, 0.0)).collect();
        let most_ends = starts.len() + MOST_ENDS;
        let mut next = 0;
        while let Some(&(start, spent)) = known.get(next).filter(|_| known.len() <= most_ends) {
            next += 1;
            for edge in costs.links().edges() {
                let (from, to) = (costs.cell(edge.from), costs.cell(edge.to));
                let at = spent + (from - start).as_vec2().length();
                if at > radius {
                    continue;
                }
                let there = at + edge.cost;
                let seen = known
                    .iter()
                    .any(|&(cell, cost)| cell == to && cost <= there);
                if !seen {
                    add(
                        &mut rects,
                        rect_around(costs, to, (radius - there).max(0.0)),
                    );
                    known.push((to, there));
                }
            }
        }
        let cells = rects.iter().map(CellRect::cell_count).sum::<usize>();
        let map = whole_map(costs);
        if cells > map.cell_count() || known.len() > most_ends {
            rects = vec![map];
        }
        Self::of(rects)
    }

    fn of(mut rects: Vec<CellRect>) -> Self {
        rects.sort_by_key(|rect| (rect.low.y, rect.low.x));
        let mut size = IVec2::ZERO;
        let pieces = rects.into_iter().map(|cells| {
            let extent = cells.high - cells.low;
            let row = size.y;
            size = IVec2::new(size.x.max(extent.x), row + extent.y + 1);
            Piece { cells, row }
        });
        let pieces = pieces.collect();
        Self { pieces, size }
    }

    /// The whole map.
    pub(super) fn whole(costs: &CostField) -> Self {
        Self::of(vec![whole_map(costs)])
    }

    /// The small map with the costs of the whole one, links included.
    pub(super) fn map(&self, costs: &CostField) -> CostField {
        let size = (self.size.x as usize, self.size.y as usize);
        let pieces = self.pieces.iter();
        let pieces = pieces.map(|piece| (piece.cells, piece.row as usize));
        let mut map = costs.patch_together(size, pieces);
        let stride = size.0 + 2;
        map.take_links(costs, |index| {
            let own = self.own(costs.cell(index))?;
            Some((own.y + 1) as usize * stride + (own.x + 1) as usize)
        });
        map
    }

    /// The displacement from the small map to the piece that holds a cell of the grid.
    #[inline]
    pub(super) fn shift_at(&self, cell: IVec2) -> Option<IVec2> {
        let piece = self
            .pieces
            .iter()
            .find(|piece| piece.cells.contains(cell))?;
        Some(piece.shift())
    }

    /// A cell of the grid on the small map.
    #[inline]
    pub(super) fn own(&self, cell: IVec2) -> Option<IVec2> {
        Some(cell - self.shift_at(cell)?)
    }

    /// The cell of the grid for a cell of the small map; `None` for the rows between pieces.
    pub(super) fn in_grid(&self, own: IVec2) -> Option<IVec2> {
        let after = self.pieces.partition_point(|piece| piece.row <= own.y);
        let piece = &self.pieces[after.checked_sub(1)?];
        let cell = own + piece.shift();
        piece.cells.contains(cell).then_some(cell)
    }

    /// Calls `each` for every cell of the grid that it holds, with the cell on the small map.
    pub(super) fn for_each_cell(&self, mut each: impl FnMut(IVec2, IVec2)) {
        for piece in &self.pieces {
            let CellRect { low, high } = piece.cells;
            for y in low.y..high.y {
                for cell in (low.x..high.x).map(|x| IVec2::new(x, y)) {
                    each(cell, cell - piece.shift());
                }
            }
        }
    }
}

impl Piece {
    fn shift(&self) -> IVec2 {
        IVec2::new(self.cells.low.x, self.cells.low.y - self.row)
    }
}

fn whole_map(costs: &CostField) -> CellRect {
    CellRect {
        low: IVec2::ZERO,
        high: IVec2::new(costs.width() as i32, costs.height() as i32),
    }
}

/// The cells of the layer of `cell` that are at most `radius` and [`MARGIN`] cells away.
fn rect_around(costs: &CostField, cell: IVec2, radius: f32) -> CellRect {
    let layers = costs.layers();
    let (width, height) = (costs.width() as u32, costs.height() as i32);
    let mut map = whole_map(costs);
    if layers.count() > 1 {
        map = layers.cells(layers.nearest_of_row(cell.y), width);
    }
    // No map is larger, so the radius is a number of cells.
    let most = (width as f32).max(height as f32);
    let reach = radius.min(most).ceil() as i32 + MARGIN;
    CellRect::cell(cell).grown(reach).intersection(&map)
}

/// Adds a rectangle, and joins it with those that it overlaps.
fn add(rects: &mut Vec<CellRect>, mut rect: CellRect) {
    // A joined rectangle may overlap others.
    while let Some(at) = rects
        .iter()
        .position(|other| !other.intersection(&rect).is_empty())
    {
        rect = rect.union(&rects.swap_remove(at));
    }
    rects.push(rect);
}

/// The cell in which a target in cell space stands: its own, or the nearest one beside it if that is a wall, because
/// heroes brush walls. `None` in the midst of walls.
pub(super) fn standing_cell(costs: &CostField, target: Vec2) -> Option<IVec2> {
    let own = crate::grid::floor_to_cell(target);
    if !costs.is_wall(own) {
        return Some(own);
    }
    let distance = |cell: IVec2| {
        let low = cell.as_vec2();
        target.clamp(low, low + 1.0).distance_squared(target)
    };
    let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| own + IVec2::new(x, y)));
    let is_beside = |cell: &IVec2| !costs.is_wall(*cell) && costs.are_of_one_layer(cell.y, own.y);
    let open = around.filter(is_beside);
    open.min_by(|&one, &other| distance(one).total_cmp(&distance(other)))
}
