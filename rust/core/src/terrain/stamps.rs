//! Stamps: rectangles of terrain ids that are placed over the terrain and can be removed again (Emerson, Game AI Pro,
//! 23.9).
//!
//! In Emerson's version each stamp records the terrain that it replaces, which restores the terrain only if stamps are
//! removed in reverse order. Here the terrain under all stamps is stored once, and a cell shows the last placed stamp
//! that is still there, or else that terrain. So stamps may overlap and be removed in any order, and painting under a
//! stamp becomes visible when the stamp is removed.

use super::Terrain;
use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::grid::blocks::{Block, EDGE};
use crate::grid::{CellRect, MAX_CELLS};
use glam::{IVec2, Vec2Swizzles};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of a placed stamp: greater than 0, and used only once in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StampId(pub i64);

/// A rectangle of terrain ids, of which one may be transparent. Clones share their memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    size: IVec2,
    ids: Arc<[u8]>,
    see_through: Option<u8>,
}

impl Stamp {
    /// A stamp of `size` cells from a row-major array of ids. Cells with the id `see_through` show the terrain or
    /// stamps under them.
    ///
    /// # Errors
    /// [`Error::StampSize`] for a size below 1×1 or above that of the largest grid; [`Error::Length`] if there is not
    /// exactly one id for each cell.
    pub fn new(size: IVec2, ids: &[u8], see_through: Option<u8>) -> Result<Self> {
        let cells = i64::from(size.x) * i64::from(size.y);
        if size.min_element() < 1 || cells.cast_unsigned() > MAX_CELLS {
            return Err(Error::StampSize {
                size,
                most: MAX_CELLS,
            });
        }
        if ids.len() as i64 != cells {
            return Err(Error::Length {
                name: "stamp",
                expected: cells as usize,
                actual: ids.len(),
            });
        }
        Ok(Self {
            size,
            ids: ids.into(),
            see_through,
        })
    }

    /// The size in cells.
    #[must_use]
    pub fn size(&self) -> IVec2 {
        self.size
    }

    /// A copy of the stamp that is turned by quarter turns from +x towards +y; negative numbers turn it the other way.
    ///
    /// A turn of more than 0 copies all ids.
    #[must_use]
    pub fn turned(&self, quarter_turns: i64) -> Self {
        let turns = quarter_turns.rem_euclid(4);
        if turns == 0 {
            return self.clone();
        }
        let last = self.size - 1;
        let size = if turns == 2 {
            self.size
        } else {
            self.size.yx()
        };
        // The cell of this stamp from which a cell of the turned stamp gets its id.
        let source = |x: i32, y: i32| match turns {
            1 => IVec2::new(y, last.y - x),
            2 => last - IVec2::new(x, y),
            _ => IVec2::new(last.x - y, x),
        };
        let ids = (0..size.y)
            .flat_map(|y| (0..size.x).map(move |x| (x, y)))
            .map(|(x, y)| self.ids[self.index(source(x, y))])
            .collect();
        Self {
            size,
            ids,
            see_through: self.see_through,
        }
    }

    fn index(&self, offset: IVec2) -> usize {
        offset.y as usize * self.size.x as usize + offset.x as usize
    }

    /// The id of a cell, counted from the lower corner; `None` beside the stamp and where it is see-through.
    pub(crate) fn id_at(&self, offset: IVec2) -> Option<u8> {
        if offset.min_element() < 0 || offset.cmpge(self.size).any() {
            return None;
        }
        let id = self.ids[self.index(offset)];
        (Some(id) != self.see_through).then_some(id)
    }

    /// Checks that it lies inside a terrain with its lower corner in a cell, and returns the rectangle that it covers.
    ///
    /// # Errors
    /// [`Error::StampOutside`].
    pub(crate) fn check_inside(&self, terrain: &Terrain, origin: IVec2) -> Result<CellRect> {
        if fits(origin, self, terrain) {
            return Ok(CellRect {
                low: origin,
                high: origin + self.size,
            });
        }
        Err(Error::StampOutside {
            cell: origin,
            size: self.size,
            width: terrain.width() as u32,
            height: terrain.height() as u32,
        })
    }
}

impl Saved for Stamp {
    fn write(&self, out: &mut Writer) {
        self.size.write(out);
        self.see_through.write(out);
        out.bytes.extend(&*self.ids);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let size = IVec2::read(input)?;
        let see_through = Option::read(input)?;
        let cells = i64::from(size.x) * i64::from(size.y);
        if size.min_element() < 1 || cells > input.most_left() as i64 {
            return Err(input.bad("it has a stamp of an impossible size"));
        }
        let ids = input.take(cells as usize)?.to_vec();
        Self::new(size, &ids, see_through)
            .map_err(|_| input.bad("it has a stamp of an impossible size"))
    }
}

/// A stamp and the cell of its lower corner.
#[derive(Debug, Clone)]
struct PlacedStamp {
    origin: IVec2,
    stamp: Stamp,
}

impl PlacedStamp {
    fn rect(&self) -> CellRect {
        CellRect {
            low: self.origin,
            high: self.origin + self.stamp.size,
        }
    }

    /// The stamp's id in a cell of the grid; `None` outside the stamp and where the stamp is transparent.
    fn id_at(&self, cell: IVec2) -> Option<u8> {
        self.stamp.id_at(cell - self.origin)
    }
}

/// A storage block that has stamps.
#[derive(Debug, Clone)]
struct Covered {
    /// The terrain under the stamps.
    base: Box<Block<u8>>,
    /// The stamps that overlap the block, in the order in which they were placed.
    stamps: Vec<StampId>,
}

/// All stamps on a terrain. Each call is passed the [`Terrain`] that shows them.
///
/// It takes the memory of the stamps, and one kibibyte for each storage block of 32×32 cells that has stamps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stamps {
    placed: BTreeMap<StampId, PlacedStamp>,
    /// Blocks with stamps, by the column and row of the block.
    covered: BTreeMap<(usize, usize), Covered>,
    /// The last id that was given to a stamp.
    last: i64,
}

impl Stamps {
    /// Places stamps, each with its lower corner in a cell, later ones over earlier ones. Returns their ids and the
    /// rectangles in which visible terrain has changed.
    ///
    /// # Errors
    /// [`Error::StampOutside`] if a part of any stamp is outside the grid; then no stamp is placed.
    pub(crate) fn place(
        &mut self,
        terrain: &mut Terrain,
        stamps: &[(IVec2, Stamp)],
    ) -> Result<(Vec<StampId>, Vec<CellRect>)> {
        for (origin, stamp) in stamps {
            stamp.check_inside(terrain, *origin)?;
        }
        let mut ids = Vec::with_capacity(stamps.len());
        let mut changed = Vec::new();
        for (origin, stamp) in stamps {
            self.last += 1;
            let id = StampId(self.last);
            let placed = PlacedStamp {
                origin: *origin,
                stamp: stamp.clone(),
            };
            changed.extend(self.lay(terrain, id, placed));
            ids.push(id);
        }
        Ok((ids, changed))
    }

    /// Removes stamps. Returns the rectangles in which visible terrain has changed.
    ///
    /// # Errors
    /// [`Error::UnknownId`]; then no stamp is removed.
    pub(crate) fn remove(
        &mut self,
        terrain: &mut Terrain,
        ids: &[StampId],
    ) -> Result<Vec<CellRect>> {
        for &id in ids {
            self.find(id)?;
        }
        let mut changed = Vec::new();
        for id in ids {
            // An id that is listed twice has been removed already.
            let Some(placed) = self.placed.remove(id) else {
                continue;
            };
            for block in blocks_of(placed.rect()) {
                if let Some(covered) = self.covered.get_mut(&block) {
                    covered.stamps.retain(|stamp| stamp != id);
                }
            }
            changed.extend(self.show(terrain, placed.rect()));
            for block in blocks_of(placed.rect()) {
                let is_bare = |covered: &Covered| covered.stamps.is_empty();
                if self.covered.get(&block).is_some_and(is_bare) {
                    self.covered.remove(&block);
                }
            }
        }
        Ok(changed)
    }

    /// Puts a stamp, which must be inside the grid, over all others. Returns the rectangle as [`Self::show`] does.
    fn lay(&mut self, terrain: &mut Terrain, id: StampId, placed: PlacedStamp) -> Option<CellRect> {
        let rect = placed.rect();
        for block in blocks_of(rect) {
            let covered = self.covered.entry(block).or_insert_with(|| Covered {
                base: Box::new(*terrain.cells.block(block)),
                stamps: Vec::new(),
            });
            covered.stamps.push(id);
        }
        self.placed.insert(id, placed);
        self.show(terrain, rect)
    }

    /// Updates the visible ids in those cells of a rectangle that are in blocks with stamps. Returns the bounding
    /// rectangle of the cells that changed.
    fn show(&self, terrain: &mut Terrain, rect: CellRect) -> Option<CellRect> {
        let mut changed: Option<CellRect> = None;
        for block in blocks_of(rect) {
            let Some(covered) = self.covered.get(&block) else {
                continue;
            };
            for cell in cells_of(rect.intersection(&area_of(block))) {
                let top = covered.stamps.iter().rev();
                let shown = top
                    .filter_map(|id| self.placed.get(id)?.id_at(cell))
                    .next()
                    .unwrap_or(covered.base[place_in_block(cell)]);
                if terrain.set(cell, shown) == Ok(true) {
                    let cell = CellRect::cell(cell);
                    changed = Some(changed.map_or(cell, |known| known.union(&cell)));
                }
            }
        }
        changed
    }

    /// Updates the terrain under stamps and the visible terrain, after `rect` has been painted as if there were no
    /// stamps.
    pub(crate) fn painted(&mut self, terrain: &mut Terrain, rect: CellRect) {
        if self.covered.is_empty() || rect.is_empty() {
            return;
        }
        for block in blocks_of(rect) {
            let Some(covered) = self.covered.get_mut(&block) else {
                continue;
            };
            for cell in cells_of(rect.intersection(&area_of(block))) {
                let place = place_in_block(cell);
                covered.base[place] = terrain.cells.block(block)[place];
            }
        }
        self.show(terrain, rect);
    }

    /// The painted terrain, without stamps.
    pub(crate) fn base(&self, terrain: &Terrain) -> Terrain {
        let mut base = terrain.clone();
        for (&block, covered) in &self.covered {
            base.cells.put_block(block, &covered.base);
        }
        base.count_ids();
        base
    }

    /// Moves all stamps to a new `terrain` that has no stamps yet. `moved` has the new cell of each lower corner.
    /// Stamps that are not entirely inside are removed; returns their ids in the order in which they were placed.
    pub(crate) fn move_to(
        &mut self,
        terrain: &mut Terrain,
        moved: impl Fn(IVec2) -> IVec2,
    ) -> Vec<StampId> {
        self.covered.clear();
        let mut lost = Vec::new();
        for (id, mut placed) in std::mem::take(&mut self.placed) {
            placed.origin = moved(placed.origin);
            if fits(placed.origin, &placed.stamp, terrain) {
                self.lay(terrain, id, placed);
            } else {
                lost.push(id);
            }
        }
        lost
    }

    /// No stamps, after the last id that was given to one.
    pub(super) fn after(last: i64) -> Self {
        Self {
            last,
            ..Self::default()
        }
    }

    /// The last id that was given to a stamp.
    pub(super) fn last_id(&self) -> i64 {
        self.last
    }

    /// All stamps with the cells of their lower corners, in the order in which they were placed.
    pub(super) fn iter(&self) -> impl Iterator<Item = (StampId, IVec2, &Stamp)> {
        let placed = self.placed.iter();
        placed.map(|(&id, placed)| (id, placed.origin, &placed.stamp))
    }

    /// Puts a stamp of a known id over all others.
    pub(super) fn put(
        &mut self,
        terrain: &mut Terrain,
        id: StampId,
        origin: IVec2,
        stamp: Stamp,
    ) -> Result<()> {
        stamp.check_inside(terrain, origin)?;
        self.lay(terrain, id, PlacedStamp { origin, stamp });
        Ok(())
    }

    fn find(&self, id: StampId) -> Result<&PlacedStamp> {
        self.placed.get(&id).ok_or(Error::UnknownId {
            name: "stamp",
            id: id.0,
        })
    }

    /// The rectangle of a stamp.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub(crate) fn rect(&self, id: StampId) -> Result<CellRect> {
        self.find(id).map(PlacedStamp::rect)
    }

    /// The cells in which a stamp is not transparent, row by row, whether or not other stamps hide it.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub(crate) fn cells(&self, id: StampId) -> Result<Vec<IVec2>> {
        let placed = self.find(id)?;
        Ok(cells_of(placed.rect())
            .filter(|&cell| placed.id_at(cell).is_some())
            .collect())
    }

    /// The ids of all stamps, in the order in which they were placed.
    pub(crate) fn ids(&self) -> impl Iterator<Item = StampId> {
        self.placed.keys().copied()
    }
}

fn fits(origin: IVec2, stamp: &Stamp, terrain: &Terrain) -> bool {
    let end = origin.as_i64vec2() + stamp.size.as_i64vec2();
    origin.min_element() >= 0 && end.x <= terrain.width() as i64 && end.y <= terrain.height() as i64
}

/// The column and row of each block that a rectangle of cells overlaps.
fn blocks_of(rect: CellRect) -> impl Iterator<Item = (usize, usize)> {
    let span = |low: i32, high: i32| low as usize / EDGE..(high as usize).div_ceil(EDGE);
    let columns = span(rect.low.x, rect.high.x);
    span(rect.low.y, rect.high.y).flat_map(move |row| columns.clone().map(move |x| (x, row)))
}

/// The cells of a block; some may be outside the grid.
fn area_of((column, row): (usize, usize)) -> CellRect {
    let low = IVec2::new((column * EDGE) as i32, (row * EDGE) as i32);
    CellRect {
        low,
        high: low + EDGE as i32,
    }
}

fn place_in_block(cell: IVec2) -> usize {
    (cell.y as usize % EDGE) * EDGE + cell.x as usize % EDGE
}

fn cells_of(rect: CellRect) -> impl Iterator<Item = IVec2> {
    (rect.low.y..rect.high.y)
        .flat_map(move |y| (rect.low.x..rect.high.x).map(move |x| IVec2::new(x, y)))
}
