//! Movement types: replaces them, at once or with costs that are written in slices.

use crate::error::{Error, Result};
use crate::movement::MovementType;
use crate::world::FlowWorld;
use crate::world::movement_layer::MovementLayer;
use crate::world::next_costs::NextCosts;
use std::sync::Arc;

/// The most movement types of a world.
pub const MAX_MOVEMENT_TYPES: usize = 64;

impl FlowWorld {
    /// Replaces the movement types; an empty list stands for the default type alone.
    ///
    /// On maps that are worked on in slices ([`Self::set_update_cells`]), a type whose costs have changed keeps the old
    /// ones in use until updates have written the new ones: costs, clearance and penalties then change together, at the
    /// beginning of an update. Speeds change at once. Another call goes on with the types that it does not change, and
    /// begins again with the others, once; then the next update writes their costs at once. Without slices, before the
    /// first update, and for types that are added, costs are written in this call.
    ///
    /// # Errors
    /// More than [`MAX_MOVEMENT_TYPES`].
    pub fn set_movement_types(&mut self, kinds: &[MovementType]) -> Result<()> {
        if kinds.len() > MAX_MOVEMENT_TYPES {
            return Err(Error::OutOfRange {
                name: "number of movement types",
                value: kinds.len().into(),
                min: 0.into(),
                max: MAX_MOVEMENT_TYPES.into(),
            });
        }
        let default = [MovementType::default()];
        let kinds = if kinds.is_empty() { &default } else { kinds };
        let waits = self.writes_costs_in_slices();
        if !waits {
            self.take_over_next_costs(false);
        }
        if !waits || kinds.len() != self.layers.len() {
            self.settle_fields();
        }
        for (index, kind) in kinds.iter().enumerate() {
            if index == self.layers.len() {
                let layer = self.new_layer(index, kind.clone());
                self.layers.push(layer);
                continue;
            }
            self.change_movement_type(index, kind);
            if !waits {
                self.take_over_costs(index);
            }
        }
        // A field of a removed type must not be used for a later type with the same index.
        let (count, scratch) = (kinds.len(), &self.builder.scratch);
        for layer in self.layers.drain(count..) {
            layer.retire(scratch);
        }
        for goal in self.goals.by_id.values_mut() {
            let removed = goal.fields.drain(count.min(goal.fields.len())..);
            removed.flatten().for_each(|slot| slot.retire(scratch));
            goal.tiled.truncate(count);
        }
        self.tiling.truncate(count);
        Ok(())
    }

    /// Changes a movement type. Unchanged costs stay, so that fields built on them stay valid; others are to be
    /// written, and so are those of all types after a large edit.
    fn change_movement_type(&mut self, index: usize, kind: &MovementType) {
        let layer = &mut self.layers[index];
        let known = layer.next.take();
        if layer.kind.has_costs_of(kind) && self.former.is_none() {
            layer.kind = kind.clone();
            self.builder.scratch.retire_next(known);
            return;
        }
        layer.kind = layer.kind.clone().with_speeds_of(kind);
        layer.next = Some(match known {
            Some(known) if known.kind.has_costs_of(kind) => known.with_kind(kind.clone()),
            known => {
                let next = NextCosts::instead_of(known.as_ref(), kind.clone(), &self.grid);
                self.builder.scratch.retire_next(known);
                next
            }
        });
    }

    /// Writes next costs of movement types for a `budget` of cells, which it reduces. Edits must be applied.
    pub(super) fn write_next_costs(&mut self, budget: &mut usize) {
        let mut layers = std::mem::take(&mut self.layers);
        for (movement, layer) in layers.iter_mut().enumerate() {
            if let Some(next) = &mut layer.next {
                next.advance(self.sources(), movement, budget);
            }
        }
        self.layers = layers;
    }

    /// Whether costs that are to change now would be written in slices. Nothing has used the costs of a world without
    /// updates.
    pub(super) fn writes_costs_in_slices(&self) -> bool {
        self.is_sliced() && self.tick() > 0
    }

    /// Whether the costs in use are not the newest ones, because those of changed movement types or of a large edit are
    /// not complete ([`Self::set_update_cells`]), or wait for the next update.
    #[must_use]
    pub fn has_next_costs(&self) -> bool {
        self.layers.iter().any(|layer| layer.next.is_some())
    }

    /// Takes complete costs of movement types into use, as if the types had been set now. With `at_once`, or where
    /// nothing is done in slices any more, all are completed.
    pub(super) fn take_over_next_costs(&mut self, at_once: bool) {
        let at_once = at_once || !self.is_sliced();
        let is_due = |layer: &MovementLayer| {
            let next = layer.next.as_ref();
            next.is_some_and(|next| at_once || next.is_complete(&self.grid))
        };
        let due = self.layers.iter().enumerate();
        let due: Vec<usize> = due
            .filter_map(|(index, layer)| is_due(layer).then_some(index))
            .collect();
        // The costs in use are all those of one terrain.
        let waits = self.former.is_some() && due.len() < self.layers.len();
        if due.is_empty() || waits {
            return;
        }
        self.settle_fields();
        self.refresh_costs();
        for index in due {
            self.take_over_costs(index);
        }
        if let Some(former) = self.former.take().and_then(Arc::into_inner) {
            former
                .terrain
                .retire(&mut self.builder.scratch.retired.lock());
        }
        self.builder.news.surcharges = true;
    }

    /// Takes the next costs of a movement type into use, if there are any.
    fn take_over_costs(&mut self, index: usize) {
        let Some(next) = self.layers[index].next.take() else {
            return;
        };
        self.begin_first_field_again(index);
        let kind = next.kind.clone();
        let costs = next.finish(self.sources(), index);
        self.last_revision += 1;
        let layer = MovementLayer::new(kind, costs, self.last_revision);
        let is_sliced = self.is_sliced();
        let slot = &mut self.layers[index];
        let before = std::mem::replace(slot, layer);
        if is_sliced {
            slot.keep_before(before, &self.builder.scratch);
        }
    }

    /// How many movement types there are, at least one.
    #[must_use]
    pub fn movement_type_count(&self) -> usize {
        self.layers.len()
    }

    /// Checks the index of a movement type.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn check_movement(&self, movement: i64) -> Result<usize> {
        match usize::try_from(movement) {
            Ok(index) if index < self.layers.len() => Ok(index),
            _ => Err(Error::OutOfRange {
                name: "movement_type",
                value: movement.into(),
                min: 0.into(),
                max: (self.layers.len() - 1).into(),
            }),
        }
    }

    /// The most restrictive of the movement types `among` that enters no cell which `own` cannot enter, by
    /// [`MovementType::is_as_restrictive_as`]; the first of several (Emerson, Game AI Pro, 23.11). An agent of type
    /// `own` can follow its fields. It is `own` itself if there is no other.
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn most_restrictive(&self, own: usize, among: impl Iterator<Item = usize>) -> usize {
        among.fold(own, |best, other| {
            let kind = |index: usize| &self.layers[index].kind;
            let (stricter, laxer) = (
                kind(other).is_as_restrictive_as(kind(best)),
                kind(best).is_as_restrictive_as(kind(other)),
            );
            if stricter && (!laxer || other < best) {
                other
            } else {
                best
            }
        })
    }
}
