//! Edits that no update has applied yet, and what the next update reports.
//!
//! Costs follow from terrain, crowds and overlays, except where these have been edited since the last update. A save
//! holds the costs of such cells, so that the next update finds the same changes.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::CellRect;
use crate::grid::seams::Seams;
use crate::movement::CellDifference;
use crate::world::FlowWorld;
use crate::world::ahead::Ahead;
use crate::world::dirty::DirtyCells;
use crate::world::former_terrain::FormerTerrains;
use crate::world::goal_id::GoalId;
use crate::world::movement_layer::MovementLayer;
use crate::world::saved::next_costs::LoadedNext;
use crate::world::saved::sources::Sources;
use crate::world::update::Update;
use glam::IVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) struct Pending {
    dirty: DirtyCells,
    surcharged: Vec<IVec2>,
    overlaid: DirtyCells,
    news: Update,
    /// Temporary goals that swarms hold.
    pub(super) held: Vec<GoalId>,
}

/// Where the costs of movement types differ from those that follow from the present terrain: bytes to be read when
/// these are known.
pub(super) struct Differences(Vec<u8>);

impl Pending {
    pub(super) fn read(input: &mut Unpacker<'_>, world: &FlowWorld) -> Result<(Self, Differences)> {
        let grid = &world.grid;
        let dirty = DirtyCells::read(input, grid)?;
        let surcharged = Vec::<IVec2>::read(input)?;
        if !surcharged.iter().all(|&cell| grid.contains(cell)) {
            return Err(input.bad("it has crowds outside the grid"));
        }
        let overlaid = DirtyCells::read(input, grid)?;
        let terrain = Option::<CellRect>::read(input)?;
        let news = Update {
            terrain,
            surcharges: bool::read(input)?,
            heights: bool::read(input)?,
            ready: Vec::<GoalId>::read(input)?,
            failed: Vec::new(),
        };
        let pending = Self {
            dirty,
            surcharged,
            overlaid,
            news,
            held: Vec::read(input)?,
        };
        Ok((pending, Differences(Vec::read(input)?)))
    }

    /// Whether the next update makes these cells as they are in `layer`, which follows from the terrain and its
    /// `seams`; `None` if edits of terrain do not change the costs in use. Otherwise they would stay as they are, and
    /// the next save would lack them.
    fn explains(
        &self,
        cells: &[CellDifference],
        layer: &MovementLayer,
        seams: Option<&Seams>,
    ) -> bool {
        let clearance = layer.kind.clearance().reach();
        let reach = clearance.max(layer.kind.wall_penalty().reach());
        let spread = |seams: &Seams| seams.spread(&self.dirty.regions(), Seams::reach(clearance));
        let edited = seams.map(spread).unwrap_or_default();
        let edited: Vec<CellRect> = edited.iter().map(|it| it.grown(reach as i32)).collect();
        let crowded: BTreeSet<(i32, i32)> = self.surcharged.iter().map(|at| (at.y, at.x)).collect();
        let overlaid = self.overlaid.regions();
        let is_in = |regions: &[CellRect], at| regions.iter().any(|region| region.contains(at));
        layer.costs.are_due(
            cells,
            |at| is_in(&edited, at),
            |at| crowded.contains(&(at.y, at.x)) || is_in(&overlaid, at),
        )
    }
}

impl FlowWorld {
    pub(super) fn write_pending(&self, out: &mut Writer) {
        // What queries have applied counts as not applied.
        let dirty = &self.ahead.dirty;
        dirty.regions().write(out);
        let Self { surcharges, .. } = self;
        let surcharged = surcharges.crowding.changed_cells(&self.ahead.surcharged);
        surcharged.write(out);
        surcharges.overlays.changed().regions().write(out);
        let news = &self.builder.news;
        let edited = [news.terrain, self.ahead.edited].into_iter().flatten();
        edited.reduce(|one, other| one.union(&other)).write(out);
        news.surcharges.write(out);
        news.heights.write(out);
        news.ready.write(out);
        self.goals.held().write(out);
        let is_settled = dirty.around().is_none()
            && surcharged.is_empty()
            && surcharges.overlays.changed().around().is_none();
        let mut differences = Writer::default();
        if !is_settled {
            self.write_differences(&mut differences);
        }
        differences.bytes.write(out);
    }

    /// Writes where costs differ from those that follow from terrain, crowds and overlays.
    fn write_differences(&self, out: &mut Writer) {
        for (movement, layer) in self.layers.iter().enumerate() {
            let fresh = self.sources_in_use().costs(movement, &layer.kind);
            let costs = layer.simulated_costs();
            costs.differences(&fresh).write(out);
            costs.continued_walls().write(out);
        }
    }

    /// The movement types on what was read.
    pub(super) fn layers_on(
        &self,
        sources: &Sources,
        (next, former): (Vec<LoadedNext>, &FormerTerrains),
        (pending, Differences(differences)): (&Pending, Differences),
        input: &mut Unpacker<'_>,
    ) -> Result<Vec<MovementLayer>> {
        let mut out = Writer::default();
        crate::bytes::pack(&differences, &mut out);
        let mut differing = input.of_the_same(&out.bytes);
        let mut layers = Vec::with_capacity(self.layers.len());
        for (movement, (known, next)) in self.layers.iter().zip(next).enumerate() {
            let LoadedNext { kind, next } = next;
            let costs = sources.of_costs(&self.grid, former).costs(movement, &kind);
            let mut layer = MovementLayer {
                newest_kind: known.newest_kind.clone(),
                next,
                ..MovementLayer::new(kind, costs, 0)
            };
            if !differences.is_empty() {
                let cells = Vec::read(&mut differing)?;
                let continued = Vec::<u32>::read(&mut differing)?;
                let seams = former.in_use.is_none().then_some(&*sources.seams);
                if !pending.explains(&cells, &layer, seams) {
                    return Err(input.bad("it has costs that no update would make"));
                }
                let costs = Arc::make_mut(&mut layer.costs);
                if !costs.put_differences(&cells) || !costs.put_continued_walls(&continued) {
                    return Err(input.bad("it has costs that make no sense"));
                }
            }
            layers.push(layer);
        }
        if differing.is_at_end() {
            Ok(layers)
        } else {
            Err(input.bad("it has costs of too many movement types"))
        }
    }

    pub(super) fn put_pending(&mut self, pending: Pending) {
        let Pending {
            dirty,
            surcharged,
            overlaid,
            news,
            held: _,
        } = pending;
        self.ahead = Ahead {
            dirty: dirty.clone(),
            ..Ahead::default()
        };
        self.dirty = dirty;
        self.surcharges.crowding.changed = surcharged;
        self.surcharges.overlays.set_changed(overlaid);
        self.builder.news = news;
    }
}
