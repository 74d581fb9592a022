//! Costs to the goal from all cells of a sector that routes begin in, so that only the first of many
//! sources there has to search.

use super::graph::in_units;
use super::sector_search::{NO_PATH, SectorSearch, Source};

/// For each cell of a sector the least known cost and where it leads.
#[derive(Debug, Clone, Default)]
pub(super) struct SectorTable {
    /// Where the sector's routes ended when the table was made.
    ends: Vec<Source>,
    to_go: Vec<u64>,
    end: Vec<u16>,
    /// Costs up to this are final.
    pub(super) proven: u64,
}

impl SectorTable {
    /// The table for routes that end in these places of the sector that `search` has loaded.
    pub(super) fn new(ends: Vec<Source>, search: &mut SectorSearch) -> Self {
        search.spread(&mut ends.clone());
        Self {
            ends,
            to_go: search.to_go.clone(),
            end: search.mark.clone(),
            proven: 0,
        }
    }

    /// The table of a sector of so many cells from which no way is known.
    pub(super) fn unreached(cells: usize) -> Self {
        Self {
            ends: Vec::new(),
            to_go: vec![NO_PATH; cells],
            end: vec![0; cells],
            proven: 0,
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.ends.as_slice())
            + size_of_val(self.to_go.as_slice())
            + size_of_val(self.end.as_slice())
    }

    /// Whether it is that of these ends.
    pub(super) fn is_of(&self, ends: &[Source]) -> bool {
        !self.to_go.is_empty() && self.ends == ends
    }

    /// The cost from a place, [`NO_PATH`] if no route is known.
    pub(super) fn to_go(&self, place: usize) -> u64 {
        self.to_go[place]
    }

    /// The mark of the end that the route from a place leads to.
    pub(super) fn end(&self, place: usize) -> Option<u16> {
        (self.to_go[place] != NO_PATH).then(|| self.end[place])
    }

    /// The cost from a place in cost units; `None` if no route is known.
    pub(super) fn units_to_go(&self, place: usize) -> Option<f64> {
        (self.to_go[place] != NO_PATH).then(|| in_units(self.to_go[place]))
    }

    /// Whether the route from a place that has this mark ends in that very place.
    pub(super) fn ends_at(&self, place: usize, mark: u16) -> bool {
        let is_here = |end: &Source| {
            usize::from(end.place) == place && end.mark == mark && end.cost == self.to_go[place]
        };
        self.ends.iter().any(is_here)
    }
}
