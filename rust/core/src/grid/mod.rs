//! Grids: the conversion between world and cell coordinates. Only [`crate::import`], which computes in double
//! precision, uses the origin itself; lengths are divided by the cell size where they are used.
//!
//! `layers` stacks several maps of one size in a grid. `links` joins cells beside the steps of [`STEPS`]. Rectangles and
//! sets of cells are in `cell_rect` and `cell_set`. None of these depends on terrain or costs.

mod cell_rect;
pub(crate) mod cell_set;
pub mod layers;
pub mod links;
mod steps;

pub use cell_rect::CellRect;
pub use steps::{STEPS, offsets};

use crate::error::{Error, Result, finite, in_range};
use crate::grid::layers::Layers;
use glam::{IVec2, Vec2};

/// The most cells that a grid may have (8192 × 8192).
pub const MAX_CELLS: u64 = 1 << 26;

/// The farthest that a grid may reach from the world's origin, in cells: beyond it neighbouring
/// `f32` positions are more than a thousandth of a cell apart, too coarse for wall contact.
pub const MAX_DISTANCE: f32 = 16_384.0;

/// The smallest and the largest cell, in world units.
///
/// Everything that steering, walls and queries square stays an `f32` between them. All of a grid lies within
/// [`MAX_DISTANCE`] cells of the world's origin on both axes, so neither side has more than 2 * 16,384 cells, and with
/// at most [`MAX_CELLS`] no two points are more than sqrt((2^15)^2 + (2^11)^2) = 32,832 cells apart: at the largest
/// size 3.3e9 units. That is 1.1e19 squared and 1.2e38 squared twice, as products of squared lengths are, which is
/// below `f32::MAX`, 3.4e38. At the other end a thousandth of the smallest cell, below which walls tell no lengths
/// apart, is 1e-7 units: 1e-14 squared and 1e-28 squared twice, above the least normal number, 1.2e-38.
pub const MIN_CELL_SIZE: f32 = 1.0e-4;
/// See [`MIN_CELL_SIZE`].
pub const MAX_CELL_SIZE: f32 = 1.0e5;

/// The placement of a rectangular cell grid in the world.
///
/// Cell `(x, y)` covers `origin + [x, x+1) × [y, y+1) * cell_size`. Cell
/// indices are row-major, `y * width + x`, for any width and height: the
/// published C# code this project started from used `x * width + y`, which
/// collides on grids that are not square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    width: u32,
    height: u32,
    cell_size: f32,
    inverse_cell_size: f32,
    origin: Vec2,
    layers: Layers,
}

impl Grid {
    /// A grid of `size` cells of `cell_size` world units, with the lower corner of cell (0, 0) at `origin`.
    ///
    /// # Errors
    /// A size below 1×1 or above [`MAX_CELLS`], a cell size outside [`MIN_CELL_SIZE`]..=[`MAX_CELL_SIZE`], a
    /// non-finite origin, or a corner more than [`MAX_DISTANCE`] cells from the world's origin.
    pub fn new(size: IVec2, cell_size: f32, origin: Vec2) -> Result<Self> {
        Self::layered(size, cell_size, origin, 1)
    }

    /// [`Self::new`] with `layers` layers of that size, one below the other: see [`Layers`].
    ///
    /// # Errors
    /// As there, for all layers together; or a number of layers outside 1..=[`crate::grid::layers::MAX_LAYERS`].
    pub fn layered(size: IVec2, cell_size: f32, origin: Vec2, layers: u32) -> Result<Self> {
        let refused = Error::GridSize {
            size,
            most: MAX_CELLS,
        };
        let (Ok(width), Ok(height)) = (u32::try_from(size.x), u32::try_from(size.y)) else {
            return Err(refused);
        };
        let layers = Layers::new(layers, height, origin.y, cell_size)?;
        if width == 0 || height == 0 || u64::from(width) * layers.all_rows() > MAX_CELLS {
            return Err(refused);
        }
        let height = layers.all_rows() as u32;
        in_range("cell_size", cell_size, MIN_CELL_SIZE, MAX_CELL_SIZE)?;
        finite("origin", origin)?;
        let grid = Self {
            width,
            height,
            cell_size,
            inverse_cell_size: 1.0 / cell_size,
            origin,
            layers,
        };
        let (low, high) = grid.bounds();
        finite("origin + grid_size * cell_size", high)?;
        let farthest = low.abs().max(high.abs()).max_element();
        if farthest / cell_size > MAX_DISTANCE {
            return Err(Error::OutOfRange {
                name: "distance of the grid from the world's origin, in cells",
                value: (farthest / cell_size).into(),
                min: 0.into(),
                max: MAX_DISTANCE.into(),
            });
        }
        Ok(grid)
    }

    /// Width in cells.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Its layers. Sizes and bounds are those of all of them together.
    #[must_use]
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Size of one layer in cells.
    #[must_use]
    pub fn layer_size(&self) -> IVec2 {
        IVec2::new(self.width.cast_signed(), self.layers.rows().cast_signed())
    }

    /// The grid of the lowest layer alone, in which positions and cells are the same whatever layer is meant:
    /// what imports look at.
    #[must_use]
    pub fn one_layer(&self) -> Self {
        Self {
            height: self.layers.rows(),
            layers: self.layers.lowest(),
            ..*self
        }
    }

    /// The place of a layer's cell.
    ///
    /// # Errors
    /// A layer that there is not, or [`Error::CellOutside`] for a cell that is not in a layer.
    pub fn place_of(&self, cell: IVec2, layer: i64) -> Result<IVec2> {
        let layer = self.layers.check(layer)?;
        let size = self.layer_size();
        if cell.cmplt(IVec2::ZERO).any() || cell.cmpge(size).any() {
            return Err(Error::CellOutside {
                cell,
                width: self.width,
                height: self.layers.rows(),
            });
        }
        Ok(cell + self.layers.cells(layer, self.width).low)
    }

    /// Height in cells.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Size in cells.
    #[must_use]
    pub fn size(&self) -> IVec2 {
        IVec2::new(self.width.cast_signed(), self.height.cast_signed())
    }

    /// All cells.
    #[must_use]
    pub fn cells(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: self.size(),
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Edge length of a cell in world units.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// World position of the lower corner of cell (0, 0).
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The lower and upper corner of the grid in world units.
    #[must_use]
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (
            self.origin,
            self.origin + self.size().as_vec2() * self.cell_size,
        )
    }

    /// The world position in units of cells: cell (0, 0) spans 0..1 on both axes.
    #[must_use]
    #[inline]
    pub fn to_cell_space(&self, position: Vec2) -> Vec2 {
        (position - self.origin) * self.inverse_cell_size
    }

    /// The world position of a point in units of cells.
    #[must_use]
    #[inline]
    pub fn to_world(&self, point: Vec2) -> Vec2 {
        self.origin + point * self.cell_size
    }

    /// The cell that holds `position`; outside the grid the cell that would be there.
    #[must_use]
    #[inline]
    pub fn cell_at(&self, position: Vec2) -> IVec2 {
        floor_to_cell(self.to_cell_space(position))
    }

    /// Many positions in units of cells.
    pub(crate) fn points_at(&self, positions: &[Vec2]) -> Vec<Vec2> {
        positions.iter().map(|&at| self.to_cell_space(at)).collect()
    }

    /// The grid cell nearest to `position`.
    #[must_use]
    #[inline]
    pub fn clamped_cell_at(&self, position: Vec2) -> IVec2 {
        self.cell_at(position)
            .clamp(IVec2::ZERO, self.size() - IVec2::ONE)
    }

    /// The world position of the centre of `cell`.
    #[must_use]
    #[inline]
    pub fn center_of(&self, cell: IVec2) -> Vec2 {
        self.origin + (cell.as_vec2() + 0.5) * self.cell_size
    }

    /// The world rectangle (lower corner, upper corner) that `cell` covers.
    #[must_use]
    #[inline]
    pub fn rect_of(&self, cell: IVec2) -> (Vec2, Vec2) {
        let low = cell.as_vec2();
        (
            self.origin + low * self.cell_size,
            self.origin + (low + 1.0) * self.cell_size,
        )
    }

    /// Whether `cell` is in the grid.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        cell.x >= 0
            && cell.y >= 0
            && cell.x.cast_unsigned() < self.width
            && cell.y.cast_unsigned() < self.height
    }

    /// Whether `cell` is in the grid and not between layers.
    #[must_use]
    #[inline]
    pub fn is_on_layer(&self, cell: IVec2) -> bool {
        self.contains(cell) && self.layers.of_row(cell.y.cast_unsigned()).is_some()
    }

    /// The row-major index of a cell that is in the grid.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: IVec2) -> usize {
        debug_assert!(self.contains(cell), "cell {cell} is outside the grid");
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The cell of a row-major index.
    #[must_use]
    #[inline]
    pub fn cell(&self, index: usize) -> IVec2 {
        let width = self.width as usize;
        IVec2::new((index % width) as i32, (index / width) as i32)
    }

    /// `cell` if it is in the grid.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn check_cell(&self, cell: IVec2) -> Result<IVec2> {
        if self.contains(cell) {
            Ok(cell)
        } else {
            Err(Error::CellOutside {
                cell,
                width: self.width,
                height: self.height,
            })
        }
    }

    /// The cell of a finite world position inside the grid.
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::PositionOutside`], naming the argument `name`.
    pub fn check_position(&self, name: &'static str, position: Vec2) -> Result<IVec2> {
        finite(name, position)?;
        let cell = self.cell_at(position);
        if self.is_on_layer(cell) {
            return Ok(cell);
        }
        let layer = (self.layers.count() > 1).then(|| self.layers.at(position));
        Err(self.outside(name, self.layers.flat(position), layer))
    }

    /// The place of a position on a layer.
    ///
    /// # Errors
    /// A layer that there is not, or as of [`Self::check_position`] for a position that is not in the layer.
    pub fn place_at(&self, name: &'static str, position: Vec2, layer: i64) -> Result<Vec2> {
        let number = self.layers.check(layer)?;
        finite(name, position)?;
        let place = self.layers.place(position, number);
        if self.is_on_layer(self.cell_at(place)) {
            return Ok(place);
        }
        let layer = (self.layers.count() > 1).then_some(number);
        Err(self.outside(name, position, layer))
    }

    /// The refusal of a position outside the grid, or outside one of several layers, all of which span the same.
    fn outside(&self, name: &'static str, position: Vec2, layer: Option<u32>) -> Error {
        let (min, max) = self.one_layer().bounds();
        Error::PositionOutside {
            name,
            position,
            layer,
            min,
            max,
        }
    }
}

/// The cell of a point in cell space. Saturates far outside, where `as` saturates too.
#[must_use]
#[inline]
pub fn floor_to_cell(point: Vec2) -> IVec2 {
    // Not every x86-64 has an instruction that rounds down, and a call costs ten times as much.
    let toward_zero = point.as_ivec2();
    let past = point.cmplt(toward_zero.as_vec2());
    toward_zero.saturating_sub(IVec2::new(i32::from(past.x), i32::from(past.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_unique_on_grids_that_are_not_square() {
        for (width, height) in [(1, 1), (1, 9), (9, 1), (37, 91), (91, 37)] {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut seen = vec![false; grid.cell_count()];
            for y in 0..height {
                for x in 0..width {
                    let index = grid.index(IVec2::new(x, y));
                    assert!(!seen[index], "{width}x{height}: ({x}, {y}) collides");
                    seen[index] = true;
                    assert_eq!(grid.cell(index), IVec2::new(x, y));
                }
            }
        }
    }

    #[test]
    fn the_centre_of_a_cell_lies_in_the_cell() {
        let grid = Grid::new(IVec2::new(37, 91), 0.7, Vec2::new(-13.3, 5.1)).expect("valid");
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            assert_eq!(grid.cell_at(grid.center_of(cell)), cell);
        }
    }

    #[test]
    fn points_are_rounded_down_to_their_cell() {
        let below_one = 1.0_f32.next_down();
        for x in [
            0.0,
            -0.0,
            0.5,
            -0.5,
            below_one,
            1.0,
            -1.0,
            -1.5,
            1.0e9,
            -1.0e9,
            3.0e9,
            -3.0e9,
            -1.0e-30,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ] {
            assert_eq!(
                floor_to_cell(Vec2::splat(x)),
                IVec2::splat(x.floor() as i32),
                "{x}"
            );
        }
    }

    #[test]
    fn bad_grids_are_refused() {
        let grid = |x, y, size, origin| Grid::new(IVec2::new(x, y), size, origin);
        assert!(grid(0, 4, 1.0, Vec2::ZERO).is_err());
        assert!(grid(4, -1, 1.0, Vec2::ZERO).is_err());
        assert!(grid(i32::MAX, i32::MAX, 1.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, 0.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, f32::NAN, Vec2::ZERO).is_err());
        assert!(grid(4, 4, f32::MIN_POSITIVE / 4.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, 1.0e20, Vec2::ZERO).is_err());
        assert!(grid(4, 4, MAX_CELL_SIZE.next_up(), Vec2::ZERO).is_err());
        assert!(grid(4, 4, MIN_CELL_SIZE.next_down(), Vec2::ZERO).is_err());
        assert!(grid(4, 4, 1.0, Vec2::new(0.0, f32::INFINITY)).is_err());
        assert!(grid(4, 4, 0.001, Vec2::splat(1.0e6)).is_err());
    }

    #[test]
    fn squares_of_squares_of_lengths_are_normal_numbers() {
        // The longest diagonal: 32,768 cells wide, as high as the number of cells lets it be.
        let size = IVec2::new(1 << 15, 1 << 11);
        let low = Vec2::new(-0.5, -0.5) * size.as_vec2() * MAX_CELL_SIZE;
        let grid = Grid::new(size, MAX_CELL_SIZE, low).expect("as large as can be");
        assert!(Grid::new(size + IVec2::X, MAX_CELL_SIZE, low).is_err());
        let (low, high) = grid.bounds();
        let squared = high.distance_squared(low);
        assert!((squared * squared).is_finite());
        let least = Vec2::splat(1.0e-3 * MIN_CELL_SIZE).length_squared();
        assert!((least * least).is_normal());
    }
}
