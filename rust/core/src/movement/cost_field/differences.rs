//! The cells in which a cost field differs from another one of the same map, for saves: a save holds costs that do not
//! follow from the present terrain, such as those before an edit that no update has applied yet.

use super::CostField;
use super::excerpt::{Excerpt, Part};
use super::histogram::extremes;
use super::legal_steps::legal_steps;
use super::surcharged::Surcharge;
use crate::bytes::{Saved, Source as _, Unpacker, Writer, saved};
use crate::error::Result;
use crate::grid::STEPS;
use crate::grid::links::Links;
use crate::movement::BLOCKED;
use glam::IVec2;
use std::sync::Arc;

/// The state of a cell in which two cost fields differ. Legal steps follow from costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellDifference {
    /// The stored index.
    index: u32,
    cost: u8,
    is_wall: bool,
    /// The cost without surcharges, and the surcharge.
    plain: u8,
    crowd: u8,
    overlays: u8,
}

saved!(CellDifference {
    index,
    cost,
    is_wall,
    plain,
    crowd,
    overlays,
});

impl CellDifference {
    /// The stored index of the cell.
    pub(crate) fn place(&self) -> u32 {
        self.index
    }

    /// Whether the cost is the plain one with the surcharge, and a wall is closed.
    pub(crate) fn is_sound(&self) -> bool {
        let surcharge = Surcharge {
            crowd: self.crowd,
            overlays: self.overlays,
        };
        self.plain > 0
            && self.cost == surcharge.on(self.plain)
            && (!self.is_wall || self.cost == BLOCKED)
    }
}

impl Excerpt {
    /// The cells of `changed`, ascending stored indices, as they were. It does not matter how much was kept.
    pub(crate) fn states_of(&self, changed: &[u32]) -> Vec<CellDifference> {
        let part = match self {
            Self::Whole(whole) => {
                let state = |&index: &u32| whole.state_of(index as usize);
                return changed.iter().map(state).collect();
            }
            Self::Part(part) => part,
        };
        let mut states: Vec<CellDifference> = part.states().collect();
        // Those of one region are in order.
        if !states.is_sorted_by_key(CellDifference::place) {
            states.sort_unstable_by_key(CellDifference::place);
        }
        states.dedup_by_key(|cell| cell.index);
        let mut left = changed.iter().peekable();
        states.retain(|cell| {
            while left.next_if(|&&index| index < cell.index).is_some() {}
            left.next_if(|&&index| index == cell.index).is_some()
        });
        states
    }
}

impl Part {
    /// The cells as they were.
    fn states(&self) -> impl Iterator<Item = CellDifference> {
        self.cells.iter().map(|cell| {
            let none = (cell.cost, Surcharge::default());
            let (plain, surcharge) = if self.is_surcharged {
                cell.surcharged
            } else {
                none
            };
            CellDifference {
                index: cell.index,
                cost: cell.cost,
                is_wall: cell.is_wall,
                plain,
                crowd: surcharge.crowd,
                overlays: surcharge.overlays,
            }
        })
    }
}

impl CostField {
    fn state_of(&self, index: usize) -> CellDifference {
        let surcharged = self.surcharged.as_ref();
        let cost = self.cost.get(index);
        let none = (cost, Surcharge::default());
        let (plain, surcharge) = surcharged.map_or(none, |known| known.at(index, cost));
        CellDifference {
            index: index as u32,
            cost,
            is_wall: self.is_wall_at(index),
            plain,
            crowd: surcharge.crowd,
            overlays: surcharge.overlays,
        }
    }

    /// The cells of this field that are not as in `other`, a field of the same map and movement type, ascending.
    pub(crate) fn differences(&self, other: &Self) -> Vec<CellDifference> {
        let states =
            (0..self.cell_count()).map(|index| (self.state_of(index), other.state_of(index)));
        let differing = states.filter(|(own, other)| own != other);
        differing.map(|(own, _)| own).collect()
    }

    /// The stored indices of the cells whose costs or legal steps are not as in `other`, a field of the same map,
    /// ascending.
    pub(crate) fn cells_unlike(&self, other: &Self) -> Vec<u32> {
        let mut cells = Vec::new();
        let row = || vec![0; self.stride];
        let (mut own, mut others) = ((row(), row()), (row(), row()));
        for y in 0..self.height + 2 {
            let from = y * self.stride;
            self.copy_stored_row(from, (&mut own.0, &mut own.1));
            other.copy_stored_row(from, (&mut others.0, &mut others.1));
            if own != others {
                let is_unlike = |&x: &usize| (own.0[x], own.1[x]) != (others.0[x], others.1[x]);
                let unlike = (0..self.stride).filter(is_unlike);
                cells.extend(unlike.map(|x| (from + x) as u32));
            }
        }
        cells
    }

    /// The stored indices of cells that may not be as in `other`, a field of the same map: those of rectangles within
    /// the blocks that the two do not share. `None` if they are more than `most`.
    pub(crate) fn cells_in_other_blocks(&self, other: &Self, most: usize) -> Option<Vec<u32>> {
        let mut rects = self.cost.differences(&other.cost)?;
        rects.extend(self.steps.differences(&other.steps)?);
        let count: usize = rects
            .iter()
            .map(|(columns, rows)| columns.len() * rows.len())
            .sum();
        if count > most {
            return None;
        }
        let cells = rects.into_iter().flat_map(|(columns, rows)| {
            rows.flat_map(move |row| {
                let columns = columns.clone();
                columns.map(move |column| (row * self.stride + column) as u32)
            })
        });
        Some(cells.collect())
    }

    fn copy_stored_row(&self, from: usize, (costs, steps): (&mut [u8], &mut [u8])) {
        self.cost.copy_row(from, costs);
        self.steps.copy_row(from, steps);
    }

    /// Whether an edit explains each of these differences from this field: of the terrain, or of crowds and overlays.
    pub(crate) fn are_due(
        &self,
        cells: &[CellDifference],
        is_edited: impl Fn(IVec2) -> bool,
        is_surcharged: impl Fn(IVec2) -> bool,
    ) -> bool {
        cells.iter().all(|cell| {
            let index = cell.index as usize;
            if index >= self.cell_count() {
                return false;
            }
            let (own, at) = (self.state_of(index), self.cell(index));
            let is_same = (own.plain, own.is_wall) == (cell.plain, cell.is_wall);
            let is_as_crowded = (own.crowd, own.overlays) == (cell.crowd, cell.overlays);
            (is_same || is_edited(at)) && (is_as_crowded || is_surcharged(at))
        })
    }

    /// Makes cells as [`Self::differences`] has found them. False, with unspecified costs, if that makes no sense.
    pub(crate) fn put_differences(&mut self, cells: &[CellDifference]) -> bool {
        if cells.is_empty() {
            return true;
        }
        let is_surcharged = |cell: &CellDifference| cell.crowd != 0 || cell.overlays != 0;
        if self.surcharged.is_none() && cells.iter().any(is_surcharged) {
            self.surcharged = Some(self.without_surcharges());
        }
        // The other costs may be those of a movement type with clearance.
        let lacks_clearance = |cell: &CellDifference| cell.cost == BLOCKED && !cell.is_wall;
        if self.walls.is_empty() && cells.iter().any(lacks_clearance) {
            self.walls = self.cost.map(|cost| cost == BLOCKED);
        }
        if !cells.iter().all(|cell| self.put_difference(cell)) {
            return false;
        }
        for cell in cells {
            self.find_steps_around(cell.index as usize);
        }
        self.note_counts();
        true
    }

    /// Writes costs and links, given others of the same map.
    pub(crate) fn write_from(&self, other: &Self, out: &mut Writer) {
        self.differences(other).write(out);
        let has_own_links = self.links != other.links;
        has_own_links.write(out);
        if has_own_links {
            self.links.write(out);
        }
    }

    /// Reads what [`Self::write_from`] has written, into the other costs.
    pub(crate) fn read_into(mut self, input: &mut Unpacker<'_>) -> Result<Self> {
        if !self.put_differences(&Vec::read(input)?) {
            return Err(input.bad("it has costs that make no sense"));
        }
        if bool::read(input)? {
            let is_place =
                |index: usize| index < self.cell_count() && self.contains(self.cell(index));
            let links = Links::read(input, is_place)?;
            self.links = Arc::new(links);
        }
        Ok(self)
    }

    fn put_difference(&mut self, cell: &CellDifference) -> bool {
        let index = cell.index as usize;
        let place = self.cell(index);
        let is_inside = index < self.cell_count() && self.contains(place);
        let surcharge = Surcharge {
            crowd: cell.crowd,
            overlays: cell.overlays,
        };
        // Cells between layers stay walls, and may be crowded all the same.
        let is_gap = is_inside && self.is_gap(place.y as usize);
        if !is_inside || !cell.is_sound() || is_gap && cell.cost != BLOCKED {
            return false;
        }
        self.cost.replace(index, cell.cost);
        if self.has_clearance() {
            self.walls.replace(index, cell.is_wall);
        }
        if let Some(surcharged) = &mut self.surcharged {
            surcharged.put(index, (cell.plain, surcharge));
        }
        true
    }

    /// Finds the legal steps of a cell of the grid and of those around it.
    fn find_steps_around(&mut self, index: usize) {
        let own = self.cell(index);
        let around = STEPS.iter().map(|&step| own + step);
        for cell in around.chain([own]) {
            if !self.contains(cell) {
                continue;
            }
            let index = self.index(cell);
            let mut rows = [[BLOCKED; 3]; 3];
            for (row, by) in rows.iter_mut().zip([0, self.stride, 2 * self.stride]) {
                self.cost.copy_row(index - self.stride - 1 + by, row);
            }
            let steps = legal_steps(rows.each_ref().map(<[u8; 3]>::as_slice), 0);
            self.steps.replace(index, steps);
        }
    }

    /// Counts costs and walls. A part of a map has no counts.
    fn note_counts(&mut self) {
        if self.histogram == [0; 256] {
            return self.note_extremes();
        }
        self.histogram = [0; 256];
        let mut row = vec![0; self.width];
        for y in 1..=self.height {
            self.cost.copy_row(y * self.stride + 1, &mut row);
            for &cost in &row {
                self.histogram[usize::from(cost)] += 1;
            }
        }
        if self.has_clearance() {
            let mut row = vec![false; self.width];
            self.wall_count = 0;
            for y in 1..=self.height {
                self.walls.copy_row(y * self.stride + 1, &mut row);
                self.wall_count += row.iter().filter(|&&wall| wall).count();
            }
        }
        self.extremes = extremes(&self.histogram);
    }
}
