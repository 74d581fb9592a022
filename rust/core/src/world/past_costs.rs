//! What edits have overwritten in the costs of a movement type, for fields and graphs that stay in use while those for
//! the present costs are built in slices.
//!
//! Only edits of the simulation are kept, so nothing here depends on queries. A state of the costs is known by its age:
//! the number of edits since. A save holds ages, because revisions depend on queries.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::links::Links;
use crate::movement::{CellDifference, CostField};
use std::collections::{BTreeMap, VecDeque};
use std::mem::replace;
use std::sync::Arc;

/// How the costs were before an edit.
#[derive(Debug, Clone)]
pub(super) enum Before {
    /// The cells that it changed, as they were.
    Cells(Vec<CellDifference>),
    /// All costs, before a change of a large part of the map or of the movement type.
    Whole(Arc<CostField>),
    Links(Arc<Links>),
}

#[derive(Debug)]
struct Edit {
    /// The revision of the costs after it.
    to: u64,
    /// The stored indices of the cells that it changed, ascending; `None` if they are not listed.
    cells: Option<Vec<u32>>,
    before: Before,
}

/// The edits of a movement type's costs that something in use does not have yet, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct PastCosts {
    /// The least revision from which on all edits are known.
    since: u64,
    edits: VecDeque<Arc<Edit>>,
}

impl PastCosts {
    /// No edits since a revision.
    pub(super) fn since(revision: u64) -> Self {
        Self {
            since: revision,
            edits: VecDeque::new(),
        }
    }

    /// Records an edit that led to revision `to`, with the cells that it changed if they are listed.
    pub(super) fn record(&mut self, to: u64, cells: Option<Vec<u32>>, before: Before) {
        let edit = Edit { to, cells, before };
        self.edits.push_back(Arc::new(edit));
    }

    /// Forgets the edits that costs of a revision have. Returns the whole costs that nothing else has kept.
    pub(super) fn forget_before(&mut self, revision: u64) -> Vec<Arc<CostField>> {
        let mut whole = Vec::new();
        while let Some(edit) = self.edits.pop_front_if(|edit| edit.to <= revision) {
            self.since = edit.to;
            if let Some(Before::Whole(costs)) = Arc::into_inner(edit).map(|edit| edit.before) {
                whole.push(costs);
            }
        }
        whole
    }

    /// The number of edits that costs of a revision lack; `None` if that is not known.
    pub(super) fn age(&self, revision: u64) -> Option<usize> {
        let known = self.edits.partition_point(|edit| edit.to <= revision);
        (revision >= self.since).then(|| self.edits.len() - known)
    }

    /// A revision of the costs of some age.
    fn revision(&self, age: usize) -> Option<u64> {
        match self.edits.len().checked_sub(age)? {
            0 => Some(self.since),
            known => Some(self.edits[known - 1].to),
        }
    }

    /// The stored indices of the cells that edits have changed since a revision, ascending, each once; `None` if they
    /// are not known, or too many.
    pub(super) fn changed_since(&self, revision: u64) -> Option<Vec<u32>> {
        let age = self.age(revision)?;
        let mut all = Vec::new();
        for edit in self.edits.range(self.edits.len() - age..) {
            all.extend_from_slice(edit.cells.as_ref()?);
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// The costs of a revision, given the present ones; `None` if they are not known, or make no sense.
    pub(super) fn costs_at(
        &self,
        revision: u64,
        present: &Arc<CostField>,
    ) -> Option<Arc<CostField>> {
        let mut costs = Arc::clone(present);
        let (mut cells, mut links) = (BTreeMap::new(), None);
        let age = self.age(revision)?;
        for edit in self.edits.range(self.edits.len() - age..).rev() {
            match &edit.before {
                Before::Cells(before) => cells.extend(before.iter().map(|&it| (it.place(), it))),
                Before::Links(before) => links = Some(before),
                Before::Whole(before) => {
                    cells.clear();
                    (costs, links) = (Arc::clone(before), None);
                }
            }
        }
        if !cells.is_empty() {
            let cells: Vec<CellDifference> = cells.into_values().collect();
            if !Arc::make_mut(&mut costs).put_differences(&cells) {
                return None;
            }
        }
        if let Some(links) = links {
            Arc::make_mut(&mut costs).set_links(Arc::clone(links));
        }
        Some(costs)
    }

    /// Writes the edits, for a save with the present costs.
    pub(super) fn write(&self, present: &CostField, out: &mut Writer) {
        out.u32(self.edits.len() as u32);
        for edit in &self.edits {
            edit.cells.write(out);
            match &edit.before {
                Before::Cells(before) => {
                    out.u8(0);
                    before.write(out);
                }
                Before::Whole(before) => {
                    out.u8(1);
                    before.write_from(present, out);
                }
                Before::Links(before) => {
                    out.u8(2);
                    before.write(out);
                }
            }
        }
    }

    /// Reads what [`Self::write`] has written. The edits have the revisions after `last`, which it raises.
    pub(super) fn read(
        input: &mut Unpacker<'_>,
        present: &CostField,
        last: &mut u64,
    ) -> Result<Self> {
        *last += 1;
        let mut past = Self::since(*last);
        let is_place =
            |index: usize| index < present.cell_count() && present.contains(present.cell(index));
        for _ in 0..input.u32()? {
            let cells = Option::<Vec<u32>>::read(input)?;
            if let Some(cells) = &cells {
                let are_places = cells.iter().all(|&cell| is_place(cell as usize));
                if !are_places || !cells.is_sorted_by(|one, next| one < next) {
                    return Err(input.bad("it has edits outside the grid"));
                }
            }
            let before = match input.u8()? {
                0 => {
                    let before: Vec<CellDifference> = Vec::read(input)?;
                    if !before.iter().all(CellDifference::is_sound) {
                        return Err(input.bad("it has an edit of costs that make no sense"));
                    }
                    Before::Cells(before)
                }
                1 => Before::Whole(Arc::new(present.clone().read_into(input)?)),
                2 => Before::Links(Arc::new(Links::read(input, is_place)?)),
                _ => return Err(input.bad("it has an edit of an unknown kind")),
            };
            *last += 1;
            past.record(*last, cells, before);
        }
        if past.tells_what_changed(present) {
            Ok(past)
        } else {
            Err(input.bad("it has edits that changed other cells"))
        }
    }

    /// Whether the cells of each edit are those that it has overwritten, given the present costs.
    fn tells_what_changed(&self, present: &CostField) -> bool {
        let mut links: &Links = present.shared_links();
        self.edits
            .iter()
            .rev()
            .all(|edit| match (&edit.cells, &edit.before) {
                (Some(cells), Before::Cells(before)) => before
                    .iter()
                    .map(CellDifference::place)
                    .eq(cells.iter().copied()),
                (Some(cells), Before::Links(before)) => {
                    before.changes(replace(&mut links, before)) == *cells
                }
                (None, Before::Whole(before)) => {
                    links = before.shared_links();
                    true
                }
                _ => false,
            })
    }

    /// Reads the age of costs that [`Self::write_age`] has written, as a revision; `old` if it is not known.
    pub(super) fn read_age(
        &self,
        input: &mut Unpacker<'_>,
        (present, old): (u64, u64),
    ) -> Result<u64> {
        let age = match input.u32()? {
            0 => return Ok(old),
            1 => return Ok(present),
            number => self.revision(number as usize - 1),
        };
        age.ok_or_else(|| input.bad("it has a field on unknown costs"))
    }

    /// Writes how old the costs of a revision are.
    pub(super) fn write_age(&self, revision: u64, present: u64, out: &mut Writer) {
        let age = match self.age(revision) {
            _ if revision >= present => Some(0),
            Some(age) if age > 0 => Some(age),
            _ => None,
        };
        out.u32(age.map_or(0, |age| age as u32 + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Reader, pack};
    use crate::grid::links::Link;
    use crate::grid::travel::Travel;
    use crate::grid::{CellRect, Grid};
    use crate::movement::MovementType;
    use crate::terrain::Terrain;
    use glam::{IVec2, Vec2};

    /// Costs after some edits of each kind, which are kept.
    fn edited() -> (Arc<CostField>, PastCosts) {
        let grid = Grid::new(IVec2::splat(8), 1.0, Vec2::ZERO).expect("valid");
        let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
        let mut costs = Arc::new(CostField::new(&grid, &terrain, &kind));
        let mut past = PastCosts::since(1);
        for step in 0..9_i32 {
            let to = 2 + step as u64;
            let at = IVec2::new(step % 4, 3);
            let before = Arc::clone(&costs);
            if step % 3 == 0 {
                let link = Link {
                    from: at,
                    to: IVec2::new(7, step % 5),
                    cost: 2.0,
                    both_ways: true,
                    travel: Travel::Walk,
                };
                let links = Arc::new(Links::new([link].iter(), costs.stride()));
                let changes = Arc::make_mut(&mut costs).set_links(links);
                past.record(
                    to,
                    changes.into_listed(),
                    Before::Links(Arc::clone(before.shared_links())),
                );
                continue;
            }
            terrain.set(at, 9 + step as u8).expect("inside");
            let changes = Arc::make_mut(&mut costs).update(&terrain, &kind, &[CellRect::cell(at)]);
            let (cells, before) = match step {
                4 => (None, Before::Whole(before)),
                _ => {
                    let before = before.differences(&costs);
                    (changes.into_listed(), Before::Cells(before))
                }
            };
            past.record(to, cells, before);
        }
        (costs, past)
    }

    fn accepts(past: &PastCosts, present: &CostField) -> bool {
        let (mut out, mut packed) = (Writer::default(), Writer::default());
        past.write(present, &mut out);
        pack(&out.bytes, &mut packed);
        let mut input = Unpacker::new(Reader::new("edits", &packed.bytes));
        PastCosts::read(&mut input, present, &mut 0).is_ok()
    }

    /// A repair of a field starts from the cells that edits have changed.
    #[test]
    fn edits_tell_all_cells_that_they_have_overwritten() {
        let (costs, past) = edited();
        assert!(accepts(&past, &costs));
        for place in 0..past.edits.len() {
            let Some(cells) = &past.edits[place].cells else {
                continue;
            };
            let altered = |cells: &[u32]| {
                let mut altered = past.clone();
                altered.edits.clear();
                for (other, edit) in past.edits.iter().enumerate() {
                    let own = (other == place).then(|| cells.to_vec());
                    altered.edits.push_back(Arc::new(Edit {
                        to: edit.to,
                        cells: own.or_else(|| edit.cells.clone()),
                        before: edit.before.clone(),
                    }));
                }
                accepts(&altered, &costs)
            };
            assert!(altered(cells), "{place}");
            assert!(!altered(&cells[1..]), "{place}: one is missing");
        }
    }
}
