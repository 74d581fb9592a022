//! The cost field: what the solvers read.

mod crowded;
mod legal_steps;
mod one_cell;
mod window;

use super::changes::{Changes, Collector};
use super::clearance::WallBuffer;
use super::wall_penalty::RowDistances;
use super::{BLOCKED, MAX_COST, MovementType};
use crate::grid::{CellRect, Grid};
use crate::layers::Layers;
use crate::links::Links;
use crate::terrain::{CLEAR, Terrain};
use crowded::Crowded;
use glam::IVec2;
use legal_steps::find_legal_steps;
use std::sync::Arc;

/// The eight steps in order of angle, from +x towards +y; odd ones are diagonal.
pub const STEPS: [IVec2; 8] = [
    IVec2::new(1, 0),
    IVec2::new(1, 1),
    IVec2::new(0, 1),
    IVec2::new(-1, 1),
    IVec2::new(-1, 0),
    IVec2::new(-1, -1),
    IVec2::new(0, -1),
    IVec2::new(1, -1),
];

/// The cost of entering each cell of a grid for one movement type.
///
/// Stored with a border of one wall cell on every side, so that nothing that
/// looks at a cell's neighbours needs a bounds test. Beside each cost stands
/// the set of legal steps out of the cell, bit `i` for [`STEPS`]`[i]`: the
/// target is open, and for a diagonal both cells beside it are too, so that no
/// path cuts a corner. `steps == 0xFF` says at once that no wall is near.
///
/// Where the movement type needs [`Clearance`](super::Clearance), cells too close to a wall are closed
/// like walls, and [`Self::is_wall`] tells the two apart: paths keep away from both, bodies are held
/// back by walls alone.
#[derive(Debug, Clone)]
pub struct CostField {
    width: usize,
    height: usize,
    stride: usize,
    cost: Vec<u8>,
    steps: Vec<u8>,
    /// The walls themselves, bordered like the costs; empty where these are all the closed cells.
    walls: Vec<bool>,
    /// What crowds have to do with the costs; `None` until there are any.
    crowded: Option<Crowded>,
    /// How many cells of the grid are walls, where `walls` is in use.
    wall_count: usize,
    /// How many cells of the grid have each cost.
    histogram: [u32; 256],
    /// See [`Self::cheapest`] and [`Self::dearest`].
    extremes: (u8, u8),
    /// What lies between layers is like what lies outside the grid.
    layers: Layers,
    links: Arc<Links>,
}

impl CostField {
    /// The cost field of `terrain` under `movement`. Time and memory are linear in the cells.
    #[must_use]
    pub fn new(grid: &Grid, terrain: &Terrain, movement: &MovementType) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let stride = width + 2;
        let walls = match movement.clearance().reach() {
            0 => Vec::new(),
            _ => vec![true; stride * (height + 2)],
        };
        let mut field = Self {
            width,
            height,
            stride,
            cost: vec![BLOCKED; stride * (height + 2)],
            steps: vec![0; stride * (height + 2)],
            walls,
            crowded: None,
            wall_count: grid.cell_count(),
            histogram: [0; 256],
            extremes: (MAX_COST, 1),
            layers: *grid.layers(),
            links: Arc::default(),
        };
        field.histogram[usize::from(BLOCKED)] = grid.cell_count() as u32;
        field.update(terrain, movement, &[grid.cells()]);
        field
    }

    /// Brings the field up to date after the terrain changed inside `regions`, and says which cells
    /// have changed. Linear in the regions' cells and those within reach of wall penalty and
    /// clearance.
    pub fn update(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        regions: &[CellRect],
    ) -> Changes {
        if !self.walls.is_empty() {
            for region in regions {
                self.update_walls(terrain, movement, region.intersection(&self.cells()));
            }
        }
        if let Some(cell) = self.only_cell(movement, regions) {
            return self.update_cell(terrain, movement, cell);
        }
        let penalty = movement.wall_penalty().reach();
        let reach = penalty.max(movement.clearance().reach());
        let regions = self.within_reach(regions, reach as i32);
        let mut changes = Collector::new(self.width * self.height);
        let mut counts = CountChanges::default();
        for &region in &regions {
            self.update_costs(terrain, movement, region, &mut counts, &mut changes);
        }
        counts.apply(&mut self.histogram);
        self.extremes = extremes(&self.histogram);
        for region in regions {
            let around = region.grown(1).intersection(&self.cells());
            self.update_steps(around, &mut changes);
        }
        changes.finish()
    }

    /// The links that join its cells.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Where the layers of the grid lie.
    pub(crate) fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The same, to be kept.
    pub(crate) fn shared_links(&self) -> &Arc<Links> {
        &self.links
    }

    /// Replaces the links. Returns the first and last cells of those that have come or gone.
    pub fn set_links(&mut self, links: Arc<Links>) -> Changes {
        let changes = self.links.changes(&links);
        self.links = links;
        Changes::Cells(changes)
    }

    /// Whether a row lies between layers.
    #[inline]
    fn is_gap(&self, row: usize) -> bool {
        self.layers.of_row(row as u32).is_none()
    }

    /// Whether two rows belong to one layer.
    #[inline]
    pub(crate) fn are_of_one_layer(&self, one: i32, other: i32) -> bool {
        self.layers.nearest_of_row(one) == self.layers.nearest_of_row(other)
    }

    fn cells(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: IVec2::new(self.width as i32, self.height as i32),
        }
    }

    /// The regions grown by `reach`: as they are, or as the one rectangle around them if they then
    /// overlap so much that this is less work.
    fn within_reach(&self, regions: &[CellRect], reach: i32) -> Vec<CellRect> {
        let grown: Vec<CellRect> = regions
            .iter()
            .map(|region| region.grown(reach).intersection(&self.cells()))
            .filter(|region| !region.is_empty())
            .collect();
        let Some(around) = grown.iter().copied().reduce(|one, other| one.union(&other)) else {
            return grown;
        };
        let area = |rect: &CellRect| (rect.high - rect.low).as_i64vec2().element_product();
        if grown.iter().map(area).sum::<i64>() < area(&around) {
            grown
        } else {
            vec![around]
        }
    }

    fn update_walls(&mut self, terrain: &Terrain, movement: &MovementType, rect: CellRect) {
        if rect.is_empty() {
            return;
        }
        let left = rect.low.x as usize;
        let mut ids = vec![CLEAR; rect.high.x as usize - left];
        for y in rect.low.y as usize..rect.high.y as usize {
            if self.is_gap(y) {
                continue;
            }
            terrain.copy_row(y, left, &mut ids);
            let from = (y + 1) * self.stride + 1 + left;
            let walls = &mut self.walls[from..from + ids.len()];
            let count = |walls: &[bool]| walls.iter().filter(|&&wall| wall).count();
            self.wall_count -= count(walls);
            for (wall, &id) in walls.iter_mut().zip(&ids) {
                *wall = movement.cost_of(id) == BLOCKED;
            }
            self.wall_count += count(walls);
        }
    }

    fn update_costs(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        rect: CellRect,
        counts: &mut CountChanges,
        changes: &mut Collector,
    ) {
        let reach = movement.wall_penalty().reach();
        let (left, right) = (rect.low.x as usize, rect.high.x as usize);
        let window = right - left + 2 * reach;
        // The plain costs of the last `2 * reach + 1` rows, as a ring.
        let mut ring = vec![vec![CLEAR; window]; 2 * reach + 1];
        let layers = self.layers;
        let is_gap = |y: i64| layers.of_row(y as u32).is_none();
        let load = |row: &mut Vec<u8>, y: i64| {
            row.fill(CLEAR);
            if y < 0 || y >= self.height as i64 || is_gap(y) {
                return;
            }
            let from = left.saturating_sub(reach);
            let to = (right + reach).min(self.width);
            let inside = &mut row[from + reach - left..to + reach - left];
            terrain.copy_row(y as usize, from, inside);
            for cost in inside {
                *cost = movement.cost_of(*cost);
            }
        };
        let slots = ring.len() as i32;
        let slot = |y: i32| y.rem_euclid(slots) as usize;
        let first = rect.low.y - reach as i32;
        for y in first..rect.low.y + reach as i32 {
            load(&mut ring[slot(y)], i64::from(y));
        }
        let mut distances = RowDistances::default();
        let mut buffer = WallBuffer::default();
        let mut fresh = vec![0; right - left];
        for y in rect.low.y..rect.high.y {
            let newest = y + reach as i32;
            load(&mut ring[slot(newest)], i64::from(newest));
            if is_gap(i64::from(y)) {
                continue;
            }
            let rows: Vec<&[u8]> = (y - reach as i32..=newest)
                .map(|y| ring[slot(y)].as_slice())
                .collect();
            let from = (y as usize + 1) * self.stride + 1 + left;
            let out = &mut self.cost[from..from + right - left];
            movement
                .wall_penalty()
                .apply_to_row(&rows, &mut distances, &mut fresh);
            if !self.walls.is_empty() {
                let walls = (self.walls.as_slice(), self.stride);
                let first = (left + 1, y as usize + 1);
                buffer.close_row(movement.clearance(), walls, first, &mut fresh);
            }
            if let Some(crowded) = &mut self.crowded {
                crowded.lay_over(from, &mut fresh);
            }
            if *out != fresh {
                changes.compare(from, out, &fresh);
                counts.add(&mut self.histogram, out, -1);
                counts.add(&mut self.histogram, &fresh, 1);
                out.copy_from_slice(&fresh);
            }
        }
    }

    fn update_steps(&mut self, rect: CellRect, changes: &mut Collector) {
        let stride = self.stride;
        let columns = (rect.high.x - rect.low.x) as usize;
        let mut fresh = vec![0; columns];
        for y in rect.low.y as usize..rect.high.y as usize {
            let from = (y + 1) * stride + 1 + rect.low.x as usize;
            // Each slice starts one column before the first cell, so that `[x..x + 3]` is a
            // cell's neighbourhood in that row.
            let above = &self.cost[from - stride - 1..][..columns + 2];
            let here = &self.cost[from - 1..][..columns + 2];
            let below = &self.cost[from + stride - 1..][..columns + 2];
            find_legal_steps(above, here, below, &mut fresh);
            let out = &mut self.steps[from..from + columns];
            if *out != fresh {
                changes.compare(from, out, &fresh);
                out.copy_from_slice(&fresh);
            }
        }
    }

    /// Width in cells, without the border.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in cells, without the border.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Cells per stored row, the border's two included.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The stored index of a cell; cells of the border (-1 and width or height) have one too.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    /// The cell of a stored index.
    #[must_use]
    pub fn cell(&self, index: usize) -> IVec2 {
        IVec2::new(
            (index % self.stride) as i32 - 1,
            (index / self.stride) as i32 - 1,
        )
    }

    /// How far each of [`STEPS`] moves a stored index.
    #[must_use]
    pub fn offsets(&self) -> [isize; 8] {
        offsets(self.stride)
    }

    /// All costs, bordered, `stride` to a row; walls and the border are [`BLOCKED`].
    #[must_use]
    pub fn costs(&self) -> &[u8] {
        &self.cost
    }

    /// The legal steps out of each cell, bordered; see [`CostField`].
    #[must_use]
    pub fn steps(&self) -> &[u8] {
        &self.steps
    }

    /// The cost of a cell; outside the grid it is [`BLOCKED`].
    #[must_use]
    #[inline]
    pub fn cost_at(&self, cell: IVec2) -> u8 {
        if self.contains(cell) {
            self.cost[self.index(cell)]
        } else {
            BLOCKED
        }
    }

    /// Whether a cell is in the grid and can be entered.
    #[must_use]
    #[inline]
    pub fn is_open(&self, cell: IVec2) -> bool {
        self.cost_at(cell) != BLOCKED
    }

    /// Whether a cell is a wall itself, and not just too close to one for the movement type's
    /// [`Clearance`](super::Clearance). Everything outside the grid is wall.
    #[must_use]
    #[inline]
    pub fn is_wall(&self, cell: IVec2) -> bool {
        !self.contains(cell) || self.is_wall_at(self.index(cell))
    }

    /// [`Self::is_wall`] of a stored index, the border's included.
    #[must_use]
    #[inline]
    pub fn is_wall_at(&self, index: usize) -> bool {
        if self.walls.is_empty() {
            self.cost[index] == BLOCKED
        } else {
            self.walls[index]
        }
    }

    /// Whether there are closed cells that are no walls, or could be after an edit.
    #[must_use]
    pub fn has_clearance(&self) -> bool {
        !self.walls.is_empty()
    }

    /// The legal steps out of a cell that is in the grid.
    #[must_use]
    #[inline]
    pub fn steps_at(&self, cell: IVec2) -> u8 {
        self.steps[self.index(cell)]
    }

    fn contains(&self, cell: IVec2) -> bool {
        cell.x >= 0
            && cell.y >= 0
            && (cell.x as usize) < self.width
            && (cell.y as usize) < self.height
    }

    /// The least cost of any open cell; [`MAX_COST`] where there is none.
    #[must_use]
    pub fn cheapest(&self) -> u8 {
        self.extremes.0
    }

    /// The greatest cost of any open cell; 1 where there is none.
    #[must_use]
    pub fn dearest(&self) -> u8 {
        self.extremes.1
    }

    /// How many cells can be entered.
    #[must_use]
    pub fn open_cell_count(&self) -> usize {
        self.width * self.height - self.histogram[usize::from(BLOCKED)] as usize
    }

    /// How many cells are walls.
    #[must_use]
    pub fn wall_count(&self) -> usize {
        if self.walls.is_empty() {
            self.histogram[usize::from(BLOCKED)] as usize
        } else {
            self.wall_count
        }
    }

    /// All costs without the border, row-major.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.cost
            .chunks(self.stride)
            .skip(1)
            .take(self.height)
            .flat_map(|row| &row[1..=self.width])
            .copied()
            .collect()
    }
}

/// The least and the greatest cost of open cells; [`MAX_COST`] and 1 where there is none.
fn extremes(histogram: &[u32; 256]) -> (u8, u8) {
    let mut present = (1..=MAX_COST).filter(|&cost| histogram[usize::from(cost)] > 0);
    let cheapest = present.next();
    (
        cheapest.unwrap_or(MAX_COST),
        present.next_back().or(cheapest).unwrap_or(1),
    )
}

/// Changes to a histogram of costs, in four copies: neighbouring cells mostly cost the same, and a
/// processor cannot add to one number without waiting for the last addition to it.
///
/// There are none of them until a row is long enough to be worth it.
#[derive(Default)]
struct CountChanges(Option<Box<[[i32; 256]; 4]>>);

impl CountChanges {
    /// Rows of fewer cells are counted in the histogram itself.
    const LONG: usize = 64;

    fn add(&mut self, histogram: &mut [u32; 256], costs: &[u8], change: i32) {
        if costs.len() < Self::LONG {
            for &cost in costs {
                let count = &mut histogram[usize::from(cost)];
                *count = count.wrapping_add_signed(change);
            }
            return;
        }
        let copies = (self.0).get_or_insert_with(|| Box::new([[0; 256]; 4]));
        let mut cells = costs.chunks_exact(4);
        for four in &mut cells {
            for (counts, &cost) in copies.iter_mut().zip(four) {
                counts[usize::from(cost)] += change;
            }
        }
        for &cost in cells.remainder() {
            copies[0][usize::from(cost)] += change;
        }
    }

    fn apply(&self, histogram: &mut [u32; 256]) {
        let Some(copies) = &self.0 else {
            return;
        };
        for (cost, count) in histogram.iter_mut().enumerate() {
            let change: i32 = copies.iter().map(|counts| counts[cost]).sum();
            *count = count.wrapping_add_signed(change);
        }
    }
}

/// How far each of [`STEPS`] moves an index in rows of `stride`.
#[must_use]
pub fn offsets(stride: usize) -> [isize; 8] {
    STEPS.map(|step| step.y as isize * stride as isize + step.x as isize)
}
