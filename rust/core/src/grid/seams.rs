//! Seams: where the floor of one layer continues on another one, because agents walk over links there.
//!
//! A layer ends in walls where its floor continues on another layer. A disc near that end reaches over these walls, but
//! does not touch them. [`Continued`] says which walls these are.

use super::cell_rect::CellRect;
use super::layers::Layers;
use super::links::Link;
use super::travel::Travel;
use glam::IVec2;

/// How far a floor is followed beyond a seam for discs that are wider than their movement type's clearance, in cells.
const LEAST_REACH: i32 = 4;

/// The seams of a world: links on foot between cells of different layers that are one above or beside the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Seams {
    /// The cells of each seam, once in each direction, sorted.
    ends: Vec<[IVec2; 2]>,
    layers: Layers,
    width: u32,
}

fn key([cell, end]: &[IVec2; 2]) -> [i32; 4] {
    [cell.y, cell.x, end.y, end.x]
}

impl Seams {
    pub(crate) fn new<'a>(
        links: impl Iterator<Item = &'a Link>,
        layers: &Layers,
        width: u32,
    ) -> Self {
        let mut seams = Self {
            ends: Vec::new(),
            layers: *layers,
            width,
        };
        for link in links.filter(|link| link.travel == Travel::Walk) {
            let apart = seams.flat(link.from) - seams.flat(link.to);
            let [from, to] = [link.from, link.to].map(|cell| seams.layer_of(cell));
            if from != to && apart.abs().max_element() <= 1 {
                seams
                    .ends
                    .extend([[link.from, link.to], [link.to, link.from]]);
            }
        }
        seams.ends.sort_unstable_by_key(key);
        seams.ends.dedup();
        seams
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How far floors are followed beyond seams for a movement type whose clearance closes cells up to `reach` cells
    /// from walls.
    pub(crate) fn reach(reach: usize) -> i32 {
        (reach as i32).max(LEAST_REACH)
    }

    /// The regions, and the rectangles in which the walls that count may change because something changes in the
    /// regions.
    pub(crate) fn spread(&self, regions: &[CellRect], reach: i32) -> Vec<CellRect> {
        let mut spread = regions.to_vec();
        for [cell, end] in &self.ends {
            let around = self.around(*end, reach);
            let is_near = |region: &CellRect| {
                region.contains(*cell) || !region.intersection(&around).is_empty()
            };
            if regions.iter().any(is_near) {
                spread.push(self.around(*cell, reach));
            }
        }
        spread[regions.len()..].sort_unstable_by_key(|rect| (rect.low.y, rect.low.x));
        spread.dedup();
        spread
    }

    /// Whether any region is around a seam.
    pub(crate) fn is_near(&self, regions: &[CellRect], reach: i32) -> bool {
        self.ends.iter().any(|ends| {
            let around = self.around(ends[0], reach);
            regions
                .iter()
                .any(|region| !region.intersection(&around).is_empty())
        })
    }

    /// The rectangles around the seams that only one of both has.
    pub(crate) fn changes(&self, other: &Self, reach: i32) -> Vec<CellRect> {
        let mut rects = Vec::new();
        for (seams, others) in [(self, other), (other, self)] {
            let is_new =
                |ends: &&[IVec2; 2]| others.ends.binary_search_by_key(&key(ends), key).is_err();
            rects.extend(
                seams
                    .ends
                    .iter()
                    .filter(is_new)
                    .map(|ends| seams.around(ends[0], reach)),
            );
        }
        rects
    }

    /// The walls that discs reach over: those up to `reach` cells from a seam where the floor of the seam's other layer
    /// goes on.
    pub(crate) fn continued(&self, reach: i32, is_wall: impl Fn(IVec2) -> bool) -> Vec<IVec2> {
        let mut cells = Vec::new();
        let edge = 2 * reach + 1;
        let mut seen = vec![false; (edge * edge) as usize];
        let mut front = Vec::new();
        for &[cell, end] in self
            .ends
            .iter()
            .filter(|ends| !is_wall(ends[0]) && !is_wall(ends[1]))
        {
            // From a cell of the other layer to the one of this layer below or above it.
            let back = self.first_row(cell) - self.first_row(end);
            let window = self.around(cell, reach);
            let low = cell - reach;
            seen.fill(false);
            front.clear();
            let mut enter = |front: &mut Vec<IVec2>, there: IVec2| {
                let here = there + IVec2::new(0, back);
                if window.contains(here) && !is_wall(there) {
                    let at = here - low;
                    if !std::mem::replace(&mut seen[(at.y * edge + at.x) as usize], true) {
                        front.push(there);
                    }
                }
            };
            enter(&mut front, end);
            let mut done = 0;
            while let Some(&there) = front.get(done) {
                done += 1;
                let here = there + IVec2::new(0, back);
                if is_wall(here) {
                    cells.push(here);
                }
                for step in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
                    enter(&mut front, there + step);
                }
            }
        }
        cells
    }

    fn around(&self, cell: IVec2, reach: i32) -> CellRect {
        let layer = self.layers.cells(self.layer_of(cell), self.width);
        CellRect::cell(cell).grown(reach).intersection(&layer)
    }

    fn layer_of(&self, cell: IVec2) -> u32 {
        self.layers.nearest_of_row(cell.y)
    }

    fn first_row(&self, cell: IVec2) -> i32 {
        self.layers.cells(self.layer_of(cell), 0).low.y
    }

    fn flat(&self, cell: IVec2) -> IVec2 {
        cell - IVec2::new(0, self.first_row(cell))
    }
}
