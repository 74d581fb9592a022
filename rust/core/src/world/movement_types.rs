//! Movement types: replaces them, at once or with costs that are written in slices.

use crate::error::{Error, Result};
use crate::movement::{Changes, MovementType};
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
    /// beginning of an update. Speeds change at once. A type that changes again meanwhile has the costs first that are
    /// being written, and then the newest ones. A type that is added has the costs of the first one until its own are
    /// written; fields and portal graphs that are built in slices wait for them. Without slices, and before the first
    /// update, costs are written in this call.
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
                let layer = match waits {
                    true => self.layer_like_the_first(index, kind.clone()),
                    false => self.new_layer(index, kind.clone()),
                };
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
    /// written.
    fn change_movement_type(&mut self, index: usize, kind: &MovementType) {
        let layer = &mut self.layers[index];
        layer.newest_kind = kind.clone();
        layer.kind = layer.kind.clone().with_speeds_of(kind);
        if layer.kind.has_costs_of(kind) && self.former.in_use.is_none() {
            self.builder.scratch.retire_next(layer.next.take());
            return;
        }
        if !layer.next.as_ref().is_some_and(NextCosts::are_begun) {
            let next = NextCosts::begin(kind.clone());
            layer.next = Some(match layer.awaits_first_costs() {
                true => next.into_first_ones(),
                false => next,
            });
        }
    }

    /// A movement type with the costs that the first one has in use. The two share all blocks, but not the arrays of
    /// whole maps, which the next edit would have to copy.
    fn layer_like_the_first(&mut self, index: usize, newest_kind: MovementType) -> MovementLayer {
        self.refresh_costs();
        let first = &self.layers[0];
        let kind = first.kind.clone().with_speeds_of(&newest_kind);
        let mut costs = first.kept.keep(&first.costs);
        let surcharges = (self.surcharges).in_rows(self.grid.cells(), index, &kind);
        if costs.is_changed_by(&surcharges) {
            Arc::make_mut(&mut costs).lay_surcharges(&surcharges);
        }
        let next = NextCosts::begin(newest_kind.clone()).into_first_ones();
        let is_newest = self.former.in_use.is_none() && kind.has_costs_of(&newest_kind);
        self.last_revision += 1;
        MovementLayer {
            newest_kind,
            next: (!is_newest).then_some(next),
            ..MovementLayer::new(kind, costs, self.last_revision)
        }
    }

    /// Begins the costs of the types that were set last on the present terrain, where others are in use and none are in
    /// work.
    pub(super) fn begin_newest_costs(&mut self) {
        for layer in &mut self.layers {
            let is_newest =
                self.former.in_use.is_none() && layer.kind.has_costs_of(&layer.newest_kind);
            if layer.next.is_none() && !is_newest {
                layer.next = Some(NextCosts::begin(layer.newest_kind.clone()));
            }
        }
    }

    /// Writes next costs of movement types for a `budget` of cells, which it reduces. Edits must be applied.
    pub(super) fn write_next_costs(&mut self, budget: &mut usize) {
        let mut layers = std::mem::take(&mut self.layers);
        for (movement, layer) in layers.iter_mut().enumerate() {
            if let Some(next) = &mut layer.next {
                next.advance(self.sources_in_work(), movement, budget);
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
        !(0..self.layers.len()).all(|movement| self.has_newest_costs(movement))
    }

    /// Takes complete costs of movement types into use, as if the types had been set now, and begins those that are to
    /// follow. With `at_once`, or where nothing is done in slices any more, the newest ones are completed.
    pub(super) fn take_over_next_costs(&mut self, at_once: bool) {
        let at_once = at_once || !self.is_sliced();
        if at_once {
            self.skip_to_newest_costs();
        }
        let next = |index: &usize| self.layers[*index].next.as_ref();
        let is_due = |next: &NextCosts| at_once || next.is_complete(&self.grid);
        let in_work: Vec<usize> = (0..self.layers.len())
            .filter(|index| next(index).is_some())
            .collect();
        let due: Vec<usize> = (in_work.iter().copied())
            .filter(|index| next(index).is_some_and(is_due))
            .collect();
        let is_ready = match self.former.in_use {
            None => !due.is_empty(),
            // The costs in use are all those of one terrain.
            Some(_) => due.len() == in_work.len(),
        };
        if !is_ready {
            return;
        }
        self.settle_fields();
        self.refresh_costs();
        for index in due {
            self.take_over_costs(index);
        }
        self.former
            .take_over(&mut self.builder.scratch.retired.lock());
        self.begin_newest_costs();
        self.builder.news.surcharges = true;
    }

    /// Has the newest costs written instead of others.
    fn skip_to_newest_costs(&mut self) {
        let others_follow = self.former.skip_to_present_one();
        for layer in &mut self.layers {
            let is_newest = |next: &NextCosts| next.kind.has_costs_of(&layer.newest_kind);
            if others_follow || !layer.next.as_ref().is_none_or(is_newest) {
                self.builder.scratch.retire_next(layer.next.take());
            }
        }
        self.begin_newest_costs();
    }

    /// Takes the next costs of a movement type into use, if there are any.
    fn take_over_costs(&mut self, index: usize) {
        let Some(next) = self.layers[index].next.take() else {
            return;
        };
        self.begin_first_field_again(index);
        let newest_kind = self.layers[index].newest_kind.clone();
        let kind = next.kind.clone().with_speeds_of(&newest_kind);
        let sources = self.sources_in_work();
        let layer = &self.layers[index];
        let changes = match &self.former.in_use {
            Some(former) if layer.kind.has_costs_of(&kind) => {
                Changes::Regions(former.changes_to(sources.seams, &kind, &self.grid))
            }
            _ => Changes::anywhere(&layer.costs),
        };
        let made_from = Arc::clone(next.made_from());
        let costs = next.finish(sources, index);
        debug_assert!(changes.hold_all_of(&layer.costs, &costs));
        self.last_revision += 1;
        let (changes, keeps_past) = ((self.last_revision, changes), self.is_sliced());
        let (scratch, costs) = (&self.builder.scratch, (kind, costs, made_from));
        self.layers[index].replace_costs(costs, changes, keeps_past, scratch);
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
