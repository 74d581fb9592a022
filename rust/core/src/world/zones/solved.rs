//! A solved zone with the inputs from which it was made.

use crate::grid::Grid;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::zones::area::standing_cell;
use crate::world::zones::ground::GroundMap;
use crate::world::zones::zone::Zone;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The inputs of a zone, besides the kind of its goal.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZoneKey {
    pub(super) version: Version,
    pub(super) cell_size: f32,
    /// The cells of the targets, ascending, each once.
    pub(super) starts: Vec<IVec2>,
}

/// A solved zone, or the fact that it could not be solved.
#[derive(Debug)]
pub(in crate::world) struct SolvedZone {
    pub(super) key: ZoneKey,
    pub(super) zone: Option<Arc<Zone>>,
    /// Which cells are open, as of the revision of the costs.
    pub(super) ground: Arc<GroundMap>,
}

impl ZoneKey {
    pub(super) fn new(
        version: Version,
        grid: &Grid,
        layer: &MovementLayer,
        targets: &[Vec2],
    ) -> Self {
        let cells = targets.iter();
        let cells = cells.filter_map(|&target| standing_cell(&layer.costs, target));
        let mut starts: Vec<IVec2> = cells.collect();
        starts.sort_unstable_by_key(|cell| (cell.y, cell.x));
        starts.dedup();
        Self {
            version,
            cell_size: grid.cell_size(),
            starts,
        }
    }
}
