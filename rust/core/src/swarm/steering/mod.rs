//! What makes an agent want to move, and what stops it.

pub(super) mod inertia;
pub(super) mod orca;
pub(super) mod separation;
pub(super) mod settling;
pub(super) mod walls;
