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

/// The number of corners of polygons that stand for circles, at most; they deviate by at most 0.13 % of the radius.
const CIRCLE_CORNERS: usize = 64;

/// The number of corners of a polygon that stands for a circle, a multiple of 4, if it may deviate by `tolerance`.
fn circle_corners(radius: f32, tolerance: f32) -> usize {
    // The middle of a side is radius * (1 - cos(pi / corners)) inside, about radius * pi^2 / (2 * corners^2).
    let corners = 2.2 * (radius / tolerance).sqrt();
    let corners = corners.min(CIRCLE_CORNERS as f32) as usize;
    corners.next_multiple_of(4).max(8)
}

/// Points on a circle; the first half has y of 0 or more, and the second of less.
pub fn circle(radius: f32) -> impl Iterator<Item = Vector2> {
    circle_of(radius, CIRCLE_CORNERS)
}

fn circle_of(radius: f32, corners: usize) -> impl Iterator<Item = Vector2> {
    (0..corners).map(move |corner| {
        let angle = corner as f32 / corners as f32 * TAU;
        Vector2::new(angle.cos(), angle.sin()) * radius
    })
}

/// Half the size of a box around a round shape or a cuboid, which is around its origin; `None` for other shapes.
pub fn half_size(shape: &Gd<Shape3D>) -> Option<Vector3> {
    let round = |radius: f32, half: f32| Some(Vector3::new(radius, half, radius));
    if let Ok(cuboid) = shape.clone().try_cast::<BoxShape3D>() {
        return Some(cuboid.get_size() * 0.5);
    }
    if let Ok(ball) = shape.clone().try_cast::<SphereShape3D>() {
        return round(ball.get_radius(), ball.get_radius());
    }
    if let Ok(pill) = shape.clone().try_cast::<CapsuleShape3D>() {
        return round(
            pill.get_radius(),
            pill.get_radius().max(pill.get_height() * 0.5),
        );
    }
    let drum = shape.clone().try_cast::<CylinderShape3D>().ok()?;
    round(drum.get_radius(), drum.get_height() * 0.5)
}

/// The convex parts of a shape; none for a shape that is no obstacle. Round sides may deviate by `tolerance`, or by
/// 0.13 % of their radius if that is more.
pub fn parts(shape: Gd<Shape3D>, tolerance: f32) -> Vec<Solid> {
    let shape = match shape.try_cast::<ConcavePolygonShape3D>() {
        Ok(faces) => {
            let corners = vec3s(&faces.get_faces());
            let triangles = corners.chunks_exact(3);
            return triangles.map(|it| Solid::hull(it.to_vec())).collect();
        }
        Err(shape) => shape,
    };
    vec![solid(shape, tolerance)]
}

fn solid(shape: Gd<Shape3D>, tolerance: f32) -> Solid {
    let shape = match shape.try_cast::<BoxShape3D>() {
        Ok(cuboid) => return self::cuboid(-cuboid.get_size() * 0.5, cuboid.get_size() * 0.5),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<SphereShape3D>() {
        Ok(ball) => return capsule(ball.get_radius(), 0.0, tolerance),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CapsuleShape3D>() {
        Ok(pill) => {
            let radius = pill.get_radius();
            let shift = (pill.get_height() * 0.5 - radius).max(0.0);
            return capsule(radius, shift, tolerance);
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CylinderShape3D>() {
        Ok(drum) => {
            let (half, radius) = (drum.get_height() * 0.5, drum.get_radius());
            let corners = circle_corners(radius, tolerance);
            return rings(&[(-half, radius), (half, radius)], corners);
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
fn capsule(radius: f32, shift: f32, tolerance: f32) -> Solid {
    let corners = circle_corners(radius, tolerance);
    // The circles between the pole and the equator.
    let levels = corners / 4;
    let half: Vec<(f32, f32)> = (0..=levels)
        .map(|level| level as f32 / levels as f32 * TAU * 0.25)
        .map(|angle| (angle.sin() * radius + shift, angle.cos() * radius))
        .collect();
    let lower = half.iter().rev().map(|&(y, radius)| (-y, radius));
    let all = lower.chain(half.iter().copied());
    rings(&all.collect::<Vec<_>>(), corners)
}

/// A body of circles at heights, each with its radius.
fn rings(rings: &[(f32, f32)], corners: usize) -> Solid {
    let unit: Vec<_> = circle_of(1.0, corners).map(vec2).collect();
    let rings = rings
        .iter()
        .map(|&(y, radius)| (Vec3::new(0.0, y, 0.0), radius));
    Solid::rings(&rings.collect::<Vec<_>>(), &unit)
}
