//! Shapes as convex bodies.

use crate::convert::{vec2, vec3s};
use flow_swarm::Vec3;
use flow_swarm::import::Solid;
use godot::classes::{
    BoxShape3D, CapsuleShape3D, ConcavePolygonShape3D, ConvexPolygonShape3D, CylinderShape3D,
    Shape3D, SphereShape3D,
};
use godot::prelude::*;
use std::f32::consts::TAU;

/// The number of corners of polygons that stand for circles; they deviate by at most 0.13 % of the radius.
const CIRCLE_CORNERS: usize = 64;
/// The number of circles between the pole and the equator of a sphere.
const RINGS: usize = 16;

/// Points on a circle; the first half has y of 0 or more, and the second of less.
pub fn circle(radius: f32) -> impl Iterator<Item = Vector2> {
    (0..CIRCLE_CORNERS).map(move |corner| {
        let angle = corner as f32 / CIRCLE_CORNERS as f32 * TAU;
        Vector2::new(angle.cos(), angle.sin()) * radius
    })
}

/// The convex parts of a shape; none for a shape that is no obstacle.
pub fn parts(shape: Gd<Shape3D>) -> Vec<Solid> {
    let shape = match shape.try_cast::<ConcavePolygonShape3D>() {
        Ok(faces) => {
            let corners = vec3s(&faces.get_faces());
            let triangles = corners.chunks_exact(3);
            return triangles.map(|it| Solid::hull(it.to_vec())).collect();
        }
        Err(shape) => shape,
    };
    vec![solid(shape)]
}

fn solid(shape: Gd<Shape3D>) -> Solid {
    let shape = match shape.try_cast::<BoxShape3D>() {
        Ok(cuboid) => return self::cuboid(-cuboid.get_size() * 0.5, cuboid.get_size() * 0.5),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<SphereShape3D>() {
        Ok(ball) => return capsule(ball.get_radius(), 0.0),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CapsuleShape3D>() {
        Ok(pill) => {
            let radius = pill.get_radius();
            return capsule(radius, (pill.get_height() * 0.5 - radius).max(0.0));
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CylinderShape3D>() {
        Ok(drum) => {
            let (half, radius) = (drum.get_height() * 0.5, drum.get_radius());
            return rings(&[(-half, radius), (half, radius)]);
        }
        Err(shape) => shape,
    };
    match shape.try_cast::<ConvexPolygonShape3D>() {
        Ok(body) => Solid::hull(vec3s(&body.get_points())),
        Err(_) => Solid::default(),
    }
}

/// An upright cuboid.
pub fn cuboid(low: Vector3, high: Vector3) -> Solid {
    let mut corners = Vec::with_capacity(8);
    for x in [low.x, high.x] {
        for y in [low.y, high.y] {
            for z in [low.z, high.z] {
                corners.push(Vec3::new(x, y, z));
            }
        }
    }
    Solid::hull(corners)
}

/// Two half spheres, `shift` above and below the middle.
fn capsule(radius: f32, shift: f32) -> Solid {
    let half: Vec<(f32, f32)> = (0..=RINGS)
        .map(|level| level as f32 / RINGS as f32 * TAU * 0.25)
        .map(|angle| (angle.sin() * radius + shift, angle.cos() * radius))
        .collect();
    let lower = half.iter().rev().map(|&(y, radius)| (-y, radius));
    rings(&lower.chain(half.iter().copied()).collect::<Vec<_>>())
}

/// A body of circles at heights, each with its radius.
fn rings(rings: &[(f32, f32)]) -> Solid {
    let unit: Vec<_> = circle(1.0).map(vec2).collect();
    let rings = rings
        .iter()
        .map(|&(y, radius)| (Vec3::new(0.0, y, 0.0), radius));
    Solid::rings(&rings.collect::<Vec<_>>(), &unit)
}
