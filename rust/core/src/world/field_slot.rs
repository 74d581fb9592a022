//! The slot of a field in its goal.

use crate::flow::OverwrittenDirections;
use crate::movement::CostField;
use crate::retired::Retired;
use crate::world::builder::Scratch;
use crate::world::field::Field;
use crate::world::field_timeline::{FieldTimeline, Overwritten};
use crate::world::goal_id::Destination;
use crate::world::past_field::PastField;
use crate::world::version::Version;
use crate::world::walking::walk::Walk;
use crate::world::zones::solved::SolvedZone;
use parking_lot::Mutex;
use std::sync::Arc;

/// The slot of one goal's field for one movement type.
#[derive(Debug, Clone, Default)]
pub(super) struct FieldSlot {
    pub(super) field: Option<Arc<Field>>,
    /// What leads back from the field to those of snapshots.
    pub(super) timeline: FieldTimeline,
    /// The field, in the slots of snapshots.
    pub(super) past: Option<PastField>,
    /// The version that was last built, or found impossible to build.
    pub(super) version: Option<Version>,
    /// The goal cells and targets of that version.
    pub(super) destination: Option<Arc<Destination>>,
    /// The state of following the goal when it walks.
    pub(super) walk: Walk,
    /// The zone around the targets, for the kinds that have one.
    pub(super) zone: Option<SolvedZone>,
    /// The number of the awaited job. Results of earlier jobs are dropped.
    pub(super) awaited: Option<u64>,
    /// Whether the field was required, and not only queried. Agents follow only required fields.
    pub(super) is_followed: bool,
    /// Whether a field that was loaded led anywhere on the costs before edits that it lacked. Until it is updated the
    /// simulation goes by that.
    pub(super) led: Option<bool>,
    /// The turn in which its first field, or the next one, is built in slices, while that waits.
    pub(super) turn: Option<u64>,
    /// The field that queries read, and its version, where they see edits that agents do not follow yet.
    pub(super) previewed: Option<(Version, Arc<Field>)>,
    /// Whether a query solved it for a position of the goal that the simulation has not processed.
    pub(super) is_ahead: bool,
    /// Whether it is a copy that a query brings up to date.
    pub(super) is_preview: bool,
}

impl FieldSlot {
    /// Keeps or gives back the memory of a slot that is no longer needed.
    pub(super) fn retire(mut self, scratch: &Scratch) {
        self.walk.stop(scratch);
        if let Some(field) = self.field.filter(|field| !field.has_zone_alone()) {
            scratch.keep(field);
        }
    }

    /// Moves the targets of a whole field within their cells if nothing else has changed since it was built, and makes
    /// it one of this version. Returns whether it did.
    pub(super) fn move_targets(
        &mut self,
        costs: &CostField,
        (version, tick): (Version, u64),
        destination: &Arc<Destination>,
        scratch: &Scratch,
    ) -> bool {
        let is_made_as = |old: Version| old.is_made_as(version);
        let has_cells = |old: &Arc<Destination>| old.cells == destination.cells;
        if !self.version.is_some_and(is_made_as)
            || !self.destination.as_ref().is_some_and(has_cells)
        {
            return false;
        }
        let Some(field) = self.field.as_mut().filter(|field| field.is_whole()) else {
            return false;
        };
        let is_kept = self.timeline.let_go(field);
        let field = Arc::make_mut(field);
        let overwritten = is_kept.then(|| Overwritten {
            costs: None,
            directions: OverwrittenDirections::by_targets(&field.flow),
        });
        let flow = Arc::make_mut(&mut field.flow);
        flow.move_targets(costs, &field.integration, &destination.targets);
        if is_kept {
            self.timeline.go_on(field, overwritten, &scratch.retired);
        }
        self.awaited = None;
        self.version = Some(version);
        self.destination = Some(Arc::clone(destination));
        self.walk.leave_from_here(tick);
        true
    }

    /// Has a copy of this slot hold its field as snapshots do.
    pub(super) fn keep_field(&self, copy: &mut Self) {
        copy.previewed = None;
        copy.field = None;
        if let Some(field) = &self.field {
            copy.past = Some(PastField::of(field, &self.timeline));
        }
    }

    /// Has this copy of a snapshot's slot use the field again, in the place of the slot `known`.
    pub(super) fn take_field_back(&mut self, known: Option<&mut Self>, retired: &Mutex<Retired>) {
        let Some(past) = self.past.take() else {
            return;
        };
        if let Some(known) = known {
            (known.field, known.previewed) = (None, None);
        }
        let (timeline, field) = past.go_back(retired);
        self.timeline = timeline;
        self.field = field.map(Arc::new);
    }

    /// Whether only the simulation changes the field, because it may be built in slices.
    pub(super) fn is_left_alone(&self, is_sliced: bool) -> bool {
        is_sliced && self.is_followed && !self.is_preview
    }
}
