//! What is added to the costs of cells: crowds, as swarms report them, and the cost overlays of a game.
//!
//! Both are laid over the costs in one layer, cell by cell.

use crate::grid::{CellRect, Grid};
use crate::movement::{MovementType, OverlayId, Surcharge};
use crate::world::crowd_reports::Crowding;
use crate::world::overlays::Overlays;
use glam::IVec2;

/// The sources of surcharges.
#[derive(Debug, Clone, Default)]
pub(super) struct Surcharges {
    pub(super) crowding: Crowding,
    pub(super) overlays: Overlays,
}

impl Surcharges {
    /// The cells whose surcharge may have changed since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<IVec2> {
        let mut cells = self.crowding.take_changed();
        for region in self.overlays.take_changed() {
            cells.extend(cells_of(region));
        }
        cells
    }

    /// Takes back memory that [`Self::take_changed`] has handed out.
    pub(super) fn recycle(&mut self, memory: Vec<IVec2>) {
        self.crowding.recycle(memory);
    }

    /// The surcharges of cells with these crowd levels for a movement type.
    pub(super) fn of(
        &self,
        levels: &[(IVec2, u8)],
        movement: usize,
        kind: &MovementType,
    ) -> Vec<(IVec2, Surcharge)> {
        let penalty = kind.crowd_penalty();
        let of = |&(cell, level): &(IVec2, u8)| {
            let surcharge = Surcharge {
                crowd: penalty.surcharge(level),
                overlays: self.overlays.cost_at(cell, movement),
            };
            (cell, surcharge)
        };
        levels.iter().map(of).collect()
    }

    /// The cells of some whole rows that may have a surcharge.
    pub(super) fn cells_in_rows(&self, rows: CellRect) -> Vec<IVec2> {
        let numbers = rows.low.y..rows.high.y;
        let mut cells = self.crowding.cells_of(numbers.clone());
        cells.retain(|cell| numbers.contains(&cell.y));
        for region in self.overlays.regions_of(rows) {
            cells.extend(cells_of(region));
        }
        cells
    }

    /// All surcharges of a movement type in some whole rows.
    pub(super) fn in_rows(
        &self,
        rows: CellRect,
        movement: usize,
        kind: &MovementType,
    ) -> Vec<(IVec2, Surcharge)> {
        let mut cells = self.cells_in_rows(rows);
        let levels = self.crowding.levels_of(&mut cells);
        self.of(&levels, movement, kind)
    }

    /// A copy for a snapshot.
    pub(super) fn kept(&self) -> Self {
        Self {
            crowding: self.crowding.kept(),
            overlays: self.overlays.clone(),
        }
    }

    /// Moves to a new grid: crowds are reported anew, and overlays keep their positions. Returns the overlays that are
    /// removed because they cover no cell of it.
    pub(super) fn lay_out(&mut self, before: &Grid, grid: &Grid) -> Vec<OverlayId> {
        self.crowding = Crowding::default();
        self.overlays.lay_out(before, grid)
    }
}

fn cells_of(rect: CellRect) -> impl Iterator<Item = IVec2> {
    let columns = rect.low.x..rect.high.x;
    (rect.low.y..rect.high.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
}
