//! The default meshes of agents, one unit wide: for 2D a round body with a nose that shows the heading, for sprites a
//! square, for 3D a capsule.

use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, CapsuleMesh, Mesh, StandardMaterial3D};
use godot::prelude::*;
use std::f32::consts::TAU;

/// For 2D: a round body with its nose at +x.
pub(super) fn flat() -> Gd<Mesh> {
    const SIDES: i32 = 14;
    let mut points = PackedVector2Array::new();
    let mut indices = PackedInt32Array::new();
    points.push(Vector2::ZERO);
    for side in 0..SIDES {
        let angle = TAU * side as f32 / SIDES as f32;
        let length = if side == 0 { 0.5 } else { 0.4 };
        points.push(Vector2::from_angle(angle) * length);
        let next = (side + 1) % SIDES;
        for index in [0, side + 1, next + 1] {
            indices.push(index);
        }
    }
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &points.to_variant());
    arrays.set(ArrayType::INDEX.ord() as usize, &indices.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh.upcast()
}

/// For sprites in 2D: a square on which the picture is upright. On a QuadMesh it would be upside down.
pub(super) fn sprite() -> Gd<Mesh> {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let uvs = corners.map(|(x, y)| Vector2::new(x, y));
    let points = PackedVector2Array::from(uvs.map(|uv| uv - Vector2::splat(0.5)));
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &points.to_variant());
    let uvs = PackedVector2Array::from(uvs);
    arrays.set(ArrayType::TEX_UV.ord() as usize, &uvs.to_variant());
    let indices = PackedInt32Array::from([0, 1, 2, 0, 2, 3]);
    arrays.set(ArrayType::INDEX.ord() as usize, &indices.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh.upcast()
}

/// For 3D: a capsule that has the colour of its instance.
pub(super) fn solid() -> Gd<Mesh> {
    let mut mesh = CapsuleMesh::new_gd();
    mesh.set_radius(0.5);
    mesh.set_height(1.6);
    let mut material = StandardMaterial3D::new_gd();
    material.set_flag(
        godot::classes::base_material_3d::Flags::ALBEDO_FROM_VERTEX_COLOR,
        true,
    );
    mesh.set_material(&material);
    mesh.upcast()
}
