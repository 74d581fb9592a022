//! The costs of changed movement types that are being written in slices: by what the costs in use are made, and how many
//! rows of the next ones are written. The types that were set last are configuration.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::movement::MovementType;
use crate::world::FlowWorld;
use crate::world::next_costs::NextCosts;

/// The type in use of a movement type, and the rows that are written of the one that was set last; `None` if both are the
/// same.
pub(super) struct LoadedNext(Option<(MovementType, usize)>);

impl FlowWorld {
    pub(super) fn write_next(&self, out: &mut Writer) {
        for layer in &self.layers {
            layer.next.is_some().write(out);
            if let Some(next) = &layer.next {
                layer.kind.write_costs(out);
                next.rows().write(out);
            }
        }
    }

    /// Reads what [`Self::write_next`] has written, for each movement type.
    pub(super) fn read_next(&self, input: &mut Unpacker<'_>) -> Result<Vec<LoadedNext>> {
        let mut all = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            if !bool::read(input)? {
                all.push(LoadedNext(None));
                continue;
            }
            let newest = layer.newest_kind();
            let kind = MovementType::read_costs(input)?.with_speeds_of(newest);
            let rows = usize::read(input)?;
            if rows > self.grid.height() as usize || kind.has_costs_of(newest) {
                return Err(input.bad("it has costs in slices that make no sense"));
            }
            all.push(LoadedNext(Some((kind, rows))));
        }
        Ok(all)
    }
}

impl LoadedNext {
    /// The type by which costs in use are made, and the next costs, if `newest` was set last.
    pub(super) fn with(self, newest: &MovementType) -> (MovementType, Option<NextCosts>) {
        match self.0 {
            None => (newest.clone(), None),
            Some((kind, rows)) => (kind, Some(NextCosts::with_rows(newest.clone(), rows))),
        }
    }
}
