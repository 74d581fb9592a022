//! The data of a world for each movement type.

use crate::grid::links::Links;
use crate::grid::seams::Seams;
use crate::movement::{Changes, CostField, Excerpt, MovementType};
use crate::world::builder::Scratch;
use crate::world::history::History;
use crate::world::kept_costs::KeptCosts;
use crate::world::known_islands::KnownIslands;
use crate::world::next_costs::NextCosts;
use crate::world::past_costs::{Before, PastCosts};
use std::mem::{replace, take};
use std::sync::Arc;

/// The source of an edit of costs, which decides in which histories it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refresh {
    /// The simulation applies edits.
    Simulation,
    /// The simulation applies edits, and no goal is tiled: the settled history is not needed.
    Untiled,
    /// A query applies edits before the simulation; they can be taken back.
    Query,
    /// The simulation applies in one edit what queries applied in several.
    Settle,
}

/// How an edit of costs is recorded.
pub(super) struct EditBy<'a> {
    pub(super) refresh: Refresh,
    /// Whether the costs before are kept ([`MovementLayer::past`]).
    pub(super) keeps_past: bool,
    /// The last revision of all layers, which the edit raises.
    pub(super) last_revision: &'a mut u64,
}

/// A movement type with its costs and islands.
#[derive(Debug, Clone)]
pub(super) struct MovementLayer {
    /// The type by which the costs are made. Its speeds are those that were set last.
    pub(super) kind: MovementType,
    pub(super) costs: Arc<CostField>,
    /// The costs that snapshots share.
    pub(super) kept: KeptCosts,
    /// What stands for all that the costs follow from, if they were written as next costs and not edited since.
    pub(super) made_from: Option<Arc<()>>,
    /// The type that was set last.
    pub(super) newest_kind: MovementType,
    /// The costs that are to come into use.
    pub(super) next: Option<NextCosts>,
    /// The history that whole fields and islands use.
    pub(super) newest: History,
    /// The history that tiled goals use. Queries do not add to it.
    pub(super) settled: History,
    /// The revision, in the count of [`Self::newest`], since which the costs are what the simulation knows. Edits that
    /// only queries have applied, and that have been taken back, have given the same costs later revisions.
    pub(super) simulated: u64,
    /// The edits that fields or the graph in use lack.
    pub(super) past: PastCosts,
    /// The excerpts for taking back the edits that are only in [`Self::newest`], oldest first.
    pub(super) undo: Vec<Excerpt>,
    pub(super) islands: KnownIslands,
}

impl MovementLayer {
    /// Costs that are up to date.
    pub(super) fn new(kind: MovementType, costs: impl Into<Arc<CostField>>, revision: u64) -> Self {
        Self {
            newest_kind: kind.clone(),
            kind,
            costs: costs.into(),
            kept: KeptCosts::default(),
            made_from: None,
            next: None,
            newest: History::at(revision),
            settled: History::at(revision),
            simulated: revision,
            past: PastCosts::since(revision),
            undo: Vec::new(),
            islands: KnownIslands::default(),
        }
    }

    /// Takes over what follows from the costs of `known`, in whose place a rollback has put this copy, if these are the
    /// same costs. Returns its costs in work and those in use, as far as they are of no use as they are.
    pub(super) fn recognize(
        &mut self,
        mut known: Self,
        scratch: &Scratch,
    ) -> [Option<NextCosts>; 2] {
        // Whole costs that others have replaced since may be these ones, in arrays.
        for past in known.past.forget_before(u64::MAX) {
            self.take_arrays_of(past, scratch);
        }
        if self.newest.revision == known.newest.revision {
            self.islands = known.islands;
        }
        let made_from = known.made_from;
        let is_made_so = |own: &&mut NextCosts| {
            made_from.is_some_and(|known| Arc::ptr_eq(&known, own.made_from()))
        };
        if let Some(own) = self.next.as_mut().filter(is_made_so) {
            own.take_complete(known.costs);
            return [known.next, None];
        }
        let next = match (&mut self.next, known.next) {
            (Some(own), Some(next)) => own.recognize(next),
            (_, next) => next,
        };
        let in_use = Arc::into_inner(known.costs);
        let in_use = in_use.map(|costs| NextCosts::complete(known.kind, costs));
        [next, in_use]
    }

    /// Takes the arrays of other costs, unless something else holds them. Their other memory is given back.
    pub(super) fn take_arrays_of(&self, other: Arc<CostField>, scratch: &Scratch) {
        if let Some(other) = Arc::into_inner(other) {
            let retired = &mut scratch.retired.lock();
            self.costs.inherit_unlike_arrays(other, retired);
        }
    }

    /// A copy for a snapshot.
    pub(super) fn kept(&self) -> Self {
        Self {
            costs: self.kept.keep(&self.costs),
            ..self.clone()
        }
    }

    /// The layer again, of a copy that a snapshot holds.
    pub(super) fn brought_back(&self) -> Self {
        Self {
            costs: Arc::new(self.costs.without_arrays()),
            kept: KeptCosts::of(&self.costs),
            ..self.clone()
        }
    }

    /// Puts other costs, with a new revision, in place of the present ones, from which they differ by `changes`.
    /// `made_from` stands for all that they follow from.
    pub(super) fn replace_costs(
        &mut self,
        (kind, costs, made_from): (MovementType, CostField, Arc<()>),
        (revision, changes): (u64, Changes),
        keeps_past: bool,
        scratch: &Scratch,
    ) {
        self.made_from = Some(made_from);
        let map_cells = costs.width() * costs.height();
        self.settled.record(revision, changes.clone(), map_cells);
        self.newest.record(revision, changes, map_cells);
        self.simulated = revision;
        self.undo.clear();
        self.kept = KeptCosts::default();
        self.kind = kind;
        let before = Before::Whole(replace(&mut self.costs, Arc::new(costs)));
        if keeps_past {
            self.past.record(revision, None, before);
        } else {
            self.past = PastCosts::since(revision);
        }
        take(&mut self.islands).retire(&mut scratch.retired.lock());
    }

    /// Whether the costs in use are those of the first movement type, as this one was added and has none yet.
    pub(super) fn awaits_first_costs(&self) -> bool {
        self.next.as_ref().is_some_and(NextCosts::are_first_ones)
    }

    /// The types by which costs are or will be made.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &MovementType> {
        let next = self.next.as_ref().map(|next| &next.kind);
        [&self.kind, &self.newest_kind].into_iter().chain(next)
    }

    /// Edits the costs, and records the changes under the next revision. `before` copies the cells that the edit may
    /// change.
    pub(super) fn edit_costs(
        &mut self,
        EditBy {
            refresh,
            keeps_past,
            last_revision,
        }: EditBy<'_>,
        before: impl FnOnce(&Arc<CostField>, &MovementType) -> Excerpt,
        edit: impl FnOnce(&mut CostField, &MovementType) -> Changes,
    ) {
        let is_query = refresh == Refresh::Query;
        let before = (is_query || keeps_past).then(|| before(&self.costs, &self.kind));
        self.kept.forget();
        // Copies the costs only if a background job or an excerpt still holds them.
        let changes = edit(Arc::make_mut(&mut self.costs), &self.kind);
        self.made_from = None;
        let kept = keeps_past.then(|| changes.clone());
        self.record((refresh, last_revision), changes);
        match (before, kept) {
            (Some(excerpt), _) if is_query => self.undo.push(excerpt),
            (Some(excerpt), Some(changes)) => self.keep_past(changes, excerpt),
            _ => self.past = PastCosts::since(self.simulated),
        }
    }

    /// Keeps what an edit has overwritten that has just been recorded.
    fn keep_past(&mut self, changes: Changes, before: Excerpt) {
        let before = match (&changes, before) {
            (Changes::Cells(cells), _) if cells.is_empty() => return,
            (Changes::Cells(cells), before) => Before::Cells(before.states_of(cells)),
            (Changes::Regions(_), Excerpt::Whole(whole)) => Before::Whole(whole),
            // So many cells are kept whole.
            (Changes::Regions(_), Excerpt::Part(_)) => Before::Cells(Vec::new()),
        };
        self.past
            .record(self.simulated, changes.into_listed(), before);
    }

    /// Replaces the links of the costs, and records that.
    pub(super) fn edit_links(
        &mut self,
        EditBy {
            refresh,
            keeps_past,
            last_revision,
        }: EditBy<'_>,
        (links, seams): (&Arc<Links>, &Arc<Seams>),
    ) {
        let before = Arc::clone(self.costs.shared_links());
        self.kept.forget();
        let costs = Arc::make_mut(&mut self.costs);
        self.made_from = None;
        let changes = costs.set_links(Arc::clone(links));
        costs.set_seams(Arc::clone(seams));
        let has_changed = changes != Changes::Cells(Vec::new());
        let kept = changes.clone();
        // The order of this and of edits of costs does not matter, so the simulation sees it at once.
        self.record((refresh, last_revision), changes);
        if !keeps_past {
            self.past = PastCosts::since(self.simulated);
        } else if has_changed {
            self.past
                .record(self.simulated, kept.into_listed(), Before::Links(before));
        }
    }

    /// Records changes of the costs under the next revision, if there are any.
    pub(super) fn record(
        &mut self,
        (refresh, last_revision): (Refresh, &mut u64),
        changes: Changes,
    ) {
        if changes == Changes::Cells(Vec::new()) {
            return;
        }
        let map_cells = self.costs.width() * self.costs.height();
        *last_revision += 1;
        if matches!(refresh, Refresh::Simulation | Refresh::Untiled) {
            self.simulated = *last_revision;
        }
        match refresh {
            Refresh::Simulation => {
                let changes = changes.clone();
                self.settled.record(*last_revision, changes, map_cells);
            }
            Refresh::Untiled => self.settled = History::at(*last_revision),
            Refresh::Settle => {
                self.simulated = self.newest.revision;
                return self.settled.record(*last_revision, changes, map_cells);
            }
            Refresh::Query => {}
        }
        self.newest.record(*last_revision, changes, map_cells);
    }

    /// What the simulation has changed since a revision of the settled costs.
    pub(super) fn changes_since(&self, revision: u64) -> Changes {
        if revision == self.settled.revision {
            return Changes::Cells(Vec::new());
        }
        let since = self.settled.log.since(revision, &self.costs);
        since.unwrap_or_else(|| Changes::anywhere(&self.costs))
    }

    /// The cells that differ from `before`, other costs of the map, although no change since a revision tells.
    pub(super) fn changed_before(&self, revision: u64, before: &CostField) -> Vec<u32> {
        let since = self.changes_since(revision);
        let mut cells = self.costs.cells_unlike(before);
        since.remove_from(&mut cells, &self.costs);
        cells
    }

    /// Has the memory of its costs given back in parts.
    pub(super) fn retire(self, scratch: &Scratch) {
        scratch.retire_costs(self.costs);
        scratch.retire_next(self.next);
        self.islands.retire(&mut scratch.retired.lock());
    }

    /// Takes the arrays of former costs of a revision, which a field was solved for, unless something else holds them.
    /// Their other memory is given back.
    pub(super) fn inherit_arrays(&self, former: Arc<CostField>, revision: u64, scratch: &Scratch) {
        let changed = self.newest.cells_since(revision);
        match (Arc::try_unwrap(former), changed) {
            (Ok(former), Some(changed)) if !self.costs.has_arrays() => {
                self.costs.inherit_arrays(former, &changed);
            }
            (Ok(former), _) => scratch.retire_costs(Arc::new(former)),
            // The present costs are these, or a build or a snapshot needs them.
            (Err(_), _) => {}
        }
    }

    /// The costs without the edits that only queries have applied.
    pub(super) fn simulated_costs(&self) -> Arc<CostField> {
        let mut costs = Arc::clone(&self.costs);
        for before in self.undo.iter().rev() {
            CostField::restore(&mut costs, before.clone());
        }
        costs
    }

    /// Takes back the edits that only queries have applied, so that the simulation can apply them.
    pub(super) fn undo(&mut self) {
        if !self.undo.is_empty() {
            self.kept.forget();
        }
        for before in self.undo.drain(..).rev() {
            CostField::restore(&mut self.costs, before);
        }
    }
}
