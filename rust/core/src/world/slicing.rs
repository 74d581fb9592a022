//! Sets the limit of the work of an update, and shares it between portal graphs and fields.

use crate::world::FlowWorld;

impl FlowWorld {
    /// Sets the number of cells of work that an update does on whole fields of goals and on the portal graphs of movement
    /// types, all together, on maps with more cells. With 0, the default, an update does all of it at once.
    ///
    /// Fields are built one after the other, in the order in which they were required. Until the first field of a goal is
    /// there, its status is [`QueryStatus::Pending`](crate::world::QueryStatus::Pending); requests for routes wait for
    /// the first graph. Agents go straight on meanwhile, and stop before walls. A field takes about seven sixths of the open
    /// cells. With a background fields are built there instead.
    ///
    /// After an edit fields are repaired at once as far as the limit allows. After a larger edit, or a change of movement
    /// types, the field and the graph before stay in use until the next ones are there; tiles follow the costs at once.
    /// Queries of a goal that agents follow read what agents follow meanwhile.
    ///
    /// Other work does not count: writing costs, islands, and repairs of fields of goals that walk.
    pub fn set_update_cells(&mut self, cells: usize) {
        self.slices.cells = cells;
    }

    /// Whether fields or portal graphs wait for their slices of work.
    #[must_use]
    pub fn has_slices_left(&self) -> bool {
        self.next_first_field().is_some() || self.tiling.has_unfinished_graphs()
    }

    /// Whether the map is too large for work on all of it in one update.
    pub(super) fn is_sliced(&self) -> bool {
        self.slices.cells > 0 && self.grid.cell_count() > self.slices.cells
    }

    /// Continues the graphs and first fields that are being built. Graphs get half of the work while fields wait.
    pub(super) fn build_slices(&mut self) {
        let cells = self.slices.cells;
        let for_graphs = match self.next_first_field() {
            Some(_) => cells.div_ceil(2),
            None => cells,
        };
        let mut budget = for_graphs;
        self.build_graphs(&mut budget);
        budget += cells - for_graphs;
        self.build_first_fields(&mut budget);
    }
}
