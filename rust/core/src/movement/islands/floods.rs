//! Floods that advance by turns, to find which parts of an island are still joined.

use super::rows::{Place, Rows};

/// While floods run, the runs that flood `i` has reached have this label plus `i`.
const FLOODED: u32 = super::rows::NONE - 4;

/// Up to four floods that advance by turns. Floods that have met are parts of one island.
pub(super) struct Floods {
    /// The runs that each flood has reached, in order.
    reached: Vec<Vec<Place>>,
    /// The number of cells of these runs.
    cells: [u32; 4],
    /// The number of these runs from which the flood has advanced.
    done: [usize; 4],
    /// For each flood the lowest number among the floods that it has met.
    part: [usize; 4],
}

impl Floods {
    /// Floods from `starts`, runs with `label`, until at most one can still grow, or more than `most` runs are visited.
    pub(super) fn run(rows: &mut Rows, (label, starts): (u32, &[Place]), most: usize) -> Self {
        let mut floods = Self {
            reached: vec![Vec::new(); starts.len()],
            cells: [0; 4],
            done: [0; 4],
            part: [0, 1, 2, 3],
        };
        for (flood, &start) in starts.iter().enumerate() {
            floods.reach(rows, flood, start);
        }
        while floods.growing_parts() > 1 && floods.visited() <= most {
            for flood in 0..starts.len() {
                floods.advance(rows, flood, label);
            }
        }
        floods
    }

    /// The number of runs from which floods have advanced.
    pub(super) fn visited(&self) -> usize {
        self.done.iter().sum()
    }

    fn reach(&mut self, rows: &mut Rows, flood: usize, place: Place) {
        rows.set_label(place, FLOODED + flood as u32);
        self.cells[flood] += rows.run(place).cells();
        self.reached[flood].push(place);
    }

    /// Advances a flood from the next run that it has reached.
    fn advance(&mut self, rows: &mut Rows, flood: usize, label: u32) {
        let Some(&place) = self.reached[flood].get(self.done[flood]) else {
            return;
        };
        self.done[flood] += 1;
        for (row, numbers) in rows.touching(place) {
            for number in numbers {
                let found = rows.run((row, number)).label;
                if found == label {
                    self.reach(rows, flood, (row, number));
                } else {
                    self.join(flood, (found - FLOODED) as usize);
                }
            }
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
    pub(super) fn part_to_keep(&self) -> usize {
        (0..self.reached.len())
            .max_by_key(|&part| (self.is_growing(part), self.cells_of(part)))
            .unwrap_or(0)
    }

    fn of_part(&self, part: usize) -> impl Iterator<Item = usize> {
        (0..self.reached.len()).filter(move |&flood| self.part[flood] == part)
    }

    /// The runs that a part has reached.
    pub(super) fn runs_of(&self, part: usize) -> impl Iterator<Item = Place> {
        self.of_part(part)
            .flat_map(|flood| self.reached[flood].iter().copied())
    }

    /// The number of cells that a part has reached; 0 if it is none.
    pub(super) fn cells_of(&self, part: usize) -> u32 {
        self.of_part(part).map(|flood| self.cells[flood]).sum()
    }
}
