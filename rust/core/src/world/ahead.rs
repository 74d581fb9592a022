//! Edits that queries have applied to the costs before the simulation.

use crate::grid::CellRect;
use crate::world::dirty::DirtyCells;
use glam::IVec2;

/// The edits that queries have applied to the costs, and the simulation has not.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    pub(super) dirty: DirtyCells,
    /// Cells whose surcharge may have changed.
    pub(super) surcharged: Vec<IVec2>,
    pub(super) is_any: bool,
    /// The smallest rectangle around the terrain edits that no update has reported.
    pub(super) edited: Option<CellRect>,
}
