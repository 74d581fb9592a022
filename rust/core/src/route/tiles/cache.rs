//! The cache of built tiles (Emerson, Game AI Pro, 23.7).
//!
//! The key of a tile is what it was made from: the ground of its cells and of those around it, and the values along its
//! border less the least of them. Nothing else matters, so equal tiles are shared between goals, movement types and
//! places, and an entry never becomes outdated. Users of a tile hold a reference to it. When memory runs out, the least
//! recently used tiles without a user are evicted.

use super::block_list::BlockList;
use super::tile::Tile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most tiles in use that are skipped in a search for one to evict.
const MOST_TRIES: usize = 32;
/// The most tiles that are evicted when one is stored, and in an update. Goals that are released may leave the cache
/// far above its limit, and evicting 100,000 tiles at once takes 0.2 s.
const MOST_EVICTED: usize = 8;
const MOST_EVICTED_BY_UPDATE: usize = 32;
/// The end of a list.
const NONE: u32 = u32::MAX;

/// A hash of what a tile was made from. The probability that two of 2^32 different tiles have the same key is 2^-64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TileKey(pub(super) u128);

/// Makes a [`TileKey`]: two multiplicative hashes side by side.
#[derive(Debug)]
pub(super) struct KeyMaker(u64, u64);

impl KeyMaker {
    pub(super) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
    }

    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, 0xA076_1D64_78BD_642F);
        self.1 = fold(self.1.rotate_left(23) ^ word, 0xE703_7ED1_A0B4_28DB);
    }

    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let word: [u8; 8] = word.try_into().expect("chunks of eight");
            self.add(u64::from_le_bytes(word));
        }
        for &byte in words.remainder() {
            self.add(u64::from(byte));
        }
    }

    pub(super) fn finish(self) -> TileKey {
        TileKey(u128::from(self.0) << 64 | u128::from(self.1))
    }
}

/// Combines both halves of the product. It never loses a word unless `one` is 0.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(one)
}

/// Where tiles are found and stored: in the cache itself or, while several fields are built at once, in a list for the
/// cache.
pub(super) enum Store<'a> {
    Own(&'a mut TileCache),
    Shared(&'a TileCache, &'a mut Vec<MadeTile>),
}

/// A tile that was made or found while the cache was shared, to be recorded later.
pub(crate) struct MadeTile {
    key: TileKey,
    tile: Arc<Tile>,
    is_found: bool,
}

impl Store<'_> {
    /// The cache in which tiles are found.
    pub(super) fn cache(&self) -> &TileCache {
        match self {
            Self::Own(cache) => cache,
            Self::Shared(cache, _) => cache,
        }
    }

    /// As [`TileCache::admit`].
    pub(super) fn admit(&mut self, key: TileKey, tile: Arc<Tile>, is_found: bool) -> Arc<Tile> {
        match self {
            Self::Own(cache) => cache.admit(key, tile, is_found),
            Self::Shared(_, made) => {
                made.push(MadeTile {
                    key,
                    tile: Arc::clone(&tile),
                    is_found,
                });
                tile
            }
        }
    }
}

/// Counts of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStatistics {
    /// The number of requests for tiles that were in the cache.
    pub hits: u64,
    /// The number of tiles that had to be built.
    pub misses: u64,
    /// The number of tiles that were evicted.
    pub evictions: u64,
    /// The number of tiles in the cache.
    pub tiles: usize,
    /// Their memory, in bytes.
    pub bytes: usize,
}

/// Built tiles by what they were made from, within a limit of bytes.
///
/// Tiles in use count towards the limit and are never evicted. A cache too small for one route keeps no other tiles,
/// and works. What is above the limit is evicted in parts, as tiles are stored and with updates.
#[derive(Debug)]
pub struct TileCache {
    limit: usize,
    entries: BlockList<Entry>,
    free: Vec<u32>,
    /// A hash map that grows moves all of its entries in one update, as a vector does.
    by_key: BTreeMap<TileKey, u32>,
    /// The keys of tiles that were loaded, which do not count as built. They stay when their tiles are evicted: what
    /// counts must not depend on what the cache happens to hold.
    loaded: BTreeSet<TileKey>,
    /// The most and the least recently used entry.
    ends: (u32, u32),
    statistics: CacheStatistics,
}

#[derive(Debug)]
struct Entry {
    key: TileKey,
    tile: Option<Arc<Tile>>,
    /// The entries used just after this one, and just before it.
    newer: u32,
    older: u32,
}

impl TileCache {
    /// An empty cache for up to `tile_cache_bytes` bytes of tiles; 0 switches it off.
    #[must_use]
    pub fn new(tile_cache_bytes: usize) -> Self {
        Self {
            limit: tile_cache_bytes,
            entries: BlockList::default(),
            free: Vec::new(),
            by_key: BTreeMap::new(),
            loaded: BTreeSet::new(),
            ends: (NONE, NONE),
            statistics: CacheStatistics::default(),
        }
    }

    /// Sets the limit, and evicts tiles if the limit is lower than before.
    pub fn set_limit(&mut self, tile_cache_bytes: usize) {
        self.limit = tile_cache_bytes;
        self.trim(self.by_key.len(), usize::MAX);
    }

    /// The limit in bytes.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Counts since the cache was made.
    #[must_use]
    pub fn statistics(&self) -> CacheStatistics {
        self.statistics
    }

    /// Returns false if the cache is switched off.
    pub(super) fn is_in_use(&self) -> bool {
        self.limit > 0
    }

    /// The tile with a key, if it is in the cache. The caller must call [`Self::admit`].
    pub(super) fn find(&self, key: TileKey) -> Option<Arc<Tile>> {
        let at = *self.by_key.get(&key)?;
        self.entries[at as usize].tile.clone()
    }

    /// Records the use of a tile that was found, or stores one that was made. If the same tile has been stored
    /// meanwhile, that one is returned.
    pub(super) fn admit(&mut self, key: TileKey, tile: Arc<Tile>, is_found: bool) -> Arc<Tile> {
        let known = self.by_key.get(&key).copied();
        if let Some(at) = known
            && let Some(kept) = self.entries[at as usize].tile.clone()
            && kept.is_like(&tile)
        {
            self.statistics.hits += 1;
            self.unlink(at);
            self.link_newest(at);
            return kept;
        }
        if is_found {
            self.statistics.hits += 1;
        } else {
            self.statistics.misses += 1;
            if known.is_none() {
                self.insert(key, &tile);
            }
        }
        tile
    }

    /// [`Self::admit`] for the tiles that were made while the cache was shared.
    pub(crate) fn admit_all(&mut self, made: Vec<MadeTile>) {
        for MadeTile {
            key,
            tile,
            is_found,
        } in made
        {
            self.admit(key, tile, is_found);
        }
    }

    /// Records that a tile was loaded.
    pub(super) fn note_loaded(&mut self, key: TileKey) {
        self.loaded.insert(key);
    }

    /// Forgets which tiles were loaded. They stay.
    pub(crate) fn forget_loaded(&mut self) {
        self.loaded.clear();
    }

    /// Returns true if a tile was loaded.
    pub(super) fn is_loaded(&self, key: TileKey) -> bool {
        self.loaded.contains(&key)
    }

    /// Returns true if any tiles were loaded.
    pub(super) fn has_loaded(&self) -> bool {
        !self.loaded.is_empty()
    }

    /// Returns true if the cache has a tile with this key.
    pub(super) fn contains(&self, key: TileKey) -> bool {
        self.by_key.contains_key(&key)
    }

    /// All tiles, the least recently used first.
    pub(super) fn oldest_first(&self) -> impl Iterator<Item = (TileKey, &Arc<Tile>)> {
        let entry = |at: u32| self.entries.get(at as usize);
        let from_oldest = std::iter::successors(entry(self.ends.1), move |&last| entry(last.newer));
        from_oldest.filter_map(|entry| Some((entry.key, entry.tile.as_ref()?)))
    }

    /// Stores a tile that is not in the cache.
    pub(super) fn insert(&mut self, key: TileKey, tile: &Arc<Tile>) {
        let entry = Entry {
            key,
            tile: Some(Arc::clone(tile)),
            newer: NONE,
            older: NONE,
        };
        let at = if let Some(at) = self.free.pop() {
            self.entries[at as usize] = entry;
            at
        } else {
            self.entries.push(entry) as u32
        };
        self.by_key.insert(key, at);
        self.link_newest(at);
        self.statistics.tiles += 1;
        self.statistics.bytes += tile.bytes();
        self.trim(MOST_TRIES, MOST_EVICTED);
    }

    /// Evicts tiles that are above the limit, some in each update.
    pub(crate) fn trim_in_update(&mut self) {
        self.trim(MOST_TRIES, MOST_EVICTED_BY_UPDATE);
    }

    /// Evicts the least recently used tiles until the limit is kept, `tries` tiles were in use, or `most` are evicted.
    fn trim(&mut self, mut tries: usize, mut most: usize) {
        while self.statistics.bytes > self.limit && tries > 0 && most > 0 {
            let at = self.ends.1;
            let Some(entry) = self.entries.get_mut(at as usize) else {
                return;
            };
            let is_used = entry
                .tile
                .as_ref()
                .is_some_and(|tile| Arc::strong_count(tile) > 1);
            self.unlink(at);
            if is_used {
                tries -= 1;
                self.link_newest(at);
                continue;
            }
            let entry = &mut self.entries[at as usize];
            let (key, tile) = (entry.key, entry.tile.take());
            self.by_key.remove(&key);
            self.free.push(at);
            self.statistics.bytes -= tile.map_or(0, |tile| tile.bytes());
            self.statistics.tiles -= 1;
            self.statistics.evictions += 1;
            most -= 1;
        }
    }

    fn unlink(&mut self, at: u32) {
        let Entry { newer, older, .. } = self.entries[at as usize];
        match self.entries.get_mut(newer as usize) {
            Some(entry) => entry.older = older,
            None => self.ends.0 = older,
        }
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = newer,
            None => self.ends.1 = newer,
        }
    }

    fn link_newest(&mut self, at: u32) {
        let older = std::mem::replace(&mut self.ends.0, at);
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = at,
            None => self.ends.1 = at,
        }
        let entry = &mut self.entries[at as usize];
        entry.newer = NONE;
        entry.older = older;
    }
}
