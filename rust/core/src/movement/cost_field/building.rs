//! Builds a cost field from terrain, and updates it where the terrain has changed.

use super::CostField;
use super::histogram::{CountChanges, extremes};
use super::legal_steps::find_legal_steps;
use crate::grid::{CellRect, Grid};
use crate::movement::changes::{Changes, Collector};
use crate::movement::clearance::WallBuffer;
use crate::movement::wall_penalty::RowDistances;
use crate::movement::{BLOCKED, MAX_COST, MovementType};
use crate::terrain::{CLEAR, Terrain};
use glam::IVec2;
use std::sync::Arc;

impl CostField {
    /// The cost field of `terrain` under `movement`. Time and memory are linear in the cells.
    #[must_use]
    pub fn new(grid: &Grid, terrain: &Terrain, movement: &MovementType) -> Self {
        let mut field = Self::without_rows(grid, movement);
        field.write_rows(terrain, movement, field.height);
        field
    }

    /// A field whose rows [`Self::write_rows`] is to write. Memory is only reserved, so this takes no time.
    pub(crate) fn without_rows(grid: &Grid, movement: &MovementType) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let stride = width + 2;
        let cells = stride * (height + 2);
        let mut field = Self {
            width,
            height,
            stride,
            cost: Vec::with_capacity(cells),
            steps: Vec::with_capacity(cells),
            walls: Vec::new(),
            surcharged: None,
            wall_count: grid.cell_count(),
            histogram: [0; 256],
            extremes: (MAX_COST, 1),
            layers: *grid.layers(),
            links: Arc::default(),
            seams: Arc::default(),
            continued: Arc::default(),
        };
        field.histogram[usize::from(BLOCKED)] = grid.cell_count() as u32;
        field.cost.resize(2 * stride, BLOCKED);
        field.steps.resize(2 * stride, 0);
        if movement.clearance().reach() > 0 {
            field.walls.reserve_exact(cells);
            field.walls.resize(2 * stride, true);
        }
        field
    }

    /// The number of rows that are written, from the first on.
    pub(crate) fn written_rows(&self) -> usize {
        self.cost.len() / self.stride - 2
    }

    /// Writes the rows up to `end` that are not written yet. A row of border follows the written ones, so the legal steps
    /// of the last row are found anew with the next one.
    pub(crate) fn write_rows(&mut self, terrain: &Terrain, movement: &MovementType, end: usize) {
        let begin = self.written_rows();
        if end <= begin {
            return;
        }
        self.follow_floors(terrain, movement, &[]);
        let mut changes = Collector::of_nothing();
        if self.has_clearance() {
            // Costs depend on the walls below them.
            let walled = (end + movement.clearance().reach()).min(self.height);
            let walls = self.rows(self.walled_rows(), walled);
            self.walls.resize((walled + 2) * self.stride, true);
            self.update_walls(terrain, movement, walls, &mut changes);
        }
        let cells = (end + 2) * self.stride;
        self.cost.resize(cells, BLOCKED);
        self.steps.resize(cells, 0);
        if let Some(surcharged) = &mut self.surcharged {
            surcharged.grow(cells);
        }
        let mut counts = CountChanges::default();
        let rows = self.rows(begin, end);
        self.update_costs(terrain, movement, rows, &mut counts, &mut changes);
        counts.apply(&mut self.histogram);
        self.extremes = extremes(&self.histogram);
        self.update_steps(self.rows(begin.max(1) - 1, end), &mut changes);
    }

    /// The number of rows whose walls are written.
    fn walled_rows(&self) -> usize {
        self.walls.len() / self.stride - 2
    }

    fn rows(&self, begin: usize, end: usize) -> CellRect {
        CellRect {
            low: IVec2::new(0, begin as i32),
            high: IVec2::new(self.width as i32, end as i32),
        }
    }

    /// The cells that are written.
    pub(super) fn written(&self) -> CellRect {
        self.rows(0, self.written_rows())
    }

    /// Updates the field after the terrain changed inside `regions`, and returns the changed cells. Linear in the
    /// regions' cells and the cells within reach of wall penalty and clearance.
    pub fn update(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        regions: &[CellRect],
    ) -> Changes {
        let mut changes = Collector::new(self.width * self.height);
        if !self.walls.is_empty() {
            let walled = self.rows(0, self.walled_rows());
            for region in regions {
                let region = region.intersection(&walled);
                self.update_walls(terrain, movement, region, &mut changes);
            }
        }
        self.follow_floors(terrain, movement, regions);
        if let Some(cell) = self.only_cell(movement, regions) {
            return self.update_cell(terrain, movement, cell);
        }
        let penalty = movement.wall_penalty().reach();
        let reach = penalty.max(movement.clearance().reach());
        let regions = self.within_reach(regions, reach as i32);
        let mut counts = CountChanges::default();
        for &region in &regions {
            self.update_costs(terrain, movement, region, &mut counts, &mut changes);
        }
        counts.apply(&mut self.histogram);
        self.extremes = extremes(&self.histogram);
        for region in regions {
            let around = region.grown(1).intersection(&self.written());
            self.update_steps(around, &mut changes);
        }
        changes.finish()
    }

    /// Whether a row lies between layers.
    #[inline]
    pub(super) fn is_gap(&self, row: usize) -> bool {
        self.layers.of_row(row as u32).is_none()
    }

    /// The regions grown by `reach`, or the one rectangle around them if they overlap so much that it is less work.
    fn within_reach(&self, regions: &[CellRect], reach: i32) -> Vec<CellRect> {
        let written = self.written();
        let grown: Vec<CellRect> = regions
            .iter()
            .map(|region| region.grown(reach).intersection(&written))
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

    fn update_walls(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        rect: CellRect,
        changes: &mut Collector,
    ) {
        if rect.is_empty() {
            return;
        }
        let left = rect.low.x as usize;
        let mut ids = vec![CLEAR; rect.high.x as usize - left];
        let mut fresh = vec![false; ids.len()];
        for y in rect.low.y as usize..rect.high.y as usize {
            if self.is_gap(y) {
                continue;
            }
            terrain.copy_row(y, left, &mut ids);
            let from = (y + 1) * self.stride + 1 + left;
            let walls = &mut self.walls[from..from + ids.len()];
            let count = |walls: &[bool]| walls.iter().filter(|&&wall| wall).count();
            for (wall, &id) in fresh.iter_mut().zip(&ids) {
                *wall = movement.cost_of(id) == BLOCKED;
            }
            // A cell that stays closed may still have changed between wall and lack of clearance.
            changes.compare(from, walls, &fresh);
            self.wall_count -= count(walls);
            self.wall_count += count(&fresh);
            walls.copy_from_slice(&fresh);
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
        // The plain costs of the last `2 * reach + 1` rows, in a ring buffer.
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
        // The stored rows of walls within reach of clearance.
        let away = movement.clearance().reach();
        let top = (rect.low.y as usize + 1).saturating_sub(away);
        let bottom = (rect.high.y as usize + 1 + away) * self.stride;
        let within = top * self.stride..bottom.min(self.walls.len());
        let obstacles = self.continued.without(&self.walls, within);
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
            if !obstacles.is_empty() {
                let walls = (&*obstacles, self.stride);
                let first = (left + 1, y as usize + 1 - top);
                buffer.close_row(movement.clearance(), walls, first, &mut fresh);
            }
            if let Some(surcharged) = &mut self.surcharged {
                surcharged.lay_over(from, &mut fresh);
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
}
