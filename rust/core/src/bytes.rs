//! Binary data of saves: writing numbers as little-endian bytes, and reading them from untrusted bytes.
//!
//! Long data is compressed with LZ4 in pieces of at most 256 KiB. Compressed data can grow to 255 times its length, so
//! a reader unpacks one piece at a time instead of all of them.
//!
//! - Reading never panics, and never allocates memory for more values than the remaining bytes can hold.

mod values;

pub(crate) use values::{Saved, saved};

use crate::error::{Error, Result};
use crate::random::mix;
use glam::Vec2;

/// A checksum: different bytes have the same one with a probability of about 2^-64. It detects accidental damage, but
/// not forged bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add(bytes);
    sum.finish()
}

/// The [`checksum`] of bytes that come in several pieces.
#[derive(Debug, Default)]
pub(crate) struct Checksum {
    hash: u64,
    length: u64,
    /// The bytes of a word that is not complete.
    waiting: [u8; 8],
}

impl Checksum {
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        let begun = (self.length % 8) as usize;
        self.length += bytes.len() as u64;
        if begun > 0 {
            let count = bytes.len().min(8 - begun);
            self.waiting[begun..begun + count].copy_from_slice(&bytes[..count]);
            bytes = &bytes[count..];
            if begun + count < 8 {
                return;
            }
            self.add_word(self.waiting);
        }
        let (words, rest) = bytes.as_chunks();
        for &word in words {
            self.add_word(word);
        }
        self.waiting = [0; 8];
        self.waiting[..rest.len()].copy_from_slice(rest);
    }

    fn add_word(&mut self, word: [u8; 8]) {
        let mixed = mix(self.hash ^ u64::from_le_bytes(word));
        self.hash = mixed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    pub(crate) fn finish(mut self) -> u64 {
        if !self.length.is_multiple_of(8) {
            self.add_word(self.waiting);
        }
        mix(self.hash ^ self.length)
    }
}

/// A buffer to which numbers are appended.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u128(&mut self, value: u128) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn vector(&mut self, value: Vec2) {
        self.u32(value.x.to_bits());
        self.u32(value.y.to_bits());
    }
}

/// A source of untrusted bytes.
pub(crate) trait Source {
    /// An [`Error::BadBytes`] with this reason and the name of the data.
    fn bad(&self, reason: &str) -> Error;

    /// An upper bound of the number of bytes left.
    fn most_left(&self) -> usize;

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`Error::BadBytes`] if fewer are left, or if they cannot be unpacked.
    fn take(&mut self, count: usize) -> Result<&[u8]>;

    fn word<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut word = [0; N];
        word.copy_from_slice(self.take(N)?);
        Ok(word)
    }

    fn u8(&mut self) -> Result<u8> {
        Ok(self.word::<1>()?[0])
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.word()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.word()?))
    }

    fn u128(&mut self) -> Result<u128> {
        Ok(u128::from_le_bytes(self.word()?))
    }

    /// The next `f32`, which must be finite.
    fn number(&mut self) -> Result<f32> {
        let number = f32::from_bits(self.u32()?);
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.bad("it has a number that is not finite"))
        }
    }

    fn vector(&mut self) -> Result<Vec2> {
        Ok(Vec2::new(self.number()?, self.number()?))
    }

    /// The next `count` values, each of at least `size` bytes. Memory is allocated only if that many bytes can be left.
    fn array<T>(
        &mut self,
        count: usize,
        size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        if count
            .checked_mul(size)
            .is_none_or(|bytes| bytes > self.most_left())
        {
            return Err(self.bad("it is cut short"));
        }
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(read(self)?);
        }
        Ok(values)
    }
}

/// Reads the bytes of a [`Writer`].
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
    name: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(name: &'static str, bytes: &'a [u8]) -> Self {
        Self { rest: bytes, name }
    }
}

impl Source for Reader<'_> {
    fn bad(&self, reason: &str) -> Error {
        Error::BadBytes {
            name: self.name,
            reason: reason.to_owned(),
        }
    }

    fn most_left(&self) -> usize {
        self.rest.len()
    }

    fn take(&mut self, count: usize) -> Result<&[u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| self.bad("it is cut short"))?;
        self.rest = rest;
        Ok(taken)
    }
}

/// The maximum length of a piece before compression, in bytes.
const PIECE: usize = 1 << 18;
/// The greatest ratio of LZ4 between the unpacked and the packed length.
const MOST_PACKED: usize = 255;

/// Appends bytes in compressed pieces, to be read by an [`Unpacker`].
pub(crate) fn pack(bytes: &[u8], out: &mut Writer) {
    for piece in bytes.chunks(PIECE) {
        let packed = lz4_flex::block::compress(piece);
        out.u32(piece.len() as u32);
        out.u32(packed.len() as u32);
        out.bytes.extend(packed);
    }
}

/// Reads the bytes that [`pack`] has compressed. It holds one unpacked piece in memory, or as many as one read spans.
#[derive(Debug)]
pub(crate) struct Unpacker<'a> {
    packed: Reader<'a>,
    unpacked: Vec<u8>,
    /// The index of the next byte in `unpacked`.
    at: usize,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(packed: Reader<'a>) -> Self {
        Self {
            packed,
            unpacked: Vec::new(),
            at: 0,
        }
    }

    /// A reader of other packed bytes in the same data.
    pub(crate) fn of_the_same<'b>(&self, packed: &'b [u8]) -> Unpacker<'b> {
        Unpacker::new(Reader::new(self.packed.name, packed))
    }

    /// Whether all bytes have been read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.unpacked.len() && self.packed.rest.is_empty()
    }

    fn unpack(&mut self) -> Result<()> {
        let (length, packed) = (self.packed.u32()? as usize, self.packed.u32()? as usize);
        if length == 0 || length > PIECE {
            return Err(self.bad("it has a piece of an impossible length"));
        }
        let from = self.unpacked.len();
        self.unpacked.resize(from + length, 0);
        let packed = self.packed.take(packed)?;
        let unpacked = lz4_flex::block::decompress_into(packed, &mut self.unpacked[from..]);
        if unpacked.ok() != Some(length) {
            return Err(self.bad("it has a piece that cannot be unpacked"));
        }
        Ok(())
    }
}

impl Source for Unpacker<'_> {
    fn bad(&self, reason: &str) -> Error {
        self.packed.bad(reason)
    }

    fn most_left(&self) -> usize {
        let packed = self.packed.rest.len().saturating_mul(MOST_PACKED);
        packed.saturating_add(self.unpacked.len() - self.at)
    }

    fn take(&mut self, count: usize) -> Result<&[u8]> {
        if count > self.unpacked.len() - self.at {
            self.unpacked.drain(..self.at);
            self.at = 0;
            while self.unpacked.len() < count {
                self.unpack()?;
            }
        }
        let from = self.at;
        self.at += count;
        Ok(&self.unpacked[from..self.at])
    }
}
