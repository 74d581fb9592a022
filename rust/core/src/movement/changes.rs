//! The cells that an update of a cost field changed.

/// Up to this many cells are listed for a map of any size.
const ALWAYS_LISTED: usize = 256;

/// The cells of a [`super::CostField`] of which an update changed the cost, with surcharges or without, the legal
/// steps, or whether they are walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// The cells' stored indices, ascending, each once; empty if nothing changed.
    Cells(Vec<u32>),
    /// About an eighth of the map or more: fields that depend on the costs are better built anew.
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
    /// A collector for a map of `cells` cells.
    pub(super) fn new(cells: usize) -> Self {
        Self {
            cells: Vec::new(),
            most: ALWAYS_LISTED.max(cells / 8),
            many: false,
        }
    }

    /// A collector for a field that nothing depends on.
    pub(super) fn of_nothing() -> Self {
        Self {
            cells: Vec::new(),
            most: 0,
            many: true,
        }
    }

    /// Adds the cells in which `fresh` differs from `old`, for a piece of a row that begins at stored index `from`.
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

    /// The changes that were found.
    pub(super) fn finish(mut self) -> Changes {
        if self.many {
            return Changes::Many;
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        Changes::Cells(self.cells)
    }
}
