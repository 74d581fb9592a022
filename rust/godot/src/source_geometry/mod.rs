//! The `FlowSourceGeometry` resource, and reading terrain from the nodes that it selects.

mod bodies_2d;
mod bodies_3d;
mod grid_maps;
mod solids;
mod storeys;
mod tiles;

use crate::class_enum::{ClassEnum as _, class_enums};
use crate::convert::{f32_from, vec3, vector3};
use crate::number_dictionary::IntDictionary;
use crate::report::{OrRefuse, refuse};
use flow_swarm::Error as CoreError;
use flow_swarm::Vec2;
use flow_swarm::import::storeys::StoreySettings;
use flow_swarm::import::{Coverage, Solid};
use godot::classes::{GridMap, Node, Resource, StaticBody2D, StaticBody3D, TileMapLayer};
use godot::prelude::*;
pub use storeys::{Kinds, StoreyRules};

/// Selects the nodes that FlowFieldManager.bake_terrain() and FlowFieldManager.bake_terrain_3d() read, and the terrain that they make from them.
///
/// Properties that Godot's own navigation baking has too are named as in NavigationPolygon and NavigationMesh.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowSourceGeometry {
    /// The collision layers that are read: bodies, GridMaps and physics layers of tile sets count if they are on one of these layers.
    #[export(flags_2d_physics)]
    #[init(val = u32::MAX)]
    parsed_collision_mask: u32,
    /// The nodes that are read: the given root and all nodes below it, the nodes of a group and all nodes below them, or only the nodes of a group.
    #[export]
    #[var(get, set)]
    source_geometry_mode: SourceGeometryMode,
    /// The name of the group, for the two modes that read one.
    #[export]
    #[init(val = StringName::from("flow_source_geometry_group"))]
    source_geometry_group_name: StringName,
    /// In 3D, only the parts of shapes above this height count. Choose a height a little above the floor, so that the floor is not a wall.
    #[export(range = (-1000.0, 1000.0, or_less, or_greater))]
    #[var(set)]
    #[init(val = 0.1)]
    min_height: f64,
    /// In 3D, only the parts of shapes below this height count. Choose the height of the agents, so that they can pass under higher obstacles.
    #[export(range = (-1000.0, 1000.0, or_less, or_greater))]
    #[var(set)]
    #[init(val = 2.0)]
    max_height: f64,
    /// The terrain id, 1 to 255, of cells that a shape covers.
    #[export(range = (1.0, 255.0))]
    #[var(set)]
    #[init(val = 255)]
    terrain_id: i64,
    /// Terrain ids, 1 to 255, by item of GridMaps. Such an item covers its whole square at any height, instead of its collision shapes.
    #[export]
    #[var(get, set)]
    grid_map_terrain: IntDictionary,
    /// If `true`, cells that no shape covers keep their terrain. If `false`, they become clear ground.
    #[export]
    keep_terrain: bool,
    /// For bake_terrain_3d(): the free height that agents need above a floor, in world units. Surfaces with less room above them are no floors.
    #[export_group(name = "Floors in 3D")]
    #[export(range = (0.1, 10.0, or_greater, suffix = "m"))]
    #[var(set)]
    #[init(val = 1.5)]
    agent_height: f64,
    /// For bake_terrain_3d(): the greatest height of a step that agents can take, from 0 to agent_height. Floors of neighbouring cells are joined if their heights differ by at most this.
    #[export(range = (0.0, 5.0, or_greater, suffix = "m"))]
    #[var(set)]
    #[init(val = 0.25)]
    agent_max_climb: f64,
    /// For bake_terrain_3d(): the steepest slope of a floor, in degrees, from 0.01 to 89.99.
    #[export(range = (0.02, 89.99, suffix = "°"))]
    #[var(set)]
    #[init(val = 45.0)]
    agent_max_slope: f64,
    /// For bake_terrain_3d(): the vertical resolution, in world units, at most agent_height. Gaps between shapes that are lower than this are closed, and surfaces above each other that are nearer than this are one floor. Heights are not rounded to it.
    #[export(range = (0.01, 1.0, or_greater, suffix = "m"))]
    #[var(set)]
    #[init(val = 0.25)]
    cell_height: f64,
    /// For bake_terrain_3d(): whether meshes, static colliders, or both are read. Colliders are faster to read, and mostly simpler.
    #[export]
    #[var(get, set)]
    #[init(val = ParsedGeometryType::PARSED_GEOMETRY_STATIC_COLLIDERS)]
    parsed_geometry_type: ParsedGeometryType,
    base: Base<Resource>,
}

class_enums! {
FlowSourceGeometry;

/// Which nodes are read: see source_geometry_mode.
enum SourceGeometryMode {
    /// The root and all nodes below it.
    SOURCE_GEOMETRY_ROOT_NODE_CHILDREN = 0,
    /// The nodes of the group and all nodes below them.
    SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN = 1,
    /// Only the nodes of the group.
    SOURCE_GEOMETRY_GROUPS_EXPLICIT = 2,
}

/// What bake_terrain_3d() reads: see parsed_geometry_type.
enum ParsedGeometryType {
    /// MeshInstance3D, the meshes of GridMaps, and CSG shapes.
    PARSED_GEOMETRY_MESH_INSTANCES = 0,
    /// StaticBody3D, the collision shapes of GridMaps, and CSG shapes that use collision.
    PARSED_GEOMETRY_STATIC_COLLIDERS = 1,
    /// Meshes and static colliders.
    PARSED_GEOMETRY_BOTH = 2,
}
}

#[godot_api]
impl FlowSourceGeometry {
    #[func]
    fn get_source_geometry_mode(&self) -> SourceGeometryMode {
        self.source_geometry_mode
    }

    #[func]
    fn set_source_geometry_mode(&mut self, mode: SourceGeometryMode) {
        const PROPERTY: &str = "FlowSourceGeometry.source_geometry_mode";
        if mode.index().or_refuse(PROPERTY).is_some() {
            self.source_geometry_mode = mode;
        }
    }

    #[func]
    fn set_min_height(&mut self, height: f64) {
        if is_height("FlowSourceGeometry.min_height", height) {
            self.min_height = height;
        }
    }

    #[func]
    fn set_max_height(&mut self, height: f64) {
        if is_height("FlowSourceGeometry.max_height", height) {
            self.max_height = height;
        }
    }

    #[func]
    fn set_agent_height(&mut self, height: f64) {
        if is_size("FlowSourceGeometry.agent_height", height) {
            self.agent_height = height;
        }
    }

    #[func]
    fn set_agent_max_climb(&mut self, climb: f64) {
        if climb == 0.0 || is_size("FlowSourceGeometry.agent_max_climb", climb) {
            self.agent_max_climb = climb;
        }
    }

    #[func]
    fn set_agent_max_slope(&mut self, slope: f64) {
        if (0.01..=89.99).contains(&slope) {
            self.agent_max_slope = slope;
        } else {
            let reason = format_args!("must be from 0.01 to 89.99, not {slope}");
            refuse("FlowSourceGeometry.agent_max_slope", reason);
        }
    }

    #[func]
    fn set_cell_height(&mut self, height: f64) {
        if is_size("FlowSourceGeometry.cell_height", height) {
            self.cell_height = height;
        }
    }

    #[func]
    fn get_parsed_geometry_type(&self) -> ParsedGeometryType {
        self.parsed_geometry_type
    }

    #[func]
    fn set_parsed_geometry_type(&mut self, kind: ParsedGeometryType) {
        const PROPERTY: &str = "FlowSourceGeometry.parsed_geometry_type";
        if kind.index().or_refuse(PROPERTY).is_some() {
            self.parsed_geometry_type = kind;
        }
    }

    #[func]
    fn set_terrain_id(&mut self, id: i64) {
        if covering_id(id).is_some() {
            self.terrain_id = id;
        } else {
            let reason = format_args!("must be from 1 to 255, not {id}");
            refuse("FlowSourceGeometry.terrain_id", reason);
        }
    }

    #[func]
    fn get_grid_map_terrain(&self) -> IntDictionary {
        self.grid_map_terrain.clone()
    }

    #[func]
    fn set_grid_map_terrain(&mut self, ids: IntDictionary) {
        const PROPERTY: &str = "FlowSourceGeometry.grid_map_terrain";
        let Some(ids) = ids.checked(PROPERTY) else {
            return;
        };
        for (item, id) in ids.entries().iter_shared() {
            if covering_id(id).is_none() {
                let reason = format_args!("item {item}: must be from 1 to 255, not {id}");
                refuse(PROPERTY, reason);
                return;
            }
        }
        self.grid_map_terrain = ids;
    }

    /// The rules by which nodes become terrain.
    pub fn rules(&self) -> Rules {
        let items = self.grid_map_terrain.entries();
        let items = items.iter_shared();
        Rules {
            mask: self.parsed_collision_mask,
            low: self.min_height as f32,
            high: self.max_height as f32,
            id: covering_id(self.terrain_id).unwrap_or(u8::MAX),
            // A script may have edited the dictionary without the setter.
            items: items
                .filter_map(|(item, id)| Some((item, covering_id(id)?)))
                .collect(),
        }
    }

    /// What agents need of floors, which the core checks.
    pub fn storey_settings(&self) -> StoreySettings {
        StoreySettings {
            agent_height: f32_from(self.agent_height),
            agent_max_climb: f32_from(self.agent_max_climb),
            agent_max_slope: f32_from(self.agent_max_slope.to_radians().tan()),
            cell_height: f32_from(self.cell_height),
        }
    }

    /// The rules by which nodes become floors, for those in a rectangle of x and z.
    pub fn storey_rules(&self, area: (Vec2, Vec2)) -> StoreyRules {
        StoreyRules {
            mask: self.parsed_collision_mask,
            reads_meshes: self.parsed_geometry_type
                != ParsedGeometryType::PARSED_GEOMETRY_STATIC_COLLIDERS,
            reads_colliders: self.parsed_geometry_type
                != ParsedGeometryType::PARSED_GEOMETRY_MESH_INSTANCES,
            area,
        }
    }

    /// Whether cells that no shape covers keep their terrain.
    pub fn keeps_terrain(&self) -> bool {
        self.keep_terrain
    }

    /// The nodes that are read, for a root in the tree.
    pub fn nodes(&self, root: &Gd<Node>) -> Vec<Gd<Node>> {
        if self.source_geometry_mode == SourceGeometryMode::SOURCE_GEOMETRY_ROOT_NODE_CHILDREN {
            return with_children(vec![root.clone()]);
        }
        let tree = root.get_tree();
        let group = tree.get_nodes_in_group(&self.source_geometry_group_name);
        let group = group.iter_shared().collect();
        if self.source_geometry_mode == SourceGeometryMode::SOURCE_GEOMETRY_GROUPS_EXPLICIT {
            return group;
        }
        with_children(group)
    }
}

/// A terrain id that covers cells when drawn; 0 stands for cells that no shape covers.
fn covering_id(id: i64) -> Option<u8> {
    u8::try_from(id).ok().filter(|&id| id > 0)
}

fn is_height(property: &str, height: f64) -> bool {
    if !height.is_finite() {
        refuse(property, format_args!("must be finite, not {height}"));
    }
    height.is_finite()
}

fn is_size(property: &str, size: f64) -> bool {
    let is_size = size > 0.0 && size <= 1.0e6;
    if !is_size {
        refuse(
            property,
            format_args!("must be above 0 and at most 1000000, not {size}"),
        );
    }
    is_size
}

/// The nodes and all nodes below them.
fn with_children(nodes: Vec<Gd<Node>>) -> Vec<Gd<Node>> {
    let mut found = nodes;
    let mut next = 0;
    while next < found.len() {
        // One by one, because the class of each entry of an array is checked.
        for child in 0..found[next].get_child_count() {
            let child = found[next].get_child(child);
            found.extend(child);
        }
        next += 1;
    }
    found
}

/// The rules by which nodes become terrain.
pub struct Rules {
    mask: u32,
    low: f32,
    high: f32,
    id: u8,
    items: Vec<(i64, u8)>,
}

impl Rules {
    /// Draws the obstacles that a node has; most nodes have none.
    ///
    /// # Errors
    /// A position that is not finite, such as that of a node scaled to infinity.
    pub fn draw(&self, node: Gd<Node>, on: &mut Coverage) -> Result<(), CoreError> {
        let node = match node.try_cast::<StaticBody2D>() {
            Ok(body) => return bodies_2d::draw(self, &body, on),
            Err(node) => node,
        };
        let node = match node.try_cast::<StaticBody3D>() {
            Ok(body) => return bodies_3d::draw(self, &body, on),
            Err(node) => node,
        };
        let node = match node.try_cast::<TileMapLayer>() {
            Ok(layer) => return tiles::draw(self, &layer, on),
            Err(node) => node,
        };
        match node.try_cast::<GridMap>() {
            Ok(map) => grid_maps::draw(self, &map, on),
            Err(_) => Ok(()),
        }
    }

    /// Draws the part of a convex body in space between the two heights.
    fn draw_solid(
        &self,
        solid: &Solid,
        place: Transform3D,
        on: &mut Coverage,
    ) -> Result<(), CoreError> {
        let outline = placed(solid, place).footprint(self.low, self.high);
        on.polygon(&outline, self.id)
    }
}

fn placed(solid: &Solid, place: Transform3D) -> Solid {
    solid.placed(|corner| vec3(place * vector3(corner)))
}
