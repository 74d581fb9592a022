//! User columns and factors in saves: only columns in which a number differs from its default.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::swarm::draw::palette::{MOST_COLOR, WHITE};
use crate::swarm::state::factors::{AGENT_SIZE_FACTORS, AGENT_SPEED_FACTORS, Factors};
use crate::swarm::state::user_columns::{USER_COLUMNS, UserColumns};

impl UserColumns {
    /// A bit for each column with a number that is not 0: integers first, then floats.
    pub(super) fn used(&self) -> u32 {
        let ints = self
            .ints
            .iter()
            .map(|column| column.iter().any(|&n| n != 0));
        let floats = self.floats.iter();
        let floats = floats.map(|column| column.iter().any(|number| number.to_bits() != 0));
        let bits = ints.chain(floats).enumerate();
        bits.fold(0, |all, (bit, used)| all | u32::from(used) << bit)
    }

    pub(super) fn write(&self, used: u32, out: &mut Writer) {
        out.u32(used);
        for column in columns_of(&self.ints, used) {
            column
                .iter()
                .for_each(|number| out.u32(number.cast_unsigned()));
        }
        for column in columns_of(&self.floats, used >> USER_COLUMNS) {
            column.iter().for_each(|number| out.u32(number.to_bits()));
        }
    }

    pub(super) fn read(count: usize, input: &mut Reader<'_>) -> Result<Self> {
        let used = input.u32()?;
        if used == 0 || used >> (2 * USER_COLUMNS) != 0 {
            return Err(input.bad("it has unknown columns"));
        }
        let mut user = Self::default();
        for column in 0..USER_COLUMNS {
            if used >> column & 1 != 0 {
                user.ints[column] =
                    input.array(count, 4, |input| Ok(input.u32()?.cast_signed()))?;
            }
        }
        for column in 0..USER_COLUMNS {
            if used >> (USER_COLUMNS + column) & 1 != 0 {
                user.floats[column] = input.array(count, 4, Reader::number)?;
            }
        }
        Ok(user)
    }
}

impl Factors {
    /// A bit for each column with a factor that is not 1: speeds, sizes, colours.
    pub(super) fn used(&self) -> u32 {
        let is_used = [
            self.speed.iter().any(|&factor| factor != 1.0),
            self.size.iter().any(|&factor| factor != 1.0),
            self.color.iter().any(|&color| color != WHITE),
        ];
        let bits = is_used.into_iter().enumerate();
        bits.fold(0, |all, (bit, used)| all | u32::from(used) << bit)
    }

    pub(super) fn write(&self, used: u32, out: &mut Writer) {
        out.u32(used);
        for (bit, column) in [&self.speed, &self.size].into_iter().enumerate() {
            if used >> bit & 1 != 0 {
                column.iter().for_each(|factor| out.u32(factor.to_bits()));
            }
        }
        if used & 4 != 0 {
            let channels = self.color.iter().flatten();
            channels.for_each(|channel| out.u32(channel.to_bits()));
        }
    }

    pub(super) fn read(count: usize, input: &mut Reader<'_>) -> Result<Self> {
        let used = input.u32()?;
        if used == 0 || used > 7 {
            return Err(input.bad("it has unknown factors"));
        }
        let mut factors = Self::default();
        let columns = [
            (&mut factors.speed, AGENT_SPEED_FACTORS),
            (&mut factors.size, AGENT_SIZE_FACTORS),
        ];
        for (bit, (column, (least, most))) in columns.into_iter().enumerate() {
            if used >> bit & 1 != 0 {
                *column = input.array(count, 4, |input| match input.number()? {
                    factor if (least..=most).contains(&factor) => Ok(factor),
                    _ => Err(input.bad("it has a factor that is out of its range")),
                })?;
            }
        }
        if used & 4 != 0 {
            factors.color = input.array(count, 16, |input| {
                let mut color = WHITE;
                for channel in &mut color {
                    *channel = input.number()?;
                }
                match color.iter().all(|channel| channel.abs() <= MOST_COLOR) {
                    true => Ok(color),
                    false => Err(input.bad("it has a colour that is out of its range")),
                }
            })?;
        }
        Ok(factors)
    }
}

/// The columns whose bits are set.
fn columns_of<T>(columns: &[Vec<T>], used: u32) -> impl Iterator<Item = &Vec<T>> {
    let columns = columns.iter().enumerate();
    columns.filter_map(move |(bit, column)| (used >> bit & 1 != 0).then_some(column))
}
