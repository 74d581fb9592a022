//! What overlays do to costs, cell by cell and from their description alone.

use flow_swarm::grid::Grid;
use flow_swarm::movement::{CostOverlay, OverlayId};
use flow_swarm::{IVec2, Vec2};

/// The shape of an overlay. All lengths are multiples of an eighth of a cell, so that no sum is rounded.
#[derive(Debug, Clone)]
pub enum Shape {
    Circle { radius: f32, cost: i64 },
    Rect { size: Vec2, cost: i64 },
    Block { size: IVec2, costs: Vec<u8> },
}

/// An overlay that a world should have.
#[derive(Debug, Clone)]
pub struct Overlay {
    pub id: OverlayId,
    pub shape: Shape,
    pub at: Vec2,
    pub fading: f64,
    /// The time of the game at which it was added.
    pub since: f64,
    pub movement_types: u64,
}

/// The overlay as the world takes it.
pub fn cost_overlay(shape: &Shape, fading: f64, movement_types: u64) -> CostOverlay {
    let overlay = match shape {
        &Shape::Circle { radius, cost } => CostOverlay::circle(radius, cost),
        &Shape::Rect { size, cost } => CostOverlay::rect(size, cost),
        Shape::Block { size, costs } => CostOverlay::block(*size, costs),
    };
    let overlay = overlay.and_then(|overlay| overlay.with_fading(fading));
    overlay.expect("valid").with_movement_types(movement_types)
}

/// The numbers of the cells on an axis whose centres are in a span; the middle one's if there is none.
fn in_span(low: f64, length: f64, cell: i32) -> bool {
    let is_in = |cell: i32| {
        let center = f64::from(cell) + 0.5;
        low <= center && center < low + length
    };
    let first = low.floor() as i32 - 1;
    if (first..=first + length as i32 + 3).any(is_in) {
        is_in(cell)
    } else {
        cell == (low + 0.5 * length).floor() as i32
    }
}

impl Shape {
    /// What a cell costs more at first; `None` if it is not covered.
    pub fn cost_at(&self, grid: &Grid, at: Vec2, cell: IVec2) -> Option<u32> {
        let layers = grid.layers();
        let row = u32::try_from(cell.y).ok()?;
        if !grid.is_on_layer(cell) || layers.of_row(row) != Some(layers.at(at)) {
            return None;
        }
        let side = f64::from(grid.cell_size());
        let point = (at - grid.origin()).as_dvec2() / side;
        let own = IVec2::new(point.x.floor() as i32, point.y.floor() as i32);
        match self {
            &Shape::Circle { radius, cost } => {
                let offset = cell.as_dvec2() + 0.5 - point;
                let is_in = offset.length() <= f64::from(radius) / side;
                (is_in || cell == own).then_some(cost as u32)
            }
            &Shape::Rect { size, cost } => {
                let size = size.as_dvec2() / side;
                let is_in = in_span(point.x, size.x, cell.x) && in_span(point.y, size.y, cell.y);
                is_in.then_some(cost as u32)
            }
            Shape::Block { size, costs } => {
                let offset = cell - own;
                let is_in = offset.min_element() >= 0 && offset.cmplt(*size).all();
                is_in.then(|| u32::from(costs[(offset.y * size.x + offset.x) as usize]))
            }
        }
    }

    /// Whether any cell of the grid is covered.
    pub fn covers_any(&self, grid: &Grid, at: Vec2) -> bool {
        (0..grid.cell_count()).any(|index| self.cost_at(grid, at, grid.cell(index)).is_some())
    }
}

impl Overlay {
    /// How many quarters of its costs are left. Costs fall at quarters of seconds only.
    pub fn quarters(&self, now: f64) -> u32 {
        if self.fading == 0.0 {
            return 4;
        }
        let age = (4.0 * now).floor() / 4.0 - self.since;
        let done = (4.0 * age.max(0.0) / self.fading).floor();
        4_u32.saturating_sub(done as u32)
    }

    fn cost_at(&self, now: f64, grid: &Grid, cell: IVec2, movement: usize) -> u32 {
        if self.movement_types >> movement & 1 == 0 {
            return 0;
        }
        let cost = self.shape.cost_at(grid, self.at, cell).unwrap_or(0);
        (cost * self.quarters(now)).div_ceil(4)
    }
}

/// The cost of a cell with a crowd's surcharge and all overlays.
pub fn cost(
    (plain, crowd): (u8, u32),
    (overlays, now): (&[Overlay], f64),
    grid: &Grid,
    (cell, movement): (IVec2, usize),
) -> u8 {
    if plain == 255 {
        return 255;
    }
    let of = |overlay: &Overlay| overlay.cost_at(now, grid, cell, movement);
    let sum = u32::from(plain) + crowd + overlays.iter().map(of).sum::<u32>();
    sum.min(254) as u8
}
