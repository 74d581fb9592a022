//! What edits have overwritten in the costs of a movement type, for fields and graphs that stay in use while those for the
//! present costs are built in slices.
//!
//! Only edits of the simulation are kept, so nothing here depends on queries. A state of the costs is known by its age: the
//! number of edits since. A save holds ages, because revisions depend on queries.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::links::Links;
use crate::movement::{CellDifference, Changes, CostField};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// How the costs were before an edit.
#[derive(Debug)]
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
    changes: Changes,
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

    /// Records an edit that led to revision `to`.
    pub(super) fn record(&mut self, to: u64, changes: Changes, before: Before) {
        let edit = Edit {
            to,
            changes,
            before,
        };
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

    /// The stored indices of the cells that edits have changed since a revision, ascending, each once; `None` if they are
    /// not known, or too many.
    pub(super) fn changed_since(&self, revision: u64) -> Option<Vec<u32>> {
        let age = self.age(revision)?;
        let mut all = Vec::new();
        for edit in self.edits.range(self.edits.len() - age..) {
            let Changes::Cells(cells) = &edit.changes else {
                return None;
            };
            all.extend_from_slice(cells);
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
            let cells = match &edit.changes {
                Changes::Cells(cells) => Some(cells.clone()),
                Changes::Many => None,
            };
            cells.write(out);
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
            |index: usize| index < present.costs().len() && present.contains(present.cell(index));
        for _ in 0..input.u32()? {
            let changes = match Option::<Vec<u32>>::read(input)? {
                Some(cells) => {
                    let are_places = cells.iter().all(|&cell| is_place(cell as usize));
                    if !are_places || !cells.is_sorted_by(|one, next| one < next) {
                        return Err(input.bad("it has edits outside the grid"));
                    }
                    Changes::Cells(cells)
                }
                None => Changes::Many,
            };
            let before = match input.u8()? {
                0 => Before::Cells(Vec::read(input)?),
                1 => Before::Whole(Arc::new(present.clone().read_into(input)?)),
                2 => Before::Links(Arc::new(Links::read(input, is_place)?)),
                _ => return Err(input.bad("it has an edit of an unknown kind")),
            };
            *last += 1;
            past.record(*last, changes, before);
        }
        Ok(past)
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
