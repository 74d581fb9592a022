//! The space that a camera shows, as a test of instances.

use crate::error::{Result, finite_3d, in_range};
use glam::Vec3;

/// The greatest number of planes of a [`Frustum`].
pub const MAX_FRUSTUM_PLANES: usize = 8;
/// The greatest distance of an [`Extent`], in widths.
const MOST_EXTENT: f32 = 1.0e6;

/// The space that an instance takes around the vertical axis through its agent's place, in widths of the instance: an
/// upright cylinder that its mesh is in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The greatest distance from the axis, 0..=1e6.
    pub radius: f32,
    /// The least height above the agent's place, -1e6..=1e6.
    pub low: f32,
    /// The greatest height above the agent's place, `low`..=1e6.
    pub high: f32,
}

impl Extent {
    fn check(&self) -> Result<()> {
        in_range("radius of extent", self.radius, 0.0, MOST_EXTENT)?;
        in_range("low end of extent", self.low, -MOST_EXTENT, MOST_EXTENT)?;
        in_range("high end of extent", self.high, self.low, MOST_EXTENT)?;
        Ok(())
    }

    /// The greatest distance from the agent's place.
    #[must_use]
    pub fn reach(&self) -> f32 {
        let height = self.low.abs().max(self.high.abs());
        (self.radius * self.radius + height * height).sqrt()
    }
}

/// One number for each plane, a vector for the compiler.
type Planes = [f32; MAX_FRUSTUM_PLANES];

/// The convex space that a camera shows, and the space that instances take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    /// The planes' normals, of length 1, which point out of the frustum. Planes that are not used have normals of 0 and
    /// let everything pass.
    x: Planes,
    y: Planes,
    z: Planes,
    /// The distances of the planes from the origin along their normals.
    offset: Planes,
    extent: Extent,
}

impl Frustum {
    /// The space behind all planes. A plane is a normal, of any length, and an offset: a point `p` is behind it if
    /// `normal.dot(p) <= offset`. Points have y up, and the crowd's y as z. Without planes it is all of space.
    ///
    /// # Errors
    /// More than [`MAX_FRUSTUM_PLANES`], a normal or an offset that is not finite, a normal without a length, or an
    /// extent out of its ranges.
    pub fn new(planes: &[(Vec3, f32)], extent: Extent) -> Result<Self> {
        extent.check()?;
        in_range("number of planes", planes.len(), 0, MAX_FRUSTUM_PLANES)?;
        let mut frustum = Self {
            x: Planes::default(),
            y: Planes::default(),
            z: Planes::default(),
            offset: [f32::MAX; MAX_FRUSTUM_PLANES],
            extent,
        };
        for (plane, &(normal, offset)) in planes.iter().enumerate() {
            finite_3d("normal of plane", normal)?;
            let length = normal.length();
            in_range("length of normal", length, f32::MIN_POSITIVE, f32::MAX)?;
            let offset = in_range("offset of plane", offset / length, f32::MIN, f32::MAX)?;
            frustum.x[plane] = normal.x / length;
            frustum.y[plane] = normal.y / length;
            frustum.z[plane] = normal.z / length;
            frustum.offset[plane] = offset;
        }
        Ok(frustum)
    }

    /// The distances in front of each plane up to which the agent of an instance may stand that reaches behind it. An
    /// instance that is tilted may reach as far in any direction as in its farthest one.
    pub(super) fn reaches(&self, width: f32, is_tilted: bool) -> Planes {
        let Extent { radius, low, high } = self.extent;
        let mut reaches = Planes::default();
        for (plane, reach) in reaches.iter_mut().enumerate() {
            let (x, y, z) = (self.x[plane], self.y[plane], self.z[plane]);
            let own = if is_tilted {
                self.extent.reach()
            } else {
                radius * (x * x + z * z).sqrt() - (y * low).min(y * high)
            };
            *reach = width * own;
        }
        reaches
    }

    /// Whether an instance may be seen whose agent stands at a place, with its reaches at a size of 1.
    #[inline]
    pub(super) fn touches(&self, place: Vec3, reaches: &Planes, size: f32, margin: f32) -> bool {
        let mut is_seen = true;
        // Without branches, all planes are tested at once.
        for (plane, reach) in reaches.iter().enumerate() {
            let along = self.x[plane] * place.x + self.y[plane] * place.y + self.z[plane] * place.z;
            is_seen &= along - self.offset[plane] <= reach * size + margin;
        }
        is_seen
    }
}
