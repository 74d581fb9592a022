//! The costs of a movement type as snapshots share them.
//!
//! Solvers read costs in arrays of a whole map, which edits change in place. A copy for snapshots would take 5 ms for
//! four million cells. So snapshots share the blocks of the costs alone, of which an edit copies a few.

use crate::movement::CostField;
use parking_lot::Mutex;
use std::sync::Arc;

/// The present costs without arrays, if a snapshot has asked for them. A clone has none.
#[derive(Debug, Default)]
pub(super) struct KeptCosts(Mutex<Option<Arc<CostField>>>);

impl Clone for KeptCosts {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KeptCosts {
    /// Those of a snapshot to which the world goes back.
    pub(super) fn of(costs: &Arc<CostField>) -> Self {
        Self(Mutex::new(Some(Arc::clone(costs))))
    }

    /// The present costs for a snapshot. Linear in the sectors of the map for the first one after an edit.
    pub(super) fn keep(&self, costs: &CostField) -> Arc<CostField> {
        let mut kept = self.0.lock();
        let kept = kept.get_or_insert_with(|| Arc::new(costs.without_arrays()));
        debug_assert!(kept.cells_unlike(costs).is_empty());
        Arc::clone(kept)
    }

    /// Lets go of the costs, as an edit follows.
    pub(super) fn forget(&mut self) {
        *self.0.get_mut() = None;
    }
}
