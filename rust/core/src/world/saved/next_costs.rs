//! The costs that are being written in slices: by what those in use and those in work are made, and how many rows of
//! the latter are written. The types that were set last are configuration.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::movement::MovementType;
use crate::world::FlowWorld;
use crate::world::former_terrain::FormerTerrains;
use crate::world::next_costs::NextCosts;

/// The type by which the costs in use of a movement type are made, and its costs in work.
pub(super) struct LoadedNext {
    pub(super) kind: MovementType,
    pub(super) next: Option<NextCosts>,
}

impl FlowWorld {
    pub(super) fn write_next(&self, out: &mut Writer) {
        for layer in &self.layers {
            write_kind(&layer.kind, &layer.newest_kind, out);
            layer.next.is_some().write(out);
            if let Some(next) = &layer.next {
                write_kind(&next.kind, &layer.newest_kind, out);
                next.rows().write(out);
                next.are_first_ones().write(out);
            }
        }
        self.former.write(out);
    }

    /// Reads what [`Self::write_next`] has written: for each movement type, and the terrains by which costs are made
    /// where it is not the present one.
    pub(super) fn read_next(
        &self,
        input: &mut Unpacker<'_>,
    ) -> Result<(Vec<LoadedNext>, FormerTerrains)> {
        let mut all = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let kind = read_kind(&layer.newest_kind, input)?;
            let next = match bool::read(input)? {
                true => Some(self.read_rows(read_kind(&layer.newest_kind, input)?, input)?),
                false => None,
            };
            all.push(LoadedNext { kind, next });
        }
        let former = FormerTerrains::read(input, &self.grid)?;
        let mut layers = self.layers.iter().zip(&all);
        let is_sound = layers.all(|(layer, loaded)| match loaded.next {
            // These wait for the terrain of the others.
            _ if former.in_work.is_some() => true,
            Some(_) => former.in_use.is_some() || !loaded.kind.has_costs_of(&layer.newest_kind),
            None => former.in_use.is_none() && loaded.kind.has_costs_of(&layer.newest_kind),
        });
        if is_sound {
            Ok((all, former))
        } else {
            Err(input.bad("it has costs in slices that make no sense"))
        }
    }

    fn read_rows(&self, kind: MovementType, input: &mut Unpacker<'_>) -> Result<NextCosts> {
        let rows = usize::read(input)?;
        let are_first_ones = bool::read(input)?;
        if rows > self.grid.height() as usize {
            return Err(input.bad("it has costs in slices that make no sense"));
        }
        let next = NextCosts::with_rows(kind, rows);
        Ok(match are_first_ones {
            true => next.into_first_ones(),
            false => next,
        })
    }
}

/// Writes a movement type, unless it is the newest one.
fn write_kind(kind: &MovementType, newest: &MovementType, out: &mut Writer) {
    let is_other = !kind.has_costs_of(newest);
    is_other.write(out);
    if is_other {
        kind.write_costs(out);
    }
}

/// Reads what [`write_kind`] has written, with the speeds of the newest type.
fn read_kind(newest: &MovementType, input: &mut Unpacker<'_>) -> Result<MovementType> {
    match bool::read(input)? {
        true => Ok(MovementType::read_costs(input)?.with_speeds_of(newest)),
        false => Ok(newest.clone()),
    }
}
