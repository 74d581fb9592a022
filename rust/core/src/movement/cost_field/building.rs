//! Builds a cost field from terrain, and updates it where the terrain has changed.

use super::cell_values::CellValues;
use super::histogram::{CountChanges, extremes};
use super::legal_steps::find_legal_steps;
use super::{CostField, stored_rect};
use crate::grid::{CellRect, Grid};
use crate::movement::changes::{Changes, Collector};
use crate::movement::clearance::WallBuffer;
use crate::movement::wall_penalty::RowDistances;
use crate::movement::{BLOCKED, MAX_COST, MovementType};
use crate::terrain::{CLEAR, Terrain};
use glam::IVec2;
use std::ops::Range;
use std::sync::Arc;

/// The rows that are written at a time: so much takes little memory beside the blocks.
const BAND: usize = 64;

impl CostField {
    /// The cost field of `terrain` under `movement`. Time and memory are linear in the cells.
    #[must_use]
    pub fn new(grid: &Grid, terrain: &Terrain, movement: &MovementType) -> Self {
        let mut field = Self::without_rows(grid, movement);
        field.write_rows(terrain, movement, field.height);
        field
    }

    /// A field whose rows [`Self::write_rows`] is to write. Memory is taken with the rows, so this takes no time.
    pub(crate) fn without_rows(grid: &Grid, movement: &MovementType) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let (stride, rows) = (width + 2, height + 2);
        let walls = match movement.clearance().reach() {
            0 => CellValues::none(),
            _ => CellValues::shared(stride, rows, true),
        };
        let mut field = Self {
            width,
            height,
            stride,
            cost: CellValues::shared(stride, rows, BLOCKED),
            steps: CellValues::shared(stride, rows, 0),
            walls,
            written_rows: 0,
            walled_rows: 0,
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
        field
    }

    /// The number of rows that are written, from the first on. The others are closed.
    pub(crate) fn written_rows(&self) -> usize {
        self.written_rows
    }

    /// Writes the rows up to `end` that are not written yet. The legal steps of the last row are found anew with the
    /// next one.
    pub(crate) fn write_rows(&mut self, terrain: &Terrain, movement: &MovementType, end: usize) {
        let begin = self.written_rows;
        if end <= begin {
            return;
        }
        self.follow_floors(terrain, movement, &[]);
        let mut counts = CountChanges::default();
        for begin in (begin..end).step_by(BAND) {
            let end = end.min(begin + BAND);
            self.write_band(terrain, movement, (begin, end), &mut counts);
        }
        counts.apply(&mut self.histogram);
        self.extremes = extremes(&self.histogram);
    }

    fn write_band(
        &mut self,
        terrain: &Terrain,
        movement: &MovementType,
        (begin, end): (usize, usize),
        counts: &mut CountChanges,
    ) {
        let mut changes = Collector::of_nothing();
        if self.has_clearance() {
            // Costs depend on the walls below them.
            let walled = (end + movement.clearance().reach()).min(self.height);
            let walls = self.rows(self.walled_rows, walled);
            self.walled_rows = walled;
            self.update_walls(terrain, movement, walls, &mut changes);
        }
        self.written_rows = end;
        self.update_costs(
            terrain,
            movement,
            self.rows(begin, end),
            counts,
            &mut changes,
        );
        let with_last = self.rows(begin.max(1) - 1, end);
        self.update_steps(with_last, &mut changes);
        self.share(with_last);
    }

    /// Has the cells of a rectangle share memory where they are alike.
    fn share(&mut self, rect: CellRect) {
        let (columns, rows) = stored_rect(rect);
        self.cost.share(columns.clone(), rows.clone());
        self.steps.share(columns.clone(), rows.clone());
        self.walls.share(columns.clone(), rows.clone());
        if let Some(surcharged) = &mut self.surcharged {
            surcharged.share(columns, rows);
        }
    }

    fn rows(&self, begin: usize, end: usize) -> CellRect {
        CellRect {
            low: IVec2::new(0, begin as i32),
            high: IVec2::new(self.width as i32, end as i32),
        }
    }

    /// The cells that are written.
    pub(super) fn written(&self) -> CellRect {
        self.rows(0, self.written_rows)
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
        if self.has_clearance() {
            let walled = self.rows(0, self.walled_rows);
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
            for band in bands(region) {
                self.update_costs(terrain, movement, band, &mut counts, &mut changes);
            }
        }
        counts.apply(&mut self.histogram);
        self.extremes = extremes(&self.histogram);
        let around = |region: &CellRect| region.grown(1).intersection(&self.written());
        let regions: Vec<CellRect> = regions.iter().map(around).collect();
        for &region in &regions {
            self.update_steps(region, &mut changes);
            self.share(region);
        }
        let around = regions.into_iter().reduce(|one, other| one.union(&other));
        changes.finish(|| around.into_iter().collect())
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
        let mut known = fresh.clone();
        for y in rect.low.y as usize..rect.high.y as usize {
            if self.is_gap(y) {
                continue;
            }
            terrain.copy_row(y, left, &mut ids);
            let from = (y + 1) * self.stride + 1 + left;
            self.walls.copy_row(from, &mut known);
            let count = |walls: &[bool]| walls.iter().filter(|&&wall| wall).count();
            for (wall, &id) in fresh.iter_mut().zip(&ids) {
                *wall = movement.cost_of(id) == BLOCKED;
            }
            // A cell that stays closed may still have changed between wall and lack of clearance.
            changes.compare(from, &known, &fresh);
            self.wall_count -= count(&known);
            self.wall_count += count(&fresh);
            self.walls.put_row(from, &fresh);
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
        let bottom = (rect.high.y as usize + 1 + away).min(self.height + 2);
        let obstacles = self.obstacles(top..bottom);
        let mut distances = RowDistances::default();
        let mut buffer = WallBuffer::default();
        let mut fresh = vec![0; right - left];
        let mut known = fresh.clone();
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
            movement
                .wall_penalty()
                .apply_to_row(&rows, &mut distances, &mut fresh);
            if !obstacles.is_empty() {
                let walls = (obstacles.as_slice(), self.stride);
                let first = (left + 1, y as usize + 1 - top);
                buffer.close_row(movement.clearance(), walls, first, &mut fresh);
            }
            if let Some(surcharged) = &mut self.surcharged {
                surcharged.lay_over(from, &mut fresh, changes);
            }
            self.cost.copy_row(from, &mut known);
            if known != fresh {
                changes.compare(from, &known, &fresh);
                counts.add(&mut self.histogram, &known, -1);
                counts.add(&mut self.histogram, &fresh, 1);
                self.cost.put_row(from, &fresh);
            }
        }
    }

    /// The obstacles in stored rows, with the border; empty without clearance.
    fn obstacles(&self, rows: Range<usize>) -> Vec<bool> {
        let mut walls = Vec::new();
        if self.has_clearance() {
            for row in rows {
                let from = row * self.stride;
                self.walls.append_row(from, self.stride, &mut walls);
                let first = walls.len() - self.stride;
                self.continued.open_in(from, &mut walls[first..]);
            }
        }
        walls
    }

    fn update_steps(&mut self, rect: CellRect, changes: &mut Collector) {
        let columns = (rect.high.x - rect.low.x) as usize;
        let (mut fresh, mut known) = (vec![0; columns], vec![0; columns]);
        // Each row starts one column before the first cell, so that `[x..x + 3]` is a cell's neighbourhood in that row.
        let mut above = vec![BLOCKED; columns + 2];
        let (mut here, mut below) = (above.clone(), above.clone());
        let first = |y: usize| y * self.stride + rect.low.x as usize;
        let (low, high) = (rect.low.y as usize, rect.high.y as usize);
        self.cost.copy_row(first(low), &mut here);
        self.cost.copy_row(first(low + 1), &mut below);
        for y in low..high {
            (above, here, below) = (here, below, above);
            self.cost.copy_row(first(y + 2), &mut below);
            find_legal_steps(&above, &here, &below, &mut fresh);
            let from = first(y + 1) + 1;
            self.steps.copy_row(from, &mut known);
            if known != fresh {
                changes.compare(from, &known, &fresh);
                self.steps.put_row(from, &fresh);
            }
        }
    }
}

/// A rectangle in bands of a few rows.
fn bands(rect: CellRect) -> impl Iterator<Item = CellRect> {
    (rect.low.y..rect.high.y).step_by(BAND).map(move |low| {
        let high = rect.high.y.min(low + BAND as i32);
        CellRect {
            low: IVec2::new(rect.low.x, low),
            high: IVec2::new(rect.high.x, high),
        }
    })
}
