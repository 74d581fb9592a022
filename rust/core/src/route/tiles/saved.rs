//! Tiles as bytes (Emerson, Game AI Pro, 23.7 and 23.16: built beforehand, kept on disk).
//!
//! All data of a tile are saved, column by column: equal values side by side compress best. A tile is found by what it
//! was made from, so a tile that was read serves wherever the same one would have been built.

use super::border;
use super::cache::{TileCache, TileKey};
use super::roots::RootList;
use super::tile::{LinkCell, Tile};
use crate::bytes::{Saved as _, Source, Unpacker, Writer};
use crate::direction::{ANGLES, Direction};
use crate::error::Result;
use crate::flow::FlowCell;
use crate::integrate::{Candidate, Root};
use crate::route::MAX_SECTOR_SIZE;
use glam::IVec2;
use std::collections::VecDeque;
use std::sync::Arc;

/// Tiles that were read, the least recently used first: the last ones that fit into a cache.
#[derive(Debug)]
pub(crate) struct SavedTiles {
    tiles: VecDeque<(TileKey, Tile)>,
    count: usize,
}

impl SavedTiles {
    /// Reads what [`TileCache::write`] has written, for `cache`. What is kept depends only on the limit of the cache.
    pub(crate) fn read(input: &mut Unpacker<'_>, cache: &TileCache) -> Result<Self> {
        let count = input.u32()? as usize;
        let (mut tiles, mut bytes) = (VecDeque::new(), 0);
        for _ in 0..count {
            let key = TileKey(input.u128()?);
            let tile = Tile::read(input)?;
            // Tiles that the cache would not keep are dropped at once, as a small file could otherwise fill the memory.
            bytes += tile.bytes();
            tiles.push_back((key, tile));
            while bytes > cache.limit() {
                bytes -= tiles.pop_front().map_or(bytes, |(_, tile)| tile.bytes());
            }
        }
        Ok(Self { tiles, count })
    }

    /// The number of tiles that were read.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

impl TileCache {
    /// Writes all tiles.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.u32(self.oldest_first().count() as u32);
        for (key, tile) in self.oldest_first() {
            out.u128(key.0);
            tile.write(out);
        }
    }

    /// Stores tiles that were read, within the limit, as if they had just been used. They do not count as built.
    pub(crate) fn insert_all(&mut self, saved: SavedTiles) {
        for (key, tile) in saved.tiles {
            self.note_loaded(key);
            if !self.contains(key) {
                self.insert(key, &Arc::new(tile));
            }
        }
    }
}

impl Tile {
    /// [`Self::write`], the same for tiles that agents cannot tell apart: the steps of the cells around the tile and
    /// the roots of cells without one are those of whatever was solved before.
    pub(super) fn write_used(&self, out: &mut Writer) {
        let mut used = Self {
            size: self.size,
            cells: self.cells.clone(),
            roots: RootList {
                listed: self.roots.listed.clone(),
                own: self.roots.own.clone(),
            },
            border: self.border.clone(),
            links: self.links.clone(),
            costs: self.costs.clone(),
            ..*self
        };
        let (width, height) = (self.size.x as usize + 2, self.size.y as usize + 2);
        for (index, cell) in used.cells.iter_mut().enumerate() {
            let (x, y) = (index % width, index / width);
            if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                cell.lower = 0;
            }
            if let Some(root) = used.roots.own.get_mut(index)
                && cell.direction != Direction::STRAIGHT
            {
                *root = Root::HERE;
            }
        }
        used.write(out);
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.u8(self.size.x as u8);
        out.u8(self.size.y as u8);
        out.u8(u8::from(self.is_to_exit()));
        let cells = self.cells.iter();
        out.bytes.extend(cells.map(|cell| cell.direction.code()));
        if !self.is_to_exit() {
            out.bytes.extend(self.cells.iter().map(|cell| cell.lower));
        }
        out.u8(self.roots.listed.len() as u8);
        out.u8(u8::from(!self.roots.own.is_empty()));
        for root in self.roots.listed.iter().chain(&self.roots.own) {
            out.u32(root.code());
        }
        if self.is_to_exit() {
            // Byte by byte, as the high bytes of neighbouring cells are alike.
            for byte in 0..4 {
                let costs = self.costs.iter();
                out.bytes.extend(costs.map(|cost| cost.to_le_bytes()[byte]));
            }
            return;
        }
        for candidate in &self.border {
            out.u32(candidate.cost);
        }
        for candidate in &self.border {
            out.u32(candidate.root.code());
        }
        out.u32(self.links.len() as u32);
        for link in &self.links {
            out.u32(u32::from(link.place));
            out.u32(link.cost);
        }
    }

    /// Reads a tile. All queries of the tile are valid whatever the bytes are.
    pub(super) fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let (width, height) = (input.u8()?, input.u8()?);
        let is_side = |side: u8| (1..=MAX_SECTOR_SIZE).contains(&u32::from(side));
        if !is_side(width) || !is_side(height) {
            return Err(input.bad("it has a tile of an impossible size"));
        }
        let size = IVec2::new(i32::from(width), i32::from(height));
        let count = (usize::from(width) + 2) * (usize::from(height) + 2);
        let is_to_exit = bool::read(input)?;
        let directions = input.take(count)?.to_vec();
        let lower = match is_to_exit {
            true => vec![0; count],
            false => input.take(count)?.to_vec(),
        };
        let roots = read_roots(input, count)?;
        let is_known = |&code: &u8| {
            let needs_root = code == Direction::STRAIGHT.code();
            Direction::is_code(code) && !(needs_root && roots.own.is_empty())
        };
        if !directions.iter().all(is_known) {
            return Err(input.bad("it has a tile with an unknown direction"));
        }
        let cell = |(&code, &lower): (&u8, &u8)| FlowCell {
            direction: Direction::from_code(code),
            lower,
        };
        let cells = directions.iter().zip(&lower).map(cell).collect();
        if is_to_exit {
            let bytes = input.take(4 * count)?;
            let cost = |at: usize| {
                u32::from_le_bytes(std::array::from_fn(|byte| bytes[byte * count + at]))
            };
            let costs = (0..count).map(cost).collect();
            return Ok(Self::to_exit(size, cells, roots, costs));
        }
        let entries = border::entries(size);
        let costs = input.array(entries, 4, Unpacker::u32)?;
        let border_roots = input.array(entries, 4, read_root)?;
        let candidates = costs.into_iter().zip(border_roots);
        let border = candidates
            .map(|(cost, root)| Candidate { cost, root })
            .collect();
        let links = input.u32()? as usize;
        if links > usize::from(width) * usize::from(height) {
            return Err(input.bad("it has a tile with too many links"));
        }
        let links = input.array(links, 8, |input| read_link(input, size))?;
        if !links.is_sorted_by(|one, next| one.place < next.place) {
            return Err(input.bad("it has a tile with links out of order"));
        }
        Ok(Self::of(size, cells, roots, border, links.into()))
    }
}

fn read_roots(input: &mut Unpacker<'_>, cells: usize) -> Result<RootList> {
    let listed = input.u8()?;
    let own = match input.u8()? {
        0 => 0,
        1 => cells,
        _ => return Err(input.bad("it has a tile with an unknown mark")),
    };
    if listed > ANGLES || (listed > 0 && own > 0) {
        return Err(input.bad("it has a tile with too many roots"));
    }
    Ok(RootList {
        listed: input.array(usize::from(listed), 4, read_root)?.into(),
        own: input.array(own, 4, read_root)?.into(),
    })
}

fn read_link(input: &mut Unpacker<'_>, size: IVec2) -> Result<LinkCell> {
    let (place, cost) = (input.u32()?, input.u32()?);
    match u16::try_from(place) {
        Ok(place) if i32::from(place) < size.x * size.y => Ok(LinkCell { place, cost }),
        _ => Err(input.bad("it has a tile with a link outside of it")),
    }
}

fn read_root(input: &mut Unpacker<'_>) -> Result<Root> {
    let root = Root::from_code(input.u32()?);
    root.ok_or_else(|| input.bad("it has a tile with an unknown root"))
}
