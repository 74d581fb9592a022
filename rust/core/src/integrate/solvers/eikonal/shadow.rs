//! The shadow of a cell that is closed in the open: it is repaired by a sweep from that cell outwards.
//!
//! Exactly the cells whose line to their root runs through the closed cell lose that line: lines form a tree, of which
//! the shadow is a branch. It is a few cells wide and may be as long as the map. Its cells are repaired row by row,
//! across the lines, each when all its candidates are known, without a queue. A repair may process cells in any order
//! ([`crate::integrate::repair`]), so the sweep only has to collect every cell that may be inconsistent afterwards, the
//! *suspects*. They are few, as no path is cheaper than a straight line.

use super::cell_rule::EikonalRule;
use super::lines::Ray;
use super::shadow_rows::{Row, Rows, in_one_piece};
use super::uniform_ground::{EvenGround, Giver};
use crate::grid::STEPS;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::moves::steps_of;
use crate::integrate::repair::Sweep;
use crate::integrate::repair::{SAFE, Values};
use crate::integrate::root::Root;
use crate::movement::CostField;
use glam::IVec2;

/// Rows that are fetched together.
const FETCHED: isize = 16;

/// The place of a shadow: the closed cell, its former root, and the direction of lines there.
///
/// Rows are counted along the lines' axis, away from the root, and the places of a row to the side on which
/// lines leave the axis; the closed cell is in row 0 at place 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shadow {
    closed: usize,
    root: Root,
    ray: Ray,
    /// The changes of stored indices from row to row and from place to place.
    offsets: (isize, isize),
    /// The row at the grid's edge.
    last: isize,
}

/// The settled cells of two rows.
#[derive(Debug, Default)]
struct Settled {
    before: Vec<Giver>,
    here: Vec<Giver>,
}

impl Shadow {
    /// The shadow of the cell `closed`, which had this root, if the lines through it are far enough from the root and
    /// from the edges of their octant. The ground around it must be open and have the same root, up to three cells
    /// away.
    pub(super) fn new(closed: usize, root: Root, costs: &CostField) -> Option<Self> {
        let ray = root.is_straight().then(|| Ray::through(root.bend()))??;
        let offsets = costs.offsets();
        let (cell, along) = (costs.cell(closed), STEPS[ray.along]);
        let size = IVec2::new(costs.width() as i32, costs.height() as i32);
        let corner = (size - 1) * along.max(IVec2::ZERO);
        Some(Self {
            closed,
            root,
            ray,
            offsets: (offsets[ray.along], offsets[ray.aside]),
            last: (corner - cell * along.abs()).dot(along) as isize,
        })
    }

    #[inline]
    fn index(&self, row: isize, place: isize) -> usize {
        let (along, aside) = self.offsets;
        (self.closed).wrapping_add_signed(row * along + place * aside)
    }

    /// The root of the closed cell, relative to another cell.
    #[inline]
    fn root(&self, row: isize, place: isize) -> Root {
        let root = self.root.after_many(self.ray.along, row as i32);
        root.after_many(self.ray.aside, place as i32)
    }

    /// The cells of the next row that get their lines from this row.
    #[inline]
    fn behind(&self, row: Row) -> Row {
        if row.number == self.last {
            return Row {
                number: row.number + 1,
                low: row.low,
                high: row.low,
            };
        }
        let steps = |place: isize| self.ray.steps(self.root(row.number, place).bend());
        let low = steps(row.low);
        let high = if row.high - row.low == 1 {
            low
        } else {
            steps(row.high - 1)
        };
        Row {
            number: row.number + 1,
            low: row.low + isize::from(!low.straight),
            high: row.high + isize::from(high.diagonal),
        }
    }

    /// Repairs the shadow; false if that needs more cells than the limit. `is_least` says that no path with a turn is
    /// as cheap as a line to the root.
    pub(super) fn sweep(
        &self,
        rule: &EikonalRule<'_>,
        mut is_least: bool,
        mut field: Sweep<'_, '_>,
    ) -> bool {
        let closed = Row {
            number: 0,
            low: 0,
            high: 1,
        };
        field.raise(self.closed);
        // A diagonal line beside the cell would cross it.
        let first = Row {
            low: 0,
            ..self.behind(closed)
        };
        let even = rule.even_ground();
        let mut settled = Settled::default();
        let (here, is_clean) = self.claim(first, closed, rule, &mut field);
        let mut clean_rows = u32::from(is_clean);
        // All values in the shadow then belong to paths to its root that turn.
        is_least &= is_clean;
        // The first row is not, beside the closed cell.
        let mut open_rows = 0;
        let mut rows = Rows {
            before: closed,
            here,
            behind: here,
        };
        while !rows.here.is_empty() {
            let Row { number, .. } = rows.here;
            if number % FETCHED == 1 {
                self.fetch(rows.here, field.values, rule);
            }
            let first_undone = field.undo.len() - rows.here.places().count();
            let (behind, is_clean) =
                self.claim(self.behind(rows.here), rows.here, rule, &mut field);
            rows.behind = behind;
            clean_rows = if is_clean { clean_rows + 1 } else { 0 };
            is_least &= is_clean;
            open_rows = if self.is_open(rows.here, rule) {
                open_rows + 1
            } else {
                0
            };
            std::mem::swap(&mut settled.before, &mut settled.here);
            settled.here.clear();
            // All candidates come from these cells and from lines to the shadow's root. The ground around the closed
            // cell is open and has that root. If the root is a corner, other corners may be as near.
            let needed = if is_least { number.min(3) as u32 } else { 3 };
            let is_plain = clean_rows > needed.min(2) && open_rows >= needed;
            let is_done = if is_plain {
                self.settle_in_the_open(rows, even, &mut settled, &mut field)
            } else {
                self.settle(rows, rule, even, &mut settled, &mut field)
            };
            if !is_done {
                return false;
            }
            self.suspect_earlier(rows, rule, &settled, &mut field);
            if !is_least {
                let even = is_plain.then_some(even);
                self.suspect_others(rows, (rule, even), (first_undone, &settled), &mut field);
            }
            rows.before = rows.here;
            rows.here = rows.behind;
        }
        true
    }

    /// Reads the cells ahead, so that the processor waits for all of them at once.
    ///
    /// The processor looks only a short distance ahead in the code, so this reads few cells: two places of each row,
    /// and other places in the next row, as rows or places may share cache lines.
    #[inline(never)]
    fn fetch(&self, row: Row, values: &Values<'_>, rule: &EikonalRule<'_>) {
        let bend = self.root(row.number, row.low).bend().abs();
        let slope = (bend.min_element() << 16) / bend.max_element();
        let first = if row.number == 1 { 1 } else { FETCHED };
        // All have the same length, so that one comparison suffices.
        let ((costs, roots), steps) = (values.slices(), rule.steps());
        let len = costs.len();
        if roots.len() < len || steps.len() < len {
            return;
        }
        let (roots, steps) = (&roots[..len], &steps[..len]);
        let mut all = 0;
        let mut aside = -2;
        for ahead in first..2 * FETCHED {
            let middle = row.low + ((ahead as i32 * slope) >> 16) as isize;
            for place in [middle + aside, middle + aside + 3] {
                let index = self.index(row.number + ahead, place);
                if index < len {
                    all ^= costs[index] ^ roots[index].code() ^ u32::from(steps[index]);
                }
            }
            aside = if aside == 0 { -2 } else { aside + 1 };
        }
        std::hint::black_box(all);
    }

    /// Whether the ground around the next row is open as far to the sides as the following rows depend on it. Beyond
    /// the map's edge there are no cells that depend on it.
    fn is_open(&self, row: Row, rule: &EikonalRule<'_>) -> bool {
        let number = row.number + 1;
        if number > self.last {
            return true;
        }
        let beyond = if number == self.last {
            0b111_u8.rotate_left(self.ray.along as u32 + 7)
        } else {
            0
        };
        let mut places = row.low - 1..row.high + 3;
        places.all(|place| rule.has_steps(self.index(number, place), !beyond))
    }

    /// Makes the cells of a row, after the row `before`, unreached that have the shadow's root. Open cells beside them
    /// with another root become suspects. If the cells with the root are not contiguous, none is changed and all become
    /// suspects. Returns the changed cells, and whether there are no suspects.
    fn claim(
        &self,
        row: Row,
        before: Row,
        rule: &EikonalRule<'_>,
        field: &mut Sweep<'_, '_>,
    ) -> (Row, bool) {
        if row.number > self.last {
            return (row, true);
        }
        let (start, root) = (self.index(row.number, 0), self.root(row.number, 0));
        let has_root = |place: isize, values: &Values<'_>| {
            let index = start.wrapping_add_signed(place * self.offsets.1);
            values.root(index) == Some(root.after_many(self.ray.aside, place as i32))
        };
        // All neighbours of this row, the one before and the one behind it.
        let first = before.low.min(row.low) - 1;
        let last = (before.high + 1).max(row.high + 2);
        // The common case.
        if (first..last).all(|place| has_root(place, field.values)) {
            for place in row.places() {
                field.raise(self.index(row.number, place));
            }
            return (row, true);
        }
        let mut taken = row;
        if !row.places().all(|place| has_root(place, field.values)) {
            taken = in_one_piece(row, |place| has_root(place, field.values));
        }
        let mut is_clean = true;
        for place in (first..taken.low).chain(taken.high.max(first)..last) {
            if row.has(place) || !has_root(place, field.values) {
                let index = self.index(row.number, place);
                if !rule.is_wall(index) {
                    field.suspects.push(index as u32);
                    is_clean = false;
                }
            }
        }
        for place in taken.places() {
            field.raise(self.index(row.number, place));
        }
        (taken, is_clean)
    }

    /// Sets the values of the cells of a row; false if the limit is reached.
    fn settle(
        &self,
        Rows { here: row, .. }: Rows,
        rule: &EikonalRule<'_>,
        even: EvenGround,
        settled: &mut Settled,
        field: &mut Sweep<'_, '_>,
    ) -> bool {
        for place in row.places() {
            let index = self.index(row.number, place);
            let value = rule.best_value(field.values.stored(), index);
            if !field.set(index, value) {
                return false;
            }
        }
        // Cells were processed in the order of their distance from the root. Later cells rarely make a better
        // candidate.
        for place in (row.low..row.high - 1).rev() {
            let index = self.index(row.number, place);
            let value = rule.best_value(field.values.stored(), index);
            if value != field.values.get(index) {
                field.suspect(self.index(row.number, place + 1));
                if !field.set(index, value) {
                    return false;
                }
            }
        }
        for place in row.places() {
            let value = field.values.get(self.index(row.number, place));
            settled.here.push(even.giver(value));
        }
        true
    }

    /// [`Self::settle`] if all ground within two cells of the row is open except the closed cell, and all cells around
    /// it have lines to the shadow's root. These cells only make bends for the shadow, and the corners of the closed
    /// cell for the cell behind it.
    fn settle_in_the_open(
        &self,
        Rows {
            before, here: row, ..
        }: Rows,
        even: EvenGround,
        settled: &mut Settled,
        field: &mut Sweep<'_, '_>,
    ) -> bool {
        let Ray {
            along,
            aside,
            diagonal,
        } = self.ray;
        let back = (aside + 4) % STEPS.len();
        // The diagonal on the other side of the axis.
        let inward = (2 * along + STEPS.len() - diagonal) % STEPS.len();
        let Settled {
            before: givers,
            here,
        } = settled;
        let giver = |place: isize| givers.get((place - before.low) as usize);
        let bend_from = |row: isize, place: isize, step: usize| {
            even.bend_from(field.cost(self.index(row, place)), step)
        };
        for place in row.places() {
            let mut best = match giver(place) {
                Some(from) => even.line(from, along).min(even.bend(from, along)),
                None => bend_from(row.number - 1, place, along),
            };
            if (row.number, place) == (1, 0) {
                for (place, step, shut) in [(-1, diagonal, aside), (1, inward, back)] {
                    let from = field.values.get(self.index(0, place));
                    best = best.min(even.around_corner(from, step, shut));
                }
            }
            if let Some(from) = giver(place - 1) {
                best = best.min(even.line(from, diagonal));
            }
            if let Some(from) = giver(place + 1) {
                best = best.min(even.line(from, inward));
            }
            best = best.min(match here.last() {
                Some(from) => even.line(from, aside).min(even.bend(from, aside)),
                None => bend_from(row.number, place - 1, aside),
            });
            if place == row.high - 1 {
                best = best.min(bend_from(row.number, place + 1, back));
            }
            here.push(even.giver(best));
        }
        for at in (0..here.len() - 1).rev() {
            let from = &here[at + 1];
            let candidate = even.line(from, back).min(even.bend(from, back));
            if candidate < here[at].value {
                field.suspect(self.index(row.number, row.low + at as isize + 1));
                here[at] = even.giver(candidate);
            }
        }
        for (place, cell) in row.places().zip(&*here) {
            if !field.set(self.index(row.number, place), cell.value) {
                return false;
            }
        }
        true
    }

    /// Adds the cells of the row before as suspects for which a row's cells may make a better candidate.
    #[inline]
    fn suspect_earlier(
        &self,
        rows: Rows,
        rule: &EikonalRule<'_>,
        settled: &Settled,
        field: &mut Sweep<'_, '_>,
    ) {
        let cost = |cell: &Giver| cell.value.cost;
        let least = settled.here.iter().map(cost).min().unwrap_or(UNREACHED);
        let least = least.saturating_add(rule.least_step);
        for (place, earlier) in rows.before.places().zip(&settled.before) {
            if least <= earlier.value.cost {
                field.suspect(self.index(rows.before.number, place));
            }
        }
    }

    /// Adds the neighbours outside the shadow as suspects for which a row's cells may make a better candidate.
    ///
    /// These neighbours have lines to the shadow's root, or are suspects already. A bend costs more than such a line
    /// unless the cell that makes it costs less than before.
    fn suspect_others(
        &self,
        rows: Rows,
        (rule, even): (&EikonalRule<'_>, Option<EvenGround>),
        (first_undone, settled): (usize, &Settled),
        field: &mut Sweep<'_, '_>,
    ) {
        let row = rows.here;
        for (at, (place, cell)) in row.places().zip(&settled.here).enumerate() {
            let index = self.index(row.number, place);
            let was = field.undo[first_undone + at].1;
            let (steps, even) = match even {
                Some(even) if cell.value.cost >= was.cost => (cell.lines(), Some(even)),
                _ => (0xFF, None),
            };
            for step in steps_of(steps) {
                if self.is_inside(rows, place, step) {
                    continue;
                }
                let next = rule.neighbour(index, step);
                let may_gain =
                    even.is_none_or(|even| even.line(cell, step) < field.values.get(next));
                if may_gain {
                    field.suspect(next);
                }
            }
        }
    }

    /// Whether a step from a place in the middle one of three rows leads to another cell of the shadow.
    #[inline]
    fn is_inside(&self, rows: Rows, place: isize, step: usize) -> bool {
        let by = STEPS[step];
        let row = match by.dot(STEPS[self.ray.along]) {
            0 => rows.here,
            1 => rows.behind,
            _ => rows.before,
        };
        row.has(place + by.dot(STEPS[self.ray.aside]) as isize)
    }
}

impl Sweep<'_, '_> {
    #[inline]
    fn cost(&self, index: usize) -> u32 {
        self.values.get(index).cost
    }

    fn suspect(&mut self, index: usize) {
        self.suspects.push(index as u32);
    }

    /// Makes a cell unreached.
    fn raise(&mut self, index: usize) {
        self.undo.push((index as u32, self.values.get(index)));
        self.values.set(index, Candidate::NONE);
    }

    /// Sets a cell's value; false if the limit is reached.
    #[inline]
    fn set(&mut self, index: usize, value: Candidate) -> bool {
        *self.evaluated += 1;
        if value.cost != UNREACHED {
            *self.highest = value.cost.max(*self.highest);
        }
        self.values.set(index, value);
        *self.evaluated <= self.limit && (value.cost <= SAFE || value.cost == UNREACHED)
    }
}
