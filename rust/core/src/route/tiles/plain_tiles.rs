//! The plain tiles of the routes to a goal (Emerson, Game AI Pro, 23.6.1 and 23.7): tiles of the sectors in which
//! agents stand and of the sectors next on their routes, each solved to the exits of its sector alone.
//!
//! A plain tile is made from the ground of its sector and the windows by which routes leave it. Goals whose routes
//! leave a sector by the same windows therefore share a tile. Why agents that follow plain tiles arrive is explained in
//! [`crate::route::exits`].

use super::cache::{Store, TileCache};
use super::first::side_of;
use super::parallel::solve_each;
use super::sector_map::{SectorMap, Surroundings, target_among};
use super::solve::{Solved, TileSolver};
use super::tile::Content;
use super::wanted_tiles::{RouteSource, WantedTiles};
use crate::grid::CellRect;
use crate::integrate::{Candidate, FINEST, Root, SCALES, UNREACHED};
use crate::route::exits::Exits;
use crate::route::{GoalRoutes, PortalGraph, Sectors};
use crate::workers::Workers;
use glam::{IVec2, Vec2};

/// The number of steps into which the cost of crossing a sector of clear ground is divided, for the costs of exits.
/// With more steps paths are shorter and fewer tiles are shared. See decision 0007.
const GRAINS: u32 = 4;

/// The plain tiles of the routes to a goal for a movement type.
pub(crate) type PlainTiles = WantedTiles<PlainTile>;

#[derive(Debug, Clone)]
pub(crate) struct PlainTile {
    pub(super) content: Content,
    pub(super) exits: Exits,
    /// [`GoalRoutes::knowledge`] when the exits were last computed.
    pub(super) knowledge: (u64, usize),
}

fn exits_of(graph: &PortalGraph, routes: &GoalRoutes, sector: u32) -> Exits {
    let grain = graph.sectors().size() * FINEST.straight / GRAINS;
    routes.exits(graph, sector, u64::from(grain))
}

impl PlainTiles {
    /// Queues the tile of a sector in which an agent stands, and the tiles beyond its exits, if they are missing or
    /// routes leave them differently than when they were made.
    pub(crate) fn want(&mut self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) {
        self.want_one(graph, routes, sector);
        let ahead: Vec<u32> = self.beyond(graph, sector).collect();
        for sector in ahead {
            self.want_one(graph, routes, sector);
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

    fn want_one(&mut self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) {
        let knowledge = routes.knowledge();
        let Some(known) = self.get_mut(sector) else {
            return self.want_new(sector);
        };
        if known.knowledge == knowledge {
            return;
        }
        let exits = exits_of(graph, routes, sector);
        if exits == known.exits {
            known.knowledge = knowledge;
        } else if exits != Exits::default() {
            // After routes have been forgotten agents follow the old tile until new routes have been found.
            self.want_new(sector);
        }
    }

    /// Returns true if a sector's tile was made from routes that have not been forgotten since.
    pub(crate) fn is_current(&self, routes: &GoalRoutes, sector: u32) -> bool {
        self.get(sector)
            .is_some_and(|known| known.knowledge.0 == routes.knowledge().0)
    }

    /// Makes up to `limit` tiles, or finds them in the cache, and returns their number.
    pub(crate) fn build(
        &mut self,
        source: &RouteSource<'_>,
        limit: usize,
        workers: &Workers,
        (solvers, cache): (&mut [TileSolver], &mut TileCache),
    ) -> usize {
        let sectors = self.next(limit);
        let shared = &*cache;
        let solved = solve_each(workers, solvers, sectors.len(), |solver, number| {
            let exits = exits_of(source.graph, source.routes, sectors[number]);
            let solved = solve(source, sectors[number], &exits, solver, shared);
            (exits, solved)
        });
        for (&sector, (exits, solved)) in sectors.iter().zip(solved) {
            let content = solved.map(|solved| solved.admit(&mut Store::Own(cache)));
            let tile = PlainTile {
                content: content.unwrap_or(Content::Unreached),
                exits,
                knowledge: source.routes.knowledge(),
            };
            self.insert(sector, tile);
        }
        sectors.len()
    }

    /// Memory in bytes without the tiles themselves, which are shared.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |known: &PlainTile| {
            let Exits { goals, windows } = &known.exits;
            size_of::<(u32, PlainTile)>()
                + size_of_val(goals.as_slice())
                + size_of_val(windows.as_slice())
        };
        self.tiles().map(bytes).sum()
    }
}

/// Solves the tile of a sector.
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
        solver.start_goal(cell - rect.low, cost);
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
