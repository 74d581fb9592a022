//! The graphs, routes, tiles and queues of tiled goals as bytes.
//!
//! Routes and tiles depend on the order of requests and edits, so they are saved as they are. Graphs follow from the
//! costs, and only their edges are saved, as finding them takes long.
//!
//! The revisions of costs, which tell what is up to date, are saved by their order alone: how many there were depends
//! on queries.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::flow::TargetBounds;
use crate::grid::Grid;
use crate::integrate::Solvers;
use crate::movement::{Changes, CostField};
use crate::route::tiles::{FirstTiles, PlainTiles, TileList, TileNumbers, TiledField};
use crate::route::{GoalRoutes, PortalGraph, PortalSettings, Sectors};
use crate::workers::Workers;
use crate::world::FlowWorld;
use crate::world::builder::Scratch;
use crate::world::change_log::ChangeLog;
use crate::world::goal::Goals;
use crate::world::goal_mode::{GoalMode, TileVariant};
use crate::world::history::History;
use crate::world::movement_layer::MovementLayer;
use crate::world::past_costs::PastCosts;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::saved_graphs::{Revisions, write_changes};
use crate::world::tiled::scheduler::{Pair, Scheduler};
use crate::world::tiled::tiling::{Graph, TiledSlot, Tiling, UnfinishedGraph};
use crate::world::walking::saved::{FieldList, FieldNumbers, Present};
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What tiled goals are read for.
pub(in crate::world) struct ReadContext<'a> {
    pub(in crate::world) grid: Grid,
    pub(in crate::world) layers: &'a mut [MovementLayer],
    pub(in crate::world) goals: &'a mut Goals,
    /// The tiling whose settings stay.
    pub(in crate::world) tiling: &'a Tiling,
    pub(in crate::world) tick: u64,
    pub(in crate::world) workers: &'a Workers,
    pub(in crate::world) scratch: &'a Scratch,
}

/// The part of a [`Tiling`] that is saved.
#[derive(Debug, Clone)]
pub(in crate::world) struct LoadedTiling {
    graphs: Vec<Option<Graph>>,
    unfinished_graphs: Vec<Option<UnfinishedGraph>>,
    scheduler: Scheduler,
}

impl LoadedTiling {
    /// The graphs of movement types.
    pub(in crate::world) fn graphs(&self) -> impl Iterator<Item = &Arc<PortalGraph>> {
        self.graphs.iter().flatten().map(|known| &known.graph)
    }
}

impl Tiling {
    /// A copy of what a save holds.
    pub(in crate::world) fn kept(&self) -> LoadedTiling {
        LoadedTiling {
            graphs: self.graphs.clone(),
            unfinished_graphs: self.unfinished_graphs.clone(),
            scheduler: self.scheduler.clone(),
        }
    }

    /// Takes over what was read or kept.
    pub(in crate::world) fn take_over(&mut self, loaded: LoadedTiling) {
        self.graphs = loaded.graphs;
        self.unfinished_graphs = loaded.unfinished_graphs;
        let limit = self.scheduler.update_seconds;
        self.scheduler = loaded.scheduler;
        self.scheduler.update_seconds = limit;
        self.previews = Previews::default();
        self.spare = None;
    }
}

impl FlowWorld {
    /// Writes what tiled goals consist of.
    ///
    /// # Errors
    /// [`Error::NotSaved`] if movement types have changed since the last update.
    pub(in crate::world) fn write_tiling(&self, out: &mut Writer) -> Result<()> {
        self.tiling.scheduler.write(out);
        self.tiling.graphs.is_empty().write(out);
        for (movement, layer) in self.layers.iter().enumerate() {
            self.write_movement(movement, layer, out)?;
        }
        Ok(())
    }

    fn write_movement(
        &self,
        movement: usize,
        layer: &MovementLayer,
        out: &mut Writer,
    ) -> Result<()> {
        let graph = self.tiling.graphs.get(movement).and_then(Option::as_ref);
        let slots = self.goals.by_id.values();
        let slots = slots.filter_map(|goal| goal.tiled.get(movement)?.as_ref());
        let unfinished = self.tiling.unfinished_graphs.get(movement);
        let unfinished = unfinished.and_then(Option::as_ref);
        let mut revisions = Revisions::of(layer, graph, slots);
        revisions.add(unfinished.map(|unfinished| unfinished.revision), layer);
        layer.past.write(&layer.simulated_costs(), out);
        out.u32(revisions.0.len() as u32);
        write_changes(&revisions, layer.settled.log.from(revisions.first()), out);
        graph.is_some().write(out);
        let Some(graph) = graph else {
            unfinished.is_some().write(out);
            if let Some(unfinished) = unfinished {
                unfinished.write(revisions.place(unfinished.revision), out);
            }
            return Ok(());
        };
        let costs = layer.simulated_costs();
        graph.write(&revisions, (layer, &costs), out)?;
        let present = Present {
            costs: &costs,
            past: &layer.past,
            revision: layer.simulated,
            tick: self.walking.tick(),
        };
        let (mut tiles, mut fields) = (TileNumbers::default(), FieldNumbers::default());
        let mut slots = Writer::default();
        for goal in self.goals.by_id.values() {
            if goal.mode != GoalMode::Tiled {
                continue;
            }
            let slot = goal.tiled.get(movement).and_then(Option::as_ref);
            slot.is_some().write(&mut slots);
            if let Some(slot) = slot {
                slot.write(
                    (&revisions, graph, present),
                    (&mut tiles, &mut fields),
                    &mut slots,
                );
            }
        }
        tiles.write(out);
        fields.write(out);
        out.bytes.extend(slots.bytes);
        Ok(())
    }
}

impl ReadContext<'_> {
    /// Reads what [`FlowWorld::write_tiling`] has written, into layers and goals. `revision` is the last one in use.
    pub(in crate::world) fn read(
        &mut self,
        input: &mut Unpacker<'_>,
        revision: &mut u64,
    ) -> Result<LoadedTiling> {
        let scheduler = Scheduler::read(input, &self.tiling.scheduler)?;
        self.check_schedule(input, &scheduler)?;
        let is_unused = bool::read(input)?;
        let (mut graphs, mut unfinished_graphs) = (Vec::new(), Vec::new());
        for movement in 0..self.layers.len() {
            let (graph, unfinished) = self.read_movement(input, movement, revision)?;
            graphs.push(graph);
            unfinished_graphs.push(unfinished);
        }
        if is_unused {
            let are_there =
                graphs.iter().any(Option::is_some) || unfinished_graphs.iter().any(Option::is_some);
            if are_there {
                return Err(input.bad("it has graphs that it has not"));
            }
            graphs.clear();
            unfinished_graphs.clear();
        }
        Ok(LoadedTiling {
            graphs,
            unfinished_graphs,
            scheduler,
        })
    }

    fn check_schedule(&self, input: &Unpacker<'_>, scheduler: &Scheduler) -> Result<()> {
        let count = self.layers.len();
        let is_sound = |pair: Pair, cells: &BTreeSet<(i32, i32)>| {
            let goal = self.goals.by_id.get(&pair.0);
            pair.1 < count
                && goal.is_some_and(|goal| goal.mode == GoalMode::Tiled)
                && cells
                    .iter()
                    .all(|&(y, x)| self.grid.contains(IVec2::new(x, y)))
        };
        // Turns may be those of goals and movement types that are gone.
        if scheduler.queue.all(is_sound) {
            Ok(())
        } else {
            Err(input.bad("it has requests that make no sense"))
        }
    }

    fn read_movement(
        &mut self,
        input: &mut Unpacker<'_>,
        movement: usize,
        last: &mut u64,
    ) -> Result<(Option<Graph>, Option<UnfinishedGraph>)> {
        let layer = &mut self.layers[movement];
        layer.past = PastCosts::read(input, &layer.costs, last)?;
        let revisions = Revisions::read(input, *last + 1)?;
        *last += revisions.0.len() as u64;
        let are_sound = |changes: &Changes| changes.are_sound(&layer.costs);
        let log = revisions.read_changes(input, are_sound)?;
        layer.settled = History {
            revision: *last,
            log: ChangeLog::of(log),
        };
        layer.newest = layer.settled.clone();
        layer.simulated = *last;
        let settings = PortalSettings {
            sector_size: self.tiling.sector_size,
            widest_window: self.tiling.sector_size,
        };
        let layer = &self.layers[movement];
        if !bool::read(input)? {
            let unfinished = match bool::read(input)? {
                true => {
                    let revision = |input: &mut Unpacker<'_>| revisions.read_place(input);
                    let with = (layer, settings);
                    Some(UnfinishedGraph::read(input, with, None, revision)?)
                }
                false => None,
            };
            return Ok((None, unfinished));
        }
        let sectors = Sectors::new(self.grid.size(), settings.sector_size)?;
        let layout = (sectors, settings);
        let graph = Graph::read(input, &revisions, (layer, layout, self.workers))?;
        let present = Present {
            costs: &layer.costs,
            past: &layer.past,
            revision: *last,
            tick: self.tick,
        };
        let tiles = TileList::read(input)?;
        let mut solvers = Solvers::default();
        let fields = FieldList::read(input, present, &mut solvers)?;
        let variant = self.tiling.variant;
        for goal in self.goals.by_id.values_mut() {
            if goal.mode != GoalMode::Tiled {
                continue;
            }
            if bool::read(input)? {
                let with = (&revisions, &graph, present);
                let lists = (&tiles, &fields);
                let slot = TiledSlot::read(input, with, lists, (variant, self.scratch))?;
                goal.tiled.resize_with(self.layers.len(), || None);
                goal.tiled[movement] = Some(slot);
            }
        }
        Ok((Some(graph), None))
    }
}

impl TiledSlot {
    fn write(
        &self,
        (revisions, graph, present): (&Revisions, &Graph, Present<'_>),
        (tiles, fields): (&mut TileNumbers, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            current,
            pending,
            stood,
            standing,
            revision,
            graph_revision,
            pursuit,
        } = self;
        out.u32(revisions.place(*revision));
        out.u32(revisions.place(*graph_revision));
        stood.write(out);
        standing.write(out);
        let changed = match *graph_revision == graph.revision {
            true => Vec::new(),
            false => graph.changed_since(*graph_revision).into_owned(),
        };
        let with = (&*graph.graph, &**present.costs, &*changed);
        current.write(with, tiles, out);
        pending.is_some().write(out);
        if let Some(pending) = pending {
            pending.write(with, tiles, out);
        }
        pursuit.write((present, fields), out);
    }

    fn read(
        input: &mut Unpacker<'_>,
        (revisions, graph, present): (&Revisions, &Graph, Present<'_>),
        (tiles, fields): (&TileList, &FieldList),
        (variant, scratch): (TileVariant, &Scratch),
    ) -> Result<Self> {
        let revision = revisions.read_place(input)?;
        let graph_revision = revisions.read_place(input)?;
        let is_current = revision == graph.noted() && graph_revision == graph.revision;
        let sectors = graph.graph.sectors().count();
        let (stood, standing) = (Vec::<u32>::read(input)?, Vec::<u32>::read(input)?);
        let mut stands = stood.iter().chain(&standing);
        if stands.any(|&sector| sector as usize >= sectors) {
            return Err(input.bad("it has agents in unknown sectors"));
        }
        let with = (&*graph.graph, present, is_current, variant);
        let current = TiledGoalState::read(input, with, tiles)?;
        let pending = match bool::read(input)? {
            true => Some(Arc::new(TiledGoalState::read(input, with, tiles)?)),
            false => None,
        };
        Ok(Self {
            current: Arc::new(current),
            pending,
            stood,
            standing,
            revision,
            graph_revision,
            pursuit: Pursuit::read(input, (present, fields), scratch)?,
        })
    }
}

impl TiledGoalState {
    fn write(
        &self,
        (graph, costs, changed): (&PortalGraph, &CostField, &[u32]),
        tiles: &mut TileNumbers,
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            made_for: GoalVersion { goal, solver },
            begun_at,
            routes,
            portals,
            is_narrow,
            field,
            first,
            unqueued_starts,
            plain,
            sight: _,
            targets,
            bounds: _,
            was_requested,
            refused,
            cut_off,
            covered,
            wanted,
        } = self;
        goal.write(out);
        solver.write(out);
        begun_at.write(out);
        routes.write(graph, costs, changed, out);
        targets.write(out);
        portals.write(out);
        is_narrow.write(out);
        field.has_links_of(graph.links()).write(out);
        field.write(out, tiles);
        first.write(out, tiles);
        plain.is_some().write(out);
        if let Some(plain) = plain {
            plain.write(routes, out, tiles);
        }
        unqueued_starts.write(out);
        was_requested.write(out);
        refused.write(out);
        cut_off.write(out);
        covered.write(out);
        wanted.write(out);
    }

    fn read(
        input: &mut Unpacker<'_>,
        (graph, present, is_current, variant): (&PortalGraph, Present<'_>, bool, TileVariant),
        tiles: &TileList,
    ) -> Result<Self> {
        let layout = *graph.sectors();
        let made_for = GoalVersion {
            goal: Saved::read(input)?,
            solver: Saved::read(input)?,
        };
        let begun_at = present.read_tick(input)?;
        let (routes, are_current) = GoalRoutes::read(input, graph, present.costs)?;
        let targets = Vec::<Vec2>::read(input)?;
        let portals = usize::read(input)?;
        let is_narrow = bool::read(input)?;
        let has_links = bool::read(input)?;
        let mut field = TiledField::new(layout, routes.cells(), &targets, made_for.solver);
        if has_links {
            field = field.with_links(Arc::clone(graph.links()));
        }
        let field = field.read_into(input, tiles)?;
        let first = FirstTiles::read(input, &layout, tiles)?;
        let plain = match bool::read(input)? {
            true => Some(PlainTiles::read(input, (&layout, &routes), tiles)?),
            false => None,
        };
        let state = Self {
            made_for,
            begun_at,
            routes,
            portals,
            is_narrow,
            field,
            first,
            unqueued_starts: Saved::read(input)?,
            sight: Self::sight_of(plain.is_some(), present.costs, &targets),
            plain,
            bounds: TargetBounds::around(targets.iter().copied()),
            targets,
            was_requested: Saved::read(input)?,
            refused: Saved::read(input)?,
            cut_off: Saved::read(input)?,
            covered: Saved::read(input)?,
            wanted: Saved::read(input)?,
        };
        // What lags behind is updated before it is used.
        let is_late = is_current && !(are_current && has_links);
        let may_be_plain = variant == TileVariant::Plain || state.plain.is_none();
        if !is_late && may_be_plain && state.is_sound(&layout) {
            Ok(state)
        } else {
            Err(input.bad("it has routes and tiles that make no sense"))
        }
    }

    fn is_sound(&self, layout: &Sectors) -> bool {
        let is_inside = |&cell: &IVec2| layout.contains(cell);
        let are_inside = |cells: &BTreeSet<(i32, i32)>| {
            let mut cells = cells.iter();
            cells.all(|&(y, x)| layout.contains(IVec2::new(x, y)))
        };
        self.portals as u64 <= u64::from(u32::MAX)
            && self.unqueued_starts.iter().all(is_inside)
            && are_inside(&self.refused)
            && are_inside(&self.cut_off)
            && self.covered.len() == layout.count().div_ceil(64)
            && self
                .wanted
                .iter()
                .all(|&sector| (sector as usize) < layout.count())
            && self
                .routes
                .cells()
                .iter()
                .all(|goal| (0.0..=crate::integrate::MAX_INITIAL_COST).contains(&goal.cost))
    }
}
