//! A field as a snapshot holds it.

use crate::retired::Retired;
use crate::world::field::Field;
use crate::world::field_timeline::{Arrays, FieldTimeline, PastArrays};
use crate::world::walking::parts::Parts;
use crate::world::zones::zone::Zone;
use parking_lot::Mutex;
use std::sync::Arc;

/// A field at the moment of a snapshot. The arrays of the whole map are those of the slot, which changes them.
#[derive(Debug, Clone)]
pub(super) struct PastField {
    pub(super) arrays: Arc<PastArrays>,
    parts: Parts,
    zone: Option<Arc<Zone>>,
    apart: Option<Arc<Zone>>,
}

impl PastField {
    /// The present field of a slot.
    pub(super) fn of(field: &Field, timeline: &FieldTimeline) -> Self {
        Self {
            arrays: timeline.keep(field),
            parts: field.parts.clone(),
            zone: field.zone.clone(),
            apart: field.apart.clone(),
        }
    }

    /// The field again, with its timeline. Nothing else may hold it, as its arrays would be copied.
    pub(super) fn go_back(self, retired: &Mutex<Retired>) -> (FieldTimeline, Option<Field>) {
        let (timeline, arrays) = self.arrays.go_back(retired);
        let field = arrays.map(|Arrays { integration, flow }| Field {
            integration,
            flow,
            parts: self.parts,
            zone: self.zone,
            apart: self.apart,
        });
        (timeline, field)
    }
}
