//! The bodies that are baked, as triangles.

use crate::error::{Result, finite, in_range};
use crate::ground::MAX_HEIGHT;
use glam::{Vec2, Vec3};

/// What is solid beside the faces of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volume {
    /// Nothing: the faces are thin sheets.
    Surface,
    /// The inside of a closed body.
    Closed,
    /// Everything below faces that point up, as under a height map.
    Below,
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Body {
    pub triangles: Vec<[Vec3; 3]>,
    pub volume: Volume,
    /// The least and greatest z.
    pub rows: (f32, f32),
}

/// All bodies of a scene, with y up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Geometry {
    pub(super) bodies: Vec<Body>,
}

impl Geometry {
    /// Adds a body by its triangles in world coordinates, anticlockwise as seen from outside or from above. Floors are
    /// on the outer side of faces only. A body that is said to be closed must have no holes.
    ///
    /// # Errors
    /// A corner that is not finite or higher than [`MAX_HEIGHT`]; nothing is added then.
    pub fn add(&mut self, triangles: Vec<[Vec3; 3]>, volume: Volume) -> Result<()> {
        let mut rows = (f32::INFINITY, f32::NEG_INFINITY);
        for corner in triangles.iter().flatten() {
            finite("position of a corner", Vec2::new(corner.x, corner.z))?;
            in_range("height of a corner", corner.y, -MAX_HEIGHT, MAX_HEIGHT)?;
            rows = (rows.0.min(corner.z), rows.1.max(corner.z));
        }
        if !triangles.is_empty() {
            self.bodies.push(Body {
                triangles,
                volume,
                rows,
            });
        }
        Ok(())
    }

    /// Adds the faces of a mesh as a closed body if every edge joins two of them, and as a surface otherwise.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub fn add_mesh(&mut self, triangles: Vec<[Vec3; 3]>) -> Result<()> {
        let volume = if is_closed(&triangles) {
            Volume::Closed
        } else {
            Volume::Surface
        };
        self.add(triangles, volume)
    }

    /// Returns the number of bodies.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }
}

/// Whether each edge of the faces is an edge of another face in the opposite direction.
fn is_closed(triangles: &[[Vec3; 3]]) -> bool {
    let key = |corner: Vec3| {
        // The two zeros are one place.
        (corner + Vec3::ZERO).to_array().map(f32::to_bits)
    };
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        let (a, b, c) = (key(a), key(b), key(c));
        if a != b && b != c && c != a {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    let mut opposite: Vec<_> = edges.iter().map(|&(from, to)| (to, from)).collect();
    edges.sort_unstable();
    opposite.sort_unstable();
    !edges.is_empty() && edges == opposite
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Solid;

    #[test]
    fn a_mesh_with_a_hole_is_not_closed() {
        let corner = |bits: u32| {
            Vec3::new(
                (bits & 1) as f32,
                (bits >> 1 & 1) as f32,
                (bits >> 2) as f32,
            )
        };
        let mut triangles = Solid::hull((0..8).map(corner).collect()).triangles();
        assert!(is_closed(&triangles));
        triangles.pop();
        assert!(!is_closed(&triangles));
        assert!(!is_closed(&[]));
    }
}
