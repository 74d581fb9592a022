//! Static bodies in 2D.

use super::Rules;
use super::solids::circle;
use crate::convert::vec2;
use flow_swarm::import::Coverage;
use flow_swarm::{Error, Vec2};
use godot::classes::{
    CapsuleShape2D, CircleShape2D, ConcavePolygonShape2D, ConvexPolygonShape2D, RectangleShape2D,
    SegmentShape2D, Shape2D, StaticBody2D, WorldBoundaryShape2D,
};
use godot::prelude::*;

/// Draws all shapes of a body: of CollisionShape2D and CollisionPolygon2D children, and those added by code.
pub fn draw(rules: &Rules, body: &Gd<StaticBody2D>, on: &mut Coverage) -> Result<(), Error> {
    if body.get_collision_layer() & rules.mask == 0 {
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
                draw_shape(shape, place, rules.id, on)?;
            }
        }
    }
    Ok(())
}

fn draw_shape(
    shape: Gd<Shape2D>,
    place: Transform2D,
    id: u8,
    on: &mut Coverage,
) -> Result<(), Error> {
    let placed = |points: &[Vector2]| -> Vec<Vec2> {
        points.iter().map(|&point| vec2(place * point)).collect()
    };
    let shape = match shape.try_cast::<SegmentShape2D>() {
        Ok(line) => return on.line(&placed(&[line.get_a(), line.get_b()]), id),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<ConcavePolygonShape2D>() {
        Ok(lines) => {
            for line in lines.get_segments().as_slice().chunks_exact(2) {
                on.line(&placed(line), id)?;
            }
            return Ok(());
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<WorldBoundaryShape2D>() {
        Ok(boundary) => {
            // Not every transform keeps right angles, but points of the line stay on the line.
            let normal = boundary.get_normal();
            let start = normal * boundary.get_distance();
            let from = place * start;
            let along = place * (start + normal.orthogonal()) - from;
            let free_side = place * (start + normal) - from;
            let upright = along.orthogonal();
            let outward = upright * upright.dot(free_side).signum();
            return on.half_plane(vec2(from), vec2(outward), id);
        }
        Err(shape) => shape,
    };
    on.polygon(&placed(&outline(shape)), id)
}

/// The corners of a shape that has an inside; none for a shape that is no obstacle.
fn outline(shape: Gd<Shape2D>) -> Vec<Vector2> {
    let shape = match shape.try_cast::<RectangleShape2D>() {
        Ok(rectangle) => {
            let half = rectangle.get_size() * 0.5;
            let corner = |x: f32, y: f32| Vector2::new(half.x * x, half.y * y);
            return vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ];
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CircleShape2D>() {
        Ok(disc) => return circle(disc.get_radius()).collect(),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CapsuleShape2D>() {
        Ok(capsule) => {
            let radius = capsule.get_radius();
            let shift = (capsule.get_height() * 0.5 - radius).max(0.0);
            // The points of the lower half of the circle come first, then those of the upper half.
            let points = circle(radius);
            return points
                .map(|point| point + Vector2::new(0.0, shift.copysign(point.y)))
                .collect();
        }
        Err(shape) => shape,
    };
    match shape.try_cast::<ConvexPolygonShape2D>() {
        Ok(polygon) => polygon.get_points().to_vec(),
        Err(_) => Vec::new(),
    }
}
