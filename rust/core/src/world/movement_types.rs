//! Movement types: replaces them, at once or with costs that are written in slices.

use crate::error::{Error, Result};
use crate::movement::MovementType;
use crate::world::FlowWorld;
use crate::world::movement_layer::MovementLayer;
use crate::world::next_costs::{CostSources, NextCosts};

/// The most movement types of a world.
pub const MAX_MOVEMENT_TYPES: usize = 64;

impl FlowWorld {
    /// Replaces the movement types; an empty list stands for the default type alone.
    ///
    /// On maps that are worked on in slices ([`Self::set_update_cells`]), a type whose costs have changed keeps the old ones
    /// in use until updates have written the new ones: costs, clearance and penalties then change together, at the
    /// beginning of an update. Speeds change at once. Another call goes on with the types that it does not change, and begins
    /// again with the others. Without slices, before the first update, and for types that are added, costs are written
    /// in this call.
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
        // Nothing has used the costs of a world without updates.
        let waits = self.is_sliced() && self.tick() > 0;
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
        let count = kinds.len();
        self.layers.truncate(count);
        for goal in self.goals.by_id.values_mut() {
            goal.fields.truncate(count);
            goal.tiled.truncate(count);
        }
        self.tiling.truncate(count);
        Ok(())
    }

    /// Changes a movement type. Unchanged costs stay, so that fields built on them stay valid; others are to be written.
    fn change_movement_type(&mut self, index: usize, kind: &MovementType) {
        let layer = &mut self.layers[index];
        let known = layer.next.take();
        if layer.kind.has_costs_of(kind) {
            layer.kind = kind.clone();
            self.builder.scratch.retire_next(known);
            return;
        }
        layer.kind = layer.kind.clone().with_speeds_of(kind);
        layer.next = Some(match known {
            Some(known) if known.kind.has_costs_of(kind) => known.with_kind(kind.clone()),
            known => {
                self.builder.scratch.retire_next(known);
                NextCosts::with_rows(kind.clone(), 0)
            }
        });
    }

    /// Writes costs of changed movement types for a `budget` of cells, which it reduces. Edits must be applied.
    pub(super) fn write_next_costs(&mut self, budget: &mut usize) {
        let sources = CostSources {
            grid: &self.grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        };
        for (movement, layer) in self.layers.iter_mut().enumerate() {
            if let Some(next) = &mut layer.next {
                next.advance(sources, movement, budget);
            }
        }
    }

    /// Whether costs of changed movement types are not complete, or wait for the next update.
    pub(super) fn has_next_costs(&self) -> bool {
        self.layers.iter().any(|layer| layer.next.is_some())
    }

    /// Takes complete costs of movement types into use, as if the types had been set now. Where nothing is done in slices any
    /// more, all are completed.
    pub(super) fn take_over_next_costs(&mut self) {
        let is_sliced = self.is_sliced();
        let is_due = |layer: &MovementLayer| {
            let next = layer.next.as_ref();
            next.is_some_and(|next| !is_sliced || next.is_complete(&self.grid))
        };
        let due = self.layers.iter().enumerate();
        let due: Vec<usize> = due
            .filter_map(|(index, layer)| is_due(layer).then_some(index))
            .collect();
        if due.is_empty() {
            return;
        }
        self.settle_fields();
        self.refresh_costs();
        for index in due {
            self.take_over_costs(index);
        }
    }

    /// Takes the next costs of a movement type into use, if there are any.
    fn take_over_costs(&mut self, index: usize) {
        let Some(next) = self.layers[index].next.take() else {
            return;
        };
        self.begin_first_field_again(index);
        let sources = CostSources {
            grid: &self.grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        };
        let kind = next.kind.clone();
        let costs = next.finish(sources, index);
        self.last_revision += 1;
        let layer = MovementLayer::new(kind, costs, self.last_revision);
        let is_sliced = self.is_sliced();
        let slot = &mut self.layers[index];
        let before = std::mem::replace(slot, layer);
        if is_sliced {
            slot.keep_before(before);
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
