//! The `FlowSourceGeometry` resource, and reading terrain from the nodes that it selects.

mod bodies_2d;
mod bodies_3d;
mod grid_maps;
mod solids;
mod tiles;

use crate::class_enum::{ClassEnum as _, class_enums};
use crate::convert::{vec3, vector3};
use crate::int_dictionary::IntDictionary;
use crate::report::{OrRefuse, refuse};
use flow_swarm::Error as CoreError;
use flow_swarm::import::{Coverage, Solid};
use godot::classes::{GridMap, Node, Resource, StaticBody2D, StaticBody3D, TileMapLayer};
use godot::prelude::*;

/// Selects the nodes that FlowFieldManager.bake_terrain() reads, and the terrain that it makes from them.
///
/// Properties that Godot's own navigation baking has too are named as in NavigationPolygon.
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

/// The nodes and all nodes below them.
fn with_children(nodes: Vec<Gd<Node>>) -> Vec<Gd<Node>> {
    let mut found = nodes;
    let mut next = 0;
    while next < found.len() {
        let children = found[next].get_children();
        found.extend(children.iter_shared());
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
