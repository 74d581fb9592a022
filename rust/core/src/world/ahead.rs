//! Edits that the simulation has not applied to the costs, and those of them that queries have applied.

use crate::grid::CellRect;
use crate::world::dirty::DirtyCells;
use glam::IVec2;

/// The edits that the simulation has not applied to the costs.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    /// The edited cells, whether or not queries have applied their edits.
    pub(super) dirty: DirtyCells,
    /// Cells whose surcharge may have changed, as far as queries have applied it.
    pub(super) surcharged: Vec<IVec2>,
    /// Whether queries have applied any edits.
    pub(super) is_any: bool,
    /// The smallest rectangle around the terrain edits that no update has reported.
    pub(super) edited: Option<CellRect>,
}
