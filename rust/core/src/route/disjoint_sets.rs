//! Disjoint sets, by which portals are parted that no path joins.

/// Disjoint sets of portals: for each portal another one of its set, or itself for the root.
#[derive(Default)]
pub(super) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds an element as a set of its own.
    pub(super) fn push(&mut self) {
        self.0.push(self.0.len() as u32);
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] as usize != at {
            let next = self.0[self.0[at] as usize];
            self.0[at] = next;
            at = next as usize;
        }
        at
    }

    /// The lower number becomes the root.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other) as u32;
    }

    /// The number of sets, and the set of each portal. Sets are numbered in the order of their first portals.
    pub(super) fn numbered(mut self) -> (u32, Vec<u32>) {
        let mut count = 0;
        let mut numbers = vec![0; self.0.len()];
        for at in 0..self.0.len() {
            let root = self.root(at);
            numbers[at] = if root == at {
                count += 1;
                count - 1
            } else {
                numbers[root]
            };
        }
        (count, numbers)
    }
}
