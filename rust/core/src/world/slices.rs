//! The limit of the work that an update does on the fields of goals and on portal graphs.
//!
//! The work is counted in cells and not in time, so runs repeat exactly. What is not finished goes on in the next
//! update: `next_costs` has costs of changed movement types and after large edits (`large_edits`), `first_fields` has
//! first fields and those for changed movement types, `tiled/graph_builds` has portal graphs, `slicing` shares the work
//! of an update between them.

use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::GoalId;
use crate::world::walking::far_build::Far;

/// The field that is being built.
#[derive(Debug, Clone)]
pub(super) struct FirstField {
    pub(super) goal: GoalId,
    pub(super) movement: usize,
    /// The turn of the slot for which it is.
    pub(super) turn: u64,
    pub(super) build: Far,
}

/// The work that is done in slices.
#[derive(Debug, Clone, Default)]
pub(super) struct Slices {
    /// See [`FlowWorld::set_update_cells`](crate::world::FlowWorld::set_update_cells).
    pub(super) cells: usize,
    /// The last turn that was given to a slot whose field waits.
    pub(super) last_turn: u64,
    /// The field that is being built. The others wait for their turns.
    pub(super) first_field: Option<FirstField>,
}

impl Slices {
    /// Goes on with the work of the field that was being built before a rollback to this copy, if it is the same one.
    /// `edited` is as for [`Far::recognize`].
    pub(super) fn recognize(
        &mut self,
        known: Self,
        edited: Option<(&CostField, &[u32])>,
        scratch: &Scratch,
    ) {
        let Some(known) = known.first_field else {
            return;
        };
        let is_same = |first: &&mut FirstField| {
            (first.goal, first.movement, first.turn) == (known.goal, known.movement, known.turn)
        };
        match self.first_field.as_mut().filter(is_same) {
            Some(first) => first.build.recognize(known.build, edited, scratch),
            None => known.build.retire(scratch),
        }
    }
}
