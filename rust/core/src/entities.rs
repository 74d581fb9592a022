//! Entity buckets: find a game's own objects near a point (system A: EntityAdd, EntityDel and the entity half of
//! GetIDSandCloseWall).
//!
//! Entities are objects such as players, pick-ups and towers, with ids that the game chooses. Swarm agents have buckets
//! of their own, which are much faster.
//!
//! - Each entity is in the bucket of its cell. Empty buckets take no memory.
//! - Lists of entities are sorted by id, so they do not depend on the order of hash maps.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::grid::{CellRect, Grid};
use glam::Vec2;
use std::collections::HashMap;

/// Entities by position. Adding, moving and removing one takes time linear in the entities of its cell.
#[derive(Debug, Clone, Default)]
pub struct EntityBuckets {
    /// The index of each id in `entities`.
    slot: HashMap<i64, usize>,
    entities: Vec<(i64, Vec2)>,
    /// Ids by the row-major index of their cell; empty buckets are removed.
    buckets: HashMap<usize, Vec<i64>>,
}

impl EntityBuckets {
    /// Adds an entity at a position in world units.
    ///
    /// # Errors
    /// [`Error::DuplicateId`] if the id is in use, [`Error::NotFinite`], or [`Error::PositionOutside`].
    pub fn register(&mut self, grid: &Grid, id: i64, position: Vec2) -> Result<()> {
        let cell = grid.check_position("position", position)?;
        if self.slot.contains_key(&id) {
            return Err(Error::DuplicateId { name: "entity", id });
        }
        self.slot.insert(id, self.entities.len());
        self.entities.push((id, position));
        self.buckets.entry(grid.index(cell)).or_default().push(id);
        Ok(())
    }

    /// Moves an entity to a position in world units.
    ///
    /// # Errors
    /// [`Error::UnknownId`], [`Error::NotFinite`], or [`Error::PositionOutside`].
    pub fn relocate(&mut self, grid: &Grid, id: i64, position: Vec2) -> Result<()> {
        let slot = self.find(id)?;
        let cell = grid.check_position("position", position)?;
        let (from, to) = (grid.cell_at(self.entities[slot].1), cell);
        self.entities[slot].1 = position;
        if from != to {
            self.remove_from_bucket(grid.index(from), id);
            self.buckets.entry(grid.index(to)).or_default().push(id);
        }
        Ok(())
    }

    /// Removes an entity.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn unregister(&mut self, grid: &Grid, id: i64) -> Result<()> {
        let slot = self.find(id)?;
        let (_, position) = self.entities.swap_remove(slot);
        self.slot.remove(&id);
        if let Some(&(moved, _)) = self.entities.get(slot) {
            self.slot.insert(moved, slot);
        }
        self.remove_from_bucket(grid.index(grid.cell_at(position)), id);
        Ok(())
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        self.entities.write(out);
    }

    /// Reads what [`Self::write`] has written for this grid.
    pub(crate) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut buckets = Self::default();
        for (id, position) in Vec::<(i64, Vec2)>::read(input)? {
            let registered = buckets.register(grid, id, position);
            registered.map_err(|_| input.bad("it has an entity that makes no sense"))?;
        }
        Ok(buckets)
    }

    fn remove_from_bucket(&mut self, bucket: usize, id: i64) {
        if let Some(ids) = self.buckets.get_mut(&bucket) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.buckets.remove(&bucket);
            }
        }
    }

    fn find(&self, id: i64) -> Result<usize> {
        self.slot
            .get(&id)
            .copied()
            .ok_or(Error::UnknownId { name: "entity", id })
    }

    /// The position of an entity in world units.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn position(&self, id: i64) -> Result<Vec2> {
        Ok(self.entities[self.find(id)?].1)
    }

    /// The number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The ids of all entities at most `radius` world units from `center`, in ascending order. Empty if `center` is not
    /// finite, or if `radius` is negative or NaN.
    ///
    /// Takes time linear in the cells within the radius or in the entities, whichever are fewer.
    #[must_use]
    pub fn near(&self, grid: &Grid, center: Vec2, radius: f32) -> Vec<i64> {
        if !center.is_finite() || radius.is_nan() || radius < 0.0 {
            return Vec::new();
        }
        let reach = Vec2::splat(radius);
        let area = CellRect {
            low: grid.cell_at(center - reach),
            high: grid
                .cell_at(center + reach)
                .saturating_add(glam::IVec2::ONE),
        }
        .intersection(&grid.cells());
        if area.is_empty() {
            return Vec::new();
        }
        let is_near = |position: Vec2| position.distance_squared(center) <= radius * radius;
        let span = area.high - area.low;
        let mut found: Vec<i64> = if span.x as usize * span.y as usize > self.entities.len() {
            let all = self.entities.iter();
            all.filter(|entity| is_near(entity.1))
                .map(|entity| entity.0)
                .collect()
        } else {
            (area.low.y..area.high.y)
                .flat_map(|y| (area.low.x..area.high.x).map(move |x| glam::IVec2::new(x, y)))
                .filter_map(|cell| self.buckets.get(&grid.index(cell)))
                .flatten()
                .copied()
                .filter(|id| is_near(self.entities[self.slot[id]].1))
                .collect()
        };
        found.sort_unstable();
        found
    }

    /// Replaces each position by `moved` of it. [`Self::rebucket`] must follow.
    pub(crate) fn move_all(&mut self, moved: impl Fn(Vec2) -> Vec2) {
        for (_, position) in &mut self.entities {
            *position = moved(*position);
        }
    }

    /// Sorts all entities into the cells of another grid. Entities outside that grid are removed; their ids are
    /// returned in ascending order.
    pub fn rebucket(&mut self, grid: &Grid) -> Vec<i64> {
        let entities = std::mem::take(&mut self.entities);
        self.slot.clear();
        self.buckets.clear();
        let mut lost: Vec<i64> = entities
            .into_iter()
            .filter(|&(id, position)| self.register(grid, id, position).is_err())
            .map(|(id, _)| id)
            .collect();
        lost.sort_unstable();
        lost
    }
}
