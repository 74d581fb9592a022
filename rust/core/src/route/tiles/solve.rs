//! The solver of one tile (the integrator of Emerson, Game AI Pro, 23.6).

use super::cache::{KeyMaker, Store, TileCache, TileKey};
use super::tile::{Content, Tile};
use crate::flow::{Direction, DirectionRule, FlowCell, fill_window};
use crate::grid::CellRect;
use crate::grid::STEPS;
use crate::grid::links::LinkEdge;
use crate::integrate::{
    Candidate, Method, Root, Start, StepScale, UNREACHED, WindowBoundary, WindowSolver,
};
use crate::movement::{BLOCKED, CostField, MAX_COST};
use crate::route::SectorSearch;
use glam::IVec2;
use std::sync::Arc;

/// The direction rule of tiles.
pub(crate) const TILE_RULE: DirectionRule = DirectionRule::Characteristic;

/// Solves tiles and reuses its memory between them.
#[derive(Debug)]
pub struct TileSolver {
    pub(super) windows: WindowSolver,
    pub(super) ground: CostField,
    pub(super) starts: Vec<Start>,
    /// The stored indices and costs of the goals.
    goals: Vec<(usize, u32)>,
    /// The stored indices of cells in which links to other sectors start, and the costs by their best link.
    linked: Vec<(usize, u32)>,
    /// The links within the tile, ordered by first cell.
    inner_links: Vec<LinkEdge>,
    /// The cells in which links start or end.
    link_cells: Vec<IVec2>,
    pub(super) cells: Vec<FlowCell>,
    window_boundary: WindowBoundary,
    /// Searches the costs from which first tiles are solved.
    pub(super) search: SectorSearch,
    pub(super) solved: u64,
}

/// A solved tile that is not in the cache yet.
pub(super) enum Solved {
    Done(Content),
    Tile {
        key: TileKey,
        tile: Arc<Tile>,
        base: u32,
        /// Whether it was found in the cache.
        is_found: bool,
    },
}

impl Solved {
    /// Returns true if the tile was loaded into the cache, or would have been if files contained tiles of clear ground,
    /// which need no solve.
    pub(super) fn is_loaded(&self, cache: &TileCache) -> bool {
        match self {
            Self::Tile { key, .. } => cache.is_loaded(*key),
            Self::Done(content) => cache.has_loaded() && matches!(content, Content::Clear(_)),
        }
    }

    /// Records the tile in the cache.
    pub(super) fn admit(self, store: &mut Store<'_>) -> Content {
        match self {
            Self::Done(content) => content,
            Self::Tile {
                key,
                tile,
                base,
                is_found,
            } => Content::Cells(store.admit(key, tile, is_found), base),
        }
    }
}

impl Default for TileSolver {
    fn default() -> Self {
        Self {
            windows: WindowSolver::default(),
            ground: CostField::empty(),
            starts: Vec::new(),
            goals: Vec::new(),
            linked: Vec::new(),
            inner_links: Vec::new(),
            link_cells: Vec::new(),
            cells: Vec::new(),
            window_boundary: WindowBoundary::default(),
            search: SectorSearch::new(),
            solved: 0,
        }
    }
}

impl TileSolver {
    /// A solver that has allocated no memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of tiles that it has solved cell by cell.
    #[must_use]
    pub fn solved(&self) -> u64 {
        self.solved
    }

    /// Begins the tile of the cells `rect`. The sectors around it that are in the set of steps `closed` count as walls.
    pub(super) fn begin(&mut self, costs: &CostField, rect: CellRect, closed: u8) {
        self.starts.clear();
        self.goals.clear();
        self.linked.clear();
        self.inner_links.clear();
        self.link_cells.clear();
        self.ground.copy_window(costs, rect.grown(1));
        if closed == 0 {
            return;
        }
        let size = rect.high - rect.low;
        for (step, by) in STEPS.iter().enumerate() {
            if closed >> step & 1 == 1 {
                self.ground.close_window(beside(size, *by));
            }
        }
        self.ground.find_window_steps();
    }

    /// Begins to record changes along the border of the tile that was begun last.
    pub(super) fn begin_changes(&mut self) {
        self.window_boundary.begin(&self.ground);
    }

    /// Records the former and the new value of a cell along the tile's border, on either side of it.
    pub(super) fn record(&mut self, cell: IVec2, before: Candidate, now: Candidate) {
        let index = self.ground.index(cell + 1);
        self.window_boundary
            .record(&self.ground, index, before, now);
    }

    /// Returns true if the recorded changes may change the tile.
    pub(super) fn changes_solution(&self, scale: StepScale) -> bool {
        self.window_boundary.changes_solution(&self.ground, scale)
    }

    /// Sets the first value of a cell of the tile or around it. A wall is ignored: it may have a value from before it
    /// became a wall.
    pub(super) fn start(&mut self, cell: IVec2, candidate: Candidate) {
        let index = self.ground.index(cell + 1);
        if self.ground.costs()[index] != BLOCKED {
            self.starts.push(Start {
                index,
                value: candidate,
            });
        }
    }

    /// Makes an open cell of the tile a goal with an initial cost.
    pub(super) fn start_goal(&mut self, cell: IVec2, cost: u32) {
        self.goals.push((self.ground.index(cell + 1), cost));
        let root = Root::HERE;
        self.start(cell, Candidate { cost, root });
    }

    /// Adds a cell of the tile in which links start or end. Cells must be added row by row, each once.
    pub(super) fn note_link_cell(&mut self, cell: IVec2) {
        self.link_cells.push(cell);
    }

    /// Adds a link between two cells of the tile. Links must be added row by row of their first cells.
    pub(super) fn add_inner_link(&mut self, from: IVec2, to: IVec2, cost: f32) {
        self.inner_links.push(LinkEdge {
            from: self.ground.index(from + 1),
            to: self.ground.index(to + 1),
            cost,
        });
    }

    /// Sets the cost of a cell of the tile by a link to another sector, if the cell is open. Several links of one cell
    /// must be added one after the other.
    pub(super) fn start_link(&mut self, cell: IVec2, cost: u32) {
        let index = self.ground.index(cell + 1);
        if self.ground.costs()[index] == BLOCKED {
            return;
        }
        match self.linked.last_mut() {
            Some((last, least)) if *last == index => *least = cost.min(*least),
            _ => self.linked.push((index, cost)),
        }
    }

    /// Starts the wave also in cells in which links start. A goal may be cheaper to reach by a link than to end at.
    fn add_links(&mut self) {
        let goals = self.starts.len() - self.goals.len();
        for &(index, cost) in &self.linked {
            let root = Root::HERE;
            let candidate = Candidate { cost, root };
            let known = self.starts[goals..].iter_mut();
            match known.into_iter().find(|start| start.index == index) {
                Some(start) => start.value = start.value.min(candidate),
                None => self.starts.push(Start {
                    index,
                    value: candidate,
                }),
            }
        }
    }

    /// Returns the tile from the cache or solves it; `None` if costs exceed the number range. The caller must call
    /// [`Solved::admit`].
    pub(super) fn finish(
        &mut self,
        method: Method,
        scale: StepScale,
        cache: Option<&TileCache>,
    ) -> Option<Solved> {
        self.add_links();
        let Some(cache) = cache.filter(|cache| cache.is_in_use()) else {
            return self.finish_alone(method, scale).map(Solved::Done);
        };
        let Some(base) = self.starts.iter().map(|start| start.value.cost).min() else {
            return Some(Solved::Done(Content::Unreached));
        };
        let key = self.key(method, scale, base);
        let size = IVec2::new(self.ground.width() as i32, self.ground.height() as i32) - 2;
        // A tile that was made or read for lower costs may exceed the number range here.
        let most = UNREACHED - 2 * (scale.straight + 1) * u32::from(MAX_COST) - 1;
        let serves =
            |tile: &Arc<Tile>| tile.size == size && tile.is_below(most, base) && !tile.is_to_exit();
        let found = cache.find(key).filter(serves);
        let is_found = found.is_some();
        let tile = match found {
            Some(tile) => tile,
            None => Arc::new(self.solve(method, scale, base)?),
        };
        Some(Solved::Tile {
            key,
            tile,
            base,
            is_found,
        })
    }

    /// [`Self::finish`] without a cache.
    pub(super) fn finish_alone(&mut self, method: Method, scale: StepScale) -> Option<Content> {
        let Some(base) = self.starts.iter().map(|start| start.value.cost).min() else {
            return Some(Content::Unreached);
        };
        let tile = self.solve(method, scale, base)?;
        Some(Content::Cells(Arc::new(tile), base))
    }

    fn solve(&mut self, method: Method, scale: StepScale, base: u32) -> Option<Tile> {
        self.solved += 1;
        let ground = &mut self.ground;
        ground.set_window_links(&self.inner_links);
        let field = self.windows.solve(method, ground, &self.starts, scale)?;
        fill_window(ground, field, &mut self.cells);
        let stored = field.stored();
        let by_inner_link = |edge: &LinkEdge| {
            let end = stored[edge.to];
            (end != UNREACHED).then(|| (edge.from, edge.candidate(scale, end)))
        };
        let inner_links = self.inner_links.iter().filter_map(by_inner_link);
        let linked = self.linked.iter().copied().chain(inner_links);
        let linked = linked.map(|start| (start, Direction::LINK));
        let goals = self.goals.iter().map(|&start| (start, Direction::GOAL));
        for ((index, cost), mark) in linked.chain(goals) {
            if stored[index] == cost {
                let cell = ground.cell(index);
                let at = cell.y as usize * ground.width() + cell.x as usize;
                self.cells[at].direction = mark;
            }
        }
        let cells = (self.cells.as_slice(), self.link_cells.as_slice());
        Some(Tile::new(ground, field, cells, base))
    }

    /// The cache key: everything that the tile depends on. A value near the end of the number range depends on more,
    /// but such tiles are not kept.
    fn key(&self, method: Method, scale: StepScale, base: u32) -> TileKey {
        let mut key = self.inputs(method, scale, base);
        if !self.link_cells.is_empty() {
            self.add_links_to(&mut key, base);
        }
        key.finish()
    }

    /// The inputs of the cache key without links.
    pub(super) fn inputs(&self, method: Method, scale: StepScale, base: u32) -> KeyMaker {
        let mut key = KeyMaker::new();
        let size = self.ground.width() as u64 | (self.ground.height() as u64) << 32;
        key.add(size);
        key.add(u64::from(scale.straight) << 8 | method as u64);
        key.add_bytes(self.ground.costs());
        self.ground.add_walls(|word| key.add(word));
        key.add(self.goals.len() as u64);
        for start in &self.starts {
            let Candidate { cost, root } = start.value;
            key.add(start.index as u64 | u64::from(root.code()) << 32);
            key.add(u64::from(cost - base));
        }
        key
    }
}

impl TileSolver {
    /// Adds what the tile depends on in links: their cells, the costs by links, and the goals.
    fn add_links_to(&self, key: &mut KeyMaker, base: u32) {
        key.add(self.link_cells.len() as u64);
        for cell in &self.link_cells {
            key.add(self.ground.index(*cell + 1) as u64);
        }
        key.add(self.linked.len() as u64);
        for &(index, cost) in self.linked.iter().chain(&self.goals) {
            key.add(index as u64 | u64::from(cost - base) << 32);
        }
        for edge in &self.inner_links {
            key.add(edge.from as u64 | (edge.to as u64) << 32);
            key.add(u64::from(edge.cost.to_bits()));
        }
    }
}

/// The cells of a window that lie beyond its tile of `size` cells in the direction `by`, two deep, in the window's
/// cells.
fn beside(size: IVec2, by: IVec2) -> CellRect {
    let along = |by: i32, size: i32| match by {
        -1 => (-1, 1),
        0 => (1, size + 1),
        _ => (size + 1, size + 3),
    };
    let (x, y) = (along(by.x, size.x), along(by.y, size.y));
    CellRect {
        low: IVec2::new(x.0, y.0),
        high: IVec2::new(x.1, y.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Writer;
    use crate::grid::Grid;
    use crate::integrate::SCALES;
    use crate::movement::{Clearance, MovementType};
    use crate::terrain::Terrain;
    use glam::Vec2;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Only differences of costs matter, so a tile serves wherever its key fits. The cost of one cell beside the
        /// tile is chosen so that it, or its lower half, is a step more than 0 or than that of a cell that is not
        /// reached.
        #[test]
        fn a_tile_is_the_same_at_any_distance_from_the_goal(
            side in prop::sample::select(vec![4, 8, 16]),
            walls_percent in prop::sample::select(vec![0_u64, 20]),
            unreached_percent in prop::sample::select(vec![0_u64, 40]),
            method in prop::sample::select(vec![Method::Octile, Method::Eikonal]),
            radius in prop::sample::select(vec![0.0_f32, 1.2]),
            step in prop::sample::select(vec![SCALES[0].straight, SCALES[0].diagonal]),
            chosen in 0_usize..70,
            seed in any::<u64>(),
        ) {
            let draw = |at: IVec2, part: u64| {
                crate::random::keyed(seed, (at.y * 64 + at.x) as u64, part) % 100
            };
            let grid = Grid::new(IVec2::splat(side + 6), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            for index in 0..grid.cell_count() {
                let cell = grid.cell(index);
                let wall = draw(cell, 0) < walls_percent;
                terrain.set(cell, if wall { BLOCKED } else { 1 }).expect("inside");
            }
            let room = Clearance::new(radius).expect("in range");
            let kind = MovementType::default().with_clearance(room);
            let costs = CostField::new(&grid, &terrain, &kind);
            let rect = CellRect { low: IVec2::splat(3), high: IVec2::splat(side + 3) };
            let size = rect.high - rect.low;
            let ring = (-1..=side).flat_map(|y| (-1..=side).map(move |x| IVec2::new(x, y)));
            let ring = ring.filter(|cell| cell.cmplt(IVec2::ZERO).any() || cell.cmpge(size).any());
            let reached = ring.filter(|&cell| draw(cell, 1) >= unreached_percent);
            let starts: Vec<(IVec2, u32)> = reached
                .map(|cell| (cell, (2378.0 * cell.as_vec2().distance(Vec2::new(-9.0, -4.0))) as u32))
                .collect();
            prop_assume!(!starts.is_empty());
            let least = starts.iter().map(|start| start.1).min().expect("some");
            let above = starts[chosen % starts.len()].1 - least;
            let mut solver = TileSolver::new();
            let mut tile_at = |base: u32| {
                solver.begin(&costs, rect, 0);
                for &(cell, cost) in &starts {
                    let cost = cost - least + base;
                    solver.start(cell, Candidate { cost, root: Root::HERE });
                }
                match solver.finish_alone(method, SCALES[0]) {
                    Some(Content::Cells(tile, _)) => {
                        let mut out = Writer::default();
                        tile.write_used(&mut out);
                        out.bytes
                    }
                    _ => Vec::new(),
                }
            };
            let far = tile_at(10_000_019);
            for (cost, what) in [(step, "a step"), (step - 1, "a step and what is not reached")] {
                prop_assert_eq!(&tile_at(cost.saturating_sub(above)), &far, "{}", what);
            }
            let half = (u32::from(u16::MAX) + step - above % 65_536) % 65_536;
            prop_assert_eq!(&tile_at(65_536 + half), &far, "a half");
        }
    }
}
