//! The layers of floors that have changed, while those around them stay.

use super::floor_map::{FloorMap, NONE, Replaced, SIDES};
use super::settings::StoreySettings;
use crate::error::{Result, in_range};
use crate::grid::CellRect;
use glam::IVec2;
use std::collections::VecDeque;

/// Sets the layers of the floors of `cells`. `before` are the columns that were there.
///
/// A floor near to a floor that was there before gets its layer. Other floors get the layer of the floors to which
/// steps lead from them, and surfaces without such floors get the lowest layer that is free.
///
/// # Errors
/// Floors that need more than `layers` layers.
pub(super) fn keep_layers(
    map: &mut FloorMap,
    cells: CellRect,
    before: &Replaced,
    layers: u32,
    settings: &StoreySettings,
) -> Result<()> {
    let mut pending = Pending {
        is_set: vec![false; cells.cell_count() * layers as usize],
        cells,
        layers,
        open: VecDeque::new(),
        unset: Vec::new(),
    };
    for cell in cells.cells() {
        pending.keep_column(map, cell, before, settings);
    }
    pending.seed_from_border(map);
    pending.spread(map, settings);
    while let Some((cell, floor)) = pending.unset.pop() {
        if map.floor(floor).layer != UNSET {
            continue;
        }
        let free = (0..layers).find(|&layer| !pending.is_taken(cell, layer));
        let needed = map.column(cell).len();
        let Some(layer) = free else {
            in_range("number of layers", needed, 1, layers as usize)?;
            continue;
        };
        pending.set(map, cell, floor, layer);
        pending.spread(map, settings);
    }
    Ok(())
}

const UNSET: u8 = u8::MAX;

struct Pending {
    cells: CellRect,
    layers: u32,
    /// Whether each cell has a floor on each layer.
    is_set: Vec<bool>,
    /// Floors whose layer may spread.
    open: VecDeque<(IVec2, u32)>,
    unset: Vec<(IVec2, u32)>,
}

impl Pending {
    fn index(&self, cell: IVec2, layer: u32) -> usize {
        let at = cell - self.cells.low;
        let width = self.cells.high.x - self.cells.low.x;
        (at.y * width + at.x) as usize * self.layers as usize + layer as usize
    }

    fn is_taken(&self, cell: IVec2, layer: u32) -> bool {
        self.is_set[self.index(cell, layer)]
    }

    fn set(&mut self, map: &mut FloorMap, cell: IVec2, floor: u32, layer: u32) {
        let index = self.index(cell, layer);
        self.is_set[index] = true;
        map.floors[floor as usize].layer = layer as u8;
        self.open.push_back((cell, floor));
    }

    /// Gives the floors of a column the layers of the nearest floors that were there.
    fn keep_column(
        &mut self,
        map: &mut FloorMap,
        cell: IVec2,
        before: &Replaced,
        settings: &StoreySettings,
    ) {
        for floor in map.column(cell) {
            map.floors[floor as usize].layer = UNSET;
            let height = map.floor(floor).height;
            let apart = |old: u32| (map.floor(old).height - height).abs();
            let near = before
                .column(cell)
                .filter(|&old| apart(old) <= settings.merged_height())
                .filter(|&old| !self.is_taken(cell, u32::from(map.floor(old).layer)))
                .min_by(|&a, &b| apart(a).total_cmp(&apart(b)));
            match near {
                Some(old) => self.set(map, cell, floor, u32::from(map.floor(old).layer)),
                None => self.unset.push((cell, floor)),
            }
        }
    }

    /// Adds the floors beside the cells, whose layers stay.
    fn seed_from_border(&mut self, map: &FloorMap) {
        for cell in self.cells.grown(1).cells() {
            if !self.cells.contains(cell) {
                self.open
                    .extend(map.column(cell).map(|floor| (cell, floor)));
            }
        }
    }

    fn spread(&mut self, map: &mut FloorMap, settings: &StoreySettings) {
        while let Some((cell, floor)) = self.open.pop_front() {
            let layer = u32::from(map.floor(floor).layer);
            for (side, &step) in SIDES.iter().enumerate() {
                let beside = cell + step;
                if !self.cells.contains(beside) || self.is_taken(beside, layer) {
                    continue;
                }
                let next = map.step(floor, cell, side, settings);
                if next != NONE && map.floor(next).layer == UNSET {
                    self.set(map, beside, next, layer);
                }
            }
        }
    }
}
