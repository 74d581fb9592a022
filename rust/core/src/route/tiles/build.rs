//! The building of tiles: one after the other, until all agree.
//!
//! A tile is solved from the values along the borders of the tiles around it. If its own values along the border
//! change, the tiles that depend on them are queued. Queued tiles are solved in the order of the least cost that has
//! reached them, as cells are in a wave (the block iterative method of Jeong and Whitaker, SIAM Journal on Scientific
//! Computing 30(5), 2008, with Dijkstra's order), so most tiles are solved once or twice.
//!
//! Building ends, and always with the same values. Every value exceeds the value it is made from by at least a least
//! step. If all costs below some number are right, then all costs below that number plus a least step are right once
//! every queued tile has been solved.

use super::border;
use super::cache::{MadeTile, Store, TileCache};
use super::field::TiledField;
use super::solve::{Solved, TileSolver};
use super::tile::Content;
use crate::error::Result;
use crate::integrate::{LEAST_GAIN, SCALES, UNREACHED, cost_overflow};
use crate::movement::CostField;

/// The number of builds, for each active tile and in all, after which tiles of the cache are considered wrong. Most
/// tiles are built once or twice.
const MOST_ATTEMPTS: (usize, usize) = (64, 1024);

/// The progress of building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildProgress {
    /// The number of tiles that were built. A tile that was built twice counts twice.
    pub built: usize,
    /// The number of tiles that were loaded instead.
    pub loaded: usize,
    /// Whether no tile is left to be built.
    pub is_done: bool,
}

/// The inputs of building besides the field.
pub(super) struct BuildContext<'a> {
    pub(super) costs: &'a CostField,
    /// The solver of the thread that builds the field.
    pub(super) solver: &'a mut TileSolver,
    /// The least difference between a value and the value it is made from.
    pub(super) least_step: u32,
}

impl TiledField {
    /// Builds up to `limit` tiles, besides those that were loaded. `should_stop` is called before each tile and ends
    /// the call if it returns true (Emerson, Game AI Pro, 23.8 and 23.15).
    ///
    /// `costs` must be the same in each call except for changes reported to [`Self::invalidate`].
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

    /// [`Self::build`] while other fields are built from the same cache. Returns the tiles that were made or found, in
    /// order, for [`TileCache::admit_all`].
    ///
    /// # Errors
    /// As [`Self::build`].
    pub(crate) fn build_beside(
        &mut self,
        costs: &CostField,
        solver: &mut TileSolver,
        cache: &TileCache,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Result<(BuildProgress, Vec<MadeTile>)> {
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
        let (mut built, mut loaded) = (0, 0);
        let mut context = self.context(costs, solver);
        while self.waiting() > 0 {
            if built == limit || should_stop() {
                return Ok(BuildProgress {
                    built,
                    loaded,
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
                // Tiles of the cache contradict each other. Only tiles that were read from bytes can do so.
                self.is_doubtful = true;
                self.restart();
                continue;
            }
            if let Some(solved) = self.solve(slot, costs, context.solver, store.cache()) {
                if solved.is_loaded(store.cache()) {
                    (built, loaded) = (built - 1, loaded + 1);
                }
                let content = solved.admit(store);
                self.publish(slot, content, is_raising, &mut context);
            } else {
                self.coarsen()?;
                context = self.context(costs, context.solver);
            }
        }
        self.attempts = 0;
        Ok(BuildProgress {
            built,
            loaded,
            is_done: true,
        })
    }

    /// A lower bound of the number of tiles left to be built.
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

    /// Restarts with costs in coarser units.
    fn coarsen(&mut self) -> Result<()> {
        if self.scale + 1 == SCALES.len() {
            return Err(cost_overflow());
        }
        self.scale += 1;
        self.restart();
        Ok(())
    }

    /// Discards all published tiles and restarts at the goals.
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

    /// Solves a sector from the published values around it; `None` if costs exceed the number range.
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
                let candidate = other.candidate(there.high - there.low, side, at);
                if candidate.cost != UNREACHED {
                    let cell = border::cell(there.high - there.low, side, at);
                    solver.start(there.low + cell - rect.low, candidate);
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

    /// Publishes the new content of a sector and queues the sectors that depend on what has changed.
    ///
    /// While raising, a cell whose value has risen loses it: it is unreached for its neighbours before it takes the
    /// higher value.
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
                    let before = old.candidate(size, side, at).cost;
                    if content.candidate(size, side, at).cost > before {
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
