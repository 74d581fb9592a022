//! The tiles of a sector to the parts of windows by which it can be left (Emerson, Game AI Pro, 23.7: all
//! permutations), and plain tiles that are put together from them.
//!
//! The tile to a part depends on no goal. It is made from the ground and from one cost for all cells of the part, so
//! there is one for each part of each window, all of which can be made beforehand. It keeps the costs of its cells. A
//! plain tile takes each cell from the tile by which the goal costs least, the costs beyond the parts included. That
//! compares numbers, and needs no solve.
//!
//! In a plain tile, agents come to cells of ever lower cost: each tile to a part leads to cells whose cost by that tile
//! is lower, and the cost of a cell in the plain tile is at most that by any of its tiles.

use super::border;
use super::cache::{TileCache, TileKey};
use super::roots::RootList;
use super::solve::TileSolver;
use super::tile::{Tile, at};
use crate::direction::Direction;
use crate::flow::{FlowCell, fill_window};
use crate::grid::{CellRect, STEPS};
use crate::integrate::{Candidate, Method, Root, SCALES, Start, UNREACHED};
use crate::movement::{BLOCKED, MAX_COST};
use glam::IVec2;
use std::sync::Arc;

/// Distinguishes the keys of tiles to parts from those of other tiles.
const EXIT: u64 = 0x4558_4954;

/// Where a tile to a part of a window comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Baked,
    Cached,
    Solved,
}

/// A tile to a part of a window, for [`TileSolver::combine`].
#[derive(Debug, Clone)]
pub(super) struct ExitTile {
    pub(super) key: TileKey,
    pub(super) tile: Arc<Tile>,
    pub(super) origin: Origin,
    /// Whether it was made beforehand, even if the cache has lost it since.
    pub(super) is_loaded: bool,
}

/// The tiles of a sector that were made beforehand.
#[derive(Debug, Default)]
pub(crate) struct BakedSector(pub(super) Vec<(TileKey, Arc<Tile>)>);

impl BakedSector {
    fn find(&self, key: TileKey) -> Option<Arc<Tile>> {
        let found = self.0.iter().find(|known| known.0 == key);
        found.map(|known| Arc::clone(&known.1))
    }
}

impl TileSolver {
    /// The tile to a part, whose cells are relative to the sector that was begun last with no side closed; `None` if
    /// costs exceed the number range.
    pub(super) fn exit_tile(
        &mut self,
        part: CellRect,
        method: Method,
        baked: Option<&BakedSector>,
        cache: &TileCache,
    ) -> Option<ExitTile> {
        let key = self.begin_part(part, method);
        let size = self.tile_size();
        let serves = |tile: &Arc<Tile>| tile.size == size && tile.is_to_exit();
        let known = baked.and_then(|baked| baked.find(key)).filter(serves);
        if let Some(tile) = known {
            return Some(ExitTile {
                key,
                tile,
                origin: Origin::Baked,
                is_loaded: true,
            });
        }
        let (tile, origin) = match cache.find(key).filter(serves) {
            Some(tile) => (tile, Origin::Cached),
            None => (Arc::new(self.solve_exit(method)?), Origin::Solved),
        };
        Some(ExitTile {
            key,
            tile,
            origin,
            is_loaded: cache.is_loaded(key),
        })
    }

    /// Makes the tile to a part beforehand; `None` if costs exceed the number range.
    pub(super) fn bake(&mut self, part: CellRect, method: Method) -> Option<(TileKey, Arc<Tile>)> {
        let key = self.begin_part(part, method);
        Some((key, Arc::new(self.solve_exit(method)?)))
    }

    /// Begins the tile to a part and returns its key.
    fn begin_part(&mut self, part: CellRect, method: Method) -> TileKey {
        self.starts.clear();
        for y in part.low.y..part.high.y {
            for x in part.low.x..part.high.x {
                let index = self.ground.index(IVec2::new(x, y) + 1);
                let (cost, root) = (0, Root::HERE);
                let value = Candidate { cost, root };
                if self.ground.costs()[index] != BLOCKED {
                    self.starts.push(Start { index, value });
                }
            }
        }
        let mut key = self.inputs(method, SCALES[0], 0);
        key.add(EXIT);
        key.finish()
    }

    fn tile_size(&self) -> IVec2 {
        IVec2::new(self.ground.width() as i32, self.ground.height() as i32) - 2
    }

    fn solve_exit(&mut self, method: Method) -> Option<Tile> {
        self.solved += 1;
        let size = self.tile_size();
        let ground = &mut self.ground;
        ground.set_window_links(&[]);
        let field = self
            .windows
            .solve(method, ground, &self.starts, SCALES[0])?;
        fill_window(ground, field, &mut self.cells);
        let stored = |cell: IVec2| field.stored()[ground.index(cell + 1)];
        let cells = (-1..=size.y).flat_map(|y| (-1..=size.x).map(move |x| IVec2::new(x, y)));
        let costs = cells.map(stored).collect();
        for cell in &mut self.cells {
            cell.lower = 0;
        }
        let mut cells: Box<[FlowCell]> = self.cells.as_slice().into();
        let root = |cell: IVec2| {
            let roots = field.roots();
            roots
                .get(ground.index(cell + 1))
                .copied()
                .unwrap_or(Root::HERE)
        };
        let roots = RootList::take_over(&mut cells, size, root);
        Some(Tile::to_exit(size, cells, roots, costs))
    }

    /// The plain tile of the sector that was begun last, from tiles to parts with the costs beyond these. Costs are
    /// relative to 0. `None` if there is no part.
    pub(super) fn combine(&self, parts: &[(Arc<Tile>, u32)]) -> Option<Tile> {
        let size = self.tile_size();
        let (first, _) = parts.first()?;
        let most = UNREACHED - 2 * (SCALES[0].straight + 1) * u32::from(MAX_COST) - 1;
        let mut costs = vec![UNREACHED; first.cells.len()];
        let mut best = vec![0; first.cells.len()];
        for (number, (tile, beyond)) in parts.iter().enumerate() {
            for ((least, best), &cost) in costs.iter_mut().zip(&mut best).zip(&tile.costs) {
                let cost = u64::from(cost) + u64::from(*beyond);
                if cost < u64::from(most.min(*least)) {
                    (*least, *best) = (cost as u32, number);
                }
            }
        }
        let root = |index: usize, cell: IVec2| {
            let tile = &parts[best[index]].0;
            tile.roots.root(tile.cells[index].direction, index, cell)
        };
        let direction = |index: usize| {
            let tile = &parts[best[index]].0;
            tile.roots.direction(tile.cells[index].direction)
        };
        let mut cells: Box<[FlowCell]> = (0..costs.len())
            .map(|index| FlowCell {
                direction: direction(index),
                lower: 0,
            })
            .collect();
        for y in 0..size.y {
            for x in 0..size.x {
                let cell = IVec2::new(x, y);
                cells[at(size, cell)].lower = self.lower_steps(&costs, size, cell);
            }
        }
        let straight = |cell: IVec2| {
            let index = at(size, cell);
            match direction(index) {
                Direction::STRAIGHT => root(index, cell),
                _ => Root::HERE,
            }
        };
        let border = [0, 2, 4, 6].into_iter().flat_map(|side| {
            (0..border::length(size, side)).map(move |at| border::cell(size, side, at))
        });
        let candidate = |cell: IVec2| match costs[at(size, cell)] {
            UNREACHED => Candidate::NONE,
            cost => Candidate {
                cost,
                root: straight(cell),
            },
        };
        let border = border.map(candidate).collect();
        let roots = RootList::take_over(&mut cells, size, straight);
        Some(Tile::of(size, cells, roots, border, Box::default()))
    }

    /// The legal steps from a cell to cells of lower cost, and all legal steps out of the sector.
    fn lower_steps(&self, costs: &[u32], size: IVec2, cell: IVec2) -> u8 {
        let legal = self.ground.steps()[self.ground.index(cell + 1)];
        let out = border::steps_out(size, cell);
        let cost = costs[at(size, cell)];
        let is_lower = |step: usize| {
            let bit = 1 << step;
            legal & bit != 0 && (out & bit != 0 || costs[at(size, cell + STEPS[step])] < cost)
        };
        (0..8).fold(0, |set, step| set | u8::from(is_lower(step)) << step)
    }
}
