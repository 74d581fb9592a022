//! The plain tiles of the routes to a goal (Emerson, Game AI Pro, 23.6.1 and 23.7): tiles of the sectors in which
//! agents stand and of the sectors next on their routes, each solved to the exits of its sector alone.
//!
//! A plain tile depends on the windows by which routes leave its sector, and on the costs beyond them. It is put
//! together from tiles to parts of these windows, which depend on no goal and are shared ([`super::exit_tiles`]). Only
//! the tile of a sector with a goal cell is solved as a whole. Why agents that follow plain tiles arrive is explained
//! in [`crate::route::exits`].

use super::baked::BakedTiles;
use super::cache::{Store, TileCache};
use super::exit_tiles::{BakedSector, ExitTile, Origin};
use super::first::side_of;
use super::parallel::solve_each;
use super::sector_map::{SectorMap, Surroundings, target_among};
use super::solve::{Solved, TileSolver};
use super::tile::Content;
use super::wanted_tiles::{RouteSource, WantedTiles};
use crate::grid::CellRect;
use crate::integrate::{Candidate, Root, SCALES, UNREACHED};
use crate::route::exits::Exits;
use crate::route::{GoalRoutes, PortalGraph, Sectors};
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The plain tiles of the routes to a goal for a movement type.
pub(crate) type PlainTiles = WantedTiles<PlainTile>;

#[derive(Debug, Clone)]
pub(crate) struct PlainTile {
    pub(super) content: Content,
    pub(super) exits: Exits,
    /// [`GoalRoutes::knowledge`] when the exits were last computed.
    pub(super) knowledge: (u64, usize),
}

/// What plain tiles are built with.
pub(crate) struct PlainContext<'a> {
    pub(crate) workers: &'a Workers,
    pub(crate) solvers: &'a mut [TileSolver],
    pub(crate) cache: &'a mut TileCache,
    /// The tiles that were made beforehand, if there are any.
    pub(crate) baked: Option<&'a mut BakedTiles>,
    pub(crate) movement: usize,
}

/// The numbers of plain tiles that were built.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PlainProgress {
    /// The number of tiles for which a tile to a part was solved or found in the cache, or that lead to a goal in their
    /// sector.
    pub(crate) built: usize,
    /// The number of tiles that are made only from tiles that were made beforehand.
    pub(crate) loaded: usize,
}

impl PlainTiles {
    /// Queues the tile of a sector in which an agent stands, and the tiles beyond its exits, if they are missing or the
    /// search has found more since they were made.
    pub(crate) fn want(&mut self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) {
        self.want_one(routes, sector);
        let ahead: Vec<u32> = self.beyond(graph, sector).collect();
        for sector in ahead {
            self.want_one(routes, sector);
        }
    }

    /// Returns true if [`Self::want`] would change anything.
    pub(crate) fn needs_update(
        &self,
        graph: &PortalGraph,
        routes: &GoalRoutes,
        sector: u32,
    ) -> bool {
        let is_fresh = |sector: u32| match self.get(sector) {
            Some(known) => known.knowledge == routes.knowledge(),
            None => self.is_wanted(sector),
        };
        !is_fresh(sector) || self.beyond(graph, sector).any(|sector| !is_fresh(sector))
    }

    /// The sectors beyond the exits of a sector that has a tile.
    fn beyond(&self, graph: &PortalGraph, sector: u32) -> impl Iterator<Item = u32> {
        let windows = self.get(sector).map(|known| &known.exits.windows);
        let windows = windows.into_iter().flatten();
        windows.map(|window| graph.sectors().at(window.0.low))
    }

    fn want_one(&mut self, routes: &GoalRoutes, sector: u32) {
        let known = self.get(sector).map(|known| known.knowledge);
        if known != Some(routes.knowledge()) {
            self.want_new(sector);
        }
    }

    /// Returns true if a sector's tile was made from routes that have not been forgotten since.
    pub(crate) fn is_current(&self, routes: &GoalRoutes, sector: u32) -> bool {
        self.get(sector)
            .is_some_and(|known| known.knowledge.0 == routes.knowledge().0)
    }

    /// Makes up to `limit` tiles. Those of which nothing has changed since they were queued are kept.
    pub(crate) fn build(
        &mut self,
        source: &RouteSource<'_>,
        limit: usize,
        context: &mut PlainContext<'_>,
    ) -> PlainProgress {
        let sectors = self.changed(source, limit);
        let movement = context.movement;
        let baked: Vec<Option<Arc<BakedSector>>> = match &mut context.baked {
            Some(baked) => sectors
                .iter()
                .map(|known| baked.of(movement, known.0))
                .collect(),
            None => vec![None; sectors.len()],
        };
        let shared = &*context.cache;
        let (workers, count) = (context.workers, sectors.len());
        let made = solve_each(workers, context.solvers, count, |solver, number| {
            let (sector, exits) = &sectors[number];
            make(
                source,
                (*sector, exits),
                baked[number].as_deref(),
                solver,
                shared,
            )
        });
        let mut progress = PlainProgress::default();
        for ((sector, exits), made) in sectors.into_iter().zip(made) {
            *(match made.is_loaded {
                true => &mut progress.loaded,
                false => &mut progress.built,
            }) += 1;
            for part in made.parts {
                let is_found = part.origin == Origin::Cached;
                context.cache.admit(part.key, part.tile, is_found);
            }
            let content = made
                .solved
                .map(|solved| solved.admit(&mut Store::Own(context.cache)));
            let tile = PlainTile {
                content: content.unwrap_or(Content::Unreached),
                exits,
                knowledge: source.routes.knowledge(),
            };
            self.insert(sector, tile);
        }
        progress
    }

    /// The first sectors that wait for a tile whose exits have changed, at most `limit`, with their exits.
    fn changed(&mut self, source: &RouteSource<'_>, limit: usize) -> Vec<(u32, Exits)> {
        let mut changed = Vec::new();
        let knowledge = source.routes.knowledge();
        for sector in self.next(usize::MAX) {
            if changed.len() == limit {
                break;
            }
            let exits = source.routes.exits(source.graph, source.costs, sector);
            match self.get_mut(sector) {
                Some(known) if known.exits == exits => known.knowledge = knowledge,
                // After routes have been forgotten agents follow the old tile until new routes have been found.
                Some(_) if exits == Exits::default() => {}
                _ => {
                    changed.push((sector, exits));
                    continue;
                }
            }
            self.wanted.remove(&sector);
        }
        changed
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |known: &PlainTile| {
            let Exits { goals, windows } = &known.exits;
            size_of::<(u32, PlainTile)>()
                + known.content.bytes()
                + size_of_val(goals.as_slice())
                + size_of_val(windows.as_slice())
        };
        self.tiles().map(bytes).sum()
    }
}

/// A plain tile that was made, and what it was made from.
struct Made {
    solved: Option<Solved>,
    /// The tiles to parts that are to be recorded in the cache.
    parts: Vec<ExitTile>,
    is_loaded: bool,
}

/// Makes the tile of a sector.
fn make(
    source: &RouteSource<'_>,
    (sector, exits): (u32, &Exits),
    baked: Option<&BakedSector>,
    solver: &mut TileSolver,
    cache: &TileCache,
) -> Made {
    if !exits.goals.is_empty() {
        let solved = solve(source, sector, exits, solver, cache);
        return Made {
            is_loaded: solved
                .as_ref()
                .is_some_and(|solved| solved.is_loaded(cache)),
            solved,
            parts: Vec::new(),
        };
    }
    let rect = source.graph.sectors().rect(sector);
    solver.begin(source.costs, rect, 0);
    let (mut parts, mut costs) = (Vec::new(), Vec::new());
    for &(cells, cost) in &exits.windows {
        let part = CellRect {
            low: cells.low - rect.low,
            high: cells.high - rect.low,
        };
        if let Some(part) = solver.exit_tile(part, source.method.into(), baked, cache) {
            costs.push((Arc::clone(&part.tile), cost));
            parts.push(part);
        }
    }
    let combined = solver.combine(&costs);
    let content = combined.map(|tile| Content::Cells(Arc::new(tile), 0));
    let is_loaded = parts.iter().all(|part| part.is_loaded);
    parts.retain(|part| part.origin != Origin::Baked);
    Made {
        solved: content.map(Solved::Done),
        is_loaded: is_loaded && !costs.is_empty(),
        parts,
    }
}

/// Solves the tile of a sector with a goal.
fn solve(
    source: &RouteSource<'_>,
    sector: u32,
    exits: &Exits,
    solver: &mut TileSolver,
    cache: &TileCache,
) -> Option<Solved> {
    let rect = source.graph.sectors().rect(sector);
    let side = |window: &(CellRect, u32)| side_of(rect, window.0.low);
    let closed = exits.windows.iter().map(side);
    let closed = closed.fold(u8::MAX, |set, side| set & !(1 << side));
    solver.begin(source.costs, rect, closed);
    for &(window, cost) in &exits.windows {
        for y in window.low.y..window.high.y {
            for x in window.low.x..window.high.x {
                let root = Root::HERE;
                solver.start(IVec2::new(x, y) - rect.low, Candidate { cost, root });
            }
        }
    }
    for &(cell, cost) in &exits.goals {
        // Routes over an older graph may still end in a cell that is closed now.
        if source.costs.is_open(cell) {
            solver.start_goal(cell - rect.low, cost);
        }
    }
    solver.finish(source.method.into(), SCALES[0], Some(cache))
}

/// Plain tiles with the goal's exact targets.
#[derive(Clone, Copy)]
pub(crate) struct PlainView<'a> {
    pub(crate) plain: &'a PlainTiles,
    pub(crate) layout: &'a Sectors,
    pub(crate) targets: &'a [Vec2],
}

impl<'a> SectorMap<'a> for PlainView<'a> {
    type Around = AroundPlain<'a>;

    fn sectors(self) -> &'a Sectors {
        self.layout
    }

    fn content_at(self, cell: IVec2) -> Option<(&'a Content, AroundPlain<'a>)> {
        let PlainTile { content, exits, .. } = self.plain.get(self.layout.at(cell))?;
        let targets = self.targets;
        matches!(content, Content::Cells(..)).then_some((content, AroundPlain { exits, targets }))
    }
}

/// The surroundings of a plain tile.
pub(crate) struct AroundPlain<'a> {
    exits: &'a Exits,
    targets: &'a [Vec2],
}

impl Surroundings for AroundPlain<'_> {
    fn cost_beyond(&self, cell: IVec2) -> u32 {
        let holds = |window: &&(CellRect, u32)| {
            cell.cmpge(window.0.low).all() && cell.cmplt(window.0.high).all()
        };
        let mut windows = self.exits.windows.iter();
        windows.find(holds).map_or(UNREACHED, |window| window.1)
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        target_among(self.targets, cell)
    }
}
