//! Building: tiles one after the other, until all agree.
//!
//! A tile is solved from the values that the tiles around it have along their
//! borders. If its own values along the border come out differently than before,
//! the tiles that this may matter to wait to be solved again. They are taken in the
//! order of the least cost that has come to them, as cells are by a wave (the block
//! iterative method of Jeong and Whitaker, SIAM Journal on Scientific Computing
//! 30(5), 2008, with Dijkstra's order), so most are solved once or twice.
//!
//! It ends, and always with the same values: every offer exceeds what it is made
//! from by a least step. If all costs below some number are right, then all below
//! that number and a least step are so once every tile that waits has been solved.

use super::border;
use super::cache::{Made, Store, TileCache};
use super::field::TiledField;
use super::solve::{Solved, TileSolver};
use super::tile::Content;
use crate::error::Result;
use crate::integrate::{LEAST_GAIN, SCALES, UNREACHED, cost_overflow};
use crate::movement::CostField;

/// How many tiles are built for each that is active, and in all, before those of the cache are no longer believed.
/// Most are built once or twice.
const MOST_ATTEMPTS: (usize, usize) = (64, 1024);

/// How far building has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildProgress {
    /// Tiles that were built, some perhaps more than once.
    pub built: usize,
    /// Whether nothing is left to be built.
    pub is_done: bool,
}

/// What building needs besides the field.
pub(super) struct BuildContext<'a> {
    pub(super) costs: &'a CostField,
    /// Of the thread that publishes.
    pub(super) solver: &'a mut TileSolver,
    /// The least by which an offer exceeds what it is made from.
    pub(super) least_step: u32,
}

impl TiledField {
    /// Builds up to `limit` tiles, or until `should_stop`, which is asked before each (Emerson, Game AI Pro,
    /// 23.8 and 23.15).
    ///
    /// `costs` must be the same from call to call, but for what [`Self::invalidate`] was told.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when a path costs more than 3.5e8 units.
    pub fn build(
        &mut self,
        costs: &CostField,
        solver: &mut TileSolver,
        cache: &mut TileCache,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Result<BuildProgress> {
        self.build_from(costs, solver, &mut Store::Own(cache), limit, should_stop)
    }

    /// [`Self::build`] while other fields are built from the same cache: what was made, in order, is for it
    /// to take in.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn build_beside(
        &mut self,
        costs: &CostField,
        solver: &mut TileSolver,
        cache: &TileCache,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Result<(BuildProgress, Vec<Made>)> {
        let mut made = Vec::new();
        let mut store = Store::Shared(cache, &mut made);
        let progress = self.build_from(costs, solver, &mut store, limit, should_stop)?;
        Ok((progress, made))
    }

    fn build_from(
        &mut self,
        costs: &CostField,
        solver: &mut TileSolver,
        store: &mut Store<'_>,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Result<BuildProgress> {
        let mut built = 0;
        let mut context = self.context(costs, solver);
        while self.waiting() > 0 {
            if built == limit || should_stop() {
                return Ok(BuildProgress {
                    built,
                    is_done: false,
                });
            }
            let (slot, is_raising) = match self.raise.pop() {
                Some(slot) => (slot, true),
                None => match self.settle.pop() {
                    Some(slot) => (slot, false),
                    None => break,
                },
            };
            built += 1;
            self.attempts += 1;
            if self.attempts > MOST_ATTEMPTS.0 * self.active_count() + MOST_ATTEMPTS.1
                && !self.is_doubtful
            {
                // Tiles from the cache contradict each other, which only those can that were read.
                self.is_doubtful = true;
                self.restart();
                continue;
            }
            if let Some(solved) = self.solve(slot, costs, context.solver, store.cache()) {
                let content = solved.take_in(store);
                self.publish(slot, content, is_raising, &mut context);
            } else {
                self.coarsen()?;
                context = self.context(costs, context.solver);
            }
        }
        self.attempts = 0;
        Ok(BuildProgress {
            built,
            is_done: true,
        })
    }

    /// How many tiles wait to be built, at least.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.raise.len() + self.settle.len()
    }

    fn context<'a>(&self, costs: &'a CostField, solver: &'a mut TileSolver) -> BuildContext<'a> {
        let straight = f64::from(self.scale().straight);
        let least_step = straight * f64::from(costs.cheapest()) * LEAST_GAIN;
        BuildContext {
            costs,
            solver,
            least_step: least_step as u32 - 1,
        }
    }

    /// Begins anew with costs in coarser units.
    fn coarsen(&mut self) -> Result<()> {
        if self.scale + 1 == SCALES.len() {
            return Err(cost_overflow());
        }
        self.scale += 1;
        self.restart();
        Ok(())
    }

    /// Forgets all that is published and begins with the goals again.
    fn restart(&mut self) {
        self.attempts = 0;
        self.raise.clear();
        self.settle.clear();
        for slot in 0..self.slots.len() {
            self.slots[slot].published = None;
            self.slots[slot].lost = [0; 4];
            self.slots[slot].lost_links.clear();
            let sector = self.slots[slot].sector;
            if self.slot_of[sector as usize] == slot as u32 {
                self.queue_goals(sector, slot as u32);
            }
        }
    }

    /// What a sector has by what the sectors around it publish; `None` if costs leave the number range.
    fn solve(
        &self,
        slot: u32,
        costs: &CostField,
        solver: &mut TileSolver,
        cache: &TileCache,
    ) -> Option<Solved> {
        let sector = self.slots[slot as usize].sector;
        let rect = self.layout.rect(sector);
        let size = rect.high - rect.low;
        if let Some(sight) = self.sight(sector, costs) {
            let most = 2 * (self.scale().straight + 1) * u32::from(costs.dearest());
            let highest = sight.highest(size)?;
            return (highest < UNREACHED - most - 1).then_some(Solved::Done(Content::Clear(sight)));
        }
        solver.begin(costs, rect, self.closed_beside(sector));
        for step in 0..8 {
            let Some(other) = self.slot_beside(sector, step) else {
                continue;
            };
            let other = &self.slots[other as usize];
            let there = self.layout.rect(other.sector);
            let (side, cells) = border::strip(there.high - there.low, (step + 4) % 8);
            for at in cells {
                let offer = other.offer(there.high - there.low, side, at);
                if offer.cost != UNREACHED {
                    let cell = border::cell(there.high - there.low, side, at);
                    solver.start(there.low + cell - rect.low, offer);
                }
            }
        }
        for goal in &self.goals[self.goals_in(sector)] {
            if costs.is_open(goal.cell) {
                let cost = self.initial_cost(goal);
                solver.start_goal(goal.cell - rect.low, cost);
            }
        }
        self.start_links(sector, solver);
        let cache = (!self.is_doubtful).then_some(cache);
        solver.finish(self.solver.into(), self.scale(), cache)
    }

    /// Makes known what a sector has now, and lets those wait that it may matter to.
    ///
    /// While raising, a cell that has lost its value gives it up before it believes in a higher one.
    fn publish(
        &mut self,
        slot: u32,
        content: Content,
        is_raising: bool,
        context: &mut BuildContext<'_>,
    ) {
        let sector = self.slots[slot as usize].sector;
        let rect = self.layout.rect(sector);
        let size = rect.high - rect.low;
        for at in self.goals_in(sector) {
            self.goals[at].is_settled = content.is_goal(self.goals[at].cell - rect.low);
        }
        let mut lost = [0; 4];
        let mut lost_links = Vec::new();
        let old = self.slots[slot as usize].clone();
        if is_raising {
            let mut least = UNREACHED;
            for side in [0, 2, 4, 6] {
                lost[side / 2] = old.lost[side / 2];
                for at in 0..border::length(size, side) {
                    let before = old.offer(size, side, at).cost;
                    if content.offer(size, side, at).cost > before {
                        lost[side / 2] |= 1 << at;
                        least = least.min(before);
                    }
                }
            }
            let (links, cheapest) = self.lost_link_ends(sector, &old, &content);
            (lost_links, least) = (links, least.min(cheapest));
            if lost != [0; 4] || !lost_links.is_empty() {
                self.settle.push(slot, least.min(content.least()));
            }
        }
        let entry = &mut self.slots[slot as usize];
        if lost == [0; 4] && lost_links.is_empty() {
            entry.served = Some(content.clone());
        }
        entry.published = Some(content);
        entry.lost = lost;
        entry.lost_links = lost_links;
        for step in 0..8 {
            if let Some(other) = self.slot_beside(sector, step) {
                self.propagate(&old, slot, step, other, is_raising, context);
            }
        }
        if !self.links.is_empty() {
            self.propagate_over_links(&old, slot, is_raising, context);
        }
    }
}
