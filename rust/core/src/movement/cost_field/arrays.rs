//! Copies the costs of a whole map to the arrays that solvers read, in parts, so that no update has to copy them all.

use super::CostField;
use crate::retired::Retired;

/// Costs and legal steps in arrays, of as many rows as are copied.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    costs: Vec<u8>,
    steps: Vec<u8>,
}

impl CostField {
    /// Whether [`Self::costs`] and [`Self::steps`] take no time.
    pub(crate) fn has_arrays(&self) -> bool {
        self.cost.known_array().is_some() && self.steps.known_array().is_some()
    }

    /// [`Self::costs`], if that takes no time.
    pub(crate) fn known_costs(&self) -> Option<&[u8]> {
        self.cost.known_array()
    }

    /// Has the memory given back in parts of blocks that arrays replace, before an edit would do it at once.
    pub(crate) fn retire_blocks(&mut self, retired: &mut Retired) {
        let blocks = [self.cost.replaced_blocks(), self.steps.replaced_blocks()];
        for blocks in blocks.into_iter().flatten() {
            retired.add(blocks.into_blocks());
        }
    }

    /// Continues a copy to `end` stored rows. With the last one it becomes the arrays of this field.
    pub(crate) fn copy_to_arrays(&self, end: usize, copy: &mut Arrays) {
        if self.has_arrays() {
            return;
        }
        self.cost.copy_rows_to(end, &mut copy.costs);
        self.steps.copy_rows_to(end, &mut copy.steps);
        if end == self.height + 2 {
            self.give_arrays(std::mem::take(copy));
        }
    }

    /// Gives the arrays of former costs of the map to these, which differ from them in the cells `changed`, given by stored
    /// index.
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
