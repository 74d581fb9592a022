//! Agents as capsules that stand on the ground, with y up.

use glam::{DVec2, DVec3, Vec3};

/// A capsule that stands upright.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capsule {
    /// The lowest point.
    pub(super) foot: DVec3,
    pub(super) radius: f64,
    /// From the lowest to the highest point, at least the diameter.
    pub(super) height: f64,
}

impl Capsule {
    pub(super) fn center(&self) -> DVec3 {
        self.foot + 0.5 * self.height * DVec3::Y
    }

    /// The centres of the spheres at both ends.
    fn ends(&self) -> [DVec3; 2] {
        [self.radius, self.height - self.radius].map(|height| self.foot + height * DVec3::Y)
    }

    /// Whether a point is at most `distance` away.
    pub(super) fn is_within(&self, distance: f64, point: DVec3) -> bool {
        let [low, high] = self.ends();
        let nearest = DVec3::new(low.x, point.y.max(low.y).min(high.y), low.z);
        let reach = self.radius + distance;
        nearest.distance_squared(point) <= reach * reach
    }

    /// The distance along a ray at which it enters; 0 if it starts inside, `None` if it misses.
    pub(super) fn entry(&self, ray: &Ray) -> Option<f64> {
        if self.is_within(0.0, ray.from) {
            return Some(0.0);
        }
        // A ray from outside enters through a sphere or the side: the flat ends of the cylinder are inside of the
        // spheres.
        let [low, high] = self.ends();
        let spheres = [low, high].map(|center| ray.enters_sphere(center, self.radius));
        let side = ray.enters_column(self.foot, self.radius).filter(|along| {
            let height = ray.from.y + ray.ahead.y * along;
            (low.y..=high.y).contains(&height)
        });
        let entries = spheres.into_iter().chain([side]).flatten();
        entries
            .filter(|&along| along >= 0.0 && along <= ray.length)
            .min_by(f64::total_cmp)
    }
}

/// A straight line from one point to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    from: DVec3,
    to: DVec3,
    /// The unit vector of its direction; zero for a ray without length.
    ahead: DVec3,
    length: f64,
}

impl Ray {
    pub(super) fn new(from: Vec3, to: Vec3) -> Self {
        let [from, to] = [from, to].map(Vec3::as_dvec3);
        Self {
            from,
            to,
            ahead: (to - from).try_normalize().unwrap_or_default(),
            length: from.distance(to),
        }
    }

    pub(super) fn start(&self) -> DVec3 {
        self.from
    }

    /// The ends, seen from above, of the part of the ray between two heights; `None` if it has no such part.
    pub(super) fn between(&self, low: f64, high: f64) -> Option<(DVec2, DVec2)> {
        let rise = self.to.y - self.from.y;
        let share_at = |height: f64| ((height - self.from.y) / rise).clamp(0.0, 1.0);
        let is_beside = self.from.y.max(self.to.y) < low || self.from.y.min(self.to.y) > high;
        if is_beside {
            return None;
        }
        let shares = if rise == 0.0 {
            [0.0, 1.0]
        } else {
            [share_at(low), share_at(high)]
        };
        let [one, other] = shares.map(|share| {
            let point = self.from.lerp(self.to, share);
            DVec2::new(point.x, point.z)
        });
        Some((one, other))
    }

    /// The distance at which the line enters a sphere, which may be beyond the ends of the ray.
    fn enters_sphere(&self, center: DVec3, radius: f64) -> Option<f64> {
        let away = center - self.from;
        let along = self.ahead.dot(away);
        let chord = radius * radius - (away - along * self.ahead).length_squared();
        (chord >= 0.0).then(|| along - chord.sqrt())
    }

    /// The distance at which the line enters an upright column without ends; `None` if it misses it or is upright too.
    fn enters_column(&self, foot: DVec3, radius: f64) -> Option<f64> {
        let flat = |vector: DVec3| DVec2::new(vector.x, vector.z);
        let speed = flat(self.ahead).length();
        let ahead = flat(self.ahead).try_normalize()?;
        let away = flat(foot - self.from);
        let aside = ahead.perp_dot(away);
        let chord = radius * radius - aside * aside;
        (chord >= 0.0).then(|| (ahead.dot(away) - chord.sqrt()) / speed)
    }
}
