//! The plain tiles of the ways to a goal (Emerson, Game AI Pro, 23.6.1 and 23.7): of the sectors in which
//! agents stand and those that they come to next, each to its exits alone.
//!
//! What a tile is made from are the ground of its sector and the windows to leave it by, so goals to which
//! ways leave a sector alike share it. Why agents that follow them arrive: see [`crate::route::exits`].

use super::cache::{Store, TileCache};
use super::first::side_of;
use super::parallel::solve_each;
use super::solve::{Solved, TileSolver};
use super::tile::{Content, Place, TileView};
use crate::flow::{Direction, FlowMap, lean, nearest_step, sample, sees_target};
use crate::grid::{CellRect, floor_to_cell};
use crate::integrate::{Candidate, FINEST, Root, SCALES, Solver, UNREACHED};
use crate::movement::CostField;
use crate::route::exits::Exits;
use crate::route::{GoalRoutes, PortalGraph, Sectors};
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::collections::{BTreeMap, BTreeSet};

/// How many differences in the cost of exits are told apart on the width of a sector of clear ground: with
/// more ways are shorter and fewer tiles shared. See decision 0007.
const GRAINS: u32 = 4;

/// The plain tiles of the ways to a goal for a movement type.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlainTiles {
    tiles: BTreeMap<u32, Known>,
    /// Sectors whose tile is to be made, or made anew.
    wanted: BTreeSet<u32>,
}

#[derive(Debug, Clone)]
struct Known {
    content: Content,
    exits: Exits,
    /// As [`GoalRoutes::knowledge`] was when the exits were last looked at.
    knowledge: (u64, usize),
}

/// What plain tiles are made from.
pub(crate) struct PlainSource<'a> {
    pub(crate) graph: &'a PortalGraph,
    pub(crate) routes: &'a GoalRoutes,
    pub(crate) costs: &'a CostField,
    pub(crate) method: Solver,
}

impl PlainSource<'_> {
    fn exits(&self, sector: u32) -> Exits {
        exits_of(self.graph, self.routes, sector)
    }
}

fn exits_of(graph: &PortalGraph, routes: &GoalRoutes, sector: u32) -> Exits {
    let grain = graph.sectors().size() * FINEST.straight / GRAINS;
    routes.exits(graph, sector, u64::from(grain))
}

impl PlainTiles {
    /// Queues the tile of a sector in which an agent stands if it has none or ways lead on otherwise than
    /// when it was made, and those beyond its exits likewise.
    pub(crate) fn want(&mut self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) {
        self.want_one(graph, routes, sector);
        let windows = self.tiles.get(&sector).map(|known| &known.exits.windows);
        let ahead = windows.into_iter().flatten();
        let ahead: Vec<u32> = ahead.map(|it| graph.sectors().at(it.0.low)).collect();
        for sector in ahead {
            self.want_one(graph, routes, sector);
        }
    }

    /// Whether [`Self::want`] has anything to do.
    pub(crate) fn lacks(&self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) -> bool {
        let is_fresh = |sector: u32| {
            let known = self.tiles.get(&sector);
            known.map_or_else(
                || self.wanted.contains(&sector),
                |known| known.knowledge == routes.knowledge(),
            )
        };
        let windows = self.tiles.get(&sector).map(|known| &known.exits.windows);
        let mut ahead = windows.into_iter().flatten();
        !is_fresh(sector) || ahead.any(|it| !is_fresh(graph.sectors().at(it.0.low)))
    }

    fn want_one(&mut self, graph: &PortalGraph, routes: &GoalRoutes, sector: u32) {
        let knowledge = routes.knowledge();
        let Some(known) = self.tiles.get_mut(&sector) else {
            self.wanted.insert(sector);
            return;
        };
        if known.knowledge == knowledge {
            return;
        }
        let exits = exits_of(graph, routes, sector);
        if exits == known.exits {
            known.knowledge = knowledge;
        } else if exits != Exits::default() {
            // After routes have been forgotten the tile is followed until they have been found anew.
            self.wanted.insert(sector);
        }
    }

    /// How many sectors wait for their tile.
    pub(crate) fn waiting(&self) -> usize {
        self.wanted.len()
    }

    /// How many sectors have one.
    pub(crate) fn count(&self) -> usize {
        self.tiles.len()
    }

    /// Whether a sector has one.
    pub(crate) fn contains(&self, sector: u32) -> bool {
        self.tiles.contains_key(&sector)
    }

    /// Whether a sector's tile was made from routes that have not been forgotten since.
    pub(crate) fn is_current(&self, routes: &GoalRoutes, sector: u32) -> bool {
        let known = self.tiles.get(&sector);
        known.is_some_and(|known| known.knowledge.0 == routes.knowledge().0)
    }

    /// Makes up to `limit` tiles, or finds them in the cache; returns how many.
    pub(crate) fn build(
        &mut self,
        source: &PlainSource<'_>,
        limit: usize,
        workers: &Workers,
        (solvers, cache): (&mut [TileSolver], &mut TileCache),
    ) -> usize {
        let sectors: Vec<u32> = self.wanted.iter().take(limit).copied().collect();
        let shared = &*cache;
        let solved = solve_each(workers, solvers, sectors.len(), |solver, number| {
            let exits = source.exits(sectors[number]);
            let solved = solve(source, sectors[number], &exits, solver, shared);
            (exits, solved)
        });
        for (sector, (exits, solved)) in sectors.iter().copied().zip(solved) {
            let content = solved.map(|solved| solved.take_in(&mut Store::Own(cache)));
            let known = Known {
                content: content.unwrap_or(Content::Unreached),
                exits,
                knowledge: source.routes.knowledge(),
            };
            self.wanted.remove(&sector);
            self.tiles.insert(sector, known);
        }
        sectors.len()
    }

    /// Forgets those of sectors and of the sectors around them, whose ground has changed.
    pub(crate) fn forget(&mut self, layout: &Sectors, sectors: &[u32]) {
        for &sector in sectors {
            let around = (0..8).filter_map(|step| layout.neighbour(sector, step));
            for sector in around.chain([sector]) {
                self.forget_one(sector);
            }
        }
    }

    /// Forgets that of a sector.
    pub(crate) fn forget_one(&mut self, sector: u32) {
        self.tiles.remove(&sector);
        self.wanted.remove(&sector);
    }

    /// Memory, in bytes, but for the tiles themselves, which are shared.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |known: &Known| {
            let Exits { goals, windows } = &known.exits;
            size_of::<(u32, Known)>()
                + size_of_val(goals.as_slice())
                + size_of_val(windows.as_slice())
        };
        self.tiles.values().map(bytes).sum()
    }
}

/// The tile of a sector.
fn solve(
    source: &PlainSource<'_>,
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

/// Plain tiles where they lie, and the goal's exact points.
#[derive(Clone, Copy)]
pub(crate) struct PlainView<'a> {
    pub(crate) plain: &'a PlainTiles,
    pub(crate) layout: &'a Sectors,
    pub(crate) targets: &'a [Vec2],
}

impl PlainView<'_> {
    /// The unit direction at a point in cell space, for the middle of a body of some radius in cells; zero at
    /// a goal and where no way leads on. `None` where there is no tile.
    pub(crate) fn sample_for(self, point: Vec2, radius: f32) -> Option<Vec2> {
        let cell = self.cell_at(point);
        self.at(cell, |view, low| {
            if view.lower(view.stored_index(cell - low)) == 0 {
                return Vec2::ZERO;
            }
            sample(&view, point - low.as_vec2(), radius)
        })
    }

    /// `direction`, which [`Self::sample_for`] has found there, turned to a side: as of
    /// [`crate::flow::FlowField::lean`].
    pub(crate) fn lean(
        self,
        (point, radius): (Vec2, f32),
        direction: Vec2,
        side: f32,
    ) -> Option<Vec2> {
        self.at(self.cell_at(point), |view, low| {
            lean(&view, point - low.as_vec2(), radius, direction, side)
        })
    }

    /// Whether a tile's way leads on from a cell or ends there; `None` where there is no tile.
    pub(crate) fn has_route(self, cell: IVec2) -> Option<bool> {
        self.at(cell, |view, low| {
            view.own(view.stored_index(cell - low)) != Direction::NO_ROUTE
        })
    }

    /// Whether a cell is a goal to end at; `None` where there is no tile.
    pub(crate) fn is_goal(self, cell: IVec2) -> Option<bool> {
        self.at(cell, |view, low| {
            view.own(view.stored_index(cell - low)) == Direction::GOAL
        })
    }

    /// The step to a cell of lower cost that is nearest to a cell's direction.
    pub(crate) fn next_step(self, cell: IVec2) -> Option<usize> {
        self.at(cell, |view, low| {
            let index = view.stored_index(cell - low);
            nearest_step(view.lower(index), view.own_vector(index))
        })?
    }

    /// Whether the way from a cell is known to be one straight line to a target.
    pub(crate) fn sees_target(self, cell: IVec2) -> bool {
        let seen = self.at(cell, |view, low| sees_target(&view, cell - low));
        seen.unwrap_or(false)
    }

    fn cell_at(self, point: Vec2) -> IVec2 {
        floor_to_cell(point).clamp(IVec2::ZERO, self.layout.map_size() - 1)
    }

    fn at<R>(
        self,
        cell: IVec2,
        look: impl FnOnce(TileView<'_, PlainPlace<'_>>, IVec2) -> R,
    ) -> Option<R> {
        let sector = self.layout.at(cell);
        let known = self.plain.tiles.get(&sector)?;
        let Content::Cells(tile, _) = &known.content else {
            return None;
        };
        let CellRect { low, high } = self.layout.rect(sector);
        let place = PlainPlace {
            known,
            targets: self.targets,
            low,
            size: high - low,
        };
        Some(look(TileView { tile, place }, low))
    }
}

/// A plain tile in its place.
struct PlainPlace<'a> {
    known: &'a Known,
    targets: &'a [Vec2],
    low: IVec2,
    size: IVec2,
}

impl Place for PlainPlace<'_> {
    fn size(&self) -> IVec2 {
        self.size
    }

    fn target(&self, cell: IVec2) -> Option<Vec2> {
        let mut targets = self.targets.iter();
        let target = targets.find(|&&at| floor_to_cell(at) == cell + self.low);
        target.map(|&at| at - self.low.as_vec2())
    }

    fn cost(&self, cell: IVec2) -> u32 {
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all() {
            return self.known.content.border_cost(self.size, cell);
        }
        let cell = cell + self.low;
        let holds = |window: &&(CellRect, u32)| {
            cell.cmpge(window.0.low).all() && cell.cmplt(window.0.high).all()
        };
        let mut windows = self.known.exits.windows.iter();
        windows.find(holds).map_or(UNREACHED, |window| window.1)
    }
}
