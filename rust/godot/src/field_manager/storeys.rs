//! Floors above each other from the bodies of a scene.

use super::FlowFieldManager;
use super::background_bake::BackgroundBake;
use crate::convert::{vec2, vec3};
use crate::report::{OrRefuse, refuse, refuse_with_code};
use crate::resources;
use crate::source_geometry::{FlowSourceGeometry, Kinds};
use flow_swarm::error::{Result, in_range};
use flow_swarm::grid::links::{LinkId, MAX_LINKS};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::import::storeys::{Bake, Geometry, StoreyMaps, Storeys};
use flow_swarm::{IVec2, Vec2};
use godot::global::Error;
use godot::prelude::*;

/// The last bake.
#[derive(Default)]
pub(super) struct BakedStoreys {
    baked: Option<Baked>,
    /// The links that bakes have added.
    links: Vec<LinkId>,
    /// What the nodes of the last read were.
    kinds: Kinds,
}

/// Floors, and where they come from.
struct Baked {
    storeys: Storeys,
    origin: Origin,
}

/// The arguments of a bake.
#[derive(Clone)]
pub(super) struct Origin {
    root: InstanceId,
    source: Gd<FlowSourceGeometry>,
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Finds the floors of a 3D scene, also those above each other, and sets layer_count, the terrain and the heights of all layers, and the links between them. Floors are surfaces with room for agents above them that are not too steep: see the properties of FlowSourceGeometry. If `source` is `null`, a FlowSourceGeometry with default values is used.
    ///
    /// Floors of neighbouring cells are joined if their heights differ by at most agent_max_climb. Joined floors are kept on one layer as far as none is above another; the ground is on layer 0. Where a floor continues on another layer, both layers overlap by some cells, and links for both directions join them there, on which agents walk (LINK_WALK). Cells without a floor become walls (terrain id 255), and so do ledges, which are cells at the edge of a floor beside a lower floor on the same layer; other cells become clear ground, unless `source` keeps their terrain. So platforms and stairs with open sides must be at least three cells wide.
    ///
    /// Static bodies, height maps, GridMaps, CSG shapes and, if `source` asks for them, meshes are read at their positions at the time of the call. Bodies cover each cell that they enter by more than a five-hundredth of its width. Faces of meshes have a floor on the side from which they are seen. CSG shapes that were changed in the same frame may not be read yet. Links of an earlier bake are replaced, others stay. More than 64 layers are an error. After an error nothing is changed.
    ///
    /// On the workers; 2,000 bodies on 400 x 400 cells take some tenths of a second. bake_terrain_3d_async() does not wait for that.
    #[func]
    fn bake_terrain_3d(
        &mut self,
        root: Option<Gd<Node>>,
        source: Option<Gd<FlowSourceGeometry>>,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.bake_terrain_3d";
        let (bake, origin) = match self.prepare_bake(METHOD, root, source) {
            Ok(prepared) => prepared,
            Err(code) => return code,
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        match bake.finish(world.workers()) {
            Ok(Some(storeys)) => self.lay_storeys(METHOD, storeys, origin),
            Ok(None) => Error::ERR_BUG,
            Err(error) => refuse_with_code(METHOD, &error),
        }
    }

    /// Starts bake_terrain_3d() on background threads and returns. The scene is read before the call returns. The floors are put to use in the physics frame after they are found, and then bake_finished is emitted; until then get_bake_progress() and bake_progress tell how far the bake is. With worker_threads = 1 the bake is done within the call. Only one bake may run at a time.
    #[func]
    fn bake_terrain_3d_async(
        &mut self,
        root: Option<Gd<Node>>,
        source: Option<Gd<FlowSourceGeometry>>,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.bake_terrain_3d_async";
        let (bake, origin) = match self.prepare_bake(METHOD, root, source) {
            Ok(prepared) => prepared,
            Err(code) => return code,
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        self.background_bake = BackgroundBake::of_storeys(bake, origin, world.workers());
        Error::OK
    }

    /// Bakes the floors within a box again, with the nodes and the source of the last bake_terrain_3d(), after bodies there have moved, appeared or gone. Only the columns of cells that the box touches are read again, at all heights: make the box large enough for the bodies before and after the change. Floors outside stay on their layers, and floors inside too where their height has not changed. If the box needs more layers than layer_count, this is an error, and bake_terrain_3d() is needed. After an error nothing is changed.
    #[func]
    fn rebake_terrain_3d(&mut self, bounds: Aabb) -> Error {
        const METHOD: &str = "FlowFieldManager.rebake_terrain_3d";
        let Some(baked) = &self.storeys.baked else {
            refuse(METHOD, "no floors are baked: call bake_terrain_3d() before");
            return Error::ERR_UNCONFIGURED;
        };
        let origin = baked.origin.clone();
        let Some(root) = root_of(&origin) else {
            refuse(METHOD, "the root of the last bake is not in the scene tree");
            return Error::ERR_DOES_NOT_EXIST;
        };
        let grid = *baked.storeys.grid();
        let layers = baked.storeys.layer_count();
        let Some(cells) = touched_cells(&grid, bounds) else {
            let reason = format_args!("bounds must be finite and over the grid, not {bounds}");
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        if world.grid().one_layer() != grid || world.grid().layers().count() != layers {
            refuse(
                METHOD,
                "the grid has changed since the last bake_terrain_3d()",
            );
            return Error::ERR_INVALID_DATA;
        }
        let Some(geometry) =
            self.read_geometry(METHOD, &root, &origin.source, area_of(&grid, cells))
        else {
            return Error::ERR_INVALID_DATA;
        };
        let Some(mut baked) = self.storeys.baked.take() else {
            return Error::ERR_BUG;
        };
        let changed = baked.storeys.rebake(cells, &geometry);
        let code = match changed {
            Ok(changed) => match self.world(METHOD) {
                Some(world) => {
                    let maps = baked.storeys.maps(changed, world.workers());
                    self.set_storeys(METHOD, &maps, &origin)
                }
                None => Error::ERR_UNCONFIGURED,
            },
            Err(error) => refuse_with_code(METHOD, &error),
        };
        self.storeys.baked = Some(baked);
        code
    }
}

impl FlowFieldManager {
    /// Reads the scene. After a report, the error code.
    fn prepare_bake(
        &mut self,
        method: &str,
        root: Option<Gd<Node>>,
        source: Option<Gd<FlowSourceGeometry>>,
    ) -> std::result::Result<(Bake, Origin), Error> {
        let Some(root) = root.filter(|root| root.is_inside_tree()) else {
            refuse(method, "root must be a node in the scene tree");
            return Err(Error::ERR_INVALID_PARAMETER);
        };
        if !self.background_bake.may_start(method) {
            return Err(Error::ERR_BUSY);
        }
        let Some(world) = self.world(method) else {
            return Err(Error::ERR_UNCONFIGURED);
        };
        let grid = world.grid().one_layer();
        let source = source.unwrap_or_else(FlowSourceGeometry::new_gd);
        let settings = resources::with(&source, FlowSourceGeometry::storey_settings);
        settings
            .check()
            .map_err(|error| refuse_with_code(method, &error))?;
        let area = area_of(&grid, grid.cells());
        let geometry = self
            .read_geometry(method, &root, &source, area)
            .ok_or(Error::ERR_INVALID_DATA)?;
        let origin = Origin {
            root: root.instance_id(),
            source,
        };
        let bake = Bake::new(&grid, geometry, settings);
        let bake = bake.map_err(|error| refuse_with_code(method, &error))?;
        Ok((bake, origin))
    }

    /// The bodies of all selected nodes in a rectangle; `None` after a report.
    fn read_geometry(
        &mut self,
        method: &str,
        root: &Gd<Node>,
        source: &Gd<FlowSourceGeometry>,
        area: (Vec2, Vec2),
    ) -> Option<Geometry> {
        let (rules, nodes) = resources::with(source, |source| {
            (source.storey_rules(area), source.nodes(root))
        });
        let kinds = &mut self.storeys.kinds;
        let mut geometry = Geometry::default();
        for node in nodes {
            if let Err(error) = rules.add(&node, kinds, &mut geometry) {
                refuse(method, format_args!("{}: {error}", node.get_path()));
                return None;
            }
        }
        kinds.end_read();
        Some(geometry)
    }

    /// Makes the floors the manager's own.
    pub(super) fn lay_storeys(&mut self, method: &str, storeys: Storeys, origin: Origin) -> Error {
        let layers = storeys.layer_count();
        let Some(world) = self.world(method) else {
            return Error::ERR_UNCONFIGURED;
        };
        if world.grid().one_layer() != *storeys.grid() {
            refuse(method, "the grid has changed since the bake began");
            return Error::ERR_INVALID_DATA;
        }
        let maps = storeys.maps(storeys.grid().cells(), world.workers());
        if let Err(error) = fits(&storeys, &maps) {
            return refuse_with_code(method, &error);
        }
        if world.grid().layers().count() != layers {
            // Links to layers that go would be reported as lost.
            let own = std::mem::take(&mut self.storeys.links);
            let Some(world) = self.world(method) else {
                return Error::ERR_UNCONFIGURED;
            };
            let own: Vec<_> = own
                .into_iter()
                .filter(|&id| world.link(id).is_ok())
                .collect();
            world.replace_links(&own, &[]).or_refuse(method);
            self.layer_count = i64::from(layers);
            self.base_mut().update_configuration_warnings();
        }
        let code = self.set_storeys(method, &maps, &origin);
        self.storeys.baked = Some(Baked { storeys, origin });
        code
    }

    /// Sets terrain, heights and links of a rectangle.
    fn set_storeys(&mut self, method: &str, maps: &StoreyMaps, origin: &Origin) -> Error {
        let keeps_terrain = resources::with(&origin.source, FlowSourceGeometry::keeps_terrain);
        let own = std::mem::take(&mut self.storeys.links);
        let Some(world) = self.world(method) else {
            return Error::ERR_UNCONFIGURED;
        };
        match world.set_storeys(maps, &own, keeps_terrain) {
            Ok(links) => {
                self.storeys.links = links;
                Error::OK
            }
            Err(error) => {
                self.storeys.links = own;
                refuse_with_code(method, &error)
            }
        }
    }
}

/// Checks that the layers of a bake fit in a grid, and its links in a world.
fn fits(storeys: &Storeys, maps: &StoreyMaps) -> Result<()> {
    let grid = storeys.grid();
    Grid::layered(
        grid.size(),
        grid.cell_size(),
        grid.origin(),
        storeys.layer_count(),
    )?;
    in_range("number of links", 2 * maps.links.len(), 0, MAX_LINKS)?;
    Ok(())
}

fn root_of(origin: &Origin) -> Option<Gd<Node>> {
    let root = Gd::<Node>::try_from_instance_id(origin.root).ok()?;
    root.is_inside_tree().then_some(root)
}

/// The cells that a box touches; `None` for a box that is not finite or beside the grid.
fn touched_cells(grid: &Grid, bounds: Aabb) -> Option<CellRect> {
    let bounds = bounds.abs();
    let (low, high) = (vec3(bounds.position), vec3(bounds.end()));
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    let cell = |x: f32, z: f32| grid.cell_at(vec2(Vector2::new(x, z)));
    let cells = CellRect {
        low: cell(low.x, low.z),
        high: cell(high.x, high.z).saturating_add(IVec2::ONE),
    };
    let cells = cells.intersection(&grid.cells());
    (!cells.is_empty()).then_some(cells)
}

/// The rectangle of cells in world units, with a margin for rounding errors.
fn area_of(grid: &Grid, cells: CellRect) -> (Vec2, Vec2) {
    let margin = 0.1 * grid.cell_size();
    let low = grid.to_world(cells.low.as_vec2()) - margin;
    (low, grid.to_world(cells.high.as_vec2()) + margin)
}
