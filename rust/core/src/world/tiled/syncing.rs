//! Taking changes of the terrain and of goals over into graphs, routes and tiles (Emerson, Game AI Pro,
//! 23.8).

use super::{Aim, Graph, TiledSlot, Tiling, Ways};
use crate::error::Result;
use crate::movement::Changes;
use crate::route::PortalGraph;
use crate::world::goals::in_cells;
use crate::world::{FlowWorld, GoalId};
use std::sync::Arc;

impl Tiling {
    /// Forgets the graphs of all but the first movement types, and what waits for others.
    pub(in crate::world) fn truncate(&mut self, count: usize) {
        self.graphs.truncate(count);
        self.queue.truncate(count);
    }

    /// Lets nothing wait any more for a goal that is gone.
    pub(in crate::world) fn forget_goal(&mut self, goal: GoalId) {
        self.queue.forget_goal(goal);
    }
}

impl FlowWorld {
    /// Brings graphs, routes and the waiting lists of tiles up to date with the costs, and begins with new
    /// ways to goals that have been moved. The costs must be up to date.
    pub(in crate::world) fn sync_tiles(&mut self) {
        for movement in 0..self.tiling.graphs.len().min(self.layers.len()) {
            self.sync_graph(movement);
        }
        let goals: Vec<GoalId> = self.goals.by_id.keys().copied().collect();
        for goal in goals {
            self.follow_moved_goal(goal);
        }
    }

    /// As [`Self::sync_tiles`], for one goal: others are looked at only after an edit.
    pub(in crate::world) fn sync_goal(&mut self, goal: GoalId) {
        let mut graphs = self.tiling.graphs.iter().zip(&self.layers);
        let is_old = |graph: &Graph, revision: u64| graph.revision != revision;
        if graphs.any(|(graph, layer)| graph.as_ref().is_some_and(|it| is_old(it, layer.revision)))
        {
            self.sync_tiles();
        } else {
            self.follow_moved_goal(goal);
        }
    }

    fn sync_graph(&mut self, movement: usize) {
        let layer = &self.layers[movement];
        let Some(known) = &mut self.tiling.graphs[movement] else {
            return;
        };
        if known.revision == layer.revision {
            return;
        }
        let since = layer.log.since(known.revision);
        let changes = since.map_or(Changes::Many, |cells| Changes::Cells(cells.into_owned()));
        known.revision = layer.revision;
        let graph = Arc::make_mut(&mut known.graph);
        let changed = graph.update(&layer.costs, &changes, &self.workers);
        for goal in self.goals.by_id.values_mut() {
            let Some(Some(slot)) = goal.tiled.get_mut(movement) else {
                continue;
            };
            for ways in slot.next.iter_mut().chain([&mut slot.current]) {
                let news = (&changes, changed.as_slice());
                let search = &mut self.tiling.search;
                Arc::make_mut(ways).update(graph, &layer.costs, news, search);
            }
        }
    }

    /// The portal graph of a movement type whose index is in range.
    pub(super) fn ensure_graph(&mut self, movement: usize) -> Result<&Arc<PortalGraph>> {
        let settings = self.portal_settings();
        let graphs = &mut self.tiling.graphs;
        if graphs.len() < self.layers.len() {
            graphs.resize_with(self.layers.len(), || None);
        }
        let layer = &self.layers[movement];
        let known = match graphs[movement].take() {
            Some(known) => known,
            None => Graph {
                graph: Arc::new(PortalGraph::new(&layer.costs, settings, &self.workers)?),
                revision: layer.revision,
            },
        };
        Ok(&graphs[movement].insert(known).graph)
    }

    /// What ways to a goal are to be made from now.
    pub(super) fn wanted_aim(&self, goal: GoalId) -> Result<Aim> {
        Ok(Aim {
            goal: self.goals.get(goal)?.revision,
            solver: self.solver,
        })
    }

    /// Ways to where a goal is now, of which nothing has been asked yet.
    pub(super) fn new_ways(&mut self, goal: GoalId, movement: usize) -> Result<Ways> {
        let aim = self.wanted_aim(goal)?;
        let graph = Arc::clone(self.ensure_graph(movement)?);
        self.tiling.spend_on_goal(graph.sectors().count());
        let made_as = (aim, self.tiling.variant);
        let goal = self.goals.get(goal)?;
        let (cells, targets) = in_cells(&self.grid, &goal.targets, &goal.initial_costs);
        Ways::new(
            made_as,
            &graph,
            &self.layers[movement].costs,
            &cells,
            targets,
        )
    }

    /// Makes the place for a tiled goal's ways for a movement type whose index is in range.
    pub(in crate::world) fn ensure_ways(&mut self, goal: GoalId, movement: usize) -> Result<()> {
        let count = self.layers.len();
        let entry = self.goals.get_mut(goal)?;
        entry.tiled.resize_with(count, || None);
        if entry.tiled[movement].is_none() {
            let ways = self.new_ways(goal, movement)?;
            self.goals.get_mut(goal)?.tiled[movement] = Some(TiledSlot {
                current: Arc::new(ways),
                next: None,
                stood: Vec::new(),
                standing: Vec::new(),
            });
        }
        Ok(())
    }
}
