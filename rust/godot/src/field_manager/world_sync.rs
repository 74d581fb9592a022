//! Applies the node's properties to the core's world.
//!
//! Setters run before the node is ready and on hot reload, so they only store values. The world is created, and updated
//! from the properties, when it is first used.

use super::FlowFieldManager;
use crate::convert::{f32_from, ivec2, vec2};
use crate::flow_movement_type::default_movement_type;
use crate::flow_terrain::FlowTerrain;
use crate::flow_terrain_set::FlowTerrainSet;
use crate::properties::{HandedOver, Properties};
use crate::report::{OrRefuse, refuse};
use crate::resources::{self, Seen, SeenResources};
use flow_swarm::error::Result;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, MAX_CLEARANCE, MovementType};
use flow_swarm::route::{MAX_SECTOR_SIZE, MIN_SECTOR_SIZE};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, LeftOut};
use flow_swarm::{IVec2, Vec2};
use godot::prelude::*;
use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::time::Instant;

/// The greatest limit of tiles, routes or cells for a physics frame.
pub(super) const MOST_IN_A_FRAME: i64 = u32::MAX as i64;
pub(super) const SECTOR_SIZES: RangeInclusive<i64> =
    MIN_SECTOR_SIZE as i64..=MAX_SECTOR_SIZE as i64;

/// The world, and the state of the properties when they were last applied to it.
#[derive(Default)]
pub(super) struct WorldSync {
    world: Option<Box<FlowWorld>>,
    refused_grid: Option<(Vector2i, f64, Vector2, i64)>,
    terrain: Seen,
    layer_terrains: Vec<Seen>,
    movement_types: SeenResources,
    terrain_set: Seen,
    terrain_kinds: SeenResources,
    /// The cell size for which clearances were last computed.
    cell_size: Option<f64>,
    threads: Option<i64>,
}

/// The calls that frames make by themselves. They report an invalid grid once; other calls report it every time.
const EVERY_FRAME: [&str; 4] = [
    "FlowFieldManager.update",
    "EnemySwarm.step",
    "EnemySwarm.interpolate",
    // Called by the debug view.
    "FlowFieldManager.get_bounds",
];

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn clock() -> f64 {
    START.elapsed().as_secs_f64()
}

impl FlowFieldManager {
    /// The grid that the properties describe.
    pub(super) fn grid(&self) -> Result<Grid> {
        Grid::layered(
            ivec2(self.grid_size),
            f32_from(self.cell_size),
            vec2(self.origin),
            u32::try_from(self.layer_count).unwrap_or_default(),
        )
    }

    /// The world, in line with all properties. If the grid is invalid, reports it in the name of `method` and returns
    /// `None`.
    pub(crate) fn world(&mut self, method: &str) -> Option<&mut FlowWorld> {
        self.sync_grid(method)?;
        self.sync_threads(method);
        self.sync_terrain(method);
        self.sync_layer_terrains(method);
        self.sync_movement_types(method);
        let mut world = self.sync.world.take()?;
        self.hand_over(&mut world).or_refuse(method);
        Some(self.sync.world.insert(world))
    }

    /// The world, as of the last call of [`Self::world`].
    pub(crate) fn world_ref(&self) -> Option<&FlowWorld> {
        self.sync.world.as_deref()
    }

    fn sync_grid(&mut self, method: &str) -> Option<()> {
        let wanted = (
            self.grid_size,
            self.cell_size,
            self.origin,
            self.layer_count,
        );
        let grid = match self.grid() {
            Ok(grid) => grid,
            Err(error) => {
                let is_known = self.sync.refused_grid == Some(wanted);
                if !(is_known && EVERY_FRAME.contains(&method)) {
                    self.sync.refused_grid = Some(wanted);
                    refuse(method, error);
                }
                return None;
            }
        };
        self.sync.refused_grid = None;
        let Some(world) = &mut self.sync.world else {
            let mut world = FlowWorld::new(grid, Workers::serial());
            world.set_clock(clock);
            self.sync.world = Some(Box::new(world));
            return Some(());
        };
        if *world.grid() != grid {
            let LeftOut {
                goals,
                entities,
                stamps,
                links,
                overlays,
            } = world.set_grid(grid);
            // The whole terrain is read again, as the grid has changed.
            self.sync.terrain = None;
            self.sync.layer_terrains.clear();
            if !links.is_empty() {
                let links: Vec<i64> = links.into_iter().map(|link| link.0).collect();
                let reason = format_args!("links {links:?} were not inside the new grid");
                refuse(method, reason);
            }
            if !goals.is_empty() {
                let goals: Vec<i64> = goals.into_iter().map(|goal| goal.0).collect();
                let reason = format_args!("goals {goals:?} had targets outside the new grid");
                refuse(method, reason);
            }
            if !stamps.is_empty() {
                let stamps: Vec<i64> = stamps.into_iter().map(|stamp| stamp.0).collect();
                let reason = format_args!("stamps {stamps:?} were not inside the new grid");
                refuse(method, reason);
            }
            if !overlays.is_empty() {
                let overlays: Vec<i64> = overlays.into_iter().map(|overlay| overlay.0).collect();
                let reason = format_args!("cost overlays {overlays:?} were outside the new grid");
                refuse(method, reason);
            }
            if !entities.is_empty() {
                let reason = format_args!("entities {entities:?} were outside the new grid");
                refuse(method, reason);
            }
        }
        Some(())
    }

    fn sync_threads(&mut self, method: &str) {
        if self.sync.threads == Some(self.worker_threads) {
            return;
        }
        self.sync.threads = Some(self.worker_threads);
        let threads = usize::try_from(self.worker_threads).unwrap_or_default();
        if let Some(workers) = Workers::new(threads).or_refuse(method)
            && let Some(world) = &mut self.sync.world
        {
            world.set_workers(workers);
        }
    }

    fn sync_terrain(&mut self, method: &str) {
        let Some(resource) = &self.terrain else {
            self.sync.terrain = None;
            return;
        };
        let seen = Some(resources::seen(resource));
        if self.sync.terrain == seen {
            return;
        }
        let before = std::mem::replace(&mut self.sync.terrain, seen);
        let resource = resource.clone();
        self.paint_layer(method, 0, &resource, before, "terrain");
    }

    fn sync_layer_terrains(&mut self, method: &str) {
        let terrains = self.layer_terrains.objects();
        let now = |terrain: Option<Gd<FlowTerrain>>| terrain.as_ref().map(resources::seen);
        self.sync
            .layer_terrains
            .resize(terrains.len(), Seen::default());
        for (index, terrain) in terrains.iter_shared().enumerate() {
            let seen = now(terrain.clone());
            if self.sync.layer_terrains[index] == seen {
                continue;
            }
            let before = std::mem::replace(&mut self.sync.layer_terrains[index], seen);
            if let Some(terrain) = terrain {
                let name = format!("layer_terrains[{index}]");
                self.paint_layer(method, index as i64 + 1, &terrain, before, &name);
            }
        }
    }

    /// Sets the terrain of a layer to that of a resource from the property `name`: what has changed in it since it was
    /// last read, or everything.
    fn paint_layer(
        &mut self,
        method: &str,
        layer: i64,
        terrain: &Gd<FlowTerrain>,
        before: Seen,
        name: &str,
    ) {
        let known = before.filter(|(id, _)| *id == terrain.instance_id());
        resources::with(terrain, |terrain| {
            if terrain.size() != self.grid_size {
                let (size, grid) = (terrain.size(), self.grid_size);
                let reason = format_args!("{name} has the size {size}, the grid {grid}");
                refuse(method, reason);
            } else if let Some(world) = &mut self.sync.world {
                let changed = known.and_then(|(_, revision)| terrain.changed_since(revision));
                let painted = match changed {
                    Some(mut rects) => {
                        rects.try_for_each(|rect| paint_part(world, layer, terrain, rect))
                    }
                    None => world.set_layer_bytes(layer, terrain.bytes()),
                };
                painted.or_refuse(method);
            }
        });
    }

    fn sync_movement_types(&mut self, method: &str) {
        // Clearance is in world units here, and in cells in the core.
        let rescaled = self.sync.cell_size.replace(self.cell_size) != Some(self.cell_size);
        let types = self.movement_types.objects();
        let other_types = self.sync.movement_types.update(&types);
        if !self.sync_terrain_set() && !other_types && !rescaled {
            return;
        }
        let rules = |name: &str| match &self.terrain_set {
            Some(set) => resources::with(set, |set| set.rules(&StringName::from(name))),
            None => Vec::new(),
        };
        let mut kinds: Vec<MovementType> = types
            .iter_shared()
            .map(|kind| {
                let Some(kind) = kind else {
                    return default_movement_type(&rules(""));
                };
                let rules = rules(&kind.get_name().to_string());
                let (movement, radius) = resources::with(&kind, |kind| {
                    (kind.movement_type_on(&rules), kind.clearance_radius())
                });
                // For agents beyond the greatest clearance, the greatest clearance is used.
                let clearance = Clearance::new(f32_from(radius / self.cell_size)).or_refuse(method);
                let most = || Clearance::new(MAX_CLEARANCE).unwrap_or_default();
                movement.with_clearance(clearance.unwrap_or_else(most))
            })
            .collect();
        if kinds.is_empty() {
            kinds.push(default_movement_type(&rules("")));
        }
        if let Some(world) = &mut self.sync.world {
            world.set_movement_types(&kinds).or_refuse(method);
        }
    }
}

/// Sets the terrain of a rectangle of a layer to that of a resource.
fn paint_part(
    world: &mut FlowWorld,
    layer: i64,
    terrain: &FlowTerrain,
    rect: CellRect,
) -> Result<()> {
    let layers = world.grid().layers();
    let first = layers.cells(layers.check(layer)?, world.grid().width()).low;
    let places = CellRect {
        low: rect.low + first,
        high: rect.high + first,
    };
    world.set_terrain_block(places, &terrain.region_bytes(rect))
}

impl FlowFieldManager {
    /// Whether the terrain set, or a kind in it, has changed since the last call.
    fn sync_terrain_set(&mut self) -> bool {
        let set = self.terrain_set.as_ref();
        let kinds = set.map(|set| resources::with(set, FlowTerrainSet::entries));
        let seen = set.map(resources::seen);
        let other_kinds = self.sync.terrain_kinds.update(&kinds.unwrap_or_default());
        std::mem::replace(&mut self.sync.terrain_set, seen) != seen || other_kinds
    }
}

impl Properties for FlowFieldManager {
    fn check(&self) -> HandedOver {
        // Ranges do not depend on the world, so a small world suffices; the node's own may not exist yet.
        let cell = Grid::new(IVec2::ONE, 1.0, Vec2::ZERO)?;
        self.hand_over(&mut FlowWorld::new(cell, Workers::serial()))
    }
}

pub(super) fn seconds_from(milliseconds: f64) -> std::result::Result<f64, String> {
    if milliseconds < 0.0 || !milliseconds.is_finite() {
        return Err(format!(
            "must be a finite number of at least 0, not {milliseconds}"
        ));
    }
    Ok(if milliseconds > 0.0 {
        milliseconds / 1000.0
    } else {
        f64::INFINITY
    })
}
