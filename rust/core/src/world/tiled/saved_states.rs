//! The graphs, routes, tiles and queues of tiled goals as bytes.
//!
//! Routes and tiles depend on the order of requests and edits, so they are saved as they are. Graphs follow from the
//! costs, and only their edges are saved, as finding them takes long.
//!
//! The revisions of costs, which tell what is up to date, are saved by their order alone: how many there were depends
//! on queries.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::flow::TargetBounds;
use crate::grid::Grid;
use crate::integrate::Solvers;
use crate::movement::CostField;
use crate::route::tiles::{FirstTiles, PlainTiles, TileList, TileNumbers, TiledField};
use crate::route::{GoalRoutes, PortalGraph, PortalSettings, Sectors};
use crate::workers::Workers;
use crate::world::FlowWorld;
use crate::world::builder::Scratch;
use crate::world::change_log::ChangeLog;
use crate::world::goal::Goals;
use crate::world::goal_mode::{GoalMode, TileVariant};
use crate::world::movement_layer::{History, MovementLayer};
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::preview_memory::Previews;
use crate::world::tiled::pursuit::Pursuit;
use crate::world::tiled::scheduler::{Pair, Scheduler};
use crate::world::tiled::tiling::{Graph, TiledSlot, Tiling, UnfinishedGraph};
use crate::world::walking::saved::{FieldList, FieldNumbers, Present};
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The revisions of a movement type's costs that matter, ascending. The last one is the present one.
#[derive(Debug)]
struct Revisions(Vec<u64>);

impl Revisions {
    /// The revisions of which a layer, its graph and slots know.
    fn of<'a>(
        layer: &MovementLayer,
        graph: Option<&Graph>,
        slots: impl Iterator<Item = &'a TiledSlot>,
    ) -> Self {
        let own = graph.map(|graph| graph.revision);
        let used = slots.map(|slot| slot.revision).chain(own);
        let mut known: Vec<u64> = used.chain([layer.settled.revision]).collect();
        let first = known.iter().copied().min().unwrap_or(0);
        known.extend(layer.settled.log.from(first).map(|change| change.0));
        let changes = graph.into_iter().flat_map(|graph| &graph.change_log);
        known.extend(
            changes
                .map(|change| change.0)
                .filter(|&before| before >= first),
        );
        known.sort_unstable();
        known.dedup();
        Self(known)
    }

    fn first(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    /// The place of a revision that matters.
    fn place(&self, revision: u64) -> u32 {
        self.0.partition_point(|&known| known < revision) as u32
    }

    /// As many revisions as were saved, from `next` on.
    fn read(input: &mut Unpacker<'_>, next: u64) -> Result<Self> {
        let count = u64::from(input.u32()?);
        if count == 0 || count > input.most_left() as u64 {
            return Err(input.bad("it has an impossible number of edits"));
        }
        Ok(Self((next..next + count).collect()))
    }

    fn read_place(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        let found = self.0.get(input.u32()? as usize).copied();
        found.ok_or_else(|| input.bad("it has an unknown edit"))
    }

    /// Reads a list of changes, each with the revision before it.
    fn read_changes(&self, input: &mut Unpacker<'_>, most: usize) -> Result<Vec<(u64, Vec<u32>)>> {
        let mut changes: Vec<(u64, Vec<u32>)> = Vec::new();
        for _ in 0..input.u32()? {
            let before = self.read_place(input)?;
            let changed = Vec::<u32>::read(input)?;
            let is_next = changes.last().is_none_or(|last| last.0 < before);
            let is_known = changed.last().is_none_or(|&last| (last as usize) < most);
            if !is_next || !is_known || !changed.is_sorted_by(|one, next| one < next) {
                return Err(input.bad("it has edits that make no sense"));
            }
            changes.push((before, changed));
        }
        Ok(changes)
    }
}

/// Writes changes that were made to revisions which matter.
fn write_changes<'a>(
    revisions: &Revisions,
    changes: impl Iterator<Item = (u64, &'a [u32])>,
    out: &mut Writer,
) {
    let changes: Vec<_> = changes.collect();
    out.u32(changes.len() as u32);
    for (before, changed) in changes {
        out.u32(revisions.place(before));
        changed.to_vec().write(out);
    }
}

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
        let limit = self.scheduler.tile_seconds;
        self.scheduler = loaded.scheduler;
        self.scheduler.tile_seconds = limit;
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
        let revisions = Revisions::of(layer, graph, slots);
        out.u32(revisions.0.len() as u32);
        write_changes(&revisions, layer.settled.log.from(revisions.first()), out);
        graph.is_some().write(out);
        let Some(graph) = graph else {
            let unfinished = self.tiling.unfinished_graphs.get(movement);
            let unfinished = unfinished.and_then(Option::as_ref);
            unfinished.is_some().write(out);
            if let Some(unfinished) = unfinished {
                unfinished.write(layer, out);
            }
            return Ok(());
        };
        let costs = layer.simulated_costs();
        graph.write(&revisions, (layer, &costs), out)?;
        let present = Present {
            costs: &costs,
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
        let revisions = Revisions::read(input, *last + 1)?;
        *last += revisions.0.len() as u64;
        let cells = layer.costs.costs().len();
        let log = revisions.read_changes(input, cells)?;
        let is_inside = |&index: &u32| {
            let cell = layer.costs.cell(index as usize);
            self.grid.contains(cell)
        };
        if !log.iter().flat_map(|change| &change.1).all(is_inside) {
            return Err(input.bad("it has edits outside the grid"));
        }
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
                true => Some(UnfinishedGraph::read(input, layer, settings, self.workers)?),
                false => None,
            };
            return Ok((None, unfinished));
        }
        let sectors = Sectors::new(self.grid.size(), settings.sector_size)?;
        let layout = (sectors, settings);
        let graph = Graph::read(input, &revisions, (layer, layout, self.workers))?;
        let present = Present {
            costs: &layer.costs,
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

impl Graph {
    fn write(
        &self,
        revisions: &Revisions,
        (layer, costs): (&MovementLayer, &CostField),
        out: &mut Writer,
    ) -> Result<()> {
        // A graph lacks no edits but those of links.
        let links = self.graph.links().of_map();
        let is_late = self.revision != layer.settled.revision;
        if is_late && layer.settled.log.since(self.revision).is_none() {
            let what = "movement types have changed since the last update";
            return Err(Error::NotSaved { what });
        }
        out.u32(revisions.place(self.revision));
        let changes = self.change_log.iter();
        let changes = changes.filter(|change| change.0 >= revisions.first());
        write_changes(revisions, changes.map(|change| (change.0, &*change.1)), out);
        let has_old_links = !Arc::ptr_eq(links, costs.shared_links());
        has_old_links.write(out);
        if has_old_links {
            let mut before = costs.clone();
            before.set_links(Arc::clone(links));
            before.write_from(costs, out);
        }
        self.graph.write(out);
        Ok(())
    }

    fn read(
        input: &mut Unpacker<'_>,
        revisions: &Revisions,
        (layer, (sectors, settings), workers): (
            &MovementLayer,
            (Sectors, PortalSettings),
            &Workers,
        ),
    ) -> Result<Self> {
        let revision = revisions.read_place(input)?;
        let log = &layer.settled.log;
        if revision != layer.settled.revision && log.since(revision).is_none() {
            return Err(input.bad("it has a portal graph of unknown ground"));
        }
        let change_log = revisions.read_changes(input, sectors.count())?;
        let mut costs = Arc::clone(&layer.costs);
        if bool::read(input)? {
            let mut before = CostField::clone(&costs).read_into(input)?;
            let links = before.links().changes(costs.links());
            let logged = log.since(revision).unwrap_or_default();
            let is_logged = |cell: &u32| logged.binary_search(cell).is_ok();
            if !before.differences(&costs).is_empty() || !links.iter().all(is_logged) {
                return Err(input.bad("it has a portal graph of other ground"));
            }
            // The next update takes links for others by where they are.
            before.set_links(Arc::new(before.links().clone()));
            costs = Arc::new(before);
        }
        let mut graph = PortalGraph::read(input, sectors, settings, &costs, workers)?;
        graph.count_from_one();
        Ok(Self {
            graph: Arc::new(graph),
            revision,
            // The loaded histories are one, and the graph may lack edits of links.
            newest: revision,
            change_log: change_log.into(),
        })
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
            pursuit,
        } = self;
        out.u32(revisions.place(*revision));
        stood.write(out);
        standing.write(out);
        let changed = match *revision == graph.revision {
            true => Vec::new(),
            false => graph.changed_since(*revision).into_owned(),
        };
        let with = (&*graph.graph, present.costs, &*changed);
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
        let is_current = revision == graph.revision;
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
            field.set_links(Arc::clone(graph.links()));
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
