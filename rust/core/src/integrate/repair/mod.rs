//! Repairs integrated costs after a change of the map, instead of solving them anew.
//!
//! Every cost is the least candidate of the cell's neighbours, and each candidate exceeds the values from which it is
//! made by at least one shortest step. A set of costs with this property is consistent. There is only one: suppose two,
//! and take the least cost that only one of them has. It is made from lower costs, which both have. So the other set
//! has the same candidate, and the cell costs no more there; but it costs more, a contradiction. Hence a repair that
//! ends with all cells consistent gives the result of a full solve, bit for bit, in whatever order it works.
//!
//! The algorithm is that of DynamicSWSF-FP (Ramalingam and Reps, Journal of Algorithms 21, 1996) and LPA* (Koenig,
//! Likhachev and Furcy, Artificial Intelligence 155, 2004). Inconsistent cells wait in the order of the lesser of their
//! cost and their best candidate. A cell with a lower candidate takes it. A cell that has lost its cost becomes
//! unreached first and takes a higher candidate later, so that two cells never rely on each other. Cells in earlier
//! buckets are final, so a candidate in the current bucket is final too.
//!
//! Read `rule` (what a solver provides), then this file, `values` (a field under repair), `waiting` (the queue) and
//! `overwritten` (the way back).

mod overwritten;
mod rule;
mod values;
mod waiting;

pub(crate) use overwritten::OverwrittenCosts;
pub(super) use rule::{LocalRule, link_candidate};
pub(super) use values::{Stored, Sweep, Values};

use super::candidate::Candidate;
use super::field::{IntegrationField, UNREACHED};
use super::goal_cells::{GoalCell, Seed};
use super::scale::StepScale;
use crate::grid::cell_set::CellSet;
use crate::grid::links::Links;
use crate::movement::{BLOCKED, CostField};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use waiting::WaitingCells;

/// A change of a map that a field was solved for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    /// The present map.
    pub(super) costs: &'a CostField,
    /// The goals that the field was solved for.
    pub(super) goals: &'a [GoalCell],
    /// The cells that have changed.
    pub(super) cells: &'a [u32],
    /// The most cells that may be evaluated.
    pub(super) limit: usize,
}

/// The parts of a field that a repair does not change.
struct Map {
    offsets: [isize; 8],
    scale: StepScale,
}

/// Repairs fields, and keeps its scratch memory between repairs: two bits for each cell, and lists of the cells of a
/// repair.
#[derive(Debug, Default)]
pub struct Repairer {
    queue: WaitingCells,
    front: Vec<u32>,
    undo: OverwrittenCosts,
    affected: CellSet,
    runs: Vec<Range<usize>>,
    evaluated: usize,
}

/// Costs above this may make a full solve choose a coarser scale: two of the longest steps and a
/// bucket below the end of the number range.
pub(super) const SAFE: u32 = UNREACHED - (1 << 22);

/// How many cells become cheaper, about, if the cost of one falls from `before` to `after`: that many steps away, the
/// longest ones, cells were at most as many steps cheaper than it, and cost at most as many steps more than it from now
/// on. Where cells are open there are two in this distance for each that is counted.
fn improved_cells(before: u32, after: u32, longest_step: u32) -> u64 {
    if before == UNREACHED {
        return 0;
    }
    let steps = u64::from(before.saturating_sub(after) / (2 * longest_step).max(1));
    steps * steps
}

impl Repairer {
    /// A repairer without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of cells that the last repair evaluated; some count more than once.
    #[must_use]
    pub fn evaluated(&self) -> usize {
        self.evaluated
    }

    /// Repairs `field` for a `change` of its map under `rule`, with goals at `seeds`. Returns false and changes nothing
    /// if the repair needs more cells than the change allows, or if a full solve might choose another scale.
    pub(super) fn repair<R: LocalRule>(
        &mut self,
        rule: &R,
        seeds: &[Seed],
        change: &Change<'_>,
        field: &mut IntegrationField,
    ) -> bool {
        let (changed, limit) = (change.cells, change.limit);
        self.evaluated = 0;
        self.undo.begin(field);
        if !field.scale.is_finest() || field.highest > SAFE || changed.len() > limit {
            return false;
        }
        let least_step = rule.links().least_of(rule.least_step(), field.scale);
        self.queue.fit(least_step, field.cost.len());
        let mut values = Values {
            cost: &mut field.cost,
            roots: Arc::make_mut(&mut field.roots).as_mut_slice(),
        };
        let offsets = crate::grid::offsets(field.stride);
        let longest_step = field.scale.diagonal * u32::from(change.costs.dearest());
        let written = (&mut values, &mut field.highest);
        let begun = self.begin(rule, changed, written, longest_step, limit);
        let map = Map {
            offsets,
            scale: field.scale,
        };
        let finished = begun && self.run(rule, &mut values, &mut field.highest, &map, limit);
        if !finished {
            self.queue.clear();
            field.put_back(&self.undo);
            self.undo.cells.clear();
            return false;
        }
        field.settle_goals(seeds);
        true
    }

    /// Queues all cells that are inconsistent after a change of the cells `changed`; false if there are too many, or if
    /// one of them shows that there will be.
    fn begin<R: LocalRule>(
        &mut self,
        rule: &R,
        changed: &[u32],
        (values, highest): (&mut Values<'_>, &mut u32),
        longest_step: u32,
        limit: usize,
    ) -> bool {
        let mut suspects = Vec::new();
        let sweep = Sweep {
            values: &mut *values,
            undo: &mut self.undo.cells,
            suspects: &mut suspects,
            evaluated: &mut self.evaluated,
            limit,
            highest,
        };
        let suspects = match rule.sweep(changed, sweep) {
            Some(false) => return false,
            Some(true) => Cow::Owned(suspects),
            None => rule.reached(changed),
        };
        self.evaluated += suspects.len();
        if self.evaluated > limit {
            return false;
        }
        for &index in &*suspects {
            let index = index as usize;
            let (known, value) = (values.get(index), rule.value(values.stored(), index));
            if known != value {
                if improved_cells(known.cost, value.cost, longest_step) > limit as u64 {
                    return false;
                }
                self.queue.push(known.cost.min(value.cost), index);
            }
        }
        true
    }

    /// Processes the queue until it is empty; false if that is too much work.
    fn run<R: LocalRule>(
        &mut self,
        rule: &R,
        values: &mut Values<'_>,
        highest: &mut u32,
        map: &Map,
        limit: usize,
    ) -> bool {
        let offsets = &map.offsets;
        while let Some(bucket) = self.queue.pop_bucket(&mut self.front) {
            for at in 0..self.front.len() {
                let index = self.front[at] as usize;
                if !self.queue.take(index) {
                    continue;
                }
                let value = rule.value(values.stored(), index);
                self.evaluated += 1;
                if self.evaluated > limit || (value.cost > SAFE && value.cost != UNREACHED) {
                    self.forget_front(at);
                    return false;
                }
                let old = values.get(index);
                if value == old {
                    continue;
                }
                let key = value.cost.min(old.cost);
                if self.queue.bucket_of(key) > bucket {
                    self.queue.push(key, index);
                    continue;
                }
                let new = if self.queue.bucket_of(value.cost) <= bucket {
                    *highest = value.cost.max(*highest);
                    value
                } else {
                    if value.cost != UNREACHED {
                        self.queue.push(value.cost, index);
                    }
                    Candidate::NONE
                };
                if new == old {
                    continue;
                }
                self.undo.cells.push((index as u32, old));
                values.set(index, new);
                // The affected neighbours are found for all eight before any is queued, because single decisions would
                // be mispredicted.
                let mut keys = [0; 8];
                let mut woken = 0;
                for (step, key) in keys.iter_mut().enumerate() {
                    let next = index.wrapping_add_signed(offsets[step]);
                    let wake = rule.wake(step, next, values.cost[next], old.cost, new.cost);
                    woken |= u8::from(wake.is_some()) << step;
                    *key = wake.unwrap_or(0);
                }
                woken &= rule.neighbours(index);
                let has = |step: usize| values.get(index.wrapping_add_signed(offsets[step]));
                woken = rule.affects(index, woken, (old, new), has);
                while woken != 0 {
                    let step = woken.trailing_zeros() as usize;
                    woken &= woken - 1;
                    let next = index.wrapping_add_signed(offsets[step]);
                    self.queue.push(keys[step & 7], next);
                }
                if !rule.links().is_empty() {
                    self.wake_links(rule.links(), map.scale, values, (index, old, new));
                }
            }
        }
        true
    }

    /// Queues the first cells of links whose last cell, at `index`, changes from `old` to `new`.
    fn wake_links(
        &mut self,
        links: &Links,
        scale: StepScale,
        values: &Values<'_>,
        (index, old, new): (usize, Candidate, Candidate),
    ) {
        for edge in links.to(index) {
            let known = values.cost[edge.from];
            let [before, after] = [old, new].map(|end| edge.candidate(scale, end.cost));
            if after <= known && after != UNREACHED {
                self.queue.push(after, edge.from);
            } else if before <= known && known != UNREACHED {
                self.queue.push(known, edge.from);
            }
        }
    }

    /// Removes the cells of the front from position `at` on from the queue.
    fn forget_front(&mut self, at: usize) {
        for entry in at..self.front.len() {
            self.queue.take(self.front[entry] as usize);
        }
    }

    /// What the last repair has overwritten; no cells if it was given up.
    pub(crate) fn overwritten(&self) -> &OverwrittenCosts {
        &self.undo
    }

    /// The open cells whose directions may differ after the last repair, as runs of stored indices
    /// along rows, and the `changed` cells, open or not: a direction depends on a cell's own cost,
    /// its legal steps, and the integrated costs of the cell and its neighbours.
    pub fn affected(&mut self, costs: &CostField, changed: &[u32]) -> &[Range<usize>] {
        self.affected.fit(costs.cell_count());
        for &index in changed {
            self.affected.insert(index as usize);
        }
        let offsets = costs.offsets();
        let written = self.undo.cells.iter().map(|&(index, _)| index as usize);
        self.affected.fetch(written);
        for &(index, _) in &self.undo.cells {
            let index = index as usize;
            if costs.steps()[index] == 0xFF {
                for row in [index - costs.stride(), index, index + costs.stride()] {
                    self.affected.insert_three(row - 1);
                }
                continue;
            }
            // A closed cell has a direction if it is not a wall.
            let matters =
                |index: usize| costs.costs()[index] != BLOCKED || !costs.is_wall_at(index);
            if matters(index) {
                self.affected.insert(index);
            }
            for offset in offsets {
                let next = index.wrapping_add_signed(offset);
                if matters(next) {
                    self.affected.insert(next);
                }
            }
        }
        self.runs.clear();
        self.affected.drain_into(&mut self.runs);
        &self.runs
    }
}
