//! Sets the limits of the work of an update, and shares it between portal graphs and fields.

use crate::error::{Result, in_range};
use crate::world::FlowWorld;
use crate::world::builder::seconds_since;

/// The cells of work that count as much where only time is limited.
const MUCH: usize = 10_000;
/// The cells of work between two looks at the clock.
const TURN: usize = 2_000;
/// The cells of the map whose islands an update labels, for each cell of its limit.
const LABELLED: usize = 4;
/// One of so many updates in a row that have used half of their time up labels islands all the same.
const LABELLED_IF_LATE: u64 = 4;

impl FlowWorld {
    /// Sets the number of cells of work that an update does on whole fields of goals, on the portal graphs of movement
    /// types and on the costs of changed ones, all together, on maps with more cells. With 0, the default, an update
    /// does all of it at once, unless time is limited ([`Self::set_update_seconds`]).
    ///
    /// Fields are built one after the other, in the order in which they were required. Until the first field of a goal
    /// is there, its status is [`QueryStatus::Pending`](crate::world::QueryStatus::Pending); requests for routes wait
    /// for the first graph. Agents go straight on meanwhile, and stop before walls. A field takes about seven sixths of
    /// the open cells. With a background fields are built there instead.
    ///
    /// Costs of changed and added movement types, and all after edits of more cells than that since the last update,
    /// are written first, while others stay in use: see [`Self::set_movement_types`] and [`Self::set_terrain_bytes`].
    ///
    /// After an edit fields are repaired at once as far as the limit allows. After a larger edit, or a change of
    /// movement types, solver or direction rule, the field and the graph before stay in use until the next ones are
    /// there; tiles follow the costs at once. Queries of a goal that agents follow read what agents follow meanwhile.
    ///
    /// Islands, which questions of reachability need, are labelled in each update as well, beside that. Until they are
    /// there such a question labels the rest at once.
    ///
    /// Other work does not count: writing the costs of small edits, and repairs of fields of goals that walk.
    pub fn set_update_cells(&mut self, cells: usize) {
        self.slices.cells = cells;
    }

    /// Sets for how many seconds an update works on what can wait: whole fields, portal graphs and costs of changed
    /// movement types on maps of more than 10,000 cells, as with [`Self::set_update_cells`], routes and tiles, until
    /// the next update. Infinity, the default, is no limit. Fields, graphs and costs have half of it, at least a
    /// slice of 2,000 cells, and what routes and tiles leave; the other work of the update counts, but routes and tiles
    /// have at least a quarter. Of these, requests that wait get at most half. With a limit of cells as well both hold.
    ///
    /// Has no effect without a clock. When a field, route or tile is available then depends on the machine's speed:
    /// keep the default where runs must repeat exactly.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for a negative number.
    pub fn set_update_seconds(&mut self, seconds: f64) -> Result<()> {
        in_range("seconds", seconds, 0.0, f64::INFINITY)?;
        self.tiling.scheduler.update_seconds = seconds;
        Ok(())
    }

    /// Whether costs of movement types, fields or portal graphs wait for their slices of work.
    #[must_use]
    pub fn has_slices_left(&self) -> bool {
        self.has_next_costs() || self.has_dependents_left()
    }

    /// Whether fields or portal graphs, which depend on costs, wait for their slices of work.
    fn has_dependents_left(&self) -> bool {
        self.next_first_field().is_some() || self.tiling.has_unfinished_graphs()
    }

    /// The cells of work beyond which something is done in slices; 0 if nothing is.
    pub(super) fn update_cells(&self) -> usize {
        match self.slices.cells {
            0 if self.has_limit_of_time() => MUCH,
            cells => cells,
        }
    }

    pub(super) fn has_limit_of_time(&self) -> bool {
        self.tiling.scheduler.update_seconds < f64::INFINITY && self.builder.clock.is_some()
    }

    /// Whether the map is too large for work on all of it in one update.
    pub(super) fn is_sliced(&self) -> bool {
        let cells = self.update_cells();
        cells > 0 && self.grid.cell_count() > cells
    }

    /// Continues the costs, graphs and fields that are being built, in an update that began at `begin`: before routes
    /// and tiles. Where time is limited they have half of it, and a slice in any case. Returns the cells of work that
    /// are left for [`Self::build_more_slices`].
    pub(super) fn build_slices(&mut self, begin: Option<f64>) -> usize {
        if !self.has_limit_of_time() {
            self.build_slice(self.slices.cells);
            return 0;
        }
        let mut left = match self.slices.cells {
            0 => usize::MAX,
            cells => cells,
        };
        let turn = left.min(TURN);
        let unused = self.build_slice(turn);
        left -= turn;
        if unused > 0 {
            return 0;
        }
        self.build_slices_until(begin, self.tiling.scheduler.update_seconds / 2.0, left)
    }

    /// Goes on in the time that routes and tiles have left, for so many cells.
    pub(super) fn build_more_slices(&mut self, begin: Option<f64>, left: usize) {
        self.build_slices_until(begin, self.tiling.scheduler.update_seconds, left);
    }

    /// Continues slice by slice as long as the next one will probably be done so many `seconds` after `begin`. Returns
    /// the cells of work that are left.
    fn build_slices_until(&mut self, begin: Option<f64>, seconds: f64, mut left: usize) -> usize {
        let mut passed = seconds_since(begin, self.builder.clock);
        let mut slice = 0.0;
        while left > 0 && passed + slice < seconds {
            let turn = left.min(TURN);
            if self.build_slice(turn) > 0 {
                return 0;
            }
            left -= turn;
            let now = seconds_since(begin, self.builder.clock);
            (slice, passed) = (now - passed, now);
        }
        left
    }

    /// Labels islands ahead of questions that would take long, in an update that began at `begin`. Nothing of the
    /// simulation depends on when that is: where the time of the update is over, most often in a later one.
    pub(super) fn label_islands(&mut self, begin: Option<f64>) {
        let passed = seconds_since(begin, self.builder.clock);
        let is_late = passed > self.tiling.scheduler.update_seconds / 2.0;
        if !self.is_sliced() || is_late && !self.tick().is_multiple_of(LABELLED_IF_LATE) {
            return;
        }
        let mut cells = LABELLED * self.update_cells();
        let mut retired = self.builder.scratch.retired.lock();
        for layer in &mut self.layers {
            let left = (&mut cells, &mut *retired);
            layer.islands.advance(&layer.costs, &layer.newest, left);
        }
    }

    /// Continues costs, graphs and fields for so many cells. Costs get half of the work while graphs or fields wait,
    /// and graphs half of the rest while fields do. After a large edit costs alone are written: the others would be
    /// made for costs that are out of date. Returns how many cells were not needed.
    fn build_slice(&mut self, all: usize) -> usize {
        let mut cells = all;
        let awaits_present_terrain = self.former.await_present_one();
        if self.has_next_costs() {
            let mut budget = match self.has_dependents_left() && !awaits_present_terrain {
                true => all.div_ceil(2),
                false => all,
            };
            cells -= budget;
            self.write_next_costs(&mut budget);
            cells += budget;
        }
        if awaits_present_terrain {
            return cells;
        }
        let for_graphs = match self.next_first_field() {
            Some(_) => cells.div_ceil(2),
            None => cells,
        };
        let mut budget = for_graphs;
        self.build_graphs(&mut budget);
        budget += cells - for_graphs;
        self.build_first_fields(&mut budget);
        budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::workers::Workers;
    use glam::{IVec2, Vec2};
    use std::time::{SystemTime, UNIX_EPOCH};

    /// Of a resolution that an update is longer than.
    fn clock() -> f64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0.0, |now| (now.as_nanos() % (1 << 50)) as f64 / 1e9)
    }

    /// A question of reachability would label the map at once otherwise.
    #[test]
    fn islands_are_labelled_although_no_update_has_time_for_them() {
        let grid = Grid::new(IVec2::splat(200), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_clock(clock);
        world.set_update_seconds(0.0).expect("in range");
        let mut updates = 0;
        while world.layers[0].islands.open().is_none() {
            world.update();
            updates += 1;
            assert!(updates < 20);
        }
        assert!(updates > 4, "most updates are spared: {updates}");
    }
}
