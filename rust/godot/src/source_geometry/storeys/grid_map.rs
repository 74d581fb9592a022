//! The cells of GridMaps in the area of a bake.

use super::StoreyRules;
use super::kinds::Memory;
use crate::source_geometry::grid_maps::item_shapes;
use crate::source_geometry::solids::Form;
use flow_swarm::Error;
use flow_swarm::import::storeys::Geometry;
use godot::classes::{GridMap, Mesh, MeshLibrary, Shape3D};
use godot::prelude::*;
use std::collections::BTreeMap;

/// What is read of an item of a library.
struct Item {
    mesh: Option<(Gd<Mesh>, Transform3D)>,
    shapes: Vec<(Gd<Shape3D>, Transform3D)>,
    /// The greatest distance of a part from the origin; infinite if it is not known.
    reach: f32,
}

/// The greatest distance of a point of a box from the origin.
fn reach_of(bounds: Aabb) -> f32 {
    let far = bounds.position.abs().coord_max(bounds.end().abs());
    far.length()
}

impl StoreyRules {
    pub(super) fn add_grid_map(
        &self,
        map: &Gd<GridMap>,
        forms: &mut Memory<Form>,
        to: &mut Geometry,
    ) -> Result<(), Error> {
        let Some(library) = map.get_mesh_library() else {
            return Ok(());
        };
        let is_collider = self.is_collider(map.get_collision_layer());
        let whole = map.get_global_transform();
        let scale = map.get_cell_scale();
        let mut items = BTreeMap::new();
        for cell in map.get_used_cells().iter_shared() {
            let number = map.get_cell_item(cell);
            let item = items
                .entry(number)
                .or_insert_with(|| self.item(&library, number, is_collider, forms));
            let origin = map.map_to_local(cell);
            let reach = Vector3::splat(item.reach * scale);
            if !self.reaches_box(whole * Aabb::new(origin - reach, reach * 2.0)) {
                continue;
            }
            let turn = Basis::from_scale(Vector3::splat(scale)) * map.get_cell_item_basis(cell);
            let place = whole * Transform3D::new(turn, origin);
            if let Some((mesh, at)) = &item.mesh {
                self.add_mesh(Some(mesh.clone()), place * *at, to)?;
            }
            for (shape, at) in &item.shapes {
                let form = forms.of(shape, Form::of);
                if self.may_reach(form, place * *at) {
                    self.add_form(form, place * *at, to)?;
                }
            }
        }
        Ok(())
    }

    fn item(
        &self,
        library: &Gd<MeshLibrary>,
        item: i32,
        is_collider: bool,
        forms: &mut Memory<Form>,
    ) -> Item {
        let mesh = if self.reads_meshes {
            library.get_item_mesh(item)
        } else {
            None
        };
        let mesh = mesh.map(|mesh| (mesh, library.get_item_mesh_transform(item)));
        let shapes = if is_collider {
            item_shapes(library, item)
        } else {
            Vec::new()
        };
        let mut reach: f32 = 0.0;
        if let Some((mesh, at)) = &mesh {
            reach = reach_of(*at * mesh.get_aabb());
        }
        for (shape, at) in &shapes {
            let bounds = forms.of(shape, Form::of).bounds();
            reach = reach.max(bounds.map_or(f32::INFINITY, |bounds| reach_of(*at * bounds)));
        }
        Item {
            mesh,
            shapes,
            reach,
        }
    }
}
