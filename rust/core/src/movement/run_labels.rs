//! Labels of connected cells by runs: sequences of open cells side by side in a row (He, Chao, Suzuki, *A Run-Based
//! Two-Scan Labeling Algorithm*, 2008).

use std::ops::Range;

/// The runs of a map, each joined with those that it touches in the row before.
#[derive(Debug)]
pub(super) struct Runs {
    /// The distance of a cell from the one below it.
    stride: u32,
    runs: Vec<Run>,
    /// The first run that may touch the next one from above.
    above: usize,
}

#[derive(Debug)]
struct Run {
    start: u32,
    end: u32,
    /// A run of the same part that is not after this one; the first run of the part if it is this one.
    before: u32,
}

impl Runs {
    /// No runs yet, on a map of rows of `stride` cells.
    pub(super) fn new(stride: usize) -> Self {
        Self {
            stride: stride as u32,
            runs: Vec::new(),
            above: 0,
        }
    }

    /// The runs of the cells below `count` that are open. The last cell of each row must be closed.
    pub(super) fn where_open(stride: usize, count: usize, is_open: impl Fn(usize) -> bool) -> Self {
        let mut runs = Self::new(stride);
        let mut start = 0;
        while start < count {
            let mut end = start;
            while end < count && is_open(end) {
                end += 1;
            }
            if end > start {
                runs.push(start..end);
            }
            start = end + 1;
        }
        runs
    }

    /// Adds the next run of cells.
    pub(super) fn push(&mut self, cells: Range<usize>) {
        let (start, end) = (cells.start as u32, cells.end as u32);
        let own = self.runs.len();
        self.runs.push(Run {
            start,
            end,
            before: own as u32,
        });
        // Runs are in order, so those above this one follow those above the run before.
        while self.runs[self.above].end + self.stride <= start {
            self.above += 1;
        }
        let mut above = self.above;
        while above < own && self.runs[above].start + self.stride < end {
            self.join(above as u32, own as u32);
            above += 1;
        }
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.first_of(one), self.first_of(other));
        self.runs[one.max(other) as usize].before = one.min(other);
    }

    /// The first run of the part of a run.
    fn first_of(&mut self, mut run: u32) -> u32 {
        loop {
            let before = self.runs[run as usize].before;
            if before == run {
                return run;
            }
            // Halves the way for later searches.
            self.runs[run as usize].before = self.runs[before as usize].before;
            run = before;
        }
    }

    /// The cells and the label of each run, in order, and the number of cells with each label. Parts are labelled from
    /// 0 in the order of their first cells.
    pub(super) fn labelled(self) -> (impl Iterator<Item = (Range<usize>, u32)>, Vec<u32>) {
        let mut sizes: Vec<u32> = Vec::new();
        let mut labels: Vec<u32> = Vec::with_capacity(self.runs.len());
        for (own, run) in self.runs.iter().enumerate() {
            let is_first = run.before as usize == own;
            if is_first {
                labels.push(sizes.len() as u32);
                sizes.push(0);
            } else {
                labels.push(labels[run.before as usize]);
            }
            sizes[labels[own] as usize] += run.end - run.start;
        }
        let cells = |run: Run| run.start as usize..run.end as usize;
        let runs = self.runs.into_iter().map(cells);
        (runs.zip(labels), sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Labels by a flood from each cell without one, in order.
    fn flooded(stride: usize, is_open: &[bool]) -> (Vec<Option<u32>>, Vec<u32>) {
        let mut labels = vec![None; is_open.len()];
        let mut sizes = Vec::new();
        for start in 0..is_open.len() {
            if !is_open[start] || labels[start].is_some() {
                continue;
            }
            let own = sizes.len() as u32;
            let mut reached = vec![start];
            labels[start] = Some(own);
            let mut next = 0;
            while next < reached.len() {
                let at = reached[next];
                next += 1;
                for to in [at - 1, at + 1, at - stride, at + stride] {
                    if is_open[to] && labels[to].is_none() {
                        labels[to] = Some(own);
                        reached.push(to);
                    }
                }
            }
            sizes.push(reached.len() as u32);
        }
        (labels, sizes)
    }

    proptest! {
        #[test]
        fn runs_are_labelled_as_floods_label_cells(
            width in 1_usize..40,
            height in 1_usize..40,
            seed in prop::collection::vec(any::<u8>(), 1600),
            most_open in 40_u8..230,
        ) {
            let stride = width + 2;
            let is_open: Vec<bool> = (0..stride * (height + 2))
                .map(|index| {
                    let (x, y) = (index % stride, index / stride);
                    (1..=width).contains(&x)
                        && (1..=height).contains(&y)
                        && seed[(y - 1) * width + x - 1] < most_open
                })
                .collect();
            let runs = Runs::where_open(stride, is_open.len(), |index| is_open[index]);
            let (runs, sizes) = runs.labelled();
            let mut labels = vec![None; is_open.len()];
            for (cells, label) in runs {
                labels[cells].fill(Some(label));
            }
            prop_assert_eq!((labels, sizes), flooded(stride, &is_open));
        }
    }
}
