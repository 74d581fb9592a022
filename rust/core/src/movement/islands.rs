//! Connected areas of open ground (Emerson, Game AI Pro, 23.14).

use super::{BLOCKED, CostField};
use glam::IVec2;

/// A label per cell: two open cells have the same one exactly if a path joins them.
///
/// A diagonal step needs both cells beside it open, so whatever is joined at
/// all is joined by straight steps, and four neighbours suffice.
#[derive(Debug, Clone)]
pub struct Islands {
    stride: usize,
    label: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Labels all open cells of `costs`. Linear in the cells.
    #[must_use]
    pub fn new(costs: &CostField) -> Self {
        Self::where_open(costs, |index| costs.costs()[index] != BLOCKED)
    }

    /// Labels all cells of `costs` but walls, as if no agent needed clearance.
    #[must_use]
    pub fn of_ground(costs: &CostField) -> Self {
        Self::where_open(costs, |index| !costs.is_wall_at(index))
    }

    fn where_open(costs: &CostField, is_open: impl Fn(usize) -> bool) -> Self {
        let stride = costs.stride();
        let mut label = vec![NONE; costs.costs().len()];
        let mut pending = Vec::new();
        let mut next = 0;
        for start in 0..label.len() {
            if !is_open(start) || label[start] != NONE {
                continue;
            }
            label[start] = next;
            pending.push(start);
            while let Some(index) = pending.pop() {
                for neighbour in [index - 1, index + 1, index - stride, index + stride] {
                    if is_open(neighbour) && label[neighbour] == NONE {
                        label[neighbour] = next;
                        pending.push(neighbour);
                    }
                }
            }
            next += 1;
        }
        Self { stride, label }
    }

    /// Whether a path joins two cells of the grid. A wall is joined to nothing.
    #[must_use]
    pub fn connected(&self, from: IVec2, to: IVec2) -> bool {
        let label =
            |cell: IVec2| self.label[(cell.y + 1) as usize * self.stride + (cell.x + 1) as usize];
        label(from) != NONE && label(from) == label(to)
    }
}
