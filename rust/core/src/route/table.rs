//! The costs to the goal from all cells of a sector in which routes begin. Only the first of many sources in the sector
//! needs a search.

use super::graph::in_units;
use super::sector_search::{NO_PATH, SectorSearch, Source};
use crate::bytes::{Saved as _, Writer, saved};

/// For each cell of a sector the least known cost to the goal, and the end that it leads to.
#[derive(Debug, Clone, Default)]
pub(super) struct SectorTable {
    /// The ends of the sector's routes when the table was made.
    ends: Vec<Source>,
    to_go: Vec<u64>,
    end: Vec<u16>,
    /// Costs up to this value are final.
    pub(super) proven: u64,
}

saved!(SectorTable {
    ends,
    to_go,
    end,
    proven,
});

impl SectorTable {
    /// Writes the table. The ends of cells without a route are of earlier searches and mean nothing.
    pub(super) fn write_known(&self, out: &mut Writer) {
        let mut known = self.clone();
        for (end, &to_go) in known.end.iter_mut().zip(&self.to_go) {
            if to_go == NO_PATH {
                *end = 0;
            }
        }
        known.write(out);
    }

    /// Returns true if it fits a sector of `cells` cells, and all its ends have costs for which `is_cost` holds and
    /// marks for which `is_mark` holds.
    pub(super) fn is_sound(
        &self,
        cells: usize,
        is_cost: impl Fn(u64) -> bool,
        is_mark: impl Fn(u16) -> bool,
    ) -> bool {
        let is_end =
            |end: &Source| usize::from(end.place) < cells && is_cost(end.cost) && is_mark(end.mark);
        let marks = self.to_go.iter().zip(&self.end);
        self.to_go.len() == cells
            && self.end.len() == cells
            && self.ends.iter().all(is_end)
            && marks
                .into_iter()
                .all(|(&to_go, &end)| to_go == NO_PATH || is_cost(to_go) && is_mark(end))
    }

    /// Makes the table for routes with these ends, in the sector that `search` has loaded.
    pub(super) fn new(ends: Vec<Source>, search: &mut SectorSearch) -> Self {
        search.spread(&mut ends.clone());
        Self {
            ends,
            to_go: search.to_go.clone(),
            end: search.mark.clone(),
            proven: 0,
        }
    }

    /// The table of a sector of `cells` cells from which no route is known.
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

    /// Returns true if the table was made for these ends.
    pub(super) fn is_of(&self, ends: &[Source]) -> bool {
        !self.to_go.is_empty() && self.ends == ends
    }

    /// The cost from a cell with an index in the sector; [`NO_PATH`] if no route is known.
    pub(super) fn to_go(&self, place: usize) -> u64 {
        self.to_go[place]
    }

    /// The mark of the end that the route from a cell leads to.
    pub(super) fn end(&self, place: usize) -> Option<u16> {
        (self.to_go[place] != NO_PATH).then(|| self.end[place])
    }

    /// The cost from a cell in cost units; `None` if no route is known.
    pub(super) fn units_to_go(&self, place: usize) -> Option<f64> {
        (self.to_go[place] != NO_PATH).then(|| in_units(self.to_go[place]))
    }

    /// Returns true if an end with this mark lies in the cell itself and its cost is the cell's cost.
    pub(super) fn ends_at(&self, place: usize, mark: u16) -> bool {
        let is_here = |end: &Source| {
            usize::from(end.place) == place && end.mark == mark && end.cost == self.to_go[place]
        };
        self.ends.iter().any(is_here)
    }
}
