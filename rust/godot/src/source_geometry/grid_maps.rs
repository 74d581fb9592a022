//! GridMaps, seen from above.

use super::solids::Form;
use super::{Rules, placed, solids};
use flow_swarm::Error;
use flow_swarm::import::{Coverage, Solid};
use godot::classes::{GridMap, MeshLibrary, Shape3D};
use godot::prelude::*;
use std::collections::BTreeMap;

/// A convex part of an item's collision shapes, and its transform in the item.
type Part = (Solid, Transform3D);

/// Draws the cells of a GridMap. Items with their own terrain id cover their whole square, others their collision
/// shapes.
pub fn draw(rules: &Rules, map: &Gd<GridMap>, on: &mut Coverage) -> Result<(), Error> {
    let Some(library) = map.get_mesh_library() else {
        return Ok(());
    };
    if map.get_collision_layer() & rules.mask == 0 {
        return Ok(());
    }
    let place = map.get_global_transform();
    let scale = Vector3::splat(map.get_cell_scale());
    let mut items: BTreeMap<i32, Vec<Part>> = BTreeMap::new();
    for cell in map.get_used_cells().iter_shared() {
        let item = map.get_cell_item(cell);
        let own = rules
            .items
            .iter()
            .find(|(known, _)| *known == i64::from(item));
        if let Some(&(_, id)) = own {
            let low = cell.to_vector3() * map.get_cell_size();
            let block = placed(&solids::cuboid(low, low + map.get_cell_size()), place);
            on.polygon(&block.footprint(f32::NEG_INFINITY, f32::INFINITY), id)?;
            continue;
        }
        let parts = items
            .entry(item)
            .or_insert_with(|| item_parts(&library, item));
        if parts.is_empty() {
            continue;
        }
        let turn = map.get_cell_item_basis(cell);
        let turn = Basis::from_scale(scale) * turn;
        let place = place * Transform3D::new(turn, map.map_to_local(cell));
        for (part, at) in parts.iter() {
            rules.draw_solid(part, place * *at, on)?;
        }
    }
    Ok(())
}

/// The convex parts of an item's collision shapes.
fn item_parts(library: &Gd<MeshLibrary>, item: i32) -> Vec<Part> {
    let shapes = item_shapes(library, item).into_iter();
    let parts = shapes.flat_map(|(shape, place)| {
        let parts = Form::of(shape).parts(0.0).into_iter();
        parts.map(move |part| (part, place))
    });
    parts.collect()
}

/// The collision shapes of a library's item. The engine returns them as an array of alternating shapes and transforms.
pub fn item_shapes(library: &Gd<MeshLibrary>, item: i32) -> Vec<(Gd<Shape3D>, Transform3D)> {
    let shapes = library.get_item_shapes(item);
    let mut found = Vec::new();
    for index in (0..shapes.len()).step_by(2) {
        let shape = shapes.get(index);
        let shape = shape.and_then(|it| it.try_to::<Gd<Shape3D>>().ok());
        let place = shapes.get(index + 1);
        let place = place.and_then(|it| it.try_to::<Transform3D>().ok());
        found.extend(shape.zip(place));
    }
    found
}
