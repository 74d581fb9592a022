//! Open cells as runs: sequences of cells side by side in a row, with a label each.

use std::ops::Range;
use std::sync::Arc;

/// The label of no island.
pub(super) const NONE: u32 = u32::MAX;

/// Cells side by side, by their stored columns. Another run of the row touches neither end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) label: u32,
}

impl Run {
    /// The number of cells.
    pub(super) fn cells(self) -> u32 {
        self.end - self.start
    }
}

/// A run: its stored row, and its number there.
pub(super) type Place = (usize, usize);

/// The runs of a row, ascending.
pub(super) type Row = Arc<Vec<Run>>;

/// The runs of all stored rows. The first and the last row have none, and no run reaches the first or last column.
///
/// Copies share their rows until one is edited.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The number of runs.
    count: usize,
}

impl Rows {
    pub(super) fn new(rows: Vec<Row>) -> Self {
        let count = rows.iter().map(|row| row.len()).sum();
        Self { rows, count }
    }

    pub(super) fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// The number of runs.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Visits the memory that copies may share, row by row, each with its address and bytes.
    pub(super) fn each_part(&self, mut visit: impl FnMut(usize, usize)) {
        for row in &self.rows {
            visit(Arc::as_ptr(row) as usize, size_of_val(row.as_slice()));
        }
    }

    pub(super) fn run(&self, (row, place): Place) -> Run {
        self.rows[row][place]
    }

    /// The run with the cell in a stored column and row.
    #[inline]
    pub(super) fn at(&self, (x, y): (u32, usize)) -> Option<Place> {
        let row = &self.rows[y];
        let place = row.partition_point(|run| run.end <= x);
        let is_inside = row.get(place).is_some_and(|run| run.start <= x);
        is_inside.then_some((y, place))
    }

    pub(super) fn set_label(&mut self, (row, place): Place, label: u32) {
        Arc::make_mut(&mut self.rows[row])[place].label = label;
    }

    /// The runs with the cells left, right, above and below of a cell.
    pub(super) fn beside(&self, (x, y): (u32, usize)) -> [Option<Place>; 4] {
        [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].map(|cell| self.at(cell))
    }

    /// The runs above and below a run that have cells beside its own: two rows, and the numbers there.
    pub(super) fn touching(&self, place: Place) -> [(usize, Range<usize>); 2] {
        let run = self.run(place);
        [place.0 - 1, place.0 + 1].map(|y| {
            let row = &self.rows[y];
            let first = row.partition_point(|other| other.end <= run.start);
            let reached = row[first..]
                .iter()
                .take_while(|other| other.start < run.end);
            (y, first..first + reached.count())
        })
    }

    /// The groups of open straight neighbours of a cell that are joined among the eight cells around it: a run of each
    /// group.
    pub(super) fn sides(&self, (x, y): (u32, usize)) -> Vec<Place> {
        // The cells around, in order; the straight neighbours are at even numbers.
        let ring = [
            (x + 1, y),
            (x + 1, y + 1),
            (x, y + 1),
            (x - 1, y + 1),
            (x - 1, y),
            (x - 1, y - 1),
            (x, y - 1),
            (x + 1, y - 1),
        ]
        .map(|cell| self.at(cell));
        // The last cell of a group in this order represents it.
        let last = [0, 2, 4, 6]
            .into_iter()
            .filter(|&at| ring[at + 1].is_none() || ring[(at + 2) % 8].is_none());
        last.filter_map(|at| ring[at]).collect()
    }

    /// Opens a closed cell: it, and the runs that it touches in its row, become one run with a label.
    pub(super) fn open(&mut self, (x, y): (u32, usize), label: u32) {
        let row = Arc::make_mut(&mut self.rows[y]);
        let first = row.partition_point(|run| run.end < x);
        let touched = row[first..].iter().take_while(|run| run.start <= x + 1);
        let places = first..first + touched.count();
        let joined = Run {
            start: row[places.clone()]
                .first()
                .map_or(x, |run| run.start.min(x)),
            end: row[places.clone()]
                .last()
                .map_or(x + 1, |run| run.end.max(x + 1)),
            label,
        };
        self.count += 1;
        self.count -= places.len();
        row.splice(places, [joined]);
    }

    /// Closes a cell of a run, which is cut in up to two.
    pub(super) fn close(&mut self, x: u32, (y, place): Place) {
        let row = Arc::make_mut(&mut self.rows[y]);
        let run = row[place];
        let parts = [
            Run { end: x, ..run },
            Run {
                start: x + 1,
                ..run
            },
        ];
        let parts = parts.into_iter().filter(|part| part.start < part.end);
        row.splice(place..=place, parts.clone());
        self.count += parts.count();
        self.count -= 1;
    }
}
