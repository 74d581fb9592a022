//! Bodies in 3D for floors above each other, from nodes.

use super::{placed, solids};
use crate::convert::vec3;
use flow_swarm::import::storeys::{Geometry, Volume};
use flow_swarm::{Error, Vec2, Vec3};
use godot::classes::{
    ConcavePolygonShape3D, CsgShape3D, GridMap, HeightMapShape3D, Mesh, MeshInstance3D, Node,
    Shape3D, StaticBody3D,
};
use godot::prelude::*;

/// The greatest deviation of round shapes, in world units, up to a radius of some metres.
const ROUNDING: f32 = 0.01;

/// Which nodes count, and where.
pub struct StoreyRules {
    pub mask: u32,
    pub reads_meshes: bool,
    pub reads_colliders: bool,
    /// Only bodies that reach into this rectangle of x and z count: its lower and upper corner.
    pub area: (Vec2, Vec2),
}

impl StoreyRules {
    /// Adds the bodies that a node has; most nodes have none.
    ///
    /// # Errors
    /// A position that is not finite, such as that of a node scaled to infinity.
    pub fn add(&self, node: Gd<Node>, to: &mut Geometry) -> Result<(), Error> {
        let node = match node.try_cast::<StaticBody3D>() {
            Ok(body) => return self.add_body(&body, to),
            Err(node) => node,
        };
        let node = match node.try_cast::<MeshInstance3D>() {
            Ok(instance) if self.reads_meshes => {
                let mesh = instance.get_mesh();
                return self.add_mesh(mesh, instance.get_global_transform(), to);
            }
            Ok(_) => return Ok(()),
            Err(node) => node,
        };
        let node = match node.try_cast::<CsgShape3D>() {
            Ok(shape) => return self.add_csg(shape, to),
            Err(node) => node,
        };
        match node.try_cast::<GridMap>() {
            Ok(map) => self.add_grid_map(&map, to),
            Err(_) => Ok(()),
        }
    }

    fn is_collider(&self, layer: u32) -> bool {
        self.reads_colliders && layer & self.mask != 0
    }

    fn add_body(&self, body: &Gd<StaticBody3D>, to: &mut Geometry) -> Result<(), Error> {
        if !self.is_collider(body.get_collision_layer()) {
            return Ok(());
        }
        let place = body.get_global_transform();
        for &owner in body.get_shape_owners().as_slice() {
            let owner = owner.cast_unsigned();
            if body.is_shape_owner_disabled(owner) {
                continue;
            }
            let place = place * body.shape_owner_get_transform(owner);
            for number in 0..body.shape_owner_get_shape_count(owner) {
                if let Some(shape) = body.shape_owner_get_shape(owner, number) {
                    self.add_shape(shape, place, to)?;
                }
            }
        }
        Ok(())
    }

    fn add_shape(
        &self,
        shape: Gd<Shape3D>,
        place: Transform3D,
        to: &mut Geometry,
    ) -> Result<(), Error> {
        let shape = match shape.try_cast::<ConcavePolygonShape3D>() {
            Ok(faces) => {
                let triangles = self.faces(&faces.get_faces(), place);
                if faces.is_backface_collision_enabled() {
                    let back = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
                    to.add(back, Volume::Surface)?;
                }
                return to.add_mesh(triangles);
            }
            Err(shape) => shape,
        };
        let shape = match shape.try_cast::<HeightMapShape3D>() {
            Ok(map) => return to.add(self.height_map(&map, place), Volume::Below),
            Err(shape) => shape,
        };
        if let Some(half) = solids::half_size(&shape) {
            let bounds = place * Aabb::new(-half, half * 2.0);
            if !self.reaches((vec3(bounds.position), vec3(bounds.end()))) {
                return Ok(());
            }
        }
        for part in solids::parts(shape, ROUNDING) {
            let part = placed(&part, place);
            let is_near = part.bounds().is_some_and(|bounds| self.reaches(bounds));
            if is_near {
                to.add(part.triangles(), Volume::Closed)?;
            }
        }
        Ok(())
    }

    fn add_mesh(
        &self,
        mesh: Option<Gd<Mesh>>,
        place: Transform3D,
        to: &mut Geometry,
    ) -> Result<(), Error> {
        let Some(mesh) = mesh else {
            return Ok(());
        };
        let bounds = place * mesh.get_aabb();
        if self.reaches((vec3(bounds.position), vec3(bounds.end()))) {
            to.add_mesh(self.faces(&mesh.get_faces(), place))?;
        }
        Ok(())
    }

    /// Adds the outermost of nested shapes, which has the form of all of them.
    fn add_csg(&self, mut shape: Gd<CsgShape3D>, to: &mut Geometry) -> Result<(), Error> {
        let is_collider =
            shape.is_using_collision() && self.is_collider(shape.get_collision_layer());
        if !shape.is_root_shape() || !(self.reads_meshes || is_collider) {
            return Ok(());
        }
        let place = shape.get_global_transform();
        let mesh = shape.bake_static_mesh().map(Gd::upcast);
        self.add_mesh(mesh, place, to)
    }

    fn add_grid_map(&self, map: &Gd<GridMap>, to: &mut Geometry) -> Result<(), Error> {
        let Some(library) = map.get_mesh_library() else {
            return Ok(());
        };
        let is_collider = self.is_collider(map.get_collision_layer());
        let scale = Basis::from_scale(Vector3::splat(map.get_cell_scale()));
        for cell in map.get_used_cells().iter_shared() {
            let item = map.get_cell_item(cell);
            let turn = scale * map.get_cell_item_basis(cell);
            let place = Transform3D::new(turn, map.map_to_local(cell));
            let place = map.get_global_transform() * place;
            if self.reads_meshes {
                let place = place * library.get_item_mesh_transform(item);
                self.add_mesh(library.get_item_mesh(item), place, to)?;
            }
            if is_collider {
                for (shape, at) in super::grid_maps::item_shapes(&library, item) {
                    self.add_shape(shape, place * at, to)?;
                }
            }
        }
        Ok(())
    }

    fn reaches(&self, (low, high): (Vec3, Vec3)) -> bool {
        // What is not finite is refused by the geometry.
        let is_finite = low.is_finite() && high.is_finite();
        let (area_low, area_high) = self.area;
        let is_beside = low.x > area_high.x
            || low.z > area_high.y
            || high.x < area_low.x
            || high.z < area_low.y;
        !(is_finite && is_beside)
    }

    /// The triangles of faces, which the engine lists clockwise. If any reaches into the area, all are returned: a closed
    /// body without its far faces would not be closed.
    fn faces(&self, corners: &PackedVector3Array, place: Transform3D) -> Vec<[Vec3; 3]> {
        let is_mirrored = place.basis.determinant() < 0.0;
        let corners = corners.as_slice().chunks_exact(3);
        let triangles = corners.map(|corners| {
            let [a, b, c] = [0, 1, 2].map(|corner| vec3(place * corners[corner]));
            if is_mirrored { [a, b, c] } else { [a, c, b] }
        });
        let triangles: Vec<_> = triangles.collect();
        let is_near = triangles
            .iter()
            .any(|corners| self.reaches(bounds_of(corners)));
        if is_near { triangles } else { Vec::new() }
    }

    /// The triangles of a height map in the area, without those of holes.
    fn height_map(&self, map: &Gd<HeightMapShape3D>, place: Transform3D) -> Vec<[Vec3; 3]> {
        let (width, depth) = (map.get_map_width(), map.get_map_depth());
        let heights = map.get_map_data();
        let heights = heights.as_slice();
        let half = Vector2::new((width - 1) as f32, (depth - 1) as f32) * 0.5;
        let corner = |x: i32, z: i32| {
            let height = heights
                .get((z * width + x) as usize)
                .copied()
                .unwrap_or(f32::NAN);
            vec3(place * Vector3::new(x as f32 - half.x, height, z as f32 - half.y))
        };
        let mut triangles = Vec::new();
        for z in 1..depth {
            for x in 1..width {
                let (a, b) = (corner(x - 1, z - 1), corner(x, z - 1));
                let (c, d) = (corner(x - 1, z), corner(x, z));
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        let is_mirrored = place.basis.determinant() < 0.0;
        triangles.retain(|corners| {
            let has_hole = corners.iter().any(|corner| corner.y.is_nan());
            !has_hole && self.reaches(bounds_of(corners))
        });
        if is_mirrored {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        triangles
    }
}

fn bounds_of(corners: &[Vec3; 3]) -> (Vec3, Vec3) {
    let [a, b, c] = *corners;
    (a.min(b).min(c), a.max(b).max(c))
}
