//! The cache of built tiles (Emerson, Game AI Pro, 23.7).
//!
//! A tile is found again by what it was made from: the ground of its cells and of
//! those around it, and the values that came in over its border, less the least of
//! them. Nothing else matters, so equal work is shared between goals, movement
//! types and places, and a key never gets out of date. Users of a tile hold a
//! reference to it; of tiles without one the least recently used are let go
//! when memory runs out.

use super::tile::Tile;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Tiles in use that are passed over, at most, in the search for one to let go.
const MOST_TRIES: usize = 32;
/// The end of a list.
const NONE: u32 = u32::MAX;

/// What a tile was made from, as a number. Two different tiles have the same with a probability of 2^-64
/// when there are 2^32 of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// Both halves of the product, folded; never loses a word as long as `one` is not 0.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(one)
}

/// Where tiles are found and kept: in the cache itself or, while several fields are built at once, beside it.
pub(super) enum Store<'a> {
    Own(&'a mut TileCache),
    Shared(&'a TileCache, &'a mut Vec<Made>),
}

/// A tile that was made, or found, beside the cache.
pub(crate) struct Made {
    key: TileKey,
    tile: Arc<Tile>,
    is_found: bool,
}

impl Store<'_> {
    /// What is found in it.
    pub(super) fn cache(&self) -> &TileCache {
        match self {
            Self::Own(cache) => cache,
            Self::Shared(cache, _) => cache,
        }
    }

    /// As [`TileCache::take_in`].
    pub(super) fn take_in(&mut self, key: TileKey, tile: Arc<Tile>, is_found: bool) -> Arc<Tile> {
        match self {
            Self::Own(cache) => cache.take_in(key, tile, is_found),
            Self::Shared(_, made) => {
                made.push(Made {
                    key,
                    tile: Arc::clone(&tile),
                    is_found,
                });
                tile
            }
        }
    }
}

/// Keys are random numbers already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// How the cache has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheStatistics {
    /// Tiles that were there when they were asked for.
    pub hits: u64,
    /// Tiles that had to be built.
    pub misses: u64,
    /// Tiles that were let go because of the byte limit.
    pub evictions: u64,
    /// Tiles that are there.
    pub tiles: usize,
    /// Their memory, in bytes.
    pub bytes: usize,
}

/// Built tiles by what they were made from, within a limit of bytes.
///
/// Tiles that are in use are never let go and count too: a cache too small for one route keeps nothing
/// else, and works.
#[derive(Debug)]
pub struct TileCache {
    limit: usize,
    entries: Vec<Entry>,
    free: Vec<u32>,
    by_key: HashMap<TileKey, u32, BuildHasherDefault<KeyHasher>>,
    /// The most and the least recently used entry.
    ends: (u32, u32),
    statistics: CacheStatistics,
}

#[derive(Debug)]
struct Entry {
    key: TileKey,
    tile: Option<Arc<Tile>>,
    /// Used more recently, and less.
    newer: u32,
    older: u32,
}

impl TileCache {
    /// An empty cache that keeps up to so many bytes of tiles; 0 for none.
    #[must_use]
    pub fn new(tile_cache_bytes: usize) -> Self {
        Self {
            limit: tile_cache_bytes,
            entries: Vec::new(),
            free: Vec::new(),
            by_key: HashMap::default(),
            ends: (NONE, NONE),
            statistics: CacheStatistics::default(),
        }
    }

    /// Changes the limit; lets tiles go if it is lower now.
    pub fn set_limit(&mut self, tile_cache_bytes: usize) {
        self.limit = tile_cache_bytes;
        self.trim(self.by_key.len());
    }

    /// How many bytes of tiles it keeps.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Figures since the cache was made.
    #[must_use]
    pub fn statistics(&self) -> CacheStatistics {
        self.statistics
    }

    /// Whether it keeps anything at all.
    pub(super) fn is_in_use(&self) -> bool {
        self.limit > 0
    }

    /// The tile that was made from the same, if it is there. [`Self::take_in`] is to be told.
    pub(super) fn find(&self, key: TileKey) -> Option<Arc<Tile>> {
        let at = *self.by_key.get(&key)?;
        self.entries[at as usize].tile.clone()
    }

    /// Notes the use of a tile that was found, and keeps one that was made, unless the same has been made
    /// meanwhile: then it returns that one.
    pub(super) fn take_in(&mut self, key: TileKey, tile: Arc<Tile>, is_found: bool) -> Arc<Tile> {
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
                self.keep(key, &tile);
            }
        }
        tile
    }

    /// [`Self::take_in`] for all that was made beside it.
    pub(crate) fn take_in_all(&mut self, made: Vec<Made>) {
        for Made {
            key,
            tile,
            is_found,
        } in made
        {
            self.take_in(key, tile, is_found);
        }
    }

    /// Whether a tile is there.
    pub(super) fn contains(&self, key: TileKey) -> bool {
        self.by_key.contains_key(&key)
    }

    /// All tiles, the least recently used first.
    pub(super) fn oldest_first(&self) -> impl Iterator<Item = (TileKey, &Arc<Tile>)> {
        let entry = |at: u32| self.entries.get(at as usize);
        let from_oldest = std::iter::successors(entry(self.ends.1), move |&last| entry(last.newer));
        from_oldest.filter_map(|entry| Some((entry.key, entry.tile.as_ref()?)))
    }

    /// Keeps a tile that is not there yet.
    pub(super) fn keep(&mut self, key: TileKey, tile: &Arc<Tile>) {
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
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        };
        self.by_key.insert(key, at);
        self.link_newest(at);
        self.statistics.tiles += 1;
        self.statistics.bytes += tile.bytes();
        self.trim(MOST_TRIES);
    }

    /// Lets the least recently used tiles go until the limit is kept, or until `tries` tiles turned out
    /// to be in use.
    fn trim(&mut self, mut tries: usize) {
        while self.statistics.bytes > self.limit && tries > 0 {
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
