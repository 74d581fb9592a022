//! Updates costs after changes of terrain, crowds and cost overlays.
//!
//! The simulation does this at fixed points of a tick: in an update, and when agents request routes. A query between
//! two such points must see all edits too, but which sectors an edit invalidates depends on how edits are grouped. So a
//! query works ahead: its edits of the costs are recorded separately, and at its next point the simulation takes them
//! back and applies all edits at once, as if there had been no query.

use crate::grid::CellRect;
use crate::grid::seams::Seams;
use crate::movement::{Excerpt, MovementType};
use crate::world::FlowWorld;
use crate::world::ahead::Ahead;
use crate::world::dirty::DirtyCells;
use crate::world::movement_layer::{EditBy, Refresh};
use glam::IVec2;
use std::borrow::Cow;

impl FlowWorld {
    /// Updates the costs for the simulation.
    pub(super) fn refresh_costs(&mut self) {
        let edited = self.ahead.edited.take();
        let fresh = if self.ahead.is_any {
            let fresh = self.apply_edits(Refresh::Query);
            self.settle();
            fresh
        } else {
            self.apply_edits(self.simulation())
        };
        let news = &mut self.builder.news;
        news.terrain = around_all([news.terrain, edited, fresh]);
    }

    /// Updates the costs and portal graphs for a step of agents.
    pub(crate) fn refresh_for_agents(&mut self) {
        self.refresh_costs();
        self.sync_graphs();
    }

    /// Updates the costs for a query, without effect on the simulation.
    pub(super) fn refresh_for_query(&mut self) {
        // Without tiled goals and work in slices no result depends on how edits are grouped.
        let is_grouping_free = self.tiling.is_unused() && !self.is_sliced();
        let fresh = if is_grouping_free && !self.ahead.is_any {
            self.apply_edits(Refresh::Untiled)
        } else {
            self.apply_edits(Refresh::Query)
        };
        self.ahead.edited = around_all([self.ahead.edited, fresh]);
    }

    /// The way in which the simulation applies edits.
    pub(super) fn simulation(&self) -> Refresh {
        if self.tiling.is_unused() {
            Refresh::Untiled
        } else {
            Refresh::Simulation
        }
    }

    /// Whether the costs contain edits that only queries have applied.
    pub(super) fn is_ahead(&self) -> bool {
        self.ahead.is_any
    }

    /// Returns the smallest rectangle around all terrain edits.
    fn apply_edits(&mut self, refresh: Refresh) -> Option<CellRect> {
        let mut surcharged = self.surcharges.take_changed();
        let around = self.dirty.around();
        if surcharged.is_empty() && around.is_none() {
            self.surcharges.recycle(surcharged);
            return None;
        }
        self.builder.news.surcharges |= !surcharged.is_empty();
        let dirty = std::mem::take(&mut self.dirty);
        if refresh == Refresh::Query {
            self.ahead.is_any = true;
            self.ahead.surcharged.extend(&surcharged);
        } else {
            self.ahead.dirty = DirtyCells::default();
        }
        self.edit_layers(refresh, &mut surcharged, &dirty);
        self.surcharges.recycle(surcharged);
        around
    }

    /// Applies in one edit what queries applied in several.
    fn settle(&mut self) {
        let Ahead {
            dirty,
            mut surcharged,
            ..
        } = std::mem::take(&mut self.ahead);
        for layer in &mut self.layers {
            layer.undo();
        }
        self.edit_layers(Refresh::Settle, &mut surcharged, &dirty);
    }

    fn edit_layers(&mut self, refresh: Refresh, surcharged: &mut Vec<IVec2>, dirty: &DirtyCells) {
        let levels = self.surcharges.crowding.levels_of(surcharged);
        let regions = dirty.regions();
        let keeps_past = self.is_sliced();
        for (movement, layer) in self.layers.iter_mut().enumerate() {
            // Nothing reads the next costs, so queries need not edit them.
            if refresh != Refresh::Query
                && let Some(next) = &mut layer.next
            {
                let surcharges = self.surcharges.of(&levels, movement, &next.kind);
                let regions = match &self.former.in_work {
                    None => spread(&self.seams, &regions, &next.kind),
                    Some(_) => Cow::default(),
                };
                next.edit(&self.terrain, &regions, &surcharges);
            }
            let surcharges = self.surcharges.of(&levels, movement, &layer.kind);
            if layer.costs.is_changed_by(&surcharges) {
                let by = EditBy {
                    refresh,
                    keeps_past,
                    last_revision: &mut self.last_revision,
                };
                layer.edit_costs(
                    by,
                    |costs, _| Excerpt::before_surcharges(costs, &surcharges),
                    |costs, _| costs.lay_surcharges(&surcharges),
                );
            }
            // The costs in use stay those of the terrain before a large edit.
            if regions.is_empty() || self.former.in_use.is_some() {
                continue;
            }
            let regions = spread(&self.seams, &regions, &layer.kind);
            let by = EditBy {
                refresh,
                keeps_past,
                last_revision: &mut self.last_revision,
            };
            layer.edit_costs(
                by,
                |costs, kind| Excerpt::before_update(costs, kind, &regions),
                |costs, kind| costs.update(&self.terrain, kind, &regions),
            );
        }
    }
}

/// The regions, and those to which clearance continues over seams, on the layers of their other ends.
pub(super) fn spread<'a>(
    seams: &Seams,
    regions: &'a [CellRect],
    kind: &MovementType,
) -> Cow<'a, [CellRect]> {
    if seams.is_empty() || regions.is_empty() {
        return Cow::Borrowed(regions);
    }
    let reach = Seams::reach(kind.clearance().reach());
    Cow::Owned(seams.spread(regions, reach))
}

/// The smallest rectangle around all given ones.
fn around_all<const COUNT: usize>(rects: [Option<CellRect>; COUNT]) -> Option<CellRect> {
    let rects = rects.into_iter().flatten();
    rects.reduce(|one, other| one.union(&other))
}
