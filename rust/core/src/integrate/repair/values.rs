//! The values of a field while it is repaired.

use crate::integrate::candidate::Candidate;
use crate::integrate::root::Root;

/// The values of cells, read-only.
#[derive(Debug, Clone, Copy)]
pub(in crate::integrate) struct Stored<'a> {
    pub(in crate::integrate) cost: &'a [u32],
    /// The roots; empty for rules without roots.
    pub(in crate::integrate) roots: &'a [Root],
}

/// The values of a field under repair.
pub(in crate::integrate) struct Values<'a> {
    pub(super) cost: &'a mut [u32],
    pub(super) roots: &'a mut [Root],
}

impl Values<'_> {
    #[inline]
    pub(in crate::integrate) fn stored(&self) -> Stored<'_> {
        Stored {
            cost: self.cost,
            roots: self.roots,
        }
    }

    #[inline]
    pub(in crate::integrate) fn root(&self, index: usize) -> Option<Root> {
        self.roots.get(index).copied()
    }

    /// All costs and all roots.
    #[inline]
    pub(in crate::integrate) fn slices(&self) -> (&[u32], &[Root]) {
        (self.cost, self.roots)
    }

    #[inline]
    pub(in crate::integrate) fn get(&self, index: usize) -> Candidate {
        Candidate {
            cost: self.cost[index],
            root: self.roots.get(index).copied().unwrap_or(Root::HERE),
        }
    }

    #[inline]
    pub(in crate::integrate) fn set(&mut self, index: usize, candidate: Candidate) {
        self.cost[index] = candidate.cost;
        if let Some(root) = self.roots.get_mut(index) {
            *root = candidate.root;
        }
    }
}

/// A field under repair, with the record of its changes.
pub(in crate::integrate) struct Sweep<'a, 'b> {
    pub(in crate::integrate) values: &'a mut Values<'b>,
    pub(in crate::integrate) undo: &'a mut Vec<(u32, Candidate)>,
    /// Cells that may be inconsistent after the sweep.
    pub(in crate::integrate) suspects: &'a mut Vec<u32>,
    pub(in crate::integrate) evaluated: &'a mut usize,
    pub(in crate::integrate) limit: usize,
    pub(in crate::integrate) highest: &'a mut u32,
}
