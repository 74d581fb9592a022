//! Cost overlays: shapes that a game lays over the ground, and in which paths cost more.
//!
//! An overlay is added to all other costs as crowd penalties are: it opens and closes no cell, and takes no terrain
//! away. It fades in few steps, so that costs, and the fields that depend on them, change rarely.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::{Error, Result, finite, in_range};
use crate::grid::{CellRect, Grid, MAX_CELLS};
use crate::movement::MAX_COST;
use glam::{DVec2, IVec2, Vec2};
use std::sync::Arc;

/// The number of an overlay that has been added: greater than 0, and used only once in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverlayId(pub i64);

/// The number of steps in which an overlay fades.
pub(crate) const FADING_STEPS: u8 = 4;
/// The longest time in which an overlay fades, in seconds.
pub const MAX_FADING: f64 = 1.0e6;

const MOST: i64 = MAX_COST as i64 - 1;

/// A shape, what its cells cost more, for which movement types, and how fast that fades. The default is all movement
/// types and no fading. Clones share their memory.
#[derive(Debug, Clone, PartialEq)]
pub struct CostOverlay {
    shape: Shape,
    fading: f64,
    movement_types: u64,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Circle { radius: f32, cost: u8 },
    Rect { size: Vec2, cost: u8 },
    Block { size: IVec2, costs: Arc<[u8]> },
}

impl CostOverlay {
    /// A circle around its position, in which cells cost `cost` more: all cells whose centres are inside, and that of
    /// the position.
    ///
    /// # Errors
    /// A radius, in world units, that is negative or not finite, or a cost outside 1..=253.
    pub fn circle(radius: f32, cost: i64) -> Result<Self> {
        let radius = in_range("radius", radius, 0.0, f32::MAX)?;
        let cost = checked(cost)?;
        Ok(Self::of(Shape::Circle { radius, cost }))
    }

    /// A rectangle with its lower corner at its position, in which cells cost `cost` more: all cells whose centres are
    /// inside, and at least one row and one column.
    ///
    /// # Errors
    /// A size, in world units, that is negative or not finite, or a cost outside 1..=253.
    pub fn rect(size: Vec2, cost: i64) -> Result<Self> {
        finite("size of rect", size)?;
        in_range("size of rect", size.min_element(), 0.0, f32::MAX)?;
        let cost = checked(cost)?;
        Ok(Self::of(Shape::Rect { size, cost }))
    }

    /// A block of `size` cells with its lower corner in the cell of its position: how much more each of its cells
    /// costs, row-major.
    ///
    /// # Errors
    /// A size below 1×1 or above that of the largest grid, not exactly one cost for each cell, or a cost above 253.
    pub fn block(size: IVec2, costs: &[u8]) -> Result<Self> {
        let count = i64::from(size.x) * i64::from(size.y);
        if size.min_element() < 1 || count.cast_unsigned() > MAX_CELLS {
            return Err(Error::OverlaySize {
                size,
                most: MAX_CELLS,
            });
        }
        if costs.len() as i64 != count {
            return Err(Error::Length {
                name: "costs",
                expected: count as usize,
                actual: costs.len(),
            });
        }
        for &cost in costs {
            in_range("cost", i64::from(cost), 0, MOST)?;
        }
        let costs = costs.into();
        Ok(Self::of(Shape::Block { size, costs }))
    }

    fn of(shape: Shape) -> Self {
        Self {
            shape,
            fading: 0.0,
            movement_types: u64::MAX,
        }
    }

    /// This overlay with its costs falling to 0 within `seconds`, in four equal steps, each up to a quarter of
    /// a second late; it ends with the last. With 0 it stays until it is removed.
    ///
    /// # Errors
    /// A time outside 0..=[`MAX_FADING`].
    pub fn with_fading(self, seconds: f64) -> Result<Self> {
        let fading = in_range("fading", seconds, 0.0, MAX_FADING)?;
        Ok(Self { fading, ..self })
    }

    /// This overlay for some movement types only: bit n for the movement type with index n. With all 64 bits set it
    /// also concerns movement types that are added later.
    #[must_use]
    pub fn with_movement_types(self, movement_types: u64) -> Self {
        Self {
            movement_types,
            ..self
        }
    }

    /// The bits of the movement types that it concerns.
    pub(crate) fn movement_types(&self) -> u64 {
        self.movement_types
    }

    /// The time between two steps of fading, in seconds; `None` if it does not fade.
    pub(crate) fn step_seconds(&self) -> Option<f64> {
        (self.fading > 0.0).then_some(self.fading / f64::from(FADING_STEPS))
    }

    /// Checks that it concerns only movement types of a world that has `count`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it concerns none or others.
    pub(crate) fn check_movement_types(&self, count: usize) -> Result<()> {
        let known = u64::MAX.unbounded_shr(64_u32.saturating_sub(count as u32));
        let wanted = self.movement_types;
        if wanted == u64::MAX || wanted != 0 && wanted & !known == 0 {
            return Ok(());
        }
        Err(Error::OutOfRange {
            name: "movement_types, unless -1,",
            value: wanted.cast_signed().into(),
            min: 1.into(),
            max: known.into(),
        })
    }

    /// The cells that it covers at a position.
    ///
    /// # Errors
    /// A position that is not finite, or [`Error::OverlayOutside`] if it covers no cell of the position's layer.
    pub(crate) fn footprint(&self, grid: &Grid, position: Vec2) -> Result<Footprint> {
        finite("position", position)?;
        let layer = grid.layers().at(position);
        let ground = grid.layers().cells(layer, grid.width());
        let at = grid.to_cell_space(position).as_dvec2();
        let cells = |length: f32| f64::from(length) / f64::from(grid.cell_size());
        let (cover, low, high) = match &self.shape {
            &Shape::Circle { radius, cost } => {
                let (radius, own) = (cells(radius), grid.cell_at(position));
                let center = at - 0.5;
                let cover = Cover::Circle {
                    center,
                    square: radius * radius,
                    own,
                    cost,
                };
                let low = (center - radius).ceil().min(own.as_dvec2());
                let high = (center + radius).floor().max(own.as_dvec2()) + 1.0;
                (cover, low, high)
            }
            &Shape::Rect { size, cost } => {
                let (left, right) = span(at.x, cells(size.x));
                let (top, bottom) = span(at.y, cells(size.y));
                let (low, high) = (DVec2::new(left, top), DVec2::new(right, bottom));
                (Cover::Rect(cost), low, high)
            }
            Shape::Block { size, costs } => {
                let origin = grid.cell_at(position);
                let cover = Cover::Block {
                    origin,
                    width: size.x as usize,
                    costs: Arc::clone(costs),
                };
                let low = origin.as_dvec2();
                (cover, low, low + size.as_dvec2())
            }
        };
        let rect = CellRect {
            low: low.as_ivec2(),
            high: high.as_ivec2(),
        };
        let footprint = Footprint {
            rect: rect.intersection(&ground),
            cover,
        };
        if footprint.is_empty() {
            let (min, max) = grid.one_layer().bounds();
            return Err(Error::OverlayOutside {
                position: grid.layers().flat(position),
                layer: (grid.layers().count() > 1).then_some(layer),
                min,
                max,
            });
        }
        Ok(footprint)
    }
}

fn checked(cost: i64) -> Result<u8> {
    in_range("cost", cost, 1, MOST).map(|cost| cost as u8)
}

/// The first cell on an axis whose centre is in a span of cell space, and one past the last; the cell in the middle if
/// there is none.
fn span(low: f64, length: f64) -> (f64, f64) {
    let (first, end) = ((low - 0.5).ceil(), (low + length - 0.5).ceil());
    if end > first {
        return (first, end);
    }
    let middle = (low + 0.5 * length).floor();
    (middle, middle + 1.0)
}

/// The cells of a grid that an overlay covers.
#[derive(Debug, Clone)]
pub(crate) struct Footprint {
    /// A rectangle around them, in the grid.
    pub(crate) rect: CellRect,
    cover: Cover,
}

#[derive(Debug, Clone)]
enum Cover {
    /// `center` is counted from the centre of cell (0, 0), and `square` is that of the radius, in cells.
    Circle {
        center: DVec2,
        square: f64,
        own: IVec2,
        cost: u8,
    },
    /// The whole rectangle.
    Rect(u8),
    Block {
        origin: IVec2,
        width: usize,
        costs: Arc<[u8]>,
    },
}

impl Footprint {
    /// What a cell of the rectangle costs more before the overlay has faded.
    pub(crate) fn cost_at(&self, cell: IVec2) -> u8 {
        match &self.cover {
            Cover::Circle {
                center,
                square,
                own,
                cost,
            } => {
                let is_inside = (cell.as_dvec2() - center).length_squared() <= *square;
                if is_inside || cell == *own { *cost } else { 0 }
            }
            Cover::Rect(cost) => *cost,
            Cover::Block {
                origin,
                width,
                costs,
            } => {
                let offset = (cell - origin).as_usizevec2();
                costs[offset.y * width + offset.x]
            }
        }
    }

    /// Whether no cell of the grid is covered. The corners of the rectangle around a circle are not, and a block
    /// without costs covers its cells all the same.
    fn is_empty(&self) -> bool {
        if !matches!(self.cover, Cover::Circle { .. }) {
            return self.rect.is_empty();
        }
        let (low, high) = (self.rect.low, self.rect.high);
        let mut cells = (low.y..high.y).flat_map(|y| (low.x..high.x).map(move |x| (x, y)));
        !cells.any(|cell| self.cost_at(cell.into()) > 0)
    }
}

/// What a cell costs more when an overlay has `left` of its [`FADING_STEPS`] left.
pub(crate) fn faded(cost: u8, left: u8) -> u8 {
    let (cost, left) = (u16::from(cost), u16::from(left.min(FADING_STEPS)));
    (cost * left).div_ceil(u16::from(FADING_STEPS)) as u8
}

impl Saved for CostOverlay {
    fn write(&self, out: &mut Writer) {
        match &self.shape {
            Shape::Circle { radius, cost } => {
                out.u8(0);
                radius.write(out);
                cost.write(out);
            }
            Shape::Rect { size, cost } => {
                out.u8(1);
                size.write(out);
                cost.write(out);
            }
            Shape::Block { size, costs } => {
                out.u8(2);
                size.write(out);
                costs.write(out);
            }
        }
        self.fading.write(out);
        self.movement_types.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let overlay = match input.u8()? {
            0 => Self::circle(f32::read(input)?, u8::read(input)?.into()),
            1 => Self::rect(Vec2::read(input)?, u8::read(input)?.into()),
            2 => Self::block(IVec2::read(input)?, &Vec::read(input)?),
            _ => return Err(input.bad("it has a cost overlay of an unknown shape")),
        };
        let overlay = overlay.and_then(|overlay| overlay.with_fading(f64::read(input)?));
        let overlay =
            overlay.map_err(|_| input.bad("it has a cost overlay that makes no sense"))?;
        Ok(overlay.with_movement_types(u64::read(input)?))
    }
}
