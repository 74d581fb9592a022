//! What changes of a cost field mean for its cells.

use super::{Changes, CostField};
use crate::grid::CellRect;
use glam::IVec2;

impl Changes {
    /// Any cells of the map.
    pub(crate) fn anywhere(costs: &CostField) -> Self {
        Self::Regions(vec![costs.cells()])
    }

    /// Removes the cells that may have changed from a list of stored indices of `costs`.
    pub(crate) fn remove_from(&self, cells: &mut Vec<u32>, costs: &CostField) {
        match self {
            Self::Cells(changed) => cells.retain(|cell| changed.binary_search(cell).is_err()),
            Self::Regions(regions) => {
                let mut is_inside = vec![false; costs.cell_count()];
                for region in regions {
                    for y in region.low.y..region.high.y {
                        let [first, end] = [region.low.x, region.high.x];
                        let [first, end] = [first, end].map(|x| costs.index(IVec2::new(x, y)));
                        is_inside[first..end].fill(true);
                    }
                }
                cells.retain(|&cell| !is_inside[cell as usize]);
            }
        }
    }

    /// Whether nothing else has changed between costs `before` and `after`.
    pub(crate) fn hold_all_of(&self, before: &CostField, after: &CostField) -> bool {
        let mut unlike = after.cells_unlike(before);
        self.remove_from(&mut unlike, after);
        unlike.is_empty()
    }

    /// Whether these can be changes of `costs`.
    pub(crate) fn are_sound(&self, costs: &CostField) -> bool {
        match self {
            Self::Cells(cells) => {
                let is_inside = |&cell: &u32| {
                    let cell = cell as usize;
                    cell < costs.cell_count() && costs.contains(costs.cell(cell))
                };
                cells.iter().all(is_inside) && cells.is_sorted_by(|one, next| one < next)
            }
            Self::Regions(regions) => CellRect::are_apart(regions, costs.cells()),
        }
    }

    /// Several changes of `costs` as one.
    pub(crate) fn joined<'a>(
        all: impl Iterator<Item = &'a Self> + Clone,
        costs: &CostField,
    ) -> Self {
        if let Some(cells) = Self::all_listed(all.clone()) {
            return Self::Cells(cells.into_owned());
        }
        let mut regions = Vec::new();
        for changes in all {
            match changes {
                Self::Cells(cells) => regions.extend(rows_of(cells, costs)),
                Self::Regions(more) => regions.extend(more),
            }
        }
        Self::Regions(regions)
    }
}

/// Cells that are listed in order, as parts of rows.
fn rows_of<'a>(cells: &'a [u32], costs: &'a CostField) -> impl Iterator<Item = CellRect> + 'a {
    let runs = cells.chunk_by(|one, next| one + 1 == *next);
    runs.map(|run| {
        let (first, last) = (run[0], run[run.len() - 1]);
        let [first, last] = [first, last].map(|index| CellRect::cell(costs.cell(index as usize)));
        first.union(&last)
    })
}
