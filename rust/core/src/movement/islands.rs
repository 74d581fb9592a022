//! Connected areas of open ground (Emerson, Game AI Pro, 23.14), kept up to date under edits.
//!
//! Read this file, then in `islands/`: `rows` (how cells are stored, as runs), `labelling` (of a whole map) and
//! `floods`.
//!
//! Opening a cell may join islands: all but the largest are relabelled. Closing a cell may split an island. If its open
//! neighbours are joined among the eight cells around it, nothing splits. Otherwise floods start from all of them and
//! advance by turns, until at most one can still grow; that one keeps the label. In both cases the work is proportional
//! to the runs of the smaller parts, not to the map.

mod floods;
mod labelling;
mod rows;

use super::{BLOCKED, CostField};
use crate::retired::Retired;
use floods::Floods;
use glam::IVec2;
pub(crate) use labelling::{Cells, Labelling};
use rows::{Place, Rows};

/// A label per run of open cells: two open cells have the same one exactly if a path joins them.
///
/// A diagonal step needs both cells beside it open, so cells that are joined at all are joined by straight steps, and
/// four neighbours suffice. Copies share memory.
#[derive(Debug, Clone)]
pub struct Islands {
    stride: usize,
    rows: Rows,
    /// The number of cells with each label; 0 for free labels.
    sizes: Vec<u32>,
    free: Vec<u32>,
    /// Runs visited in the current update.
    visited: usize,
}

impl Islands {
    /// Labels all open cells of `costs`. Linear in the cells.
    #[must_use]
    pub fn new(costs: &CostField) -> Self {
        Self::of(costs, Cells::Open)
    }

    /// Labels the cells of a kind. Linear in the cells.
    pub(crate) fn of(costs: &CostField, which: Cells) -> Self {
        let mut labelling = Labelling::default();
        labelling.advance(costs, which, &mut { usize::MAX });
        Self::labelled(costs.stride(), labelling)
    }

    /// The islands of a map with rows of `stride` cells that are labelled.
    pub(crate) fn labelled(stride: usize, labelling: Labelling) -> Self {
        let (rows, sizes) = labelling.finish();
        Self {
            stride,
            rows,
            sizes,
            free: Vec::new(),
            visited: 0,
        }
    }

    /// Has the memory given back in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.rows.into_rows());
    }

    /// Visits the memory that copies may share, part by part, each with its address and bytes.
    pub(crate) fn each_part(&self, visit: impl FnMut(usize, usize)) {
        self.rows.each_part(visit);
    }

    /// Updates the labels to `costs`, in which only the cells at the stored indices `changed` have changed. At worst
    /// linear in the runs of open cells.
    pub fn update(&mut self, costs: &CostField, changed: &[u32]) {
        let is_open = |&index: &u32| (index, costs.cost_of(index as usize) != BLOCKED);
        self.change_all(changed.iter().map(is_open));
    }

    /// Updates the labels as if the cells at the stored indices in `changes` were open or closed, each as given. The
    /// cost is that of [`Self::update`].
    pub(crate) fn change_all(&mut self, changes: impl Iterator<Item = (u32, bool)>) {
        // Labelling all runs is as much work as visiting a third of them.
        self.change_within(changes, self.rows.count() / 3);
    }

    /// [`Self::change_all`]. If the changes would visit more than `most` runs, all are labelled anew.
    fn change_within(&mut self, changes: impl Iterator<Item = (u32, bool)>, most: usize) {
        let mut changes = changes;
        if self.change_while(&mut changes, most) {
            return;
        }
        for (index, is_open) in changes {
            self.reshape(index, is_open);
        }
        let rows = std::mem::replace(&mut self.rows, Rows::new(Vec::new()));
        *self = Self::labelled(self.stride, Labelling::of(rows.into_rows()));
    }

    /// [`Self::change_all`] as long as the changes have visited no more than `most` runs. Returns true if all are done.
    /// Otherwise labels are of no use any more, and the other changes are left over.
    pub(crate) fn change_while(
        &mut self,
        changes: &mut impl Iterator<Item = (u32, bool)>,
        most: usize,
    ) -> bool {
        self.visited = 0;
        while self.visited <= most {
            let Some((index, is_open)) = changes.next() else {
                return true;
            };
            self.change(index, is_open, most);
        }
        false
    }

    fn stored_cell(&self, index: u32) -> (u32, usize) {
        let index = index as usize;
        ((index % self.stride) as u32, index / self.stride)
    }

    fn change(&mut self, index: u32, is_open: bool, most: usize) {
        let cell = self.stored_cell(index);
        match (is_open, self.rows.at(cell)) {
            (true, None) => self.open(cell, most),
            (false, Some(place)) => self.close(cell, place, most),
            _ => {}
        }
    }

    /// Opens or closes a cell without regard to labels.
    fn reshape(&mut self, index: u32, is_open: bool) {
        let cell = self.stored_cell(index);
        match (is_open, self.rows.at(cell)) {
            (true, None) => self.rows.open(cell, 0),
            (false, Some(place)) => self.rows.close(cell.0, place),
            _ => {}
        }
    }

    fn open(&mut self, cell: (u32, usize), most: usize) {
        let beside = self.rows.beside(cell);
        let beside = beside.into_iter().flatten();
        let labels = beside.clone().map(|place| self.rows.run(place).label);
        let largest = labels.max_by_key(|&label| self.sizes[label as usize]);
        let largest = largest.unwrap_or_else(|| self.new_label(0));
        for place in beside {
            if self.rows.run(place).label != largest {
                self.relabel(place, largest, most);
            }
        }
        self.rows.open(cell, largest);
        self.sizes[largest as usize] += 1;
    }

    /// Gives a whole island another label, unless that would visit too many runs.
    fn relabel(&mut self, start: Place, to: u32, most: usize) {
        let from = self.rows.run(start).label;
        self.rows.set_label(start, to);
        let mut reached = vec![start];
        let mut next = 0;
        while next < reached.len() && self.visited + next <= most {
            for (row, numbers) in self.rows.touching(reached[next]) {
                for number in numbers {
                    if self.rows.run((row, number)).label == from {
                        self.rows.set_label((row, number), to);
                        reached.push((row, number));
                    }
                }
            }
            next += 1;
        }
        self.visited += next;
        self.sizes[to as usize] += self.sizes[from as usize];
        self.free_label(from);
    }

    fn close(&mut self, cell: (u32, usize), place: Place, most: usize) {
        let label = self.rows.run(place).label;
        self.rows.close(cell.0, place);
        self.sizes[label as usize] -= 1;
        if self.sizes[label as usize] == 0 {
            self.free_label(label);
            return;
        }
        let sides = self.rows.sides(cell);
        if sides.len() > 1 {
            self.split(label, &sides, most);
        }
    }

    /// Finds which of `starts` are still joined, and gives separated parts new labels. The last part that can still
    /// grow keeps `label`; if none can, the largest part does. Gives up if that would visit too many runs.
    fn split(&mut self, label: u32, starts: &[Place], most: usize) {
        let left = most.saturating_sub(self.visited);
        let floods = Floods::run(&mut self.rows, (label, starts), left);
        self.visited += floods.visited();
        if self.visited > most {
            return;
        }
        let kept = floods.part_to_keep();
        for part in 0..starts.len() {
            let cells = floods.cells_of(part);
            if cells == 0 {
                continue;
            }
            let own = if part == kept {
                label
            } else {
                self.sizes[label as usize] -= cells;
                self.new_label(cells)
            };
            for place in floods.runs_of(part) {
                self.rows.set_label(place, own);
            }
        }
    }

    fn new_label(&mut self, size: u32) -> u32 {
        if let Some(label) = self.free.pop() {
            self.sizes[label as usize] = size;
            return label;
        }
        self.sizes.push(size);
        self.sizes.len() as u32 - 1
    }

    fn free_label(&mut self, label: u32) {
        self.sizes[label as usize] = 0;
        self.free.push(label);
    }

    /// The island of a cell of the grid; `None` in walls. Numbers are only for comparison, as an edit may change an
    /// island's number. O(log n) for n runs of open cells in the cell's row.
    #[must_use]
    pub fn at(&self, cell: IVec2) -> Option<u32> {
        let place = self.rows.at(((cell.x + 1) as u32, (cell.y + 1) as usize));
        place.map(|place| self.rows.run(place).label)
    }

    /// Whether a path joins two cells of the grid. Walls are joined to no cell.
    #[must_use]
    pub fn connected(&self, from: IVec2, to: IVec2) -> bool {
        self.at(from)
            .is_some_and(|label| self.at(to) == Some(label))
    }

    /// The number of cells of the island of a cell of the grid; 0 in walls.
    pub(crate) fn size_at(&self, cell: IVec2) -> u32 {
        self.at(cell).map_or(0, |label| self.sizes[label as usize])
    }

    /// The number of islands.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sizes.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Grid};
    use crate::movement::{Changes, MovementType};
    use crate::random;
    use crate::terrain::{CLEAR, Terrain, WALL};
    use glam::Vec2;
    use proptest::prelude::*;

    /// A map of 200×100 cells with a wall from top to bottom at a column, and its labels.
    fn walled(column: i32) -> (Terrain, CostField, Islands) {
        let grid = Grid::new(IVec2::new(200, 100), 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let wall = CellRect {
            low: IVec2::new(column, 0),
            high: IVec2::new(column + 1, 100),
        };
        terrain.fill_rect(wall, WALL).expect("inside");
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let islands = Islands::new(&costs);
        (terrain, costs, islands)
    }

    /// How many runs an edit of one cell visits.
    fn visits((terrain, costs, islands): &mut (Terrain, CostField, Islands), id: u8) -> usize {
        let cell = IVec2::new(4, 50);
        terrain.set(cell, id).expect("inside");
        let kind = MovementType::default();
        let Changes::Cells(cells) = costs.update(terrain, &kind, &[CellRect::cell(cell)]) else {
            panic!("one cell is not many");
        };
        let is_open = |&index: &u32| (index, costs.cost_of(index as usize) != BLOCKED);
        let mut given_up = islands.clone();
        assert!(!given_up.change_while(&mut cells.iter().map(is_open), 10));
        assert!(given_up.visited < 15, "{} runs", given_up.visited);
        assert!(islands.change_while(&mut cells.iter().map(is_open), usize::MAX));
        islands.visited
    }

    /// The costs of a map of which `is_open` tells the open cells.
    fn costs_where(size: IVec2, is_open: impl Fn(IVec2) -> bool) -> CostField {
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        for y in 0..size.y {
            for x in 0..size.x {
                let cell = IVec2::new(x, y);
                let id = if is_open(cell) { CLEAR } else { WALL };
                terrain.set(cell, id).expect("inside");
            }
        }
        CostField::new(&grid, &terrain, &MovementType::default())
    }

    /// Labels by a flood from each open cell without one, in order.
    fn flooded(costs: &CostField) -> (Vec<Option<u32>>, Vec<u32>) {
        let stride = costs.stride();
        let mut labels = vec![None; costs.cell_count()];
        let mut sizes = Vec::new();
        for start in 0..costs.cell_count() {
            if costs.cost_of(start) == BLOCKED || labels[start].is_some() {
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
                    if costs.cost_of(to) != BLOCKED && labels[to].is_none() {
                        labels[to] = Some(own);
                        reached.push(to);
                    }
                }
            }
            sizes.push(reached.len() as u32);
        }
        (labels, sizes)
    }

    fn labels(costs: &CostField, islands: &Islands) -> Vec<Option<u32>> {
        let is_inside = |cell: IVec2| cell.x >= 0 && (cell.x as usize) < costs.width();
        (0..costs.cell_count())
            .map(|index| costs.cell(index))
            .map(|cell| islands.at(cell).filter(|_| is_inside(cell)))
            .collect()
    }

    /// Whether the same cells have the same label, and the sizes are those of the parts.
    fn assert_same_parts(islands: &Islands, costs: &CostField) {
        let (expected, sizes) = flooded(costs);
        let mut label_of = vec![None; sizes.len()];
        for (index, part) in expected.iter().enumerate() {
            let own = islands.at(costs.cell(index));
            assert_eq!(own.is_some(), part.is_some(), "{index}");
            if let Some(part) = part {
                let label = *label_of[*part as usize].get_or_insert(own);
                assert_eq!(own, label, "{index}");
                let size = islands.size_at(costs.cell(index));
                assert_eq!(size, sizes[*part as usize], "{index}");
            }
        }
        assert_eq!(islands.count(), sizes.len());
        assert_eq!(
            islands.rows.count(),
            islands
                .rows
                .clone()
                .into_rows()
                .iter()
                .map(|row| row.len())
                .sum::<usize>()
        );
    }

    proptest! {
        /// Whole maps, in one part or in several, are numbered as floods number them.
        #[test]
        fn labels_are_those_of_floods(
            (width, height) in (1_i32..40, 1_i32..40),
            seed in any::<u64>(),
            most_open in 40_u64..230,
            part in 1_usize..300,
        ) {
            let costs = costs_where(IVec2::new(width, height), |cell| {
                let key = random::keyed(seed, cell.x as u64, cell.y as u64);
                key % 256 < most_open
            });
            let mut labelling = Labelling::default();
            while !labelling.advance(&costs, Cells::Open, &mut { part }) {}
            let islands = Islands::labelled(costs.stride(), labelling);
            let (expected, sizes) = flooded(&costs);
            prop_assert_eq!(labels(&costs, &islands), expected);
            prop_assert_eq!(&islands.sizes, &sizes);
        }

        /// Changes of cells of noise, each of which may join or split islands, within a limit or beyond it.
        #[test]
        fn labels_after_changes_are_those_of_floods(
            (width, height) in (1_i32..14, 1_i32..14),
            seed in any::<u64>(),
            (before, after) in (90_u64..200, 90_u64..200),
            most in prop::sample::select(vec![0_usize, 3, 1000]),
        ) {
            let drawn = |number: u64, cell: IVec2| {
                random::keyed(seed ^ number, cell.x as u64, cell.y as u64) % 256
            };
            let size = IVec2::new(width, height);
            let changes = |cell: IVec2| drawn(1, cell) < 170;
            let costs = costs_where(size, |cell| drawn(2, cell) < before);
            let goal = costs_where(size, |cell| {
                let end = if changes(cell) { 3 } else { 2 };
                drawn(end, cell) < if changes(cell) { after } else { before }
            });
            let known = Islands::new(&costs);
            let mut islands = known.clone();
            let changed = (0..costs.cell_count() as u32).filter(|&index| {
                let cell = costs.cell(index as usize);
                costs.is_wall_in(cell) != goal.is_wall_in(cell)
            });
            let is_open = |index: u32| (index, goal.cost_of(index as usize) != BLOCKED);
            let rest = changed.map(is_open);
            islands.change_within(rest, most);
            assert_same_parts(&islands, &goal);
            // A copy stays as it was.
            assert_same_parts(&known, &costs);
        }
    }

    /// A comb whose back is closed cell by cell, each time splitting off a large part.
    #[test]
    fn costly_changes_label_the_map_anew() {
        let size = IVec2::splat(64);
        let is_tooth = |cell: IVec2| cell.y == 63 || cell.x % 2 == 0;
        let costs = costs_where(size, is_tooth);
        let mut islands = Islands::new(&costs);
        // Closed from left to right, opened again, and closed from right to left.
        let back =
            |x: usize, is_open: bool| (costs.index(IVec2::new(x as i32, 63)) as u32, is_open);
        let mut changes: Vec<(u32, bool)> = (0..32).map(|x| back(2 * x, false)).collect();
        changes.extend((0..64).map(|x| back(x, true)));
        changes.extend((0..32).map(|x| back(62 - 2 * x, false)));
        let mut all = changes.iter().copied();
        assert!(
            !islands.clone().change_while(&mut all, islands.rows.count()),
            "not costly enough"
        );
        islands.change_all(changes.into_iter());
        let closed = costs_where(size, |cell| {
            cell.x % 2 == 0 && cell.y < 63 || cell.y == 63 && cell.x % 2 == 1
        });
        assert_same_parts(&islands, &closed);
    }

    #[test]
    fn a_door_costs_as_much_as_the_smaller_room() {
        let mut map = walled(4);
        let small_room = 100;
        assert_eq!(map.2.count(), 2);
        let opened = visits(&mut map, CLEAR);
        assert_eq!((map.2.count(), opened), (1, small_room));
        let closed = visits(&mut map, WALL);
        assert_eq!(map.2.count(), 2);
        // The flood on the other side advances as far, and has reached runs from which it has not advanced.
        assert!(closed <= 3 * small_room, "{closed} runs");
    }
}
