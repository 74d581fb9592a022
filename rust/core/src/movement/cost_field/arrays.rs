//! Copies the costs of a whole map to the arrays that solvers read, in parts, so that no update has to copy them all.

use super::super::BLOCKED;
use super::CostField;
use super::cell_values::CellValues;
use crate::retired::Retired;
use std::sync::Arc;

/// Costs and legal steps in arrays, of as many rows as are copied.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    costs: Vec<u8>,
    steps: Vec<u8>,
}

impl Arrays {
    /// Has the memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.costs);
        retired.add(self.steps);
    }
}

impl CostField {
    /// Whether [`Self::costs`] and [`Self::steps`] take no time.
    pub(crate) fn has_arrays(&self) -> bool {
        self.cost.known_array().is_some() && self.steps.known_array().is_some()
    }

    /// The stored costs of row `y` of the grid and of those above and below it. While there is no array of all costs,
    /// they are copied to `copies`.
    pub(crate) fn rows_around<'a>(
        &'a self,
        y: usize,
        copies: &'a mut [Vec<u8>; 3],
    ) -> [&'a [u8]; 3] {
        let stride = self.stride;
        if let Some(all) = self.cost.known_array() {
            return [0, 1, 2].map(|by| &all[(y + by) * stride..][..stride]);
        }
        for (by, copy) in copies.iter_mut().enumerate() {
            copy.resize(stride, BLOCKED);
            self.cost.copy_row((y + by) * stride, copy);
        }
        copies.each_ref().map(Vec::as_slice)
    }

    /// The same costs without arrays, in blocks that both share.
    pub(crate) fn without_arrays(&self) -> Self {
        Self {
            cost: self.cost.without_array(),
            steps: self.steps.without_array(),
            walls: self.walls.without_array(),
            ..self.clone_without_values()
        }
    }

    /// Takes the arrays of other costs of the map, and corrects them where the two share no blocks.
    pub(crate) fn inherit_unlike_arrays(&self, mut other: Self, retired: &mut Retired) {
        self.cost.inherit_array(&mut other.cost);
        self.steps.inherit_array(&mut other.steps);
        other.retire(retired);
    }

    /// Continues a copy to `end` stored rows.
    pub(crate) fn copy_to_arrays(&self, end: usize, copy: &mut Arrays) {
        let all = self.cell_count();
        self.cost
            .copy_rows_to(end * self.stride, all, &mut copy.costs);
        self.steps
            .copy_rows_to(end * self.stride, all, &mut copy.steps);
    }

    /// Brings a copy of some rows up to date in the cells `changed`, given by stored index.
    pub(crate) fn correct_arrays(&self, changed: &[u32], copy: &mut Arrays) {
        let copied = changed.partition_point(|&index| (index as usize) < copy.costs.len());
        for &index in &changed[..copied] {
            let index = index as usize;
            copy.costs[index] = self.cost.get(index);
            copy.steps[index] = self.steps.get(index);
        }
    }

    /// These costs in a complete copy of them. Edits of these do not have to copy it.
    pub(crate) fn in_arrays(&self, copy: Arrays) -> Self {
        debug_assert_eq!(copy.costs.len(), self.cell_count());
        Self {
            cost: CellValues::Flat(copy.costs),
            steps: CellValues::Flat(copy.steps),
            walls: self.walls.clone(),
            ..self.clone_without_values()
        }
    }

    /// A copy but for costs, steps and walls.
    fn clone_without_values(&self) -> Self {
        Self {
            cost: CellValues::none(),
            steps: CellValues::none(),
            walls: CellValues::none(),
            surcharged: self.surcharged.clone(),
            layers: self.layers,
            links: Arc::clone(&self.links),
            seams: Arc::clone(&self.seams),
            continued: Arc::clone(&self.continued),
            ..*self
        }
    }

    /// Gives the arrays of former costs of the map to these, which differ from them in the cells `changed`, given by
    /// stored index.
    pub(crate) fn inherit_arrays(&self, former: Self, changed: &[u32]) {
        let (Some(costs), Some(steps)) = (former.cost.into_array(), former.steps.into_array())
        else {
            return;
        };
        let mut arrays = Arrays { costs, steps };
        for &index in changed {
            let index = index as usize;
            arrays.costs[index] = self.cost.get(index);
            arrays.steps[index] = self.steps.get(index);
        }
        self.give_arrays(arrays);
    }

    fn give_arrays(&self, arrays: Arrays) {
        self.cost.give_array(arrays.costs);
        self.steps.give_array(arrays.steps);
    }
}
