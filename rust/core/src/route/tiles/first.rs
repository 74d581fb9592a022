//! First tiles: of the sectors that routes begin in, made at once (Emerson, Game AI Pro, 23.12).
//!
//! Tiles are built from the goal on, so those where a crowd sets out come last. Until
//! then it may go by tiles that are made from what the search over the portals knows:
//! each is solved from the windows by which ways leave its sector, with the costs from
//! there on carried over (23.6.1).
//!
//! No agent is sent to and fro. A first tile's cell costs more than the cell beyond a
//! window that it leads to, and where that has a first tile too, it is their costs that
//! are compared, as between other tiles: agents that follow first tiles come to cells of
//! ever lower cost. Where a tile has been built and leads on it counts as lower than any
//! first one, and it leads to built ones only, so no agent comes back. Where that leaves
//! no way on, for a search may have learnt something between two first tiles, agents go
//! by the table of their sector as they would without them; and all first tiles are gone
//! when nothing is left to be built.

use super::super::exit_costs::ExitCost;
use super::field::TiledField;
use super::parallel::solve_each;
use super::solve::TileSolver;
use super::tile::{Content, Place, TileView};
use crate::flow::{FlowMap, lean, sample};
use crate::grid::{CellRect, floor_to_cell};
use crate::integrate::{Candidate, Root, SCALES, Solver, UNREACHED};
use crate::movement::CostField;
use crate::route::{GoalRoutes, PortalGraph};
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use std::collections::{BTreeMap, BTreeSet};

/// Costs beyond the cheapest exit's that are left out: no agent goes that way.
const TOO_DEAR: u64 = UNREACHED as u64 / 4;

/// The first tiles of the routes to a goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstTiles {
    tiles: BTreeMap<u32, FirstTile>,
    /// Sectors that are to have one.
    wanted: BTreeSet<u32>,
}

#[derive(Debug, Clone)]
struct FirstTile {
    content: Content,
    /// What to add to its costs.
    base: u64,
    /// The cells outside that it leads to, by row and column, less the base.
    exits: Box<[(IVec2, u32)]>,
}

/// What first tiles are made from.
pub(crate) struct FirstSource<'a> {
    pub(crate) graph: &'a PortalGraph,
    pub(crate) routes: &'a GoalRoutes,
    pub(crate) costs: &'a CostField,
    pub(crate) method: Solver,
}

/// Where directions are asked for: the tiles that have been built, and the goal's exact points.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) field: &'a TiledField,
    pub(crate) targets: &'a [Vec2],
}

impl FirstTiles {
    /// Lets a sector wait for its first tile, unless it has one.
    pub(crate) fn want(&mut self, sector: u32) {
        if !self.tiles.contains_key(&sector) {
            self.wanted.insert(sector);
        }
    }

    /// How many sectors wait for their first tile.
    pub(crate) fn waiting(&self) -> usize {
        self.wanted.len()
    }

    /// Whether a sector has one.
    pub(crate) fn contains(&self, sector: u32) -> bool {
        self.tiles.contains_key(&sector)
    }

    /// Makes up to `limit` first tiles; returns how many.
    pub(crate) fn build(
        &mut self,
        source: &FirstSource<'_>,
        limit: usize,
        workers: &Workers,
        solvers: &mut [TileSolver],
    ) -> usize {
        let sectors: Vec<u32> = self.wanted.iter().take(limit).copied().collect();
        let tiles = solve_each(workers, solvers, sectors.len(), |solver, number| {
            FirstTile::new(source, sectors[number], solver)
        });
        for (sector, tile) in sectors.iter().copied().zip(tiles) {
            self.wanted.remove(&sector);
            self.tiles.insert(sector, tile);
        }
        sectors.len()
    }

    /// Forgets those of sectors and of the sectors around them, whose ground has changed.
    pub(crate) fn forget(&mut self, field: &TiledField, sectors: &[u32]) {
        for &sector in sectors {
            let layout = field.layout();
            let around = (0..8).filter_map(|step| layout.neighbour(sector, step));
            for sector in around.chain([sector]) {
                self.tiles.remove(&sector);
                self.wanted.remove(&sector);
            }
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.tiles.clear();
        self.wanted.clear();
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |tile: &FirstTile| {
            let cells = match &tile.content {
                Content::Cells(tile, _) => tile.bytes(),
                _ => 0,
            };
            size_of::<(u32, FirstTile)>() + size_of_val(&*tile.exits) + cells
        };
        self.tiles.values().map(bytes).sum()
    }

    /// The unit direction at a point in cell space, for the middle of a body of some radius in cells; zero
    /// where none leads on. `None` where there is no first tile, or no need of one.
    pub(crate) fn sample_for(
        &self,
        around: Surroundings<'_>,
        point: Vec2,
        radius: f32,
    ) -> Option<Vec2> {
        self.at(around, point, |view, low| {
            let cell = floor_to_cell(point) - low;
            let cell = cell.clamp(IVec2::ZERO, FlowMap::size(&view) - 1);
            if view.lower(view.stored_index(cell)) == 0 {
                return Vec2::ZERO;
            }
            sample(&view, point - low.as_vec2(), radius)
        })
    }

    /// `direction`, which [`Self::sample_for`] has found there, turned to a side: as of
    /// [`crate::flow::FlowField::lean`].
    pub(crate) fn lean(
        &self,
        around: Surroundings<'_>,
        (point, radius): (Vec2, f32),
        direction: Vec2,
        side: f32,
    ) -> Vec2 {
        let leaning = self.at(around, point, |view, low| {
            lean(&view, point - low.as_vec2(), radius, direction, side)
        });
        leaning.unwrap_or(direction)
    }

    fn at<R>(
        &self,
        around: Surroundings<'_>,
        point: Vec2,
        look: impl FnOnce(TileView<'_, FirstPlace<'_>>, IVec2) -> R,
    ) -> Option<R> {
        if self.tiles.is_empty() {
            return None;
        }
        let layout = around.field.layout();
        let cell = floor_to_cell(point).clamp(IVec2::ZERO, layout.map_size() - 1);
        let sector = layout.at(cell);
        let known = self.tiles.get(&sector)?;
        let Content::Cells(tile, _) = &known.content else {
            return None;
        };
        if around.field.has_route(cell) == Some(true) {
            return None;
        }
        let CellRect { low, high } = layout.rect(sector);
        let place = FirstPlace {
            first: self,
            around,
            tile: known,
            low,
            size: high - low,
        };
        Some(look(TileView { tile, place }, low))
    }

    /// What a cell outside a first tile costs, less the tile's base.
    fn cost_beyond(&self, around: Surroundings<'_>, from: &FirstTile, cell: IVec2) -> u32 {
        let layout = around.field.layout();
        if !layout.contains(cell) {
            return UNREACHED;
        }
        let sector = layout.at(cell);
        if around.field.served_cost(cell) != UNREACHED {
            return 0;
        }
        let Some(other) = self.tiles.get(&sector) else {
            let key = |exit: &(IVec2, u32)| (exit.0.y, exit.0.x);
            let found = from.exits.binary_search_by_key(&(cell.y, cell.x), key);
            return found.map_or(UNREACHED, |at| from.exits[at].1);
        };
        let CellRect { low, high } = layout.rect(sector);
        let cost = other.content.border_cost(high - low, cell - low);
        if cost == UNREACHED {
            return UNREACHED;
        }
        let less = (other.base + u64::from(cost)).saturating_sub(from.base);
        less.min(u64::from(UNREACHED - 1)) as u32
    }
}

impl FirstTile {
    fn new(source: &FirstSource<'_>, sector: u32, solver: &mut TileSolver) -> Self {
        let &FirstSource {
            graph,
            routes,
            costs,
            method,
        } = source;
        let rect = graph.sectors().rect(sector);
        let mut exits_and_goals = routes.exit_costs(graph, costs, sector, &mut solver.search);
        let base = exits_and_goals
            .iter()
            .map(|way| way.to_go)
            .min()
            .unwrap_or_default();
        exits_and_goals.retain(|way| way.to_go - base < TOO_DEAR);
        let (goals, mut exits): (Vec<ExitCost>, Vec<ExitCost>) =
            exits_and_goals.into_iter().partition(|way| way.is_goal);
        exits.sort_unstable_by_key(|way| (way.cell.y, way.cell.x));
        let closed = exits
            .iter()
            .fold(u8::MAX, |set, way| set & !(1 << side_of(rect, way.cell)));
        solver.begin(costs, rect, closed);
        let less = |way: &ExitCost| (way.to_go - base) as u32;
        for way in &exits {
            let offer = Candidate {
                cost: less(way),
                root: Root::HERE,
            };
            solver.start(way.cell - rect.low, offer);
        }
        for way in &goals {
            solver.start_goal(way.cell - rect.low, less(way));
        }
        let content = solver.finish_alone(method.into(), SCALES[0]);
        Self {
            content: content.unwrap_or(Content::Unreached),
            base,
            exits: exits.iter().map(|way| (way.cell, less(way))).collect(),
        }
    }
}

/// The straight step by which a cell just outside a rectangle is reached.
pub(super) fn side_of(rect: CellRect, cell: IVec2) -> usize {
    if cell.x >= rect.high.x {
        0
    } else if cell.y >= rect.high.y {
        2
    } else if cell.x < rect.low.x {
        4
    } else {
        6
    }
}

/// A first tile in its place.
struct FirstPlace<'a> {
    first: &'a FirstTiles,
    around: Surroundings<'a>,
    tile: &'a FirstTile,
    low: IVec2,
    size: IVec2,
}

impl Place for FirstPlace<'_> {
    fn size(&self) -> IVec2 {
        self.size
    }

    fn target(&self, cell: IVec2) -> Option<Vec2> {
        let mut targets = self.around.targets.iter();
        let target = targets.find(|&&at| floor_to_cell(at) == cell + self.low);
        target.map(|&at| at - self.low.as_vec2())
    }

    fn cost(&self, cell: IVec2) -> u32 {
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all() {
            self.tile.content.border_cost(self.size, cell)
        } else {
            self.first
                .cost_beyond(self.around, self.tile, cell + self.low)
        }
    }
}
