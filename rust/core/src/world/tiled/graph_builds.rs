//! Builds portal graphs in slices: the first one of a movement type, for which requests for routes wait, and updates to
//! changed costs, while the graph before stays in use.

use crate::bytes::{Unpacker, Writer};
use crate::error::Result;
use crate::movement::{Changes, CostField};
use crate::retired::Retired;
use crate::route::{GraphBuild, PortalGraph, PortalSettings};
use crate::world::FlowWorld;
use crate::world::movement_layer::MovementLayer;
use crate::world::tiled::spare::Spare;
use crate::world::tiled::tiling::{Graph, UnfinishedGraph};
use std::collections::VecDeque;
use std::sync::Arc;

impl UnfinishedGraph {
    fn begin(layer: &MovementLayer, settings: PortalSettings) -> Result<Self> {
        Ok(Self {
            build: GraphBuild::new(&layer.costs, settings)?,
            revision: layer.settled.revision,
        })
    }

    /// Notes the edits since the last call. The costs must be settled.
    pub(super) fn note(&mut self, layer: &MovementLayer) {
        if self.revision != layer.settled.revision {
            self.note_links(layer);
        }
    }

    /// [`Self::note`] after a change of links, which may have changed no cost.
    fn note_links(&mut self, layer: &MovementLayer) {
        let changes = layer.changes_since(self.revision);
        self.build.note(&layer.costs, &changes);
        self.revision = layer.settled.revision;
    }

    /// Writes which sectors are to be built: the others follow from the costs. `revision` is the place of its own.
    pub(super) fn write(&self, revision: u32, out: &mut Writer) {
        out.u32(revision);
        self.build.write(out);
    }

    /// Reads what [`Self::write`] has written, for a build, or an update of a base that was made for other costs.
    /// `revision` finds its own by a place.
    pub(super) fn read(
        input: &mut Unpacker<'_>,
        (layer, settings): (&MovementLayer, PortalSettings),
        base: Option<(&PortalGraph, &CostField)>,
        revision: impl Fn(&mut Unpacker<'_>) -> Result<u64>,
    ) -> Result<Self> {
        let revision = revision(input)?;
        let (build, noted) = match base {
            Some((base, costs)) => (GraphBuild::on(base), layer.changed_before(revision, costs)),
            None => (GraphBuild::new(&layer.costs, settings)?, Vec::new()),
        };
        let with = (&*layer.costs, &Changes::Cells(noted));
        let build = build.read_into(input, base.map(|(base, _)| base), with)?;
        Ok(Self { build, revision })
    }
}

impl Graph {
    /// A graph for the present costs, which are settled.
    pub(super) fn new(graph: Arc<PortalGraph>, layer: &MovementLayer) -> Self {
        Self {
            graph,
            revision: layer.settled.revision,
            renewal: None,
            newest: layer.newest.revision,
            change_log: VecDeque::new(),
        }
    }

    /// Has changes of the costs built in slices if a renewal is in progress, or if they are too much work for one
    /// update of `cells` cells. Returns whether that is so.
    pub(super) fn renews(
        &mut self,
        layer: &MovementLayer,
        changes: &Changes,
        cells: usize,
    ) -> bool {
        if self.renewal.is_none() {
            let has_links = self.graph.has_links_of(&layer.costs);
            let most = cells / GraphBuild::most_work(self.graph.settings());
            if has_links && self.graph.concerns_at_most(most, &layer.costs, changes) {
                return false;
            }
        }
        let begin = || UnfinishedGraph {
            build: GraphBuild::on(&self.graph),
            revision: self.revision,
        };
        let renewal = self.renewal.get_or_insert_with(begin);
        renewal.note(layer);
        true
    }

    /// Takes over the finished renewal, if there is one for the present costs. Returns the sectors that have changed.
    pub(super) fn take_over(
        &mut self,
        layer: &MovementLayer,
        retired: &mut Retired,
    ) -> Option<Vec<u32>> {
        let is_finished = |renewal: &mut UnfinishedGraph| {
            renewal.revision == layer.settled.revision && renewal.build.is_finished()
        };
        let renewal = self.renewal.take_if(is_finished)?;
        let graph = Arc::make_mut(&mut self.graph);
        Some(renewal.build.finish_on(graph, retired))
    }
}

impl FlowWorld {
    /// Whether routes of a movement type whose index is in range can be searched. On large maps it begins to build the
    /// portal graph if there is none, once the type has costs of its own.
    pub(in crate::world) fn has_graph(&mut self, movement: usize) -> Result<bool> {
        let is_there = matches!(self.tiling.graphs.get(movement), Some(Some(_)));
        if is_there || !self.is_sliced() {
            return Ok(true);
        }
        if self.layers[movement].awaits_first_costs() {
            return Ok(false);
        }
        let settings = self.portal_settings();
        let count = self.layers.len();
        self.tiling.graphs.resize_with(count, || None);
        let unfinished = &mut self.tiling.unfinished_graphs;
        unfinished.resize_with(count, || None);
        if unfinished[movement].is_none() {
            let layer = &self.layers[movement];
            unfinished[movement] = Some(UnfinishedGraph::begin(layer, settings)?);
        }
        Ok(false)
    }

    /// Whether the portal graph of a movement type is being built, or waits for the costs of the type.
    pub(super) fn awaits_graph(&self, movement: usize) -> bool {
        let graphs = &self.tiling.unfinished_graphs;
        let layer = self.layers.get(movement);
        graphs.get(movement).is_some_and(Option::is_some)
            || layer.is_some_and(MovementLayer::awaits_first_costs)
    }

    /// Continues portal graphs for a `budget` of cells, which it reduces. The costs must be settled.
    pub(in crate::world) fn build_graphs(&mut self, budget: &mut usize) {
        let is_sliced = self.is_sliced();
        for (movement, layer) in self.layers.iter().enumerate() {
            let tiling = &mut self.tiling;
            if let Some(Some(graph)) = tiling.graphs.get_mut(movement)
                && let Some(renewal) = &mut graph.renewal
            {
                let base = Some(&*graph.graph);
                renewal.note(layer);
                renewal.build.advance_on(base, &layer.costs, budget);
            }
            let Some(unfinished) = tiling.unfinished_graphs.get_mut(movement) else {
                continue;
            };
            let graph = &mut tiling.graphs[movement];
            if graph.is_some() || !is_sliced {
                // It was loaded with tiles, or the next request builds it at once.
                *unfinished = None;
            }
            let is_finished = |known: &mut UnfinishedGraph| {
                known.note(layer);
                known.build.advance(&layer.costs, budget)
            };
            let Some(finished) = unfinished.take_if(is_finished) else {
                continue;
            };
            let made = Arc::new(finished.build.finish());
            let spare = &mut tiling.spare;
            spare.get_or_insert_with(|| Spare::new(&made, &layer.costs));
            *graph = Some(Graph::new(made, layer));
        }
    }

    /// Has graphs that are being built know of a change of links.
    pub(in crate::world) fn note_links(&mut self) {
        for (movement, layer) in self.layers.iter().enumerate() {
            if let Some(Some(graph)) = self.tiling.graphs.get_mut(movement)
                && let Some(renewal) = &mut graph.renewal
            {
                renewal.note_links(layer);
            }
            let unfinished = self.tiling.unfinished_graphs.get_mut(movement);
            if let Some(unfinished) = unfinished.and_then(Option::as_mut) {
                unfinished.note_links(layer);
            }
        }
    }
}
