//! First tiles: provisional tiles of the sectors in which routes begin, made at once (Emerson, Game AI Pro, 23.12).
//!
//! Tiles are built from the goal on, so the tiles at the start of a route come last. Until then agents there follow
//! first tiles, which are made from what the search over portals knows: each is solved from the windows by which routes
//! leave its sector, with the costs beyond them carried over (23.6.1).
//!
//! First tiles send no agent back and forth. A cell of a first tile costs more than the cell beyond a window that it
//! leads to. If that cell has a first tile too, the costs of both tiles are compared, as between other tiles, so agents
//! that follow first tiles reach cells of ever lower cost. A built tile that leads on counts as lower than any first
//! tile and leads to built tiles only, so no agent returns. Costs may change between the making of two first tiles.
//! Where that leaves no lower cell, agents follow the table of their sector, as they do without first tiles. All first
//! tiles are removed when no tile is left to be built.

use super::super::exit_costs::ExitCost;
use super::field::TiledField;
use super::parallel::solve_each;
use super::sector_map::{SectorMap, Surroundings, target_among};
use super::solve::TileSolver;
use super::tile::Content;
use super::wanted_tiles::{RouteSource, WantedTiles};
use crate::grid::CellRect;
use crate::integrate::{Candidate, Root, SCALES, UNREACHED};
use crate::route::Sectors;
use crate::workers::Workers;
use glam::{IVec2, Vec2};

/// Exits whose cost exceeds the cheapest exit's by this much are left out: no agent takes them.
const TOO_EXPENSIVE: u64 = UNREACHED as u64 / 4;

/// The first tiles of the routes to a goal.
pub(crate) type FirstTiles = WantedTiles<FirstTile>;

#[derive(Debug, Clone)]
pub(crate) struct FirstTile {
    pub(super) content: Content,
    /// The number to add to its costs.
    pub(super) base: u64,
    /// The cells beyond its windows with their costs less the base, ordered by row and column.
    pub(super) exits: Box<[(IVec2, u32)]>,
}

impl FirstTiles {
    /// Queues a sector for a first tile unless it has one.
    pub(crate) fn want(&mut self, sector: u32) {
        if !self.contains(sector) {
            self.want_new(sector);
        }
    }

    /// Makes up to `limit` first tiles and returns their number.
    pub(crate) fn build(
        &mut self,
        source: &RouteSource<'_>,
        limit: usize,
        workers: &Workers,
        solvers: &mut [TileSolver],
    ) -> usize {
        let sectors = self.next(limit);
        let tiles = solve_each(workers, solvers, sectors.len(), |solver, number| {
            FirstTile::new(source, sectors[number], solver)
        });
        for (&sector, tile) in sectors.iter().zip(tiles) {
            self.insert(sector, tile);
        }
        sectors.len()
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |tile: &FirstTile| {
            size_of::<(u32, FirstTile)>() + size_of_val(&*tile.exits) + tile.content.bytes()
        };
        self.tiles().map(bytes).sum()
    }
}

/// First tiles among the tiles of a field that have been built, with the goal's exact targets.
#[derive(Clone, Copy)]
pub(crate) struct FirstView<'a> {
    pub(crate) first: &'a FirstTiles,
    pub(crate) field: &'a TiledField,
    pub(crate) targets: &'a [Vec2],
}

impl<'a> SectorMap<'a> for FirstView<'a> {
    type Around = AroundFirst<'a>;

    fn sectors(self) -> &'a Sectors {
        self.field.layout()
    }

    /// `None` where a built tile leads on.
    fn content_at(self, cell: IVec2) -> Option<(&'a Content, AroundFirst<'a>)> {
        let tile = self.first.get(self.sectors().at(cell))?;
        let is_needed =
            matches!(tile.content, Content::Cells(..)) && self.field.has_route(cell) != Some(true);
        is_needed.then_some((&tile.content, AroundFirst { view: self, tile }))
    }
}

/// The surroundings of a first tile.
pub(crate) struct AroundFirst<'a> {
    view: FirstView<'a>,
    tile: &'a FirstTile,
}

impl Surroundings for AroundFirst<'_> {
    fn cost_beyond(&self, cell: IVec2) -> u32 {
        let (FirstView { first, field, .. }, tile) = (self.view, self.tile);
        let layout = field.layout();
        if !layout.contains(cell) {
            return UNREACHED;
        }
        if field.served_cost(cell) != UNREACHED {
            return 0;
        }
        let sector = layout.at(cell);
        let Some(other) = first.get(sector) else {
            let key = |exit: &(IVec2, u32)| (exit.0.y, exit.0.x);
            let found = tile.exits.binary_search_by_key(&(cell.y, cell.x), key);
            return found.map_or(UNREACHED, |at| tile.exits[at].1);
        };
        let CellRect { low, high } = layout.rect(sector);
        let cost = other.content.border_cost(high - low, cell - low);
        if cost == UNREACHED {
            return UNREACHED;
        }
        let less = (other.base + u64::from(cost)).saturating_sub(tile.base);
        less.min(u64::from(UNREACHED - 1)) as u32
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        target_among(self.view.targets, cell)
    }
}

impl FirstTile {
    fn new(source: &RouteSource<'_>, sector: u32, solver: &mut TileSolver) -> Self {
        let &RouteSource {
            graph,
            routes,
            costs,
            method,
        } = source;
        let rect = graph.sectors().rect(sector);
        let mut exits_and_goals = routes.exit_costs(graph, costs, sector, &mut solver.search);
        let base = exits_and_goals
            .iter()
            .map(|exit| exit.to_go)
            .min()
            .unwrap_or_default();
        exits_and_goals.retain(|exit| exit.to_go - base < TOO_EXPENSIVE);
        let (goals, mut exits): (Vec<ExitCost>, Vec<ExitCost>) =
            exits_and_goals.into_iter().partition(|exit| exit.is_goal);
        exits.sort_unstable_by_key(|exit| (exit.cell.y, exit.cell.x));
        let closed = exits
            .iter()
            .fold(u8::MAX, |set, exit| set & !(1 << side_of(rect, exit.cell)));
        solver.begin(costs, rect, closed);
        let less = |exit: &ExitCost| (exit.to_go - base) as u32;
        for exit in &exits {
            let candidate = Candidate {
                cost: less(exit),
                root: Root::HERE,
            };
            solver.start(exit.cell - rect.low, candidate);
        }
        for exit in &goals {
            solver.start_goal(exit.cell - rect.low, less(exit));
        }
        let content = solver.finish_alone(method.into(), SCALES[0]);
        Self {
            content: content.unwrap_or(Content::Unreached),
            base,
            exits: exits.iter().map(|exit| (exit.cell, less(exit))).collect(),
        }
    }
}

/// The straight step that leads over the side of a rectangle beyond which a cell lies.
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
