//! Connected areas of open ground (Emerson, Game AI Pro, 23.14), kept up to date under edits.
//!
//! Opening a cell may join islands: all but the largest are relabelled. Closing a cell may split an island. If its open
//! neighbours are joined among the eight cells around it, nothing splits. Otherwise floods start from all of them and
//! advance by turns, until at most one can still grow; that one keeps the label. In both cases the work is proportional
//! to the smaller parts, not to the map.
//!
//! An update can be tried out: the labels that it replaces are recorded, and put back when a question has been
//! answered.

use super::{BLOCKED, CostField};
use crate::movement::run_labels::Runs;
use glam::IVec2;

/// A label per cell: two open cells have the same one exactly if a path joins them.
///
/// A diagonal step needs both cells beside it open, so cells that are joined at all are joined by straight steps, and
/// four neighbours suffice.
#[derive(Debug, Clone)]
pub struct Islands {
    stride: usize,
    label: Vec<u32>,
    /// The number of cells with each label; 0 for free labels.
    sizes: Vec<u32>,
    free: Vec<u32>,
    /// Cells visited in the current update.
    visited: usize,
    /// While an update is tried out, the cells whose labels it has replaced, with these labels, oldest first.
    replaced: Option<Vec<(u32, u32)>>,
}

/// The data that [`Islands::take_back`] puts back.
#[derive(Debug)]
pub(crate) enum Tried {
    /// The replaced labels, and all sizes and free labels.
    Labels {
        replaced: Vec<(u32, u32)>,
        sizes: Vec<u32>,
        free: Vec<u32>,
        visited: usize,
    },
    /// The islands as they were.
    Whole(Box<Islands>),
}

/// The label of closed cells.
const NONE: u32 = u32::MAX;
/// While floods run, the cells that flood `i` has reached have this label plus `i`.
const FLOODED: u32 = NONE - 4;

impl Islands {
    /// Labels all open cells of `costs`. Linear in the cells.
    #[must_use]
    pub fn new(costs: &CostField) -> Self {
        let mut runs = Runs::new(costs.stride());
        costs.for_each_open(|cells| runs.push(cells));
        Self::of_runs(costs.stride(), costs.cell_count(), runs)
    }

    /// The memory of the labels in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.label.as_slice())
    }

    /// Labels all cells of `costs` except walls, as if no clearance were needed.
    #[must_use]
    pub fn of_ground(costs: &CostField) -> Self {
        let mut runs = Runs::new(costs.stride());
        costs.for_each_floor(|cells| runs.push(cells));
        Self::of_runs(costs.stride(), costs.cell_count(), runs)
    }

    /// The islands of `count` stored cells in rows of `stride`, of which `runs` are open.
    fn of_runs(stride: usize, count: usize, runs: Runs) -> Self {
        let mut label = vec![NONE; count];
        let (runs, sizes) = runs.labelled();
        for (cells, own) in runs {
            label[cells].fill(own);
        }
        Self {
            stride,
            label,
            sizes,
            free: Vec::new(),
            visited: 0,
            replaced: None,
        }
    }

    /// Updates the labels to `costs`, in which only the cells at the stored indices `changed` have changed. At worst
    /// linear in the map's cells.
    pub fn update(&mut self, costs: &CostField, changed: &[u32]) {
        self.visited = 0;
        for &index in changed {
            let index = index as usize;
            self.change(index, costs.cost_of(index) != BLOCKED);
            if self.is_costly() {
                *self = Self::new(costs);
                return;
            }
        }
    }

    /// Updates the labels as if the cells at the stored indices in `changes` were open or closed, each as given. The
    /// cost is that of [`Self::update`], and a copy of the islands' sizes. [`Self::take_back`] must follow.
    pub(crate) fn try_out(&mut self, changes: &[(u32, bool)]) -> Tried {
        let (sizes, free, visited) = (self.sizes.clone(), self.free.clone(), self.visited);
        self.visited = 0;
        self.replaced = Some(Vec::new());
        let is_costly = changes.iter().any(|&(index, is_open)| {
            self.change(index as usize, is_open);
            self.is_costly()
        });
        let tried = Tried::Labels {
            replaced: self.replaced.take().unwrap_or_default(),
            sizes,
            free,
            visited,
        };
        if !is_costly {
            return tried;
        }
        self.take_back(tried);
        let mut is_open: Vec<bool> = self.label.iter().map(|&label| label != NONE).collect();
        for &(index, opens) in changes {
            is_open[index as usize] = opens;
        }
        let runs = Runs::where_open(self.stride, is_open.len(), |index| is_open[index]);
        let fresh = Self::of_runs(self.stride, is_open.len(), runs);
        Tried::Whole(Box::new(std::mem::replace(self, fresh)))
    }

    /// Takes back what was tried out last.
    pub(crate) fn take_back(&mut self, tried: Tried) {
        match tried {
            Tried::Labels {
                replaced,
                sizes,
                free,
                visited,
            } => {
                for (index, label) in replaced.into_iter().rev() {
                    self.label[index as usize] = label;
                }
                (self.sizes, self.free, self.visited) = (sizes, free, visited);
            }
            Tried::Whole(before) => *self = *before,
        }
    }

    /// Whether so much has been visited in an update that labelling the whole map is less work. That is so if many
    /// edits each relabel a large part.
    fn is_costly(&self) -> bool {
        self.visited > self.label.len()
    }

    fn change(&mut self, index: usize, is_open: bool) {
        match (is_open, self.label[index] != NONE) {
            (true, false) => self.open(index),
            (false, true) => self.close(index),
            _ => {}
        }
    }

    fn set_label(&mut self, index: usize, label: u32) {
        let before = std::mem::replace(&mut self.label[index], label);
        if let Some(replaced) = &mut self.replaced {
            replaced.push((index as u32, before));
        }
    }

    fn open(&mut self, index: usize) {
        let around = self.straight_neighbours(index).map(|at| self.label[at]);
        let joined = around.into_iter().filter(|&label| label != NONE);
        let Some(largest) = joined.max_by_key(|&label| self.sizes[label as usize]) else {
            let own = self.new_label(1);
            self.set_label(index, own);
            return;
        };
        self.set_label(index, largest);
        self.sizes[largest as usize] += 1;
        for neighbour in self.straight_neighbours(index) {
            let label = self.label[neighbour];
            if label != NONE && label != largest {
                self.relabel(neighbour, largest);
            }
        }
    }

    /// Gives a whole island another label.
    fn relabel(&mut self, start: usize, to: u32) {
        let from = self.label[start];
        self.set_label(start, to);
        let mut reached = vec![start];
        let mut next = 0;
        while next < reached.len() {
            for neighbour in self.straight_neighbours(reached[next]) {
                if self.label[neighbour] == from {
                    self.set_label(neighbour, to);
                    reached.push(neighbour);
                }
            }
            next += 1;
        }
        self.visited += reached.len();
        self.sizes[to as usize] += reached.len() as u32;
        self.free_label(from);
    }

    fn close(&mut self, index: usize) {
        let label = self.label[index];
        self.set_label(index, NONE);
        self.sizes[label as usize] -= 1;
        if self.sizes[label as usize] == 0 {
            self.free_label(label);
            return;
        }
        let (sides, count) = self.sides(index);
        if count > 1 {
            self.split(label, &sides[..count]);
        }
    }

    /// The groups of open straight neighbours that are joined among the eight cells around: one cell of each group, and
    /// the number of groups.
    fn sides(&self, index: usize) -> ([usize; 4], usize) {
        let stride = self.stride;
        // The cells around, in order; the straight neighbours are at even places.
        let ring = [
            index + 1,
            index + 1 + stride,
            index + stride,
            index + stride - 1,
            index - 1,
            index - 1 - stride,
            index - stride,
            index - stride + 1,
        ];
        let is_open = |place: usize| self.label[ring[place % 8]] != NONE;
        let mut sides = [0; 4];
        let mut count = 0;
        for place in [0, 2, 4, 6] {
            // The last cell of a group in this order represents it.
            if is_open(place) && !(is_open(place + 1) && is_open(place + 2)) {
                sides[count] = ring[place];
                count += 1;
            }
        }
        (sides, count)
    }

    /// Finds which of `starts` are still joined, and gives separated parts new labels. The last part that can still
    /// grow keeps `label`; if none can, the largest part does.
    fn split(&mut self, label: u32, starts: &[usize]) {
        let mut floods = Floods::new(starts);
        for (flood, &start) in starts.iter().enumerate() {
            self.set_label(start, FLOODED + flood as u32);
        }
        while floods.growing_parts() > 1 {
            for flood in 0..starts.len() {
                let Some(cell) = floods.next_cell(flood) else {
                    continue;
                };
                for neighbour in self.straight_neighbours(cell) {
                    let found = self.label[neighbour];
                    if found == label {
                        self.set_label(neighbour, FLOODED + flood as u32);
                        floods.reached[flood].push(neighbour);
                    } else if (FLOODED..NONE).contains(&found) {
                        floods.join(flood, (found - FLOODED) as usize);
                    }
                }
            }
        }
        let kept = floods.part_to_keep();
        for part in 0..starts.len() {
            let cells = floods.cells_of_part(part);
            self.visited += cells;
            if cells == 0 {
                continue;
            }
            let own = if part == kept {
                label
            } else {
                self.sizes[label as usize] -= cells as u32;
                self.new_label(cells as u32)
            };
            for flood in floods.of_part(part) {
                for &cell in &floods.reached[flood] {
                    self.set_label(cell, own);
                }
            }
        }
    }

    fn straight_neighbours(&self, index: usize) -> [usize; 4] {
        let stride = self.stride;
        [index - 1, index + 1, index - stride, index + stride]
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
    /// island's number.
    #[must_use]
    pub fn at(&self, cell: IVec2) -> Option<u32> {
        let label = self.label[(cell.y + 1) as usize * self.stride + (cell.x + 1) as usize];
        (label != NONE).then_some(label)
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

/// Up to four floods that advance by turns. Floods that have met are parts of one island.
struct Floods {
    /// The cells that each flood has reached, in order.
    reached: Vec<Vec<usize>>,
    /// The number of these cells from which the flood has advanced.
    done: [usize; 4],
    /// For each flood the lowest number among the floods that it has met.
    part: [usize; 4],
}

impl Floods {
    fn new(starts: &[usize]) -> Self {
        Self {
            reached: starts.iter().map(|&start| vec![start]).collect(),
            done: [0; 4],
            part: [0, 1, 2, 3],
        }
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.part[one], self.part[other]);
        for part in &mut self.part {
            if *part == one.max(other) {
                *part = one.min(other);
            }
        }
    }

    /// The next cell from which a flood advances.
    fn next_cell(&mut self, flood: usize) -> Option<usize> {
        let cell = self.reached[flood].get(self.done[flood]).copied()?;
        self.done[flood] += 1;
        Some(cell)
    }

    fn is_growing(&self, part: usize) -> bool {
        self.of_part(part)
            .any(|flood| self.done[flood] < self.reached[flood].len())
    }

    fn growing_parts(&self) -> usize {
        (0..self.reached.len())
            .filter(|&part| self.is_growing(part))
            .count()
    }

    /// The part that is still growing, or else the largest.
    fn part_to_keep(&self) -> usize {
        (0..self.reached.len())
            .max_by_key(|&part| (self.is_growing(part), self.cells_of_part(part)))
            .unwrap_or(0)
    }

    fn of_part(&self, part: usize) -> impl Iterator<Item = usize> {
        (0..self.reached.len()).filter(move |&flood| self.part[flood] == part)
    }

    fn cells_of_part(&self, part: usize) -> usize {
        self.of_part(part)
            .map(|flood| self.reached[flood].len())
            .sum()
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

    /// The islands of the open cells of `count` stored ones in rows of `stride`.
    fn where_open((stride, count): (usize, usize), is_open: impl Fn(usize) -> bool) -> Islands {
        Islands::of_runs(stride, count, Runs::where_open(stride, count, is_open))
    }

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

    /// How many cells an edit of one cell visits.
    fn visits((terrain, costs, islands): &mut (Terrain, CostField, Islands), id: u8) -> usize {
        let cell = IVec2::new(4, 50);
        terrain.set(cell, id).expect("inside");
        let kind = MovementType::default();
        let Changes::Cells(cells) = costs.update(terrain, &kind, &[CellRect::cell(cell)]) else {
            panic!("one cell is not many");
        };
        islands.update(costs, &cells);
        islands.visited
    }

    #[test]
    fn what_was_tried_out_is_taken_back_to_the_last_label() {
        for round in 0..2000 {
            let drawn = |number: u64, end: usize| {
                (random::unit(random::keyed(9, round, number)) * end as f32) as usize
            };
            let (width, height) = (1 + drawn(0, 12), 1 + drawn(1, 12));
            let (stride, count) = (width + 2, (width + 2) * (height + 2));
            let is_inside = |index: usize| {
                (1..=width).contains(&(index % stride)) && (1..=height).contains(&(index / stride))
            };
            let draw = |offset: u64, most_open: usize| -> Vec<bool> {
                let is_open =
                    |index: usize| is_inside(index) && drawn(offset + index as u64, 8) < most_open;
                (0..count).map(is_open).collect()
            };
            let (before, after) = (draw(100, 3 + drawn(2, 5)), draw(1000, 3 + drawn(3, 5)));
            let changes: Vec<(u32, bool)> = (0..count)
                .filter(|&index| is_inside(index) && drawn(5000 + index as u64, 3) > 0)
                .map(|index| (index as u32, after[index]))
                .collect();
            let mut islands = where_open((stride, count), |index| before[index]);
            let known = format!("{islands:?}");
            let tried = islands.try_out(&changes);
            let fresh = where_open((stride, count), |index| {
                let change = changes.iter().find(|change| change.0 as usize == index);
                change.map_or(before[index], |change| change.1)
            });
            for one in 0..count {
                for other in 0..count {
                    let joined = |islands: &Islands| islands.label[one] == islands.label[other];
                    assert_eq!(
                        joined(&islands),
                        joined(&fresh),
                        "round {round}: {one}, {other}"
                    );
                }
            }
            assert_eq!(islands.count(), fresh.count());
            islands.take_back(tried);
            assert_eq!(format!("{islands:?}"), known, "round {round}");
        }
    }

    /// A comb whose back is closed cell by cell, each time splitting off a large part.
    #[test]
    fn a_costly_trial_labels_the_map_anew() {
        let (stride, count) = (66, 66 * 66);
        let is_tooth = |index: usize| {
            let (x, y) = (index % stride, index / stride);
            (1..=64).contains(&x) && (1..=64).contains(&y) && (y == 64 || x % 2 == 1)
        };
        let mut islands = where_open((stride, count), is_tooth);
        let known = format!("{islands:?}");
        // Closed from left to right, opened again, and closed from right to left.
        let back = |x: usize, is_open: bool| ((64 * stride + x) as u32, is_open);
        let mut changes: Vec<(u32, bool)> = (1..=31).map(|x| back(2 * x, false)).collect();
        changes.extend((1..=64).map(|x| back(x, true)));
        changes.extend((1..=31).map(|x| back(64 - 2 * x, false)));
        let tried = islands.try_out(&changes);
        assert!(matches!(tried, Tried::Whole(_)), "not costly enough");
        islands.take_back(tried);
        assert_eq!(format!("{islands:?}"), known);
    }

    #[test]
    fn a_door_costs_as_much_as_the_smaller_room() {
        let mut map = walled(4);
        let small_room = 4 * 100;
        assert_eq!(map.2.count(), 2);
        let opened = visits(&mut map, CLEAR);
        assert_eq!((map.2.count(), opened), (1, small_room));
        let closed = visits(&mut map, WALL);
        assert_eq!(map.2.count(), 2);
        // The flood on the other side advances as far, and has reached cells from which it has not advanced.
        assert!(closed <= 3 * small_room, "{closed} cells");
    }
}
