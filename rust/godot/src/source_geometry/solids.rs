//! Shapes as convex bodies.

use crate::convert::{vec2, vec3s};
use flow_swarm::Vec3;
use flow_swarm::import::Solid;
use godot::classes::{
    BoxShape3D, CapsuleShape3D, ConcavePolygonShape3D, ConvexPolygonShape3D, CylinderShape3D,
    HeightMapShape3D, Shape3D, SphereShape3D,
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

/// A shape by its class.
pub enum Form {
    Cuboid(Gd<BoxShape3D>),
    Ball(Gd<SphereShape3D>),
    Pill(Gd<CapsuleShape3D>),
    Drum(Gd<CylinderShape3D>),
    Hull(Gd<ConvexPolygonShape3D>),
    Faces(Gd<ConcavePolygonShape3D>),
    HeightMap(Gd<HeightMapShape3D>),
    Other,
}

impl Form {
    pub fn of(shape: Gd<Shape3D>) -> Self {
        fn cast<T: Inherits<Shape3D>>(
            shape: Gd<Shape3D>,
            form: fn(Gd<T>) -> Form,
        ) -> Result<Form, Gd<Shape3D>> {
            shape.try_cast().map(form)
        }
        let form = cast(shape, Self::Cuboid)
            .or_else(|shape| cast(shape, Self::Ball))
            .or_else(|shape| cast(shape, Self::Pill))
            .or_else(|shape| cast(shape, Self::Drum))
            .or_else(|shape| cast(shape, Self::Hull))
            .or_else(|shape| cast(shape, Self::Faces))
            .or_else(|shape| cast(shape, Self::HeightMap));
        form.unwrap_or(Self::Other)
    }

    /// A box around the shape, if that is found faster than its parts.
    pub fn bounds(&self) -> Option<Aabb> {
        let around = |half: Vector3| Some(Aabb::new(-half, half * 2.0));
        match self {
            Self::Cuboid(cuboid) => around(cuboid.get_size() * 0.5),
            Self::Ball(ball) => around(Vector3::splat(ball.get_radius())),
            Self::Pill(pill) => {
                let (radius, half) = (pill.get_radius(), pill.get_height() * 0.5);
                around(Vector3::new(radius, radius.max(half), radius))
            }
            Self::Drum(drum) => {
                let (radius, half) = (drum.get_radius(), drum.get_height() * 0.5);
                around(Vector3::new(radius, half, radius))
            }
            Self::Hull(hull) => bounds_of(&hull.get_points()),
            Self::Faces(faces) => bounds_of(&faces.get_faces()),
            Self::HeightMap(_) | Self::Other => None,
        }
    }

    /// The convex parts of a shape; none for a shape that is no obstacle. Round sides may deviate by `tolerance`, or by
    /// 0.13 % of their radius if that is more.
    pub fn parts(&self, tolerance: f32) -> Vec<Solid> {
        let solid = match self {
            Self::Cuboid(cuboid) => self::cuboid(-cuboid.get_size() * 0.5, cuboid.get_size() * 0.5),
            Self::Ball(ball) => capsule(ball.get_radius(), 0.0, tolerance),
            Self::Pill(pill) => {
                let radius = pill.get_radius();
                let shift = (pill.get_height() * 0.5 - radius).max(0.0);
                capsule(radius, shift, tolerance)
            }
            Self::Drum(drum) => {
                let (half, radius) = (drum.get_height() * 0.5, drum.get_radius());
                let corners = circle_corners(radius, tolerance);
                rings(&[(-half, radius), (half, radius)], corners)
            }
            Self::Hull(hull) => Solid::hull(vec3s(&hull.get_points())),
            Self::Faces(faces) => {
                let corners = vec3s(&faces.get_faces());
                let triangles = corners.chunks_exact(3);
                return triangles.map(|it| Solid::hull(it.to_vec())).collect();
            }
            Self::HeightMap(_) | Self::Other => return Vec::new(),
        };
        vec![solid]
    }
}

/// A box around points; `None` without any, and for points that are not finite.
fn bounds_of(points: &PackedVector3Array) -> Option<Aabb> {
    let points = points.as_slice();
    let first = *points.first()?;
    let (low, high) = points.iter().fold((first, first), |(low, high), &point| {
        (low.coord_min(point), high.coord_max(point))
    });
    let is_finite = points.iter().all(|point| point.is_finite());
    is_finite.then(|| Aabb::new(low, high - low))
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
