//! Labels of connected runs, row by row, in two passes (He, Chao, Suzuki, *A Run-Based Two-Scan Labeling Algorithm*,
//! 2008): the first gives each run that touches none above it a label, and joins the labels of runs that touch; the
//! second numbers the islands in the order of their first cells.

use super::rows::{NONE, Row, Rows, Run};
use crate::movement::CostField;
use crate::retired::Retired;
use std::sync::Arc;

/// The cells that belong to islands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cells {
    /// Those that can be entered.
    Open,
    /// All except walls, as if no clearance were needed.
    Floor,
}

/// Rows that are being labelled.
#[derive(Debug, Default)]
pub(crate) struct Labelling {
    /// The rows of the first pass.
    rows: Vec<Row>,
    /// How many of them the second pass has reached.
    numbered: usize,
    /// For each label of the first pass a label of the same island that is not greater.
    before: Vec<u32>,
    /// For each label of the first pass that is the least of its island, the island's number; none yet.
    numbers: Vec<u32>,
    /// The cells of each numbered island.
    sizes: Vec<u32>,
}

impl Labelling {
    /// Continues with `cells` of work, counted in cells of the map, which it reduces: at least a row, if there is any.
    /// Returns true if all rows are labelled.
    pub(crate) fn advance(&mut self, costs: &CostField, which: Cells, cells: &mut usize) -> bool {
        let rows = costs.cell_count() / costs.stride();
        while self.rows.len() < rows && *cells > 0 {
            *cells = cells.saturating_sub(costs.stride());
            self.join(Arc::new(runs_of(costs, which, self.rows.len())));
        }
        // Runs are few, and their labels are at hand.
        let pass = costs.stride().div_ceil(4);
        while self.rows.len() == rows && self.numbered < rows && *cells > 0 {
            *cells = cells.saturating_sub(pass);
            self.number_row();
        }
        self.numbered == rows
    }

    /// Labels rows of runs at once.
    pub(super) fn of(rows: Vec<Row>) -> Self {
        let mut labelling = Self::default();
        for row in rows {
            labelling.join(row);
        }
        while labelling.numbered < labelling.rows.len() {
            labelling.number_row();
        }
        labelling
    }

    /// Has the memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.rows);
        retired.add(self.before);
        retired.add(self.numbers);
    }

    /// The labelled runs, and the number of cells with each label.
    pub(super) fn finish(self) -> (Rows, Vec<u32>) {
        (Rows::new(self.rows), self.sizes)
    }

    /// The first pass over the next row.
    fn join(&mut self, mut row: Row) {
        let mut above = self.rows.last().map_or(&[][..], |row| row.as_slice());
        for run in Arc::make_mut(&mut row) {
            // Runs are in order, so those above this one follow those above the run before.
            let passed = above.iter().take_while(|upper| upper.end <= run.start);
            above = &above[passed.count()..];
            let touched = above.iter().take_while(|upper| upper.start < run.end);
            run.label = touched.fold(NONE, |label, upper| {
                let other = least(&mut self.before, upper.label);
                if label != NONE && label != other {
                    self.before[label.max(other) as usize] = label.min(other);
                }
                label.min(other)
            });
            if run.label == NONE {
                run.label = self.before.len() as u32;
                self.before.push(run.label);
                self.numbers.push(NONE);
            }
        }
        self.rows.push(row);
    }

    /// The second pass over the next row.
    fn number_row(&mut self) {
        for run in Arc::make_mut(&mut self.rows[self.numbered]) {
            let number = &mut self.numbers[least(&mut self.before, run.label) as usize];
            if *number == NONE {
                *number = self.sizes.len() as u32;
                self.sizes.push(0);
            }
            run.label = *number;
            self.sizes[*number as usize] += run.cells();
        }
        self.numbered += 1;
    }
}

/// The least label that is joined with `label`.
fn least(before: &mut [u32], mut label: u32) -> u32 {
    loop {
        let other = before[label as usize];
        if other == label {
            return label;
        }
        // Halves the way for later searches.
        before[label as usize] = before[other as usize];
        label = other;
    }
}

/// The runs of a stored row, without labels.
fn runs_of(costs: &CostField, which: Cells, row: usize) -> Vec<Run> {
    let mut runs = Vec::new();
    let add = |columns: std::ops::Range<usize>| {
        runs.push(Run {
            start: columns.start as u32,
            end: columns.end as u32,
            label: NONE,
        });
    };
    match which {
        Cells::Open => costs.for_each_open_in(row, add),
        Cells::Floor => costs.for_each_floor_in(row, add),
    }
    runs
}
