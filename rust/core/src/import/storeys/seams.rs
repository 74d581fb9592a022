//! Which floors each layer has in a window of cells, and where links join the layers.
//!
//! Where a surface continues on another layer, each layer ends in a wall for the agents on it. A link from the last
//! cell of one layer to the first of the other would be beside these walls, and closed to wide agents. So the layer
//! above also gets the next floors of the layer below, up to [`OVERLAP`] cells, where its columns are free, and links
//! join the two copies of one floor a few cells away from both ends.

use super::floor_map::{FloorMap, NONE, SIDES};
use super::settings::StoreySettings;
use super::window_steps::Steps;
use crate::grid::CellRect;
use crate::workers::Workers;
use glam::IVec2;
use std::collections::BTreeMap;

/// The number of cells by which layers overlap where links join them.
const OVERLAP: u8 = 5;
/// The number of cells from the end of a layer to the links, where there is room.
const LINK_DEPTH: u8 = 3;

/// What happens in a cell depends on floors up to this many cells away.
pub(super) const REACH: i32 = 2 * OVERLAP as i32 + 2;

/// A link between two layers. Agents may take it in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seam {
    pub from: (u32, IVec2Key),
    pub to: (u32, IVec2Key),
}

/// A cell in an order: by row, then by column.
pub(super) type IVec2Key = (i32, i32);

fn key(cell: IVec2) -> IVec2Key {
    (cell.y, cell.x)
}

/// The floors of each layer in a window.
pub(super) struct Window<'a> {
    map: &'a FloorMap,
    settings: &'a StoreySettings,
    cells: CellRect,
    steps: Steps<'a>,
    layers: u32,
    /// The floor of each layer and cell, layer by layer, or [`NONE`].
    floors: Vec<u32>,
    /// Whether agents may stand on them.
    walkable: Vec<bool>,
    /// The steps from a floor of one layer to a floor of another, each once: the cell and floor at both ends.
    between_layers: Vec<(IVec2, u32, IVec2, u32)>,
    seams: Vec<Seam>,
}

/// A floor that a layer has in addition to its own.
struct Copied {
    floor: u32,
    depth: u8,
    /// Whether floors farther from the end of the layer were copied because of this one.
    leads_on: bool,
    /// Whether a link joins the layers here or nearer to the end.
    is_linked: bool,
}

type Copies = BTreeMap<(u32, IVec2Key), Copied>;

impl<'a> Window<'a> {
    pub(super) fn new(
        map: &'a FloorMap,
        settings: &'a StoreySettings,
        cells: CellRect,
        layers: u32,
        workers: &Workers,
    ) -> Self {
        let cells = cells.intersection(&map.cells());
        let mut window = Self {
            map,
            settings,
            cells,
            steps: Steps::new(map, settings, cells),
            layers,
            floors: vec![NONE; layers as usize * cells.cell_count()],
            walkable: Vec::new(),
            between_layers: Vec::new(),
            seams: Vec::new(),
        };
        for cell in cells.cells() {
            for floor in map.column(cell) {
                let index = window.index(u32::from(map.floor(floor).layer), cell);
                window.floors[index] = floor;
            }
        }
        window.between_layers = window.steps_between_layers();
        let mut copies = Copies::new();
        window.overlap(&mut copies, |layer, owner| owner < layer);
        window.overlap(&mut copies, |layer, owner| owner > layer);
        window.find_ledges(workers);
        window.link(&mut copies);
        window
    }

    fn index(&self, layer: u32, cell: IVec2) -> usize {
        let size = self.cells.high - self.cells.low;
        let at = cell - self.cells.low;
        (layer as usize * size.y as usize + at.y as usize) * size.x as usize + at.x as usize
    }

    /// The floor of a cell on a layer; [`NONE`] outside the window.
    fn at(&self, layer: u32, cell: IVec2) -> u32 {
        if self.cells.contains(cell) {
            self.floors[self.index(layer, cell)]
        } else {
            NONE
        }
    }

    fn owner(&self, floor: u32) -> u32 {
        u32::from(self.map.floor(floor).layer)
    }

    /// Copies floors of other layers, for which `is_wanted` is given the layer and the owner, to the ends of layers.
    /// Where another copy has joined two layers already, nothing is added.
    fn overlap(&mut self, copies: &mut Copies, is_wanted: impl Fn(u32, u32) -> bool) {
        let mut ends: Vec<(u32, IVec2, u32)> = Vec::new();
        for &(cell, floor, next_cell, next) in &self.between_layers {
            for (layer, cell, floor, back) in [
                (self.owner(floor), next_cell, next, (self.owner(next), cell)),
                (
                    self.owner(next),
                    cell,
                    floor,
                    (self.owner(floor), next_cell),
                ),
            ] {
                let is_joined = copies.contains_key(&(back.0, key(back.1)));
                if is_wanted(layer, self.owner(floor)) && !is_joined {
                    ends.push((layer, cell, floor));
                }
            }
        }
        for depth in 1..=OVERLAP {
            let added = self.free_of_conflict(&ends);
            ends.clear();
            for (layer, cell, floor) in added {
                let index = self.index(layer, cell);
                self.floors[index] = floor;
                self.note_parents(copies, layer, cell, floor, depth);
                let owner = self.owner(floor);
                for (side, &step) in SIDES.iter().enumerate() {
                    let next = self.steps.from(floor, cell, side);
                    if next != NONE && self.owner(next) == owner {
                        ends.push((layer, cell + step, next));
                    }
                }
                let copied = Copied {
                    floor,
                    depth,
                    leads_on: false,
                    is_linked: false,
                };
                copies.insert((layer, key(cell)), copied);
            }
        }
    }

    /// Marks the copies one step nearer to the end.
    fn note_parents(&self, copies: &mut Copies, layer: u32, cell: IVec2, floor: u32, depth: u8) {
        for (side, &step) in SIDES.iter().enumerate() {
            let before = cell + step;
            if let Some(parent) = copies.get_mut(&(layer, key(before)))
                && parent.depth + 1 == depth
                && self.steps.from(floor, cell, side) == parent.floor
            {
                parent.leads_on = true;
            }
        }
    }

    /// The candidates whose columns are free on their layers, and that lead to all floors beside them.
    fn free_of_conflict(&self, wanted: &[(u32, IVec2, u32)]) -> Vec<(u32, IVec2, u32)> {
        let mut candidates: BTreeMap<(u32, IVec2Key), (IVec2, u32)> = BTreeMap::new();
        for &(layer, cell, floor) in wanted {
            if self.cells.contains(cell) && self.at(layer, cell) == NONE {
                let place = candidates
                    .entry((layer, key(cell)))
                    .or_insert((cell, floor));
                place.1 = place.1.min(floor);
            }
        }
        let fits = |&(&(layer, _), &(cell, floor)): &(&(u32, IVec2Key), &(IVec2, u32))| {
            around(cell).all(|beside| {
                let candidate = candidates.get(&(layer, key(beside)));
                let other = candidate.map_or_else(|| self.at(layer, beside), |other| other.1);
                other == NONE || self.agree(floor, cell, other, beside)
            })
        };
        let fitting = candidates
            .iter()
            .filter(|(place, candidate)| fits(&(place, candidate)));
        fitting
            .map(|(place, &(cell, floor))| (place.0, cell, floor))
            .collect()
    }

    /// Whether agents may walk between the floors of two cells that touch.
    fn agree(&self, floor: u32, cell: IVec2, other: u32, beside: IVec2) -> bool {
        let step = beside - cell;
        if let Some(side) = SIDES.iter().position(|&side| side == step) {
            return self.steps.from(floor, cell, side) == other;
        }
        // Cells that touch at a corner must have about the same height there.
        let toward = 0.5 * step.as_vec2();
        let height = self.map.floor(floor).height_at(toward.x, toward.y);
        let other_height = self.map.floor(other).height_at(-toward.x, -toward.y);
        (height - other_height).abs() <= 2.0 * self.settings.merged_height()
    }

    /// Whether agents may stand on the floor of a cell on a layer.
    pub(super) fn is_walkable(&self, layer: u32, cell: IVec2) -> bool {
        self.cells.contains(cell) && self.walkable[self.index(layer, cell)]
    }

    fn find_ledges(&mut self, workers: &Workers) {
        let size = self.cells.high - self.cells.low;
        let mut walkable = vec![false; self.floors.len()];
        workers.for_each_chunk(&mut walkable, size.x.max(1) as usize, |first, row| {
            let row_number = first / size.x as usize;
            let (layer, y) = (row_number / size.y as usize, row_number % size.y as usize);
            for (x, walkable) in (0..).zip(row) {
                let cell = self.cells.low + IVec2::new(x, y as i32);
                *walkable = self.is_no_ledge(layer as u32, cell);
            }
        });
        self.walkable = walkable;
    }

    /// Whether a cell has a floor on a layer, and the floor is no ledge.
    ///
    /// A ledge, which is the upper of two floors that agents must not walk between, is a wall: see Recast's ledge
    /// spans.
    fn is_no_ledge(&self, layer: u32, cell: IVec2) -> bool {
        let floor = self.at(layer, cell);
        if floor == NONE {
            return false;
        }
        let rank = |floor: u32, cell: IVec2| (self.map.floor(floor).high, key(cell));
        around(cell).all(|beside| {
            let other = self.at(layer, beside);
            other == NONE
                || rank(floor, cell) < rank(other, beside)
                || self.agree(floor, cell, other, beside)
        })
    }

    /// The height of a corner of cells on a layer: the mean of the walkable floors around it, or NaN without any. Those
    /// floors differ by at most two steps, because ledges are walls.
    pub(super) fn corner(&self, layer: u32, corner: IVec2) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (cell, x, z) in [
            (corner - IVec2::ONE, 0.5, 0.5),
            (corner - IVec2::Y, -0.5, 0.5),
            (corner - IVec2::X, 0.5, -0.5),
            (corner, -0.5, -0.5),
        ] {
            if self.is_walkable(layer, cell) {
                sum += self.map.floor(self.at(layer, cell)).height_at(x, z);
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { f32::NAN }
    }

    /// The links that begin in the window.
    pub(super) fn seams(&self) -> &[Seam] {
        &self.seams
    }

    fn steps_between_layers(&self) -> Vec<(IVec2, u32, IVec2, u32)> {
        let mut steps = Vec::new();
        if self.layers == 1 {
            return steps;
        }
        for cell in self.cells.cells() {
            for floor in self.map.column(cell) {
                for (side, &step) in SIDES[..2].iter().enumerate() {
                    let next = self.steps.from(floor, cell, side);
                    if next != NONE && self.owner(next) != self.owner(floor) {
                        steps.push((cell, floor, cell + step, next));
                    }
                }
            }
        }
        steps
    }

    /// Adds links between both copies of floors, and where there are none, over the ends of layers.
    fn link(&mut self, copies: &mut Copies) {
        let mut places: Vec<_> = copies
            .iter()
            .map(|(&place, copied)| (copied.depth, place))
            .collect();
        places.sort_unstable();
        let mut seams = Vec::new();
        for (depth, place) in places {
            let copied = &copies[&place];
            let (layer, (y, x)) = place;
            let (cell, owner) = (IVec2::new(x, y), self.owner(copied.floor));
            let is_linked = self
                .nearer(copies, place)
                .any(|before| copies[&before].is_linked);
            let is_deep = depth >= LINK_DEPTH || !copied.leads_on;
            let adds = !is_linked
                && is_deep
                && self.is_walkable(layer, cell)
                && self.is_walkable(owner, cell);
            if adds {
                seams.push(Seam {
                    from: (layer.min(owner), place.1),
                    to: (layer.max(owner), place.1),
                });
            }
            if let Some(copied) = copies.get_mut(&place) {
                copied.is_linked = is_linked || adds;
            }
        }
        for &(cell, floor, next_cell, next) in &self.between_layers {
            let (own, other) = (self.owner(floor), self.owner(next));
            let is_joined = copies.contains_key(&(own, key(next_cell)))
                || copies.contains_key(&(other, key(cell)));
            if !is_joined && self.is_walkable(own, cell) && self.is_walkable(other, next_cell) {
                seams.push(Seam {
                    from: (own, key(cell)),
                    to: (other, key(next_cell)),
                });
            }
        }
        seams.sort_unstable();
        self.seams = seams;
    }

    /// The copies beside a copy that are one step nearer to the end.
    fn nearer(
        &self,
        copies: &Copies,
        place: (u32, IVec2Key),
    ) -> impl Iterator<Item = (u32, IVec2Key)> {
        let (layer, (y, x)) = place;
        let (floor, depth) = (copies[&place].floor, copies[&place].depth);
        let cell = IVec2::new(x, y);
        let before = (0..SIDES.len()).map(move |side| {
            let place = (layer, key(cell + SIDES[side]));
            let copied = copies.get(&place)?;
            let is_before =
                copied.depth + 1 == depth && self.steps.from(floor, cell, side) == copied.floor;
            is_before.then_some(place)
        });
        before.flatten().collect::<Vec<_>>().into_iter()
    }

    pub(super) fn layers(&self) -> u32 {
        self.layers
    }
}

/// The eight cells around a cell.
fn around(cell: IVec2) -> impl Iterator<Item = IVec2> {
    crate::grid::STEPS.iter().map(move |&step| cell + step)
}
