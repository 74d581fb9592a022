//! Edits of terrain whose costs are too much work for one update.
//!
//! The costs in use stay those of the terrain before, whatever else is painted, until those of the present terrain are
//! complete for all movement types ([`super::next_costs`]). If another large edit follows meanwhile, they become those
//! of the terrain between the two first. Links, crowds and overlays change the costs in use meanwhile.

use crate::grid::CellRect;
use crate::movement::CostField;
use crate::world::FlowWorld;
use crate::world::former_terrain::FormerTerrain;
use crate::world::next_costs::{CostSources, NextCosts, work_at_once};
use std::sync::Arc;

impl FlowWorld {
    /// Notes that the terrain of a rectangle has changed.
    pub(super) fn mark_edit(&mut self, rect: CellRect) {
        self.dirty.mark(rect);
        self.ahead.dirty.mark(rect);
        self.former.mark_edit(rect);
    }

    /// Prepares an edit of so many cells of terrain. If writing their costs and those of the other edits since the last
    /// update is too much work for one update, the costs in use stay as they are until the next ones are complete.
    pub(super) fn prepare_edit(&mut self, cells: usize) {
        // The terrain of the costs in work is kept already.
        let is_ready = self.former.in_work.is_some();
        if is_ready || !self.writes_costs_in_slices() || !self.is_large_edit(cells) {
            return;
        }
        let mut next = self.layers.iter().filter_map(|layer| layer.next.as_ref());
        let are_begun = next.any(NextCosts::are_begun);
        if are_begun || self.former.in_use.is_none() {
            // The costs in use and in work are to be those of the terrain so far.
            self.refresh_costs();
            let (terrain, links) = (self.terrain.clone(), self.links.clone());
            let seams = Arc::clone(&self.seams);
            let so_far = Arc::new(FormerTerrain::new(terrain, links, seams));
            self.former.in_work = are_begun.then(|| Arc::clone(&so_far));
            self.former.in_use.get_or_insert(so_far);
        }
        if !are_begun {
            self.begin_newest_costs();
        }
    }

    /// Whether the costs of so many cells, with the other edits since the last update, are too much work for one.
    fn is_large_edit(&self, cells: usize) -> bool {
        let cells = self.ahead.dirty.cell_count() + cells;
        let kinds = self.layers.iter().map(|layer| &layer.newest_kind);
        let work: usize = kinds.map(|kind| work_at_once(kind, cells)).sum();
        work > self.update_cells()
    }

    /// What the costs in use follow from.
    pub(super) fn sources_in_use(&self) -> CostSources<'_> {
        self.sources().on(self.former.in_use.as_deref())
    }

    /// What the costs follow from that are being written.
    pub(super) fn sources_in_work(&self) -> CostSources<'_> {
        self.sources().on(self.former.in_work.as_deref())
    }

    /// What costs follow from.
    fn sources(&self) -> CostSources<'_> {
        CostSources {
            grid: &self.grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        }
    }

    /// Whether the costs in use are those of the type that was set last on the present terrain.
    pub(super) fn has_newest_costs(&self, movement: usize) -> bool {
        self.former.in_use.is_none() && self.layers[movement].next.is_none()
    }

    /// The costs of the type that was set last on the present terrain: those in use, or what they will be.
    /// All edits must be applied to the costs in use.
    pub(super) fn newest_costs(&self, movement: usize) -> Arc<CostField> {
        let layer = &self.layers[movement];
        match self.has_newest_costs(movement) {
            true => Arc::clone(&layer.costs),
            false => Arc::new(self.sources().costs(movement, &layer.newest_kind)),
        }
    }
}
