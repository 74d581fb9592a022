//! Builds the first portal graph of a movement type in slices. Requests for routes wait for it.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::movement::Changes;
use crate::route::{GraphBuild, PortalSettings};
use crate::workers::Workers;
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
            let since = layer.settled.log.since(self.revision);
            let changes = since.map_or(Changes::Many, |cells| Changes::Cells(cells.into_owned()));
            self.build.note(&layer.costs, &changes);
            self.revision = layer.settled.revision;
        }
    }

    /// Writes which sectors are to be built: the others follow from the costs.
    pub(super) fn write(&self, layer: &MovementLayer, out: &mut Writer) {
        let (stale, next) = self.build.progress();
        // Movement types have changed since the last update.
        let is_late = self.revision != layer.settled.revision;
        is_late.write(out);
        stale.write(out);
        next.write(out);
    }

    /// Reads what [`Self::write`] has written.
    pub(super) fn read(
        input: &mut Unpacker<'_>,
        layer: &MovementLayer,
        settings: PortalSettings,
        workers: &Workers,
    ) -> Result<Self> {
        let is_late = bool::read(input)?;
        let (stale, next) = (Vec::<u32>::read(input)?, usize::read(input)?);
        let mut unfinished = Self::begin(layer, settings)?;
        let build = &mut unfinished.build;
        if !build.resume(&layer.costs, (&stale, next), workers) {
            return Err(input.bad("it has a portal graph of unknown sectors"));
        }
        if is_late {
            build.note(&layer.costs, &Changes::Many);
        }
        Ok(unfinished)
    }
}

impl FlowWorld {
    /// Whether routes of a movement type whose index is in range can be searched. On large maps it begins to build the
    /// portal graph if there is none.
    pub(in crate::world) fn has_graph(&mut self, movement: usize) -> Result<bool> {
        let is_there = matches!(self.tiling.graphs.get(movement), Some(Some(_)));
        if is_there || !self.is_sliced() {
            return Ok(true);
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

    /// Whether the portal graph of a movement type is being built.
    pub(super) fn awaits_graph(&self, movement: usize) -> bool {
        let graphs = &self.tiling.unfinished_graphs;
        graphs.get(movement).is_some_and(Option::is_some)
    }

    /// Continues portal graphs for a `budget` of cells, which it reduces. The costs must be settled.
    pub(in crate::world) fn build_graphs(&mut self, budget: &mut usize) {
        let is_sliced = self.is_sliced();
        for (movement, layer) in self.layers.iter().enumerate() {
            let tiling = &mut self.tiling;
            let Some(unfinished) = tiling.unfinished_graphs.get_mut(movement) else {
                return;
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
            let made = Arc::new(finished.build.finish(&self.workers));
            let spare = &mut tiling.spare;
            spare.get_or_insert_with(|| Spare::new(&made, &layer.costs));
            *graph = Some(Graph {
                graph: made,
                revision: finished.revision,
                newest: layer.newest.revision,
                change_log: VecDeque::new(),
            });
        }
    }

    /// Begins graphs again that are being built, after a change of links.
    pub(in crate::world) fn build_graphs_again(&mut self) {
        let graphs = &mut self.tiling.unfinished_graphs;
        for (unfinished, layer) in graphs.iter_mut().zip(&self.layers) {
            if let Some(unfinished) = unfinished {
                unfinished.build.note(&layer.costs, &Changes::Many);
                unfinished.revision = layer.settled.revision;
            }
        }
    }
}
