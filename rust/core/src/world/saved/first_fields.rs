//! The first field that is being built in slices as bytes: what it is made from, and the work so far.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::goal::Goals;
use crate::world::goal_id::GoalId;
use crate::world::movement_layer::MovementLayer;
use crate::world::slices::FirstField;
use crate::world::walking::far_build::Far;
use crate::world::walking::saved::Present;

/// What a world in a save has of [`Slices`](crate::world::slices::Slices).
pub(super) struct LoadedSlices {
    last_turn: u64,
    first_field: Option<FirstField>,
}

impl FlowWorld {
    pub(super) fn write_slices(&self, out: &mut Writer) {
        self.slices.last_turn.write(out);
        let first = self.slices.first_field.as_ref();
        // Of a goal that was released, or asked for anew, nothing is left.
        let next = self.next_first_field();
        let first = first.filter(|first| {
            next == Some((first.turn, first.goal, first.movement))
                && first.movement < self.layers.len()
        });
        first.is_some().write(out);
        if let Some(first) = first {
            let layer = &self.layers[first.movement];
            let costs = layer.simulated_costs();
            let present = Present {
                costs: &costs,
                past: &layer.past,
                revision: layer.simulated,
                tick: self.walking.tick(),
            };
            first.goal.write(out);
            first.movement.write(out);
            first.turn.write(out);
            first.build.write(present, out);
        }
    }

    /// Reads what [`Self::write_slices`] has written, after goals and their slots.
    pub(super) fn read_slices(
        &self,
        input: &mut Unpacker<'_>,
        layers: &[MovementLayer],
        (goals, tick): (&Goals, u64),
    ) -> Result<LoadedSlices> {
        let last_turn = u64::read(input)?;
        let slots = goals.by_id.values().flat_map(|goal| &goal.fields);
        let mut turns = slots.flatten().filter_map(|slot| slot.turn);
        if last_turn > 1 << 62 || turns.any(|turn| turn > last_turn) {
            return Err(input.bad("it has a field with an impossible turn"));
        }
        if !bool::read(input)? {
            return Ok(LoadedSlices {
                last_turn,
                first_field: None,
            });
        }
        let (goal, movement, turn) = (GoalId::read(input)?, usize::read(input)?, u64::read(input)?);
        let known = goals.by_id.get(&goal);
        let slot = known.and_then(|goal| goal.fields.get(movement)?.as_ref());
        let layer = layers.get(movement);
        let (Some(layer), true) = (layer, slot.is_some_and(|slot| slot.turn == Some(turn))) else {
            return Err(input.bad("it has an unfinished field of no goal"));
        };
        let present = Present {
            costs: &layer.costs,
            past: &layer.past,
            revision: layer.simulated,
            tick,
        };
        let build = Far::read(input, present, &self.builder.scratch)?;
        Ok(LoadedSlices {
            last_turn,
            first_field: Some(FirstField {
                goal,
                movement,
                turn,
                build,
            }),
        })
    }

    pub(super) fn put_slices(&mut self, loaded: LoadedSlices) {
        self.slices.last_turn = loaded.last_turn;
        self.slices.first_field = loaded.first_field;
    }
}
