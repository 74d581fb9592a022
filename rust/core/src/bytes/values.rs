//! Values as bytes: numbers, collections, and structures field by field.
//!
//! - Every value takes at least one byte, so the memory of a collection is bounded by the bytes that were read for it.
//! - Reading checks the form of a value only. What a value may be within a larger whole is checked by the reader of
//!   the whole.

use super::{Source, Unpacker, Writer};
use crate::error::Result;
use glam::{IVec2, Vec2};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The most values for which memory is allocated before they are read.
const MOST_PREPARED: usize = 1024;

/// A value that can be written as bytes and read again.
pub(crate) trait Saved: Sized {
    fn write(&self, out: &mut Writer);

    /// # Errors
    /// [`Error::BadBytes`](crate::Error::BadBytes).
    fn read(input: &mut Unpacker<'_>) -> Result<Self>;
}

/// Implements [`Saved`] for a structure: all of its fields, in order. A field that is not listed does not compile.
macro_rules! saved {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::bytes::Saved for $type {
            fn write(&self, out: &mut $crate::bytes::Writer) {
                let Self { $($field),* } = self;
                $($crate::bytes::Saved::write($field, out);)*
            }

            fn read(
                input: &mut $crate::bytes::Unpacker<'_>,
            ) -> $crate::error::Result<Self> {
                Ok(Self { $($field: $crate::bytes::Saved::read(input)?),* })
            }
        }
    };
}
pub(crate) use saved;

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Saved for $number {
            #[inline]
            fn write(&self, out: &mut Writer) {
                out.bytes.extend(self.to_le_bytes());
            }

            #[inline]
            fn read(input: &mut Unpacker<'_>) -> Result<Self> {
                Ok(Self::from_le_bytes(input.word()?))
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 i32 i64 }

/// 64 bits on every machine. The greatest number means "no limit", so it stays the greatest on a machine with other
/// sizes.
impl Saved for usize {
    fn write(&self, out: &mut Writer) {
        out.u64(match *self {
            Self::MAX => u64::MAX,
            number => number as u64,
        });
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let number = input.u64()?;
        if number == u64::MAX {
            return Ok(Self::MAX);
        }
        Self::try_from(number).map_err(|_| input.bad("it has a number that is too large"))
    }
}

impl Saved for bool {
    fn write(&self, out: &mut Writer) {
        out.u8(u8::from(*self));
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        match input.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.bad("it has an unknown mark")),
        }
    }
}

/// A finite number.
impl Saved for f32 {
    fn write(&self, out: &mut Writer) {
        out.u32(self.to_bits());
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        input.number()
    }
}

/// A finite number.
impl Saved for f64 {
    fn write(&self, out: &mut Writer) {
        out.u64(self.to_bits());
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let number = Self::from_bits(input.u64()?);
        if number.is_finite() {
            Ok(number)
        } else {
            Err(input.bad("it has a number that is not finite"))
        }
    }
}

impl Saved for IVec2 {
    fn write(&self, out: &mut Writer) {
        self.x.write(out);
        self.y.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Ok(Self::new(i32::read(input)?, i32::read(input)?))
    }
}

impl Saved for Vec2 {
    fn write(&self, out: &mut Writer) {
        out.vector(*self);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        input.vector()
    }
}

impl<T: Saved> Saved for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Ok(match bool::read(input)? {
            true => Some(T::read(input)?),
            false => None,
        })
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Ok((A::read(input)?, B::read(input)?))
    }
}

/// Writes values with their number.
pub(super) fn write_all<'a, T: Saved + 'a>(
    values: impl ExactSizeIterator<Item = &'a T>,
    out: &mut Writer,
) {
    out.u32(values.len() as u32);
    values.for_each(|value| value.write(out));
}

impl<T: Saved + Default + Copy, const LENGTH: usize> Saved for [T; LENGTH] {
    fn write(&self, out: &mut Writer) {
        for value in self {
            value.write(out);
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let mut values = [T::default(); LENGTH];
        for value in &mut values {
            *value = T::read(input)?;
        }
        Ok(values)
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn write(&self, out: &mut Writer) {
        write_all(self.iter(), out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let count = input.u32()? as usize;
        if count > input.most_left() {
            return Err(input.bad("it is cut short"));
        }
        let mut values = Self::with_capacity(count.min(MOST_PREPARED));
        for _ in 0..count {
            values.push(T::read(input)?);
        }
        Ok(values)
    }
}

impl<T: Saved> Saved for VecDeque<T> {
    fn write(&self, out: &mut Writer) {
        write_all(self.iter(), out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Vec::read(input).map(Into::into)
    }
}

impl<T: Saved> Saved for Arc<[T]> {
    fn write(&self, out: &mut Writer) {
        write_all(self.iter(), out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Vec::read(input).map(Into::into)
    }
}

impl<T: Saved + Ord> Saved for BTreeSet<T> {
    fn write(&self, out: &mut Writer) {
        write_all(self.iter(), out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Vec::read(input).map(Self::from_iter)
    }
}

impl<K: Saved + Ord, V: Saved> Saved for BTreeMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.u32(self.len() as u32);
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        Vec::<(K, V)>::read(input).map(Self::from_iter)
    }
}
