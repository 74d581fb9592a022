//! Cuts the rows of buckets into bands for the solver.

use crate::swarm::avoidance::contact::band::{Band, LEAST_AGENTS, ROOM, clear_for};
use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::neighbours::buckets::Buckets;

const MOST_ROWS: usize = 8;

impl Contacts {
    /// Cuts the rows of buckets into bands. The cut depends only on the agents' positions, never on threads.
    pub(super) fn cut_bands(&mut self, buckets: &Buckets) {
        let rows = buckets.row_count();
        let mut count = 0;
        let mut row = 0;
        while row < rows {
            let first = buckets.row_start(row);
            let mut end_row = row + 1;
            while end_row < rows
                && end_row - row < MOST_ROWS
                && buckets.row_start(end_row) - first < LEAST_AGENTS
            {
                end_row += 1;
            }
            let end = buckets.row_start(end_row);
            if end > first {
                if count == self.bands.len() {
                    self.add_bands();
                }
                let band = &mut self.bands[count];
                (band.first, band.end) = (first, end);
                count += 1;
            }
            row = end_row;
        }
        self.band_count = count;
    }

    /// Adds several bands with allocated lists at once, as a crowd that spreads needs one more band from time to time.
    fn add_bands(&mut self) {
        let more = 4 + self.bands.len() / 8;
        self.bands.extend((0..more).map(|_| {
            let mut band = Band::default();
            clear_for(&mut band.pairs, ROOM, 0);
            clear_for(&mut band.near_walls, 1, 0);
            band
        }));
    }
}
