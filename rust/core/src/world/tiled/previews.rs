//! Routes to tiled goals that are searched for queries alone.
//!
//! A query must not change anything that the simulation reads: no route, no tile, no budget. If the routes and tiles
//! that agents follow do not answer a query, it is answered from previews: portal graphs and routes of the same kind,
//! made for the costs with all edits, that no agent follows. Each query searches at once what it needs. The results
//! serve later queries until the costs or the goal change.

use crate::error::Result;
use crate::movement::Changes;
use crate::route::tiles::FieldMemory;
use crate::route::{GoalRoutes, PortalGraph, RouteStart};
use crate::workers::Workers;
use crate::world::FlowWorld;
use crate::world::goal_id::{GoalId, in_cells};
use crate::world::movement_layer::MovementLayer;
use crate::world::tiled::following::TiledRoute;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::preview_memory::{Preview, Source};
use crate::world::tiled::spare::Spare;
use crate::world::tiled::tiling::TiledSlot;
use crate::world::walking::parts::Parts;
use glam::IVec2;
use std::sync::Arc;

/// Updates a graph for a revision of a layer's costs to the current costs.
pub(super) fn updated(
    (revision, mut graph): (u64, Arc<PortalGraph>),
    layer: &MovementLayer,
    workers: &Workers,
) -> Arc<PortalGraph> {
    if revision != layer.newest.revision {
        let since = layer.newest.log.since(revision, &layer.costs);
        let changes = since.unwrap_or_else(|| Changes::anywhere(&layer.costs));
        Arc::make_mut(&mut graph).update(&layer.costs, &changes, workers);
    }
    graph
}

impl FlowWorld {
    /// The portal graph of a movement type whose index is in range. The costs must be up to date for a query.
    pub(super) fn query_graph(&mut self, movement: usize) -> Result<Arc<PortalGraph>> {
        let settings = self.portal_settings();
        let layer = &self.layers[movement];
        let revision = layer.newest.revision;
        let followed = self.tiling.graphs.get(movement).and_then(Option::as_ref);
        let own = &mut self.tiling.previews.graphs;
        if own.len() < self.layers.len() {
            own.resize_with(self.layers.len(), || None);
        }
        if let Some(followed) = followed.filter(|followed| followed.newest == revision) {
            own[movement] = None;
            return Ok(Arc::clone(&followed.graph));
        }
        let known = own[movement].take();
        let known =
            known.or_else(|| followed.map(|known| (known.newest, Arc::clone(&known.graph))));
        let graph = match known {
            Some(known) => updated(known, layer, &self.workers),
            None => Arc::new(PortalGraph::new(&layer.costs, settings, &self.workers)?),
        };
        own[movement] = Some((revision, Arc::clone(&graph)));
        Ok(graph)
    }

    /// The [`Self::query_graph`] of the newest costs, if there is a graph to make it of.
    pub(super) fn known_graph(&mut self, movement: usize) -> Option<Arc<PortalGraph>> {
        let own = self.tiling.previews.graphs.get(movement);
        let followed = self.tiling.graphs.get(movement);
        let is_known = matches!(own, Some(Some(_))) || matches!(followed, Some(Some(_)));
        if is_known && self.has_newest_costs(movement) {
            self.query_graph(movement).ok()
        } else {
            None
        }
    }

    /// Searches the route from a cell of the grid to a tiled goal for a query, and returns its start, if there is one.
    /// The costs must be up to date for a query.
    pub(super) fn preview_from(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> Result<Option<RouteStart>> {
        let size = self.grid.size();
        let Some(start) = self.layers[movement].place_of_start(cell, size) else {
            return Ok(None);
        };
        let graph = self.ensure_preview(goal, movement)?;
        let costs = &self.layers[movement].costs;
        let previews = &mut self.tiling.previews;
        let Some(preview) = previews.routes.get_mut(&(goal, movement)) else {
            return Ok(None);
        };
        let routes = &mut Arc::make_mut(&mut preview.state).routes;
        routes.find(&graph, costs, start, &mut previews.search)
    }

    /// The route to a tiled goal that queries have searched.
    pub(super) fn previewed(&mut self, goal: GoalId, movement: usize) -> Result<TiledRoute> {
        let graph = self.ensure_preview(goal, movement)?;
        let preview = &self.tiling.previews.routes[&(goal, movement)];
        Ok(TiledRoute {
            current: Arc::clone(&preview.state),
            pending: None,
            parts: Parts::default(),
            graph,
            costs: Arc::clone(&self.layers[movement].costs),
            is_current: true,
            is_graph_outdated: false,
            is_queued: false,
        })
    }

    /// Makes the preview of a goal and movement type unless there is one. Returns its graph.
    fn ensure_preview(&mut self, goal: GoalId, movement: usize) -> Result<Arc<PortalGraph>> {
        let made_for = self.wanted_version(goal)?;
        let graph = self.query_graph(movement)?;
        let source = Source {
            costs: self.layers[movement].newest.revision,
            graph: graph.version(),
            made_for,
            variant: self.tiling.variant,
        };
        self.tiling.previews.uses += 1;
        let used = self.tiling.previews.uses;
        let known = self.tiling.previews.routes.get_mut(&(goal, movement));
        if let Some(known) = known.filter(|known| known.source == source) {
            known.used = used;
            return Ok(graph);
        }
        let entry = self.goals.get(goal)?;
        let (cells, targets) = in_cells(&self.grid, &entry.targets, &entry.initial_costs);
        let costs = &self.layers[movement].costs;
        let memory = Spare {
            routes: GoalRoutes::without_goals(&graph, costs),
            field: FieldMemory::default(),
        };
        let version_and_variant = (made_for, source.variant);
        let state = TiledGoalState::new(
            version_and_variant,
            (&graph, costs),
            memory,
            &cells,
            targets,
        )?;
        let preview = Preview {
            state: Arc::new(state),
            source,
            used,
        };
        let previews = &mut self.tiling.previews;
        previews.routes.insert((goal, movement), preview);
        previews.forget_the_oldest();
        Ok(graph)
    }

    /// What agents follow to a tiled goal, if it is up to date with all edits. Requests that wait are ignored.
    pub(super) fn followed(&self, goal: GoalId, movement: usize) -> Option<TiledRoute> {
        let route = self.tiled_route(goal, movement)?;
        route.is_current.then_some(TiledRoute {
            is_queued: false,
            ..route
        })
    }

    /// What agents follow, if its newest state leads to the goal's current position.
    pub(super) fn followed_to_goal(&self, goal: GoalId, movement: usize) -> Option<TiledRoute> {
        let made_for = self.wanted_version(goal).ok()?;
        let is_newest =
            |slot: &TiledSlot| slot.pending.as_ref().unwrap_or(&slot.current).made_for == made_for;
        self.tiled_slot(goal, movement)
            .filter(|slot| is_newest(slot))?;
        self.followed(goal, movement)
    }
}
