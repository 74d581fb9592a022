//! The facade of the field side: terrain, movement types, goals and their fields.
//!
//! Edits take effect at once on the terrain and mark what depends on it; costs
//! and fields follow in [`FlowWorld::update`], or before that in the first query
//! that needs them. With a background, queries and agents are served the last
//! finished field until the next one is swapped in whole, by `update` or by a
//! query, and never while a swarm steps.

mod fields;
mod goals;
mod queries;

pub use fields::{Clock, Field, Update};
pub use goals::GoalId;
pub use queries::QueryStatus;

use crate::entities::EntityBuckets;
use crate::error::{Error, Result};
use crate::flow::DirectionRule;
use crate::grid::{CellRect, Grid};
use crate::movement::{CostField, Islands, MovementType};
use crate::terrain::Terrain;
use crate::workers::Workers;
use fields::Builder;
use glam::IVec2;
use goals::Goals;
use std::sync::Arc;

/// The most movement types of a world.
pub const MAX_MOVEMENT_TYPES: usize = 64;

/// A movement type with what has been derived from the terrain for it.
#[derive(Debug)]
struct MovementLayer {
    kind: MovementType,
    costs: Arc<CostField>,
    /// Numbers the state of `costs`; no other state of any layer ever has the same.
    revision: u64,
    islands: Option<(u64, Islands)>,
}

/// Terrain, movement types, goals, fields and entity buckets on one grid.
#[derive(Debug)]
pub struct FlowWorld {
    grid: Grid,
    terrain: Terrain,
    /// Counts the changes of the grid.
    layout: u64,
    /// Where the terrain has changed since the costs were made.
    dirty: Option<CellRect>,
    layers: Vec<MovementLayer>,
    /// The last number given to a layer's costs.
    last_revision: u64,
    goals: Goals,
    rule: DirectionRule,
    builder: Builder,
    /// The buckets for the game's own entities.
    pub entities: EntityBuckets,
    workers: Workers,
}

impl FlowWorld {
    /// A world of clear ground with the default movement type and no goals.
    #[must_use]
    pub fn new(grid: Grid, workers: Workers) -> Self {
        let terrain = Terrain::new(&grid);
        let mut world = Self {
            grid,
            terrain,
            layout: 0,
            dirty: None,
            layers: Vec::new(),
            last_revision: 0,
            goals: Goals::default(),
            rule: DirectionRule::default(),
            builder: Builder::default(),
            entities: EntityBuckets::default(),
            workers,
        };
        world.layers = vec![world.new_layer(MovementType::default())];
        world
    }

    fn new_layer(&mut self, kind: MovementType) -> MovementLayer {
        let costs = Arc::new(CostField::new(&self.grid, &self.terrain, &kind));
        self.last_revision += 1;
        MovementLayer {
            kind,
            costs,
            revision: self.last_revision,
            islands: None,
        }
    }

    /// The grid.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Lays the world out on another grid. Cells that both have keep their terrain, goals and
    /// entities those of their positions that are in the new grid.
    ///
    /// Returns the goals that lost targets and the entities that were removed, both ascending.
    pub fn set_grid(&mut self, grid: Grid) -> (Vec<GoalId>, Vec<i64>) {
        if grid == self.grid {
            return Default::default();
        }
        let old = std::mem::replace(&mut self.terrain, Terrain::new(&grid));
        self.terrain.copy_common(&old);
        self.grid = grid;
        self.layout += 1;
        self.dirty = None;
        for index in 0..self.layers.len() {
            let kind = self.layers[index].kind.clone();
            self.layers[index] = self.new_layer(kind);
        }
        let mut bereft = Vec::new();
        for (&id, goal) in &mut self.goals.by_id {
            if goal.lay_out(&grid) {
                bereft.push(id);
            }
        }
        (bereft, self.entities.rebucket(&grid))
    }

    /// The threads that work for this world and its swarms.
    #[must_use]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Replaces the threads; waits for what the old ones are doing.
    pub fn set_workers(&mut self, workers: Workers) {
        self.workers = workers;
    }

    /// How directions follow from costs. Takes effect with the next update.
    pub fn set_direction_rule(&mut self, rule: DirectionRule) {
        self.rule = rule;
    }

    /// Whether fields are built by the workers while the old ones stay in use.
    ///
    /// The tick in which a field is swapped in then depends on the machine's speed: leave it off
    /// where runs must repeat exactly.
    pub fn set_background(&mut self, background: bool) {
        self.builder.set_background(background);
    }

    /// The terrain.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Sets the terrain of one cell.
    ///
    /// # Errors
    /// [`Error::CellOutside`].
    pub fn set_terrain(&mut self, cell: IVec2, id: u8) -> Result<()> {
        if self.terrain.set(cell, id)? {
            self.mark(CellRect::cell(cell));
        }
        Ok(())
    }

    /// Sets the terrain of a rectangle of cells.
    ///
    /// # Errors
    /// [`Error::CellOutside`] if any part of it is outside; nothing is changed then.
    pub fn set_terrain_rect(&mut self, rect: CellRect, id: u8) -> Result<()> {
        self.terrain.fill_rect(rect, id)?;
        if !rect.is_empty() {
            self.mark(rect);
        }
        Ok(())
    }

    /// Replaces the whole terrain by one id per cell, row-major.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn set_terrain_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.terrain.set_bytes(bytes)?;
        self.mark(self.grid.cells());
        Ok(())
    }

    /// Replaces the terrain of a rectangle of cells by one id per cell of it, row-major.
    ///
    /// Only the cells that come out different count as changed.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::CellOutside`] if any part of it is outside; nothing is
    /// changed then.
    pub fn set_terrain_block(&mut self, rect: CellRect, bytes: &[u8]) -> Result<()> {
        let size = rect.high.saturating_sub(rect.low).max(IVec2::ZERO);
        let size = size.as_usizevec2();
        let (columns, cell_count) = (size.x, size.x * size.y);
        if bytes.len() != cell_count {
            return Err(Error::Length {
                name: "terrain",
                expected: cell_count,
                actual: bytes.len(),
            });
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.grid.check_cell(rect.low)?;
        self.grid.check_cell(rect.high - IVec2::ONE)?;
        for (y, row) in (rect.low.y..).zip(bytes.chunks(columns)) {
            for (x, &id) in (rect.low.x..).zip(row) {
                self.set_terrain(IVec2::new(x, y), id)?;
            }
        }
        Ok(())
    }

    /// The terrain of a rectangle of cells, row-major.
    ///
    /// # Errors
    /// [`Error::CellOutside`] if any part of it is outside.
    pub fn terrain_block(&self, rect: CellRect) -> Result<Vec<u8>> {
        if rect.is_empty() {
            return Ok(Vec::new());
        }
        self.grid.check_cell(rect.low)?;
        self.grid.check_cell(rect.high - IVec2::ONE)?;
        let size = (rect.high - rect.low).as_usizevec2();
        let mut bytes = vec![0; size.x * size.y];
        for (y, row) in (rect.low.y..).zip(bytes.chunks_mut(size.x)) {
            self.terrain.copy_row(y as usize, rect.low.x as usize, row);
        }
        Ok(bytes)
    }

    fn mark(&mut self, rect: CellRect) {
        self.dirty = Some(self.dirty.map_or(rect, |dirty| dirty.union(&rect)));
    }

    /// Replaces the movement types; an empty list stands for the default type alone.
    ///
    /// # Errors
    /// More than [`MAX_MOVEMENT_TYPES`].
    pub fn set_movement_types(&mut self, kinds: &[MovementType]) -> Result<()> {
        if kinds.len() > MAX_MOVEMENT_TYPES {
            return Err(Error::OutOfRange {
                name: "number of movement types",
                value: kinds.len() as f64,
                min: 0.0,
                max: MAX_MOVEMENT_TYPES as f64,
            });
        }
        let default = [MovementType::default()];
        let kinds = if kinds.is_empty() { &default } else { kinds };
        // Unchanged types keep their costs, so that fields built on them stay valid.
        let mut old: Vec<Option<MovementLayer>> = std::mem::take(&mut self.layers)
            .into_iter()
            .map(Some)
            .collect();
        self.layers = kinds
            .iter()
            .enumerate()
            .map(
                |(index, kind)| match old.get_mut(index).and_then(Option::take) {
                    Some(layer) if layer.kind == *kind => layer,
                    _ => self.new_layer(kind.clone()),
                },
            )
            .collect();
        // A field of a type that is gone must not come back with a later type at its place.
        let count = self.layers.len();
        for goal in self.goals.by_id.values_mut() {
            goal.fields.truncate(count);
        }
        Ok(())
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
                value: movement as f64,
                min: 0.0,
                max: (self.layers.len() - 1) as f64,
            }),
        }
    }

    /// The costs of a movement type, as of the last update.
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn costs(&self, movement: usize) -> &CostField {
        &self.layers[movement].costs
    }

    /// Brings all costs up to date with the terrain and says where the terrain had changed.
    fn update_costs(&mut self) -> Option<CellRect> {
        let changed = self.dirty.take()?;
        for layer in &mut self.layers {
            // Copies the costs only if a background job still reads them.
            let costs = Arc::make_mut(&mut layer.costs);
            costs.update(&self.terrain, &layer.kind, changed);
            self.last_revision += 1;
            layer.revision = self.last_revision;
        }
        Some(changed)
    }
}
