//! What makes an agent want to move, and what stops it.

pub(super) mod giving_way;
pub(super) mod inertia;
pub(super) mod orca;
mod pairs;
pub(super) mod separation;
pub(super) mod settling;
pub(super) mod walls;
