//! The edits that a slot of a tiled goal lacks. Most slots of a movement type lack the same ones, so they are found
//! once for all of them ([`super::syncing`]).

use crate::movement::Changes;

/// What slots lack that are up to date with the same revisions.
#[derive(Debug)]
pub(super) struct SlotEdits {
    /// The revisions of the costs and the graph that the slots have, and those that they lack. No two movement types
    /// have the same.
    pub(super) made_for: Option<([u64; 2], [u64; 2])>,
    /// The changes of the costs.
    pub(super) changes: Changes,
    /// The sectors whose part of the graph has changed or, where the graph lacks edits, will change.
    pub(super) sectors: Vec<u32>,
    pub(super) has_new_graph: bool,
}

impl Default for SlotEdits {
    fn default() -> Self {
        Self {
            made_for: None,
            changes: Changes::Cells(Vec::new()),
            sectors: Vec::new(),
            has_new_graph: false,
        }
    }
}
