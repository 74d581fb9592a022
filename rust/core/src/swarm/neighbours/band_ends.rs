//! The ends of bands, for sorts that first sort pieces of the agents into bands.

/// The end of each band, as a number of agents, after the pieces' shares of the bands are joined.
#[derive(Debug, Default)]
pub(in crate::swarm) struct BandEnds(Vec<u32>);

impl BandEnds {
    /// Adds up pieces, each of which gives the ends of its bands relative to its own start.
    pub(in crate::swarm) fn join<'a>(
        &mut self,
        bands: usize,
        pieces: impl Iterator<Item = &'a [u16]>,
    ) {
        self.0.clear();
        self.0.resize(bands, 0);
        for ends in pieces {
            let mut start = 0;
            for (total, &end) in self.0.iter_mut().zip(ends) {
                *total += u32::from(end - start);
                start = end;
            }
        }
        let mut end = 0;
        for total in &mut self.0 {
            end += *total;
            *total = end;
        }
    }

    pub(in crate::swarm) fn start_of(&self, band: usize) -> usize {
        if band == 0 { 0 } else { self.end_of(band - 1) }
    }

    pub(in crate::swarm) fn end_of(&self, band: usize) -> usize {
        self.0[band] as usize
    }
}
