//! The synchronisation of graphs, routes and tiles with changes of the terrain (Emerson, Game AI Pro, 23.8).

use crate::error::Result;
use crate::route::PortalGraph;
use crate::world::FlowWorld;
use crate::world::goal_id::{GoalId, in_cells};
use crate::world::movement_layer::MovementLayer;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::previews::updated;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::scheduler::{Pair, RequestPriority};
use crate::world::tiled::slot_edits::SlotEdits;
use crate::world::tiled::spare::Spare;
use crate::world::tiled::tiling::{Graph, TiledSlot, Tiling};
use std::borrow::Cow;
use std::mem::replace;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::Arc;

/// The most goals and movement types that an update synchronises besides those with agents, and the most goals that it
/// checks for that.
const MOST_SYNCED: usize = 32;
pub(super) const MOST_CHECKED: usize = 1024;
/// The number of edits whose changes of the graph are kept: as many as the log of the costs keeps.
const MOST_CHANGES: usize = 256;

impl Graph {
    /// Records that the graph is made for the present costs. Only the simulation does so, and it has settled them: both
    /// revisions stand for the same state.
    fn note_newest(&mut self, layer: &MovementLayer) {
        if self.revision == layer.settled.revision {
            self.newest = layer.newest.revision;
        }
    }

    /// The sectors whose part of the graph has changed since a revision of the costs.
    pub(super) fn changed_since(&self, revision: u64) -> Cow<'_, [u32]> {
        let first = self
            .change_log
            .iter()
            .position(|change| change.0 == revision);
        let Some(first) = first else {
            return Cow::Owned((0..self.graph.sectors().count() as u32).collect());
        };
        if first + 1 == self.change_log.len() {
            return Cow::Borrowed(&self.change_log[first].1);
        }
        let changes = self.change_log.range(first..);
        let mut changed: Vec<u32> = changes.flat_map(|change| &change.1).copied().collect();
        // Merges the lists, each of which is in order.
        changed.sort();
        changed.dedup();
        Cow::Owned(changed)
    }
}

impl SlotEdits {
    /// Finds what a slot lacks of a graph and the costs, unless that is known.
    pub(super) fn find(&mut self, slot: &TiledSlot, (layer, graph): (&MovementLayer, &Graph)) {
        let own = [slot.revision, slot.graph_revision];
        let made_for = Some((own, [graph.noted(), graph.revision]));
        if self.made_for == made_for {
            return;
        }
        let changes = layer.changes_since(slot.revision);
        let has_new_graph = slot.graph_revision != graph.revision;
        let mut sectors = match has_new_graph {
            true => graph.changed_since(slot.graph_revision).into_owned(),
            false => Vec::new(),
        };
        if graph.renewal.is_some() {
            // The graph lacks these edits, but the costs do not.
            sectors.extend(graph.graph.sectors_of(&layer.costs, &changes));
            sectors.sort_unstable();
            sectors.dedup();
        }
        *self = Self {
            made_for,
            changes,
            sectors,
            has_new_graph,
        };
    }
}

impl TiledSlot {
    /// Whether the slot lacks edits that a graph, or its update, has.
    pub(super) fn lacks_edits(&self, graph: &Graph) -> bool {
        self.revision != graph.noted() || self.graph_revision != graph.revision
    }
}

impl Tiling {
    /// Returns true if no goal has tiles, as tiles need a graph.
    pub(in crate::world) fn is_unused(&self) -> bool {
        self.graphs.is_empty()
    }

    /// Frees a part of the portals that an update of a graph has replaced, and of the tiles above the limit of the
    /// cache.
    pub(in crate::world) fn free_memory(&mut self) {
        self.retired.free_part();
        self.cache.trim_in_update();
    }

    /// Removes the graphs and requests of all but the first `count` movement types.
    pub(in crate::world) fn truncate(&mut self, count: usize) {
        let removed = self.graphs.drain(count.min(self.graphs.len())..);
        for graph in removed.flatten() {
            if let Some(graph) = Arc::into_inner(graph.graph) {
                graph.retire(&mut self.retired);
            }
        }
        self.unfinished_graphs.truncate(count);
        self.scheduler.queue.truncate(count);
        self.previews.truncate(count);
    }

    /// Removes the requests for a goal that has been removed.
    pub(in crate::world) fn forget_goal(&mut self, goal: GoalId) {
        self.scheduler.queue.forget_goal(goal);
        self.previews.forget_goal(goal);
    }
}

impl FlowWorld {
    /// Updates graphs, routes and the queues of tiles to the costs, and begins new states for goals that have been
    /// moved. The costs must be up to date.
    ///
    /// Of very many goals an update synchronises only some besides those with agents, in turns. Each goal is
    /// synchronised before anything else is done with it.
    pub(in crate::world) fn sync_tiles(&mut self) {
        if self.tiling.is_unused() {
            return;
        }
        self.sync_graphs();
        let standing: Vec<Pair> = self.tiling.scheduler.standing.iter().copied().collect();
        for (goal, movement) in standing {
            self.sync_slot(goal, movement);
        }
        self.sync_in_turns();
        self.update_moved_goals();
    }

    /// [`Self::sync_tiles`] for one goal.
    pub(in crate::world) fn sync_goal(&mut self, goal: GoalId, priority: RequestPriority) {
        self.sync_graphs();
        for movement in 0..self.layers.len() {
            self.sync_slot(goal, movement);
        }
        self.update_moved_goal(goal, priority);
    }

    /// Synchronises some goals that do not have all edits.
    fn sync_in_turns(&mut self) {
        let mut synced = 0;
        for _ in 0..MOST_CHECKED.min(self.tiling.scheduler.unsynced) {
            let after = self
                .tiling
                .scheduler
                .last_synced
                .map_or(Unbounded, Excluded);
            let goals = &self.goals.by_id;
            let next = goals.range((after, Unbounded)).next();
            let Some((&goal, known)) = next.or_else(|| goals.first_key_value()) else {
                return;
            };
            self.tiling.scheduler.last_synced = Some(goal);
            self.tiling.scheduler.unsynced -= 1;
            for movement in 0..known.tiled.len() {
                synced += usize::from(self.sync_slot(goal, movement));
            }
            if synced >= MOST_SYNCED {
                return;
            }
        }
    }

    pub(in crate::world) fn sync_graphs(&mut self) {
        for movement in 0..self.tiling.graphs.len().min(self.layers.len()) {
            self.sync_graph(movement);
        }
    }

    fn sync_graph(&mut self, movement: usize) {
        let (is_sliced, cells) = (self.is_sliced(), self.update_cells());
        let layer = &self.layers[movement];
        let Some(known) = &mut self.tiling.graphs[movement] else {
            let unfinished = self.tiling.unfinished_graphs.get_mut(movement);
            if let Some(unfinished) = unfinished.and_then(Option::as_mut) {
                unfinished.note(layer);
            }
            return;
        };
        if !is_sliced {
            known.renewal = None;
        }
        let noted = known.noted();
        let changed = match known.take_over(layer, &mut self.tiling.retired) {
            Some(renewed) => renewed,
            None if noted == layer.settled.revision => {
                known.note_newest(layer);
                return;
            }
            None => {
                let changes = layer.changes_since(noted);
                self.tiling.scheduler.unsynced = self.goals.by_id.len();
                if is_sliced && known.renews(layer, &changes, cells) {
                    return;
                }
                let graph = Arc::make_mut(&mut known.graph);
                graph.update(&layer.costs, &changes, &self.workers)
            }
        };
        let before = replace(&mut known.revision, layer.settled.revision);
        known.note_newest(layer);
        known.change_log.push_back((before, changed));
        if known.change_log.len() > MOST_CHANGES {
            known.change_log.pop_front();
        }
        self.tiling.scheduler.unsynced = self.goals.by_id.len();
    }

    /// Updates the routes and tiles of a goal and movement type to the costs. Returns true if anything had changed.
    pub(super) fn sync_slot(&mut self, goal: GoalId, movement: usize) -> bool {
        let (Some(layer), Some(Some(graph))) =
            (self.layers.get(movement), self.tiling.graphs.get(movement))
        else {
            return false;
        };
        let Some(slot) = self.goals.slot_mut((goal, movement)) else {
            return false;
        };
        if !slot.lacks_edits(graph) {
            return false;
        }
        self.tiling.edits.find(slot, (layer, graph));
        (slot.revision, slot.graph_revision) = (graph.noted(), graph.revision);
        for state in slot.pending.iter_mut().chain([&mut slot.current]) {
            let (edits, search) = (&self.tiling.edits, &mut self.tiling.search);
            let state = Arc::make_mut(state);
            if state.update(&graph.graph, &layer.costs, edits, search) {
                slot.pursuit.search_again();
            }
        }
        self.tiling.scheduler.note_tiles((goal, movement));
        true
    }

    /// The portal graph of a movement type whose index is in range; builds it if there is none.
    pub(super) fn ensure_graph(&mut self, movement: usize) -> Result<&Arc<PortalGraph>> {
        let settings = self.portal_settings();
        let graphs = &mut self.tiling.graphs;
        if graphs.len() < self.layers.len() {
            graphs.resize_with(self.layers.len(), || None);
        }
        let layer = &self.layers[movement];
        let known = match graphs[movement].take() {
            Some(known) => known,
            None => {
                let graph = match self.tiling.previews.take_graph(movement) {
                    Some(known) => updated(known, layer, &self.workers),
                    None => Arc::new(PortalGraph::new(&layer.costs, settings, &self.workers)?),
                };
                let spare = &mut self.tiling.spare;
                spare.get_or_insert_with(|| Spare::new(&graph, &layer.costs));
                Graph::new(graph, layer)
            }
        };
        Ok(&graphs[movement].insert(known).graph)
    }

    /// The current version of a goal, for new routes and tiles.
    pub(super) fn wanted_version(&self, goal: GoalId) -> Result<GoalVersion> {
        Ok(GoalVersion {
            goal: self.goals.get(goal)?.revision,
            solver: self.solver,
        })
    }

    /// Makes a state for the goal's current position, without any requests.
    pub(super) fn new_state(&mut self, goal: GoalId, movement: usize) -> Result<TiledGoalState> {
        let made_for = self.wanted_version(goal)?;
        let graph = Arc::clone(self.ensure_graph(movement)?);
        self.tiling.scheduler.spend_on_goal(graph.sectors().count());
        let version_and_variant = (made_for, self.tiling.variant);
        let goal = self.goals.get(goal)?;
        let (cells, targets) = in_cells(&self.grid, &goal.targets, &goal.initial_costs);
        let costs = &self.layers[movement].costs;
        let spare = self.tiling.take_spare(&graph, costs);
        let mut state =
            TiledGoalState::new(version_and_variant, (&graph, costs), spare, &cells, targets)?;
        state.begun_at = self.walking.tick();
        Ok(state)
    }

    /// Makes the slot of a tiled goal and a movement type whose index is in range, unless there is one.
    pub(in crate::world) fn ensure_slot(&mut self, goal: GoalId, movement: usize) -> Result<()> {
        let count = self.layers.len();
        let entry = self.goals.get_mut(goal)?;
        entry.tiled.resize_with(count, || None);
        if entry.tiled[movement].is_none() {
            let state = self.new_state(goal, movement)?;
            let graph = self.tiling.graph(movement);
            let settled = self.layers[movement].settled.revision;
            let graph_revision = graph.map_or(settled, |graph| graph.revision);
            let revision = graph.map_or(settled, Graph::noted);
            let tick = self.walking.tick();
            let entry = self.goals.get_mut(goal)?;
            entry.tiled[movement] = Some(TiledSlot {
                current: Arc::new(state),
                pending: None,
                stood: Vec::new(),
                standing: Vec::new(),
                revision,
                graph_revision,
                pursuit: Pursuit::new(&entry.destination, tick),
            });
        }
        Ok(())
    }
}
