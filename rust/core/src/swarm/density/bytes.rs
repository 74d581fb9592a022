//! Crowd density as bytes and as a hash.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::movement::{CROWDING_BLOCK, MOST_CROWDING};
use crate::random::mix;
use crate::swarm::density::{Block, CELLS, Density, EVERY, WHOLE};
use glam::IVec2;

/// Bytes of a block and its number.
const BLOCK: usize = 4 + 3 * CELLS;

/// Whether no grid can have this size.
fn is_no_grid(size: IVec2) -> bool {
    // The origin of the world is the place where the largest grids fit.
    Grid::new(size, 1.0, -0.5 * size.as_vec2()).is_err()
}

impl Density {
    pub(in crate::swarm) fn write(&self, out: &mut Writer) {
        out.u32(self.size.x as u32);
        out.u32(self.size.y as u32);
        out.u32(self.since.to_bits());
        out.u32(self.blocks().count() as u32);
        for (key, block) in self.blocks() {
            out.u32(key as u32);
            for covered in block.covered {
                out.bytes.extend(covered.to_le_bytes());
            }
            out.bytes.extend(block.levels);
        }
    }

    /// Reads what [`Self::write`] has written.
    pub(in crate::swarm) fn read(input: &mut Reader<'_>) -> Result<Self> {
        let side = |cells: u32| i32::try_from(cells).unwrap_or(i32::MAX);
        let size = IVec2::new(side(input.u32()?), side(input.u32()?));
        if is_no_grid(size) {
            return Err(input.bad("its grid is too large"));
        }
        let mut density = Self::default();
        density.lay_out(size);
        density.since = input.number()?;
        if !(0.0..EVERY).contains(&density.since) {
            return Err(input.bad("it has crowds of an impossible time"));
        }
        let count = input.u32()? as usize;
        if count > density.grid_blocks() || count > input.most_left() / BLOCK {
            return Err(input.bad("it has too many blocks"));
        }
        let mut after = 0;
        for _ in 0..count {
            let key = input.u32()? as usize;
            if key < after || key >= density.grid_blocks() {
                return Err(input.bad("its blocks contradict each other"));
            }
            after = key + 1;
            density.read_block(key, input)?;
        }
        Ok(density)
    }

    fn read_block(&mut self, key: usize, input: &mut Reader<'_>) -> Result<()> {
        let inside = self.inside(key);
        let block = self.block_at(key);
        let covered = input.take(2 * CELLS)?;
        for (to, from) in block.covered.iter_mut().zip(covered.chunks_exact(2)) {
            *to = u16::from_le_bytes([from[0], from[1]]);
        }
        block.levels.copy_from_slice(input.take(CELLS)?);
        let cells = block.covered.iter().zip(&block.levels).enumerate();
        let is_sound = |(place, (&covered, &level)): (usize, (&u16, &u8))| {
            let cell = IVec2::new(
                (place % CROWDING_BLOCK) as i32,
                (place / CROWDING_BLOCK) as i32,
            );
            let most = if cell.cmplt(inside).all() {
                (WHOLE, MOST_CROWDING)
            } else {
                (0, 0)
            };
            covered <= most.0 && level <= most.1
        };
        if cells.into_iter().all(is_sound) {
            Ok(())
        } else {
            Err(input.bad("it has ground that is too crowded, or outside the grid"))
        }
    }

    /// A hash of the density.
    pub(in crate::swarm) fn hash(&self) -> u64 {
        let size = (self.size.x as u64) << 32 | self.size.y as u64;
        let begun = mix(size ^ mix(u64::from(self.since.to_bits())));
        self.blocks().fold(begun, |hash, (key, block)| {
            hash.wrapping_add(mix(hash_of(block) ^ mix(key as u64)))
        })
    }
}

/// Hashes four cells at a time: their coverages fill a word, their levels half of one.
fn hash_of(block: &Block) -> u64 {
    let cells = block
        .covered
        .chunks_exact(4)
        .zip(block.levels.chunks_exact(4));
    cells.fold(0, |hash, (covered, levels)| {
        let word = covered.iter().fold(0, |word, &n| word << 16 | u64::from(n));
        let tail = levels.iter().fold(0, |word, &n| word << 8 | u64::from(n));
        mix(mix(hash ^ word).wrapping_add(tail))
    })
}
