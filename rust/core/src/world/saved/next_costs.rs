//! The costs that are being written in slices: by what the costs in use are made, and how many rows of the next ones
//! are written. The types that were set last are configuration.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::movement::MovementType;
use crate::world::FlowWorld;
use crate::world::former_terrain::FormerTerrain;
use crate::world::next_costs::NextCosts;

/// The type in use of a movement type, and the rows that are written of the one that was set last, with whether others
/// were written in vain; `None` if nothing is to be written.
pub(super) struct LoadedNext(Option<(MovementType, usize, bool)>);

impl FlowWorld {
    pub(super) fn write_next(&self, out: &mut Writer) {
        for layer in &self.layers {
            layer.next.is_some().write(out);
            if let Some(next) = &layer.next {
                layer.kind.write_costs(out);
                next.progress().write(out);
            }
        }
        self.former.is_some().write(out);
        if let Some(former) = &self.former {
            former.write(out);
        }
    }

    /// Reads what [`Self::write_next`] has written: for each movement type, and the terrain by which the costs in use
    /// are made if it is not the present one.
    pub(super) fn read_next(
        &self,
        input: &mut Unpacker<'_>,
    ) -> Result<(Vec<LoadedNext>, Option<FormerTerrain>)> {
        let mut all = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            if !bool::read(input)? {
                all.push(LoadedNext(None));
                continue;
            }
            let newest = layer.newest_kind();
            let kind = MovementType::read_costs(input)?.with_speeds_of(newest);
            let (rows, is_again) = Saved::read(input)?;
            if rows > self.grid.height() as usize {
                return Err(input.bad("it has costs in slices that make no sense"));
            }
            all.push(LoadedNext(Some((kind, rows, is_again))));
        }
        let former = match bool::read(input)? {
            true => Some(FormerTerrain::read(input, &self.grid)?),
            false => None,
        };
        let mut layers = self.layers.iter().zip(&all);
        let is_sound = layers.all(|(layer, next)| match (&next.0, &former) {
            (Some((kind, ..)), None) => !kind.has_costs_of(layer.newest_kind()),
            (next, former) => next.is_some() == former.is_some(),
        });
        if is_sound {
            Ok((all, former))
        } else {
            Err(input.bad("it has costs in slices that make no sense"))
        }
    }
}

impl LoadedNext {
    /// The type by which costs in use are made, and the next costs, if `newest` was set last.
    pub(super) fn with(self, newest: &MovementType) -> (MovementType, Option<NextCosts>) {
        match self.0 {
            None => (newest.clone(), None),
            Some((kind, rows, is_again)) => {
                let next = NextCosts::with_rows(newest.clone(), rows, is_again);
                (kind, Some(next))
            }
        }
    }
}
