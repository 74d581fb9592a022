//! The place of a field.

use crate::world::field::Field;
use crate::world::goal_id::Ends;
use crate::world::version::Version;
use crate::world::walking::walk::Walk;
use std::sync::Arc;

/// The place of one goal's field for one movement type.
#[derive(Debug, Default)]
pub(super) struct FieldSlot {
    pub(super) field: Option<Arc<Field>>,
    /// What was last built or found impossible to build.
    pub(super) version: Option<Version>,
    /// Where that leads to.
    pub(super) ends: Option<Arc<Ends>>,
    /// How the goal is followed when it walks away from there.
    pub(super) walk: Walk,
    /// The number of the job whose result is to come here; what earlier jobs make is too late.
    pub(super) awaited: Option<u64>,
    /// Whether it has been required, and not only asked about: agents follow no other.
    pub(super) is_followed: bool,
    /// Whether a query had it solved for where the goal was then, and the simulation has not been there since.
    pub(super) is_ahead: bool,
}
