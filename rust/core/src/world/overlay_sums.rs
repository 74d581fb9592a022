//! The sums of all cost overlays in each cell.
//!
//! Overlays are added up as they come and go, so that the cost of a cell does not depend on how many lie over it. Sums
//! are of integers: when the last overlay has gone, nothing is left.

use crate::grid::CellRect;
use crate::movement::{Footprint, faded};
use glam::IVec2;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Edge length of a block in cells.
const EDGE: i32 = 32;

/// The sums of the overlays that concern the same movement types, by row and column of the block.
type Blocks = BTreeMap<(i32, i32), Block>;

#[derive(Debug, Clone)]
struct Block {
    /// How many overlays reach into it.
    overlays: usize,
    sums: Arc<[u32; (EDGE * EDGE) as usize]>,
}

/// Sums by movement types, with a bit for each.
#[derive(Debug, Clone, Default)]
pub(super) struct OverlaySums(BTreeMap<u64, Blocks>);

impl OverlaySums {
    /// Replaces an overlay with `before` steps of fading left by the same one with `after` left. With 0 left it is not
    /// there. Linear in the cells of the footprint's rectangle.
    pub(super) fn change(
        &mut self,
        movement_types: u64,
        footprint: &Footprint,
        (before, after): (u8, u8),
    ) {
        let blocks = self.0.entry(movement_types).or_default();
        let rect = footprint.rect;
        let last = (rect.high - 1) / EDGE;
        for row in rect.low.y / EDGE..=last.y {
            for column in rect.low.x / EDGE..=last.x {
                let block = blocks.entry((row, column)).or_insert_with(|| Block {
                    overlays: 0,
                    sums: Arc::new([0; (EDGE * EDGE) as usize]),
                });
                block.overlays += usize::from(before == 0);
                block.overlays -= usize::from(after == 0);
                if block.overlays == 0 {
                    blocks.remove(&(row, column));
                    continue;
                }
                let corner = IVec2::new(column, row) * EDGE;
                block.change(corner, footprint, (before, after));
            }
        }
        if blocks.is_empty() {
            self.0.remove(&movement_types);
        }
    }

    /// The blocks that hold all cells of some rows under overlays. Some may come more than once.
    pub(super) fn blocks_of(&self, rows: Range<i32>) -> impl Iterator<Item = CellRect> {
        let (first, last) = (rows.start / EDGE, (rows.end - 1) / EDGE);
        let within = (first, i32::MIN)..=(last, i32::MAX);
        let blocks = self.0.values();
        let keys = blocks.flat_map(move |blocks| blocks.range(within.clone()));
        keys.map(|(&(row, column), _)| {
            let low = IVec2::new(column, row) * EDGE;
            CellRect {
                low,
                high: low + EDGE,
            }
        })
    }

    /// What all overlays together add to the cost of a cell for a movement type, up to 255.
    pub(super) fn at(&self, cell: IVec2, movement: usize) -> u8 {
        let block = cell / EDGE;
        let concern = |types: &u64| types >> movement & 1 == 1;
        let blocks = self.0.iter().filter(|(types, _)| concern(types));
        let sums = blocks.filter_map(|(_, blocks)| {
            let found = blocks.get(&(block.y, block.x))?;
            Some(found.sums[place(cell - block * EDGE)])
        });
        let sum = sums.fold(0, u32::saturating_add);
        u8::try_from(sum).unwrap_or(u8::MAX)
    }
}

impl Block {
    fn change(&mut self, corner: IVec2, footprint: &Footprint, (before, after): (u8, u8)) {
        let area = CellRect {
            low: corner,
            high: corner + EDGE,
        };
        let part = footprint.rect.intersection(&area);
        let sums = Arc::make_mut(&mut self.sums);
        for y in part.low.y..part.high.y {
            for cell in (part.low.x..part.high.x).map(|x| IVec2::new(x, y)) {
                let cost = footprint.cost_at(cell);
                let sum = &mut sums[place(cell - corner)];
                // With more than 16 million overlays over one cell a sum would wrap, and come back as they go.
                *sum = sum
                    .wrapping_add(u32::from(faded(cost, after)))
                    .wrapping_sub(u32::from(faded(cost, before)));
            }
        }
    }
}

fn place(within: IVec2) -> usize {
    (within.y * EDGE + within.x) as usize
}
