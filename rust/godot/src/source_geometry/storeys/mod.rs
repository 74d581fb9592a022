//! Bodies in 3D for floors above each other, from nodes.

mod grid_map;
mod height_map;
mod kinds;

use super::placed;
use super::solids::Form;
use crate::convert::vec3;
use flow_swarm::import::storeys::{Geometry, Volume};
use flow_swarm::{Error, Vec2, Vec3};
use godot::classes::{CsgShape3D, Mesh, Node, StaticBody3D};
use godot::prelude::*;
pub use kinds::Kinds;
use kinds::{Kind, Memory};

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
    pub fn add(&self, node: &Gd<Node>, kinds: &mut Kinds, to: &mut Geometry) -> Result<(), Error> {
        match kinds.nodes.of(node, Kind::of) {
            Kind::Body(body) if self.reads_colliders => self.add_body(body, &mut kinds.shapes, to),
            Kind::Mesh(instance) if self.reads_meshes => {
                let mesh = instance.get_mesh();
                self.add_mesh(mesh, instance.get_global_transform(), to)
            }
            Kind::Csg(shape) => self.add_csg(shape.clone(), to),
            Kind::Cells(map) => self.add_grid_map(map, &mut kinds.shapes, to),
            Kind::Body(_) | Kind::Mesh(_) | Kind::Other => Ok(()),
        }
    }

    fn is_collider(&self, layer: u32) -> bool {
        self.reads_colliders && layer & self.mask != 0
    }

    /// Adds the shapes of a body. Most bodies are beside the area, so their place is asked for first.
    fn add_body(
        &self,
        body: &Gd<StaticBody3D>,
        forms: &mut Memory<Form>,
        to: &mut Geometry,
    ) -> Result<(), Error> {
        let place = body.get_global_transform();
        for &owner in body.get_shape_owners().as_slice() {
            let owner = owner.cast_unsigned();
            let place = place * body.shape_owner_get_transform(owner);
            for number in 0..body.shape_owner_get_shape_count(owner) {
                let Some(shape) = body.shape_owner_get_shape(owner, number) else {
                    continue;
                };
                let form = forms.of(&shape, Form::of);
                let is_read = self.may_reach(form, place)
                    && self.is_collider(body.get_collision_layer())
                    && !body.is_shape_owner_disabled(owner);
                if is_read {
                    self.add_form(form, place, to)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a shape may reach into the area.
    fn may_reach(&self, form: &Form, place: Transform3D) -> bool {
        form.bounds()
            .is_none_or(|bounds| self.reaches_box(place * bounds))
    }

    fn add_form(&self, form: &Form, place: Transform3D, to: &mut Geometry) -> Result<(), Error> {
        match form {
            Form::Faces(faces) => {
                let triangles = self.faces(&faces.get_faces(), place);
                if faces.is_backface_collision_enabled() {
                    let back = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
                    to.add(back, Volume::Surface)?;
                }
                return to.add_mesh(triangles);
            }
            Form::HeightMap(map) => {
                return to.add(self.height_map(map, place), Volume::Below);
            }
            _ => {}
        }
        for part in form.parts(ROUNDING) {
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
        if self.reaches_box(place * mesh.get_aabb()) {
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

    fn reaches_box(&self, bounds: Aabb) -> bool {
        self.reaches((vec3(bounds.position), vec3(bounds.end())))
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
}

fn bounds_of(corners: &[Vec3; 3]) -> (Vec3, Vec3) {
    let [a, b, c] = *corners;
    (a.min(b).min(c), a.max(b).max(c))
}
