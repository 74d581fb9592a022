//! Tiles to all parts of the windows of all sectors, made beforehand, and read sector by sector when they are needed
//! (Emerson, Game AI Pro, 23.7 and 23.16: all permutations, compressed, streamed from disk).
//!
//! A tile is found by what it was made from, as in the cache. So an edit needs no mark: the tiles of a changed sector
//! are not found, and are built. What has been read is dropped again when it exceeds the size of the cache, and read
//! again when it is needed. Neither changes which tiles count as built.

use super::cache::TileKey;
use super::exit_tiles::BakedSector;
use super::solve::TileSolver;
use super::tile::Tile;
use crate::bytes::{Reader, Source as _, Unpacker, Writer, checksum, pack};
use crate::error::{Error, Result};
use crate::grid::CellRect;
use crate::integrate::Solver;
use crate::movement::CostField;
use crate::route::exits::parts_of;
use crate::route::{MAX_SECTOR_SIZE, PortalGraph};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The most parts of windows of a sector.
const MOST_PARTS: u32 = 4 * MAX_SECTOR_SIZE;

/// Reads `length` bytes of a file from an offset on; `None` if it cannot.
pub type ReadBytes = Box<dyn Fn(u64, usize) -> Option<Vec<u8>> + Send + Sync>;

/// Where the tiles of a sector are in the file, and their checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub(crate) from: u64,
    pub(crate) length: u32,
    pub(crate) checksum: u64,
}

impl Place {
    /// The length of a place as bytes.
    pub(crate) const BYTES: usize = 20;

    pub(crate) fn write(self, out: &mut Writer) {
        out.u64(self.from);
        out.u32(self.length);
        out.u64(self.checksum);
    }

    pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            from: input.u64()?,
            length: input.u32()?,
            checksum: input.u64()?,
        })
    }
}

/// The index of tiles that were made beforehand, and those that have been read.
pub(crate) struct BakedTiles {
    name: &'static str,
    read: ReadBytes,
    /// The sectors of the first movement type, then those of the next.
    places: Vec<Place>,
    sectors: usize,
    /// What has been read lately, and before that. When the former exceeds half of the limit it replaces the latter.
    recent: BTreeMap<u64, Arc<BakedSector>>,
    earlier: BTreeMap<u64, Arc<BakedSector>>,
    recent_bytes: usize,
    pub(crate) limit: usize,
    failure: Option<Error>,
}

impl fmt::Debug for BakedTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BakedTiles")
            .field("sectors", &self.sectors)
            .finish_non_exhaustive()
    }
}

impl BakedTiles {
    pub(crate) fn new(
        name: &'static str,
        read: ReadBytes,
        (places, sectors): (Vec<Place>, usize),
        limit: usize,
    ) -> Self {
        Self {
            name,
            read,
            places,
            sectors,
            recent: BTreeMap::new(),
            earlier: BTreeMap::new(),
            recent_bytes: 0,
            limit,
            failure: None,
        }
    }

    /// The tiles of a sector; `None` if it has none, or they cannot be read.
    pub(super) fn of(&mut self, movement: usize, sector: u32) -> Option<Arc<BakedSector>> {
        let at = movement.checked_mul(self.sectors)? + sector as usize;
        let place = *self.places.get(at).filter(|place| place.length > 0)?;
        if let Some(known) = self.recent.get(&place.from) {
            return Some(Arc::clone(known));
        }
        let known = match self.earlier.remove(&place.from) {
            Some(known) => known,
            None => match self.fetch(place) {
                Ok(read) => Arc::new(read),
                Err(error) => {
                    self.failure.get_or_insert(error);
                    // It is not tried again.
                    self.places[at].length = 0;
                    return None;
                }
            },
        };
        self.recent_bytes += known.bytes();
        self.recent.insert(place.from, Arc::clone(&known));
        if self.recent_bytes > self.limit / 2 {
            self.earlier = std::mem::take(&mut self.recent);
            self.recent_bytes = 0;
        }
        Some(known)
    }

    /// What went wrong when tiles were read, once.
    pub(crate) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let read = self.recent.values().chain(self.earlier.values());
        size_of_val(self.places.as_slice()) + read.map(|known| known.bytes()).sum::<usize>()
    }

    fn fetch(&self, place: Place) -> Result<BakedSector> {
        let bad = |reason: &str| Error::BadBytes {
            name: self.name,
            reason: reason.to_owned(),
        };
        let bytes = (self.read)(place.from, place.length as usize);
        let bytes = bytes.ok_or_else(|| bad("a sector of them cannot be read"))?;
        if bytes.len() != place.length as usize || checksum(&bytes) != place.checksum {
            return Err(bad("a sector of them is cut short or altered"));
        }
        BakedSector::read(&mut Unpacker::new(Reader::new(self.name, &bytes)))
    }
}

impl BakedSector {
    /// Makes the tiles of a sector to all parts of its windows.
    fn make(
        (graph, costs): (&PortalGraph, &CostField),
        sector: u32,
        method: Solver,
        solver: &mut TileSolver,
    ) -> Self {
        let rect = graph.sectors().rect(sector);
        solver.begin(costs, rect, 0);
        let portals = graph
            .portals_of(sector)
            .filter(|&portal| !graph.is_link(portal));
        let parts = portals.flat_map(|portal| parts_of(graph, portal));
        let tiles = parts.filter_map(|cells| {
            let part = CellRect {
                low: cells.low - rect.low,
                high: cells.high - rect.low,
            };
            solver.bake(part, method.into())
        });
        Self(tiles.collect())
    }

    /// The tiles of a sector as bytes, and their number.
    pub(crate) fn bake(
        (graph, costs): (&PortalGraph, &CostField),
        sector: u32,
        method: Solver,
        solver: &mut TileSolver,
    ) -> (Vec<u8>, u32) {
        let made = Self::make((graph, costs), sector, method, solver);
        let mut body = Writer::default();
        let count = made.0.len() as u32;
        body.u32(count);
        for (key, tile) in made.0 {
            body.u128(key.0);
            tile.write(&mut body);
        }
        let mut out = Writer::default();
        if count > 0 {
            pack(&body.bytes, &mut out);
        }
        (out.bytes, count)
    }

    /// Reads what [`Self::bake`] has written.
    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let count = input.u32()?;
        if count > MOST_PARTS {
            return Err(input.bad("they have a sector with too many tiles"));
        }
        let mut tiles = Vec::new();
        for _ in 0..count {
            let key = TileKey(input.u128()?);
            tiles.push((key, Arc::new(Tile::read(input)?)));
        }
        if !input.is_at_end() {
            return Err(input.bad("there is something after the tiles of a sector"));
        }
        Ok(Self(tiles))
    }

    fn bytes(&self) -> usize {
        let tiles = self.0.iter().map(|known| known.1.bytes());
        size_of_val(self.0.as_slice()) + tiles.sum::<usize>()
    }
}
