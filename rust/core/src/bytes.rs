//! Numbers as bytes, the low ones first: what is saved is written here and read back with care.

use crate::error::{Error, Result};
use crate::random::mix;
use glam::Vec2;

/// A number that hardly ever is the same for different bytes (2^-64).
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0;
    for word in bytes.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        hash = mix(hash ^ u64::from_le_bytes(padded)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    mix(hash ^ bytes.len() as u64)
}

/// Collects bytes.
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

/// Reads what a [`Writer`] has written; refuses what cannot be that in the name of what is read.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
    name: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(name: &'static str, bytes: &'a [u8]) -> Self {
        Self { rest: bytes, name }
    }

    /// The refusal, for a reason.
    pub(crate) fn bad(&self, reason: impl Into<String>) -> Error {
        Error::BadBytes {
            name: self.name,
            reason: reason.into(),
        }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| self.bad("it is cut short"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn word<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut word = [0; N];
        word.copy_from_slice(self.take(N)?);
        Ok(word)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.word()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.word()?))
    }

    pub(crate) fn u128(&mut self) -> Result<u128> {
        Ok(u128::from_le_bytes(self.word()?))
    }

    /// A number that is finite.
    pub(crate) fn number(&mut self) -> Result<f32> {
        let number = f32::from_bits(self.u32()?);
        if number.is_finite() {
            Ok(number)
        } else {
            Err(self.bad("it has a number that is not finite"))
        }
    }

    pub(crate) fn vector(&mut self) -> Result<Vec2> {
        Ok(Vec2::new(self.number()?, self.number()?))
    }

    pub(crate) fn array<T>(
        &mut self,
        count: usize,
        read: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        (0..count).map(|_| read(self)).collect()
    }
}
