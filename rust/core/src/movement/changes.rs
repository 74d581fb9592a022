//! Which cells an update of a cost field changed.

/// Below this many cells the list is kept however small the map is.
const ALWAYS_LISTED: usize = 256;

/// The cells of a [`super::CostField`] whose cost or legal steps an update really changed, or whether they are walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// Their stored indices, ascending, each once; none where the costs stayed the same.
    Cells(Vec<u32>),
    /// An eighth of the map or so: whatever depends on the costs is better made anew.
    Many,
}

/// Collects [`Changes`] row by row.
#[derive(Debug)]
pub(super) struct Collector {
    cells: Vec<u32>,
    most: usize,
    many: bool,
}

impl Collector {
    /// For a map of so many cells.
    pub(super) fn new(cells: usize) -> Self {
        Self {
            cells: Vec::new(),
            most: ALWAYS_LISTED.max(cells / 8),
            many: false,
        }
    }

    /// Notes where `fresh` differs from `old`, a piece of a row that begins at stored index `from`.
    pub(super) fn compare<T: PartialEq>(&mut self, from: usize, old: &[T], fresh: &[T]) {
        if self.many {
            return;
        }
        let differing = old.iter().zip(fresh).enumerate();
        let differing = differing.filter(|(_, (old, fresh))| old != fresh);
        self.cells.extend(differing.map(|(x, _)| (from + x) as u32));
        if self.cells.len() > self.most {
            self.many = true;
            self.cells = Vec::new();
        }
    }

    /// What was found.
    pub(super) fn finish(mut self) -> Changes {
        if self.many {
            return Changes::Many;
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        Changes::Cells(self.cells)
    }
}
