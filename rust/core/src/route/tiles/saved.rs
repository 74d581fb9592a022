//! Tiles as bytes (Emerson, Game AI Pro, 23.7 and 23.16: built beforehand, kept on disk).
//!
//! What is saved of a tile is all that there is of it, column by column, as equal
//! things side by side compress best. A tile is found by what it was made from, so
//! one that was read serves wherever the same one would have been built.

use super::border;
use super::cache::{TileCache, TileKey};
use super::linked::LinkCell;
use super::roots::RootList;
use super::tile::Tile;
use crate::bytes::{Reader, Writer};
use crate::direction::{ANGLES, Direction};
use crate::error::Result;
use crate::flow::FlowCell;
use crate::integrate::{Offer, Root};
use crate::route::MAX_SECTOR_SIZE;
use glam::IVec2;
use std::sync::Arc;

/// Tiles that were read, the least recently used first.
#[derive(Debug)]
pub(crate) struct SavedTiles(Vec<(TileKey, Tile)>);

impl SavedTiles {
    /// Reads what [`TileCache::write`] has written.
    pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self> {
        let count = input.u32()? as usize;
        let tiles = input.array(count, |input| {
            Ok((TileKey(input.u128()?), Tile::read(input)?))
        })?;
        Ok(Self(tiles))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
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

    /// Keeps tiles that were read, within the limit, as if they had just been used.
    pub(crate) fn keep_all(&mut self, saved: SavedTiles) {
        for (key, tile) in saved.0 {
            if !self.contains(key) {
                self.keep(key, &Arc::new(tile));
            }
        }
    }
}

impl Tile {
    fn write(&self, out: &mut Writer) {
        out.u8(self.size.x as u8);
        out.u8(self.size.y as u8);
        let cells = self.cells.iter();
        out.bytes.extend(cells.map(|cell| cell.direction.code()));
        out.bytes.extend(self.cells.iter().map(|cell| cell.lower));
        out.u8(self.roots.listed.len() as u8);
        out.u8(u8::from(!self.roots.own.is_empty()));
        for root in self.roots.listed.iter().chain(&self.roots.own) {
            out.u32(root.code());
        }
        for offer in &self.border {
            out.u32(offer.cost);
        }
        for offer in &self.border {
            out.u32(offer.root.code());
        }
        out.u32(self.links.len() as u32);
        for link in &self.links {
            out.u32(u32::from(link.place));
            out.u32(link.cost);
        }
    }

    /// Reads a tile; whatever the bytes are, it can be asked anything.
    fn read(input: &mut Reader<'_>) -> Result<Self> {
        let (width, height) = (input.u8()?, input.u8()?);
        let is_side = |side: u8| (1..=MAX_SECTOR_SIZE).contains(&u32::from(side));
        if !is_side(width) || !is_side(height) {
            return Err(input.bad("it has a tile of an impossible size"));
        }
        let size = IVec2::new(i32::from(width), i32::from(height));
        let count = (usize::from(width) + 2) * (usize::from(height) + 2);
        let (directions, lower) = (input.take(count)?, input.take(count)?);
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
        let entries = border::entries(size);
        let costs = input.array(entries, Reader::u32)?;
        let border_roots = input.array(entries, read_root)?;
        let offers = costs.into_iter().zip(border_roots);
        let links = input.u32()? as usize;
        let links = input.array(links, read_link)?;
        Ok(Self {
            size,
            cells: directions.iter().zip(lower).map(cell).collect(),
            roots,
            border: offers.map(|(cost, root)| Offer { cost, root }).collect(),
            links: links.into(),
        })
    }
}

fn read_roots(input: &mut Reader<'_>, cells: usize) -> Result<RootList> {
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
        listed: input.array(usize::from(listed), read_root)?.into(),
        own: input.array(own, read_root)?.into(),
    })
}

fn read_link(input: &mut Reader<'_>) -> Result<LinkCell> {
    Ok(LinkCell {
        place: input.u32()? as u16,
        cost: input.u32()?,
    })
}

fn read_root(input: &mut Reader<'_>) -> Result<Root> {
    let root = Root::from_code(input.u32()?);
    root.ok_or_else(|| input.bad("it has a tile with an unknown root"))
}
