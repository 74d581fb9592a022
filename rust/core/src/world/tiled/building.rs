//! The building of tiles within the budget of an update (Emerson, Game AI Pro, 23.15).

use crate::error::Result;
use crate::route::tiles::{
    BakedTiles, BuildProgress, MadeTile, PlainContext, PlainProgress, RouteSource, make_solvers,
};
use crate::world::FlowWorld;
use crate::world::builder::seconds_since;
use crate::world::goal::Goal;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::TileVariant;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::scheduler::Pair;
use crate::world::tiled::tiling::TiledSlot;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of tiles that are built for a goal in its turn.
const TURN: usize = 16;
/// The number of goals and movement types that are built at once. It is the same for any number of threads.
const ROUND: usize = 8;
/// The number of first tiles that are made at once, for each thread if time is limited.
const FIRST: usize = 32;
const FIRST_UNDER_CLOCK: usize = 2;

impl FlowWorld {
    /// Builds tiles of all goals in turns, within the limits.
    pub(in crate::world) fn build_tiles(&mut self) {
        if self.tiling.is_unused() {
            return;
        }
        let clock = self.builder.clock;
        let begin = self.builder.now();
        let seconds = self.tiling.scheduler.update_seconds - self.tiling.scheduler.used.seconds;
        let is_late = || seconds_since(begin, clock) > seconds;
        make_solvers(&mut self.tiling.solvers, &self.workers);
        // At most half of the time and tiles, so that other tiles are built too however many routes begin.
        let is_half_late = || seconds_since(begin, clock) > seconds / 2.0;
        // On maps with links tiles are seamless in either variant.
        let limit = self.tiling.scheduler.tile_limit - self.build_plain_tiles(is_late);
        let mut left = limit - self.build_first_tiles(limit / 2, is_half_late);
        while left > 0 && !is_late() {
            let round = self.next_round(left);
            let Some(&(goal, movement, _)) = round.last() else {
                break;
            };
            self.tiling.scheduler.tiles.last = Some((goal, movement));
            left -= self.build_round(&round, &is_late);
        }
        if left > 0 && !is_late() {
            self.make_spare();
        }
        self.tiling.scheduler.used.seconds += seconds_since(begin, clock);
    }

    /// The goals and movement types of the next round, with the most tiles to build for each; together they are at most
    /// `share`.
    fn next_round(&mut self, mut share: usize) -> Vec<(GoalId, usize, usize)> {
        let mut round: Vec<(GoalId, usize, usize)> = Vec::new();
        let mut last = self.tiling.scheduler.tiles.last;
        while round.len() < ROUND
            && share > 0
            && let Some((goal, movement)) = self.next_waiting(last, TiledSlot::is_waiting)
            && !round.iter().any(|it| (it.0, it.1) == (goal, movement))
        {
            let turn = share.min(TURN);
            share -= turn;
            round.push((goal, movement, turn));
            last = Some((goal, movement));
        }
        round
    }

    /// The next goal and movement type after `last` with tiles that wait. Its slot is up to date with all edits.
    fn next_waiting(
        &mut self,
        last: Option<Pair>,
        is_waiting: impl Fn(&TiledSlot) -> bool,
    ) -> Option<Pair> {
        let mut at = last;
        for _ in 0..self.tiling.scheduler.tiles.len() {
            let pair = self.tiling.scheduler.tiles.after(at)?;
            at = Some(pair);
            self.sync_slot(pair.0, pair.1);
            let slot = self.tiled_slot(pair.0, pair.1);
            if slot.is_some_and(&is_waiting) {
                return at;
            }
            if !slot.is_some_and(|slot| slot.is_waiting() || slot.is_waiting_for_plain()) {
                self.tiling.scheduler.tiles.remove(pair);
            }
        }
        None
    }

    /// Builds tiles of several goals and movement types at once, up to a number for each. Returns how many were built.
    fn build_round(
        &mut self,
        round: &[(GoalId, usize, usize)],
        is_late: &(impl Fn() -> bool + Sync),
    ) -> usize {
        if let &[(goal, movement, limit)] = round {
            let built = self.build_some(goal, movement, limit, &mut || is_late());
            return built.unwrap_or_default();
        }
        let (layers, cache) = (&self.layers, &self.tiling.cache);
        let mut jobs = jobs_of(&mut self.goals.by_id, round);
        let solvers = Mutex::new(self.tiling.solvers.iter_mut().collect::<Vec<_>>());
        self.workers.for_each_chunk(&mut jobs, 1, |_, jobs| {
            // There is one solver for each thread.
            let Some(solver) = solvers.lock().pop() else {
                return;
            };
            for Job {
                turn,
                state,
                limit,
                done,
            } in jobs
            {
                let (_, movement, _) = round[*turn];
                let costs = &layers[movement].costs;
                let (field, is_late) = (&mut state.field, &mut || is_late());
                *done = Some(field.build_beside(costs, solver, cache, *limit, is_late));
                state.after_building(matches!(done, Some(Err(_))));
            }
            solvers.lock().push(solver);
        });
        drop(solvers);
        let done: Vec<_> = jobs.into_iter().map(|job| (job.turn, job.done)).collect();
        let mut built = 0;
        for (turn, done) in done {
            let (goal, movement, _) = round[turn];
            match done {
                Some(Ok((progress, made))) => {
                    self.tiling.cache.admit_all(made);
                    built += progress.built;
                    self.note_built(goal, progress);
                }
                Some(Err(error)) => self.builder.news.failed.push((goal, movement, error)),
                None => {}
            }
        }
        built
    }

    fn note_built(&mut self, goal: GoalId, progress: BuildProgress) {
        self.tiling.tiles_built += progress.built as u64;
        self.tiling.tiles_loaded += progress.loaded as u64;
        if progress.is_done {
            self.builder.news.ready.push(goal);
        }
    }

    /// Makes up to `limit` first tiles of the sectors in which routes begin.
    fn build_first_tiles(&mut self, limit: usize, is_late: impl Fn() -> bool) -> usize {
        let mut built = 0;
        let at_once = match self.tiling.scheduler.update_seconds {
            f64::INFINITY => FIRST,
            _ => FIRST_UNDER_CLOCK * self.tiling.solvers.len(),
        };
        while let Some(&(id, movement)) = self.tiling.scheduler.first_tiles.first()
            && built < limit
            && !is_late()
        {
            self.sync_slot(id, movement);
            let graph = self.tiling.graphs.get(movement).and_then(Option::as_ref);
            let slot = self.goals.slot_mut((id, movement));
            let (Some(slot), Some(graph)) = (slot, graph) else {
                self.tiling.scheduler.first_tiles.remove(&(id, movement));
                continue;
            };
            if slot.current.has_unqueued_starts() {
                Arc::make_mut(&mut slot.current).queue_first_tiles(&graph.graph);
            }
            if slot.current.first.waiting() == 0 {
                self.tiling.scheduler.first_tiles.remove(&(id, movement));
                continue;
            }
            let TiledGoalState {
                first,
                routes,
                made_for,
                ..
            } = Arc::make_mut(&mut slot.current);
            let source = RouteSource {
                graph: &graph.graph,
                routes,
                costs: &self.layers[movement].costs,
                method: made_for.solver,
            };
            let most = at_once.min(limit - built);
            built += first.build(&source, most, &self.workers, &mut self.tiling.solvers);
        }
        self.tiling.tiles_built += built as u64;
        self.tiling.first_tiles_built += built as u64;
        built
    }

    /// Makes plain tiles of all goals in turns, within the limits. Those that are made only from tiles that were made
    /// beforehand do not count. Returns how many count.
    fn build_plain_tiles(&mut self, is_late: impl Fn() -> bool) -> usize {
        if self.tiling.variant != TileVariant::Plain {
            return 0;
        }
        let mut left = self.tiling.scheduler.tile_limit;
        while left > 0
            && !is_late()
            && let Some((id, movement)) = self.next_waiting(
                self.tiling.scheduler.tiles.last,
                TiledSlot::is_waiting_for_plain,
            )
        {
            self.tiling.scheduler.tiles.last = Some((id, movement));
            let graph = self.tiling.graphs.get(movement).and_then(Option::as_ref);
            let slot = self.goals.slot_mut((id, movement));
            let (Some(slot), Some(graph)) = (slot, graph) else {
                break;
            };
            let TiledGoalState {
                plain: Some(plain),
                routes,
                made_for,
                ..
            } = slot.waiting_plain_state()
            else {
                break;
            };
            let source = RouteSource {
                graph: &graph.graph,
                routes,
                costs: &self.layers[movement].costs,
                method: made_for.solver,
            };
            let mut context = PlainContext {
                workers: &self.workers,
                solvers: &mut self.tiling.solvers,
                cache: &mut self.tiling.cache,
                baked: self.tiling.baked.as_mut(),
                movement,
            };
            let PlainProgress { built, loaded } =
                plain.build(&source, left.min(TURN), &mut context);
            let is_done = plain.waiting() == 0;
            left -= built;
            let failure = self
                .tiling
                .baked
                .as_mut()
                .and_then(BakedTiles::take_failure);
            if let Some(error) = failure {
                self.builder.news.failed.push((id, movement, error));
            }
            if built + loaded > 0 {
                let progress = BuildProgress {
                    built,
                    loaded,
                    is_done,
                };
                self.note_built(id, progress);
            }
        }
        self.tiling.scheduler.tile_limit - left
    }

    /// Builds up to `limit` tiles for a goal, those of its pending state first; `None` if no tile waits.
    pub(super) fn build_some(
        &mut self,
        goal: GoalId,
        movement: usize,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let slot = self.goals.slot_mut((goal, movement))?;
        if !slot.is_waiting() {
            return None;
        }
        let (state, limit) = slot.waiting_state(limit);
        let (costs, tiling) = (&self.layers[movement].costs, &mut self.tiling);
        make_solvers(&mut tiling.solvers, &self.workers);
        let (solver, cache) = (&mut tiling.solvers[0], &mut tiling.cache);
        let field = &mut state.field;
        let done = field.build(costs, solver, cache, limit, should_stop);
        state.after_building(done.is_err());
        match done {
            Ok(progress) => {
                self.note_built(goal, progress);
                Some(progress.built)
            }
            Err(error) => {
                self.builder.news.failed.push((goal, movement, error));
                None
            }
        }
    }
}

/// The jobs of a round, in its order, which is also the order in which their tiles are recorded in the cache.
fn jobs_of<'a>(
    goals: &'a mut BTreeMap<GoalId, Goal>,
    round: &[(GoalId, usize, usize)],
) -> Vec<Job<'a>> {
    let mut jobs = Vec::with_capacity(round.len());
    for (&id, goal) in goals {
        for (movement, slot) in goal.tiled.iter_mut().enumerate() {
            let turn = round.iter().position(|it| (it.0, it.1) == (id, movement));
            let (Some(turn), Some(slot)) = (turn, slot) else {
                continue;
            };
            let (state, limit) = slot.waiting_state(round[turn].2);
            jobs.push(Job {
                turn,
                state,
                limit,
                done: None,
            });
        }
    }
    jobs.sort_unstable_by_key(|job| job.turn);
    jobs
}

/// The tiles of one state that are built in a round.
struct Job<'a> {
    /// The index in the round.
    turn: usize,
    state: &'a mut TiledGoalState,
    /// The most tiles to build.
    limit: usize,
    done: Option<Result<(BuildProgress, Vec<MadeTile>)>>,
}

impl TiledSlot {
    /// [`Self::waiting_state`] for plain tiles.
    fn waiting_plain_state(&mut self) -> &mut TiledGoalState {
        let pending = self
            .pending
            .as_mut()
            .filter(|pending| pending.waiting() > 0);
        Arc::make_mut(pending.unwrap_or(&mut self.current))
    }

    fn is_waiting_for_plain(&self) -> bool {
        let mut states = self.pending.iter().chain([&self.current]);
        states.any(|state| state.plain.is_some() && state.waiting() > 0)
    }
}
