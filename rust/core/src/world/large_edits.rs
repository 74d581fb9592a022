//! Edits of terrain whose costs are too much work for one update.
//!
//! The costs in use stay those of the terrain before, whatever else is painted, until those of the present terrain are
//! complete for all movement types ([`super::next_costs`]). Links, crowds and overlays change the costs in use
//! meanwhile.

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
    }

    /// Prepares an edit of so many cells of terrain. If writing their costs and those of the other edits since the last
    /// update is too much work for one update, the costs in use stay as they are until the next ones are complete.
    pub(super) fn prepare_edit(&mut self, cells: usize) {
        if !self.writes_costs_in_slices() {
            return;
        }
        let cells = self.ahead.dirty.cell_count() + cells;
        let kinds = self.layers.iter().map(|layer| layer.newest_kind());
        let work: usize = kinds.map(|kind| work_at_once(kind, cells)).sum();
        if work <= self.update_cells() {
            return;
        }
        if self.former.is_none() {
            // The costs in use are to be those of the terrain so far.
            self.refresh_costs();
            self.former = Some(Arc::new(FormerTerrain {
                terrain: self.terrain.clone(),
                links: self.links.clone(),
                seams: Arc::clone(&self.seams),
            }));
        }
        for layer in &mut self.layers {
            let kind = layer.newest_kind().clone();
            let next = NextCosts::instead_of(layer.next.as_ref(), kind, &self.grid);
            self.builder.scratch.retire_next(layer.next.replace(next));
        }
    }

    /// What the costs in use follow from.
    pub(super) fn sources_in_use(&self) -> CostSources<'_> {
        let present = self.sources();
        match &self.former {
            None => present,
            Some(former) => CostSources {
                terrain: &former.terrain,
                seams: &former.seams,
                ..present
            },
        }
    }

    /// What costs follow from.
    pub(super) fn sources(&self) -> CostSources<'_> {
        CostSources {
            grid: &self.grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        }
    }

    /// The costs of the type that was set last on the present terrain: those in use, or what they will be after these.
    /// All edits must be applied to the costs in use.
    pub(super) fn newest_costs(&self, movement: usize) -> Arc<CostField> {
        let layer = &self.layers[movement];
        match &layer.next {
            None => Arc::clone(&layer.costs),
            Some(next) => Arc::new(self.sources().costs(movement, &next.kind)),
        }
    }
}
