//! Conversions between Godot's types and the core's, all in one place.

use flow_swarm::error::in_range;
use flow_swarm::grid::CellRect;
use flow_swarm::swarm::{AgentId, Pose};
use flow_swarm::{IVec2, Vec2, Vec3};
use godot::prelude::*;
use std::time::Instant;

pub fn vec2(vector: Vector2) -> Vec2 {
    Vec2::new(vector.x, vector.y)
}

pub fn vector2(vector: Vec2) -> Vector2 {
    Vector2::new(vector.x, vector.y)
}

pub fn vec3(vector: Vector3) -> Vec3 {
    Vec3::new(vector.x, vector.y, vector.z)
}

pub fn vector3(vector: Vec3) -> Vector3 {
    Vector3::new(vector.x, vector.y, vector.z)
}

pub fn vec3s(vectors: &PackedVector3Array) -> Vec<Vec3> {
    vectors.as_slice().iter().copied().map(vec3).collect()
}

pub fn ivec2(vector: Vector2i) -> IVec2 {
    IVec2::new(vector.x, vector.y)
}

pub fn vector2i(vector: IVec2) -> Vector2i {
    Vector2i::new(vector.x, vector.y)
}

pub fn vec2s(vectors: &PackedVector2Array) -> Vec<Vec2> {
    vectors.as_slice().iter().copied().map(vec2).collect()
}

pub fn packed_vector2s(vectors: &[Vec2]) -> PackedVector2Array {
    vectors.iter().copied().map(vector2).collect()
}

pub fn packed_cells(cells: &[IVec2]) -> PackedVector2Array {
    cells.iter().map(|cell| vector2(cell.as_vec2())).collect()
}

/// A rectangle of cells; `None` for a negative size or an end beyond `i32`.
pub fn cell_rect(rect: Rect2i) -> Option<CellRect> {
    let (low, size) = (ivec2(rect.position), ivec2(rect.size));
    let high = IVec2::new(low.x.checked_add(size.x)?, low.y.checked_add(size.y)?);
    (size.min_element() >= 0).then_some(CellRect { low, high })
}

pub fn rect2i(rect: CellRect) -> Rect2i {
    Rect2i::new(vector2i(rect.low), vector2i(rect.high - rect.low))
}

/// The lower and upper corner of a rectangle.
pub fn corners(rect: Rect2) -> (Vec2, Vec2) {
    (vec2(rect.position), vec2(rect.end()))
}

/// A pose from a position and a rotation in radians that a script gives.
pub fn pose(position: Vector2, rotation: f64) -> flow_swarm::Result<Pose> {
    let rotation = in_range("rotation", f32_from(rotation), -1.0e6, 1.0e6)?;
    Pose::turned(vec2(position), vec2(Vector2::from_angle(rotation)))
}

/// The pose of a node in 2D, by its origin and x axis; not turned if the x axis is zero.
pub fn pose_of_2d(transform: Transform2D) -> flow_swarm::Result<Pose> {
    pose_along(transform.origin, transform.a)
}

/// The pose of a node in the plane of x and z, by its origin and x axis.
pub fn pose_of_3d(transform: Transform3D) -> flow_swarm::Result<Pose> {
    let flat = |vector: Vector3| Vector2::new(vector.x, vector.z);
    pose_along(flat(transform.origin), flat(transform.basis.col_a()))
}

fn pose_along(position: Vector2, ahead: Vector2) -> flow_swarm::Result<Pose> {
    Pose::turned(vec2(position), vec2(ahead)).or_else(|_| Pose::at(vec2(position)))
}

pub fn id_to_godot(id: AgentId) -> i64 {
    id.bits().cast_signed()
}

pub fn id_from_godot(id: i64) -> AgentId {
    AgentId::from_bits(id.cast_unsigned())
}

pub fn packed_ids(ids: &[AgentId]) -> PackedInt64Array {
    ids.iter().copied().map(id_to_godot).collect()
}

/// The ids of agents by key. Pairs with equal keys must be consecutive.
pub fn packed_ids_by<K: Copy + PartialEq>(
    pairs: &[(K, AgentId)],
    number: impl Fn(K) -> i64,
) -> Vec<(i64, PackedInt64Array)> {
    let runs = pairs.chunk_by(|one, other| one.0 == other.0);
    runs.map(|run| {
        let ids = run.iter().map(|pair| id_to_godot(pair.1)).collect();
        (number(run[0].0), ids)
    })
    .collect()
}

pub fn ids(ids: &PackedInt64Array) -> Vec<AgentId> {
    ids.as_slice().iter().copied().map(id_from_godot).collect()
}

/// Red, green, blue and alpha.
pub fn rgba(color: Color) -> [f32; 4] {
    [color.r, color.g, color.b, color.a]
}

/// A number that a script gives. A number too large for `f32` becomes infinite, which the core refuses.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the core counts in f32; out-of-range values become infinite and are refused"
)]
pub fn f32_from(value: f64) -> f32 {
    value as f32
}

/// The time since `start` in milliseconds.
pub(crate) fn milliseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
