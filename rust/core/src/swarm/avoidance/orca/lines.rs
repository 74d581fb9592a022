//! Half-planes of permitted velocities, and the half-plane for a moving neighbour (van den Berg, Guy, Lin and Manocha,
//! Reciprocal n-body collision avoidance, ISRR 2009, section 4).
//!
//! The relative velocities that lead to a collision within the horizon fill a cone with a rounded tip. The tip is the
//! neighbour's disc, with the agent's own radius added, divided by the horizon. The sides are the tangents of that disc
//! through the origin. The cone is convex, so the line that touches it at the point nearest to the current relative
//! velocity has no forbidden velocity on its outer side.
//!
//! Everything here works on four neighbours at once.

use crate::swarm::neighbours::buckets::LANES;
use glam::{Vec2, Vec4};

/// The most half-planes for one agent.
pub(super) const MOST: usize = 80;
/// The number of half-planes that are tested at once.
pub(super) const AT_ONCE: usize = 4 * LANES;
/// Includes room behind the last half-plane for entries that permit everything.
const ROOM: usize = MOST + AT_ONCE;
/// Relative velocities closer to the centre of a disc than this fraction of its radius have no nearest point on its
/// edge.
const CENTRED: f32 = 1.0e-6;

/// The velocities `v` with `normal.dot(v) >= offset`, for each entry; the coordinates lie in arrays of
/// their own. Entries beyond [`Self::len`], up to a multiple of [`AT_ONCE`], permit everything once sealed.
pub(super) struct HalfPlanes {
    pub(super) x: [f32; ROOM],
    pub(super) y: [f32; ROOM],
    pub(super) offset: [f32; ROOM],
    len: usize,
}

impl HalfPlanes {
    pub(super) fn new() -> Self {
        Self {
            x: [0.0; ROOM],
            y: [0.0; ROOM],
            offset: [-1.0; ROOM],
            len: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_full(&self) -> bool {
        self.len == MOST
    }

    pub(super) fn normal(&self, index: usize) -> Vec2 {
        Vec2::new(self.x[index], self.y[index])
    }

    /// Adds one half-plane, if there is room.
    pub(super) fn push(&mut self, normal: Vec2, offset: f32) {
        if self.is_full() {
            return;
        }
        self.x[self.len] = normal.x;
        self.y[self.len] = normal.y;
        self.offset[self.len] = offset;
        self.len += 1;
    }

    /// Adds the first `count` of four half-planes, if there is room for four.
    #[inline]
    pub(super) fn push_lanes(&mut self, x: Vec4, y: Vec4, offset: Vec4, count: usize) {
        let (from, to) = (self.len, self.len + LANES);
        if to > MOST {
            return;
        }
        x.write_to_slice(&mut self.x[from..to]);
        y.write_to_slice(&mut self.y[from..to]);
        offset.write_to_slice(&mut self.offset[from..to]);
        self.len += count.min(LANES);
    }

    /// Puts all of `others` in before entry `index`, if there is room.
    pub(super) fn insert(&mut self, index: usize, others: &Self) {
        let (end, count) = (self.len, others.len);
        if end + count > MOST {
            return;
        }
        for (own, other) in [
            (&mut self.x, &others.x),
            (&mut self.y, &others.y),
            (&mut self.offset, &others.offset),
        ] {
            own.copy_within(index..end, index + count);
            own[index..index + count].copy_from_slice(&other[..count]);
        }
        self.len += count;
    }

    /// Adds all of `others`, if there is room.
    #[inline]
    pub(super) fn append(&mut self, others: &Self) {
        let end = self.len + others.len;
        if end > MOST {
            return;
        }
        // Copied four at a time, which is faster than calls for so few. The room behind the last entry is sealed later.
        for from in (0..others.len).step_by(LANES) {
            let to = self.len + from;
            for (own, other) in [
                (&mut self.x, &others.x),
                (&mut self.y, &others.y),
                (&mut self.offset, &others.offset),
            ] {
                own[to..to + LANES].copy_from_slice(&other[from..from + LANES]);
            }
        }
        self.len = end;
    }

    /// Makes the entries behind the last one permit everything, so that all can be tested [`AT_ONCE`] at a time.
    #[inline]
    pub(super) fn seal(&mut self) {
        let rest = self.len..self.len + AT_ONCE;
        self.x[rest.clone()].fill(0.0);
        self.y[rest.clone()].fill(0.0);
        self.offset[rest].fill(-1.0);
    }
}

const _: () = assert!(MOST.is_multiple_of(AT_ONCE));

/// Four neighbours as an agent sees them.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The vectors from the agent to them.
    pub(super) away: [Vec4; 2],
    /// Their velocities.
    pub(super) velocity: [Vec4; 2],
    /// The sum of both radii.
    pub(super) touching: Vec4,
    /// The share of a needed change that the agent makes itself, 0..=1.
    pub(super) share: Vec4,
    /// The share of the spare room that the agent may use, 0..=1.
    pub(super) slack: Vec4,
}

/// Four half-planes: the coordinates of the normals, the offsets, and a bit set of those without a normal, where both
/// agents have the same position and velocity. Their normals are zero.
pub(super) struct Lanes {
    pub(super) x: Vec4,
    pub(super) y: Vec4,
    pub(super) offset: Vec4,
    pub(super) lost: u32,
}

/// The half-planes that the neighbours `seen` leave to an agent with the velocity `own`. With a permitted velocity the
/// agent makes its share of the change that keeps the two apart for `horizon` seconds, or that parts them within `step`
/// seconds if they overlap already.
#[inline]
pub(super) fn permitted(own: Vec2, seen: &Seen, horizon: f32, step: f32) -> Lanes {
    let [px, py] = seen.away;
    let (own_x, own_y) = (Vec4::splat(own.x), Vec4::splat(own.y));
    let (vx, vy) = (own_x - seen.velocity[0], own_y - seen.velocity[1]);
    let radius = seen.touching;
    let squared = px * px + py * py;
    let room = squared - radius * radius;
    let overlaps = room.cmple(Vec4::ZERO);
    let nearness = Vec4::select(
        overlaps,
        Vec4::splat(1.0 / step),
        Vec4::splat(1.0 / horizon),
    );
    // From the centre of the tip's disc to the relative velocity.
    let (wx, wy) = (vx - px * nearness, vy - py * nearness);
    let tip = radius * nearness;
    let length_squared = wx * wx + wy * wy;
    let length = sqrt(length_squared);
    let lost = length.cmple(tip * CENTRED);
    let inverse = Vec4::select(lost, Vec4::ZERO, Vec4::ONE / length);
    let (tip_x, tip_y) = (wx * inverse, wy * inverse);
    // The tip is the nearest part of the edge for relative velocities on the near side of the tangent points.
    let along = wx * px + wy * py;
    let faces_tip =
        along.cmplt(Vec4::ZERO) & (along * along).cmpgt(radius * radius * length_squared);
    // The side that is nearer to the relative velocity. The left one is the direction to the disc, turned left by half
    // the cone's angle.
    let tangent = sqrt(room.max(Vec4::ZERO));
    let is_left = (px * wy - py * wx).cmpge(Vec4::ZERO);
    let side = Vec4::select(is_left, Vec4::ONE, -Vec4::ONE);
    let inverse_squared = Vec4::ONE / Vec4::select(overlaps, Vec4::ONE, squared);
    let side_x = (-(px * radius) - side * py * tangent) * inverse_squared;
    let side_y = (side * px * tangent - py * radius) * inverse_squared;
    let by_tip = overlaps | faces_tip;
    let x = Vec4::select(by_tip, tip_x, side_x);
    let y = Vec4::select(by_tip, tip_y, side_y);
    // The distance by which the relative velocity is outside of the cone.
    let outside = Vec4::select(by_tip, length - tip, side_x * vx + side_y * vy);
    let part = Vec4::select(outside.cmplt(Vec4::ZERO), seen.share, seen.slack);
    Lanes {
        x,
        y,
        offset: x * own_x + y * own_y - part * outside,
        lost: (lost & by_tip).bitmask(),
    }
}

fn sqrt(values: Vec4) -> Vec4 {
    let [x, y, z, w] = values.to_array();
    Vec4::new(x.sqrt(), y.sqrt(), z.sqrt(), w.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec2> {
        (-size..size, -size..size).prop_map(|(x, y)| Vec2::new(x, y))
    }

    /// The half-plane of the first agent for the second one.
    fn plane(
        [from, to]: [Vec2; 2],
        [own, other]: [Vec2; 2],
        touching: f32,
        [share, slack]: [f32; 2],
        horizon: f32,
    ) -> (Vec2, f32) {
        let away = to - from;
        let seen = Seen {
            away: [Vec4::splat(away.x), Vec4::splat(away.y)],
            velocity: [Vec4::splat(other.x), Vec4::splat(other.y)],
            touching: Vec4::splat(touching),
            share: Vec4::splat(share),
            slack: Vec4::splat(slack),
        };
        let lanes = permitted(own, &seen, horizon, 0.05);
        (Vec2::new(lanes.x.x, lanes.y.x), lanes.offset.x)
    }

    /// The least distance of two points that keep their velocities for some time.
    fn least_distance(away: Vec2, relative: Vec2, time: f32) -> f64 {
        let (away, relative) = (away.as_dvec2(), relative.as_dvec2());
        let speed = relative.length_squared();
        let when = if speed > 0.0 {
            (away.dot(relative) / speed).clamp(0.0, f64::from(time))
        } else {
            0.0
        };
        (away - relative * when).length()
    }

    proptest! {
        /// Two agents that keep to their half-planes do not collide within the horizon, for any permitted velocities
        /// and any shares.
        #[test]
        fn agents_that_keep_to_the_lines_do_not_collide(
            away in vector(10.0),
            own in vector(3.0),
            other in vector(3.0),
            wanted in prop::array::uniform2(vector(6.0)),
            touching in 0.1_f32..3.0,
            shares in (0.0_f32..1.0, 0.0_f32..1.0),
            horizon in 0.2_f32..5.0,
        ) {
            prop_assume!(away.length() > 1.01 * touching);
            let (shares, rest) = ([shares.0, shares.1], [1.0 - shares.0, 1.0 - shares.1]);
            let (normal, offset) = plane([Vec2::ZERO, away], [own, other], touching, shares, horizon);
            let (back, back_offset) =
                plane([away, Vec2::ZERO], [other, own], touching, rest, horizon);
            prop_assert!((normal.length() - 1.0).abs() < 1.0e-3);
            prop_assert!((normal + back).length() < 2.0e-3, "{normal} {back}");
            let keep = |wanted: Vec2, normal: Vec2, offset: f32| {
                wanted + normal * (offset - normal.dot(wanted)).max(0.0)
            };
            let one = keep(wanted[0], normal, offset);
            let two = keep(wanted[1], back, back_offset);
            let nearest = least_distance(away, one - two, horizon);
            prop_assert!(
                nearest >= f64::from(touching) * 0.998,
                "they come as near as {nearest} of {touching}"
            );
        }

        /// The required change is the least one: the line touches the cone.
        #[test]
        fn they_forbid_no_more_than_needed(
            away in vector(10.0),
            own in vector(3.0),
            touching in 0.1_f32..3.0,
            horizon in 0.2_f32..5.0,
        ) {
            prop_assume!(away.length() > 1.01 * touching);
            let (normal, offset) = plane([Vec2::ZERO, away], [own, Vec2::ZERO], touching, [1.0; 2], horizon);
            let edge = own + normal * (offset - normal.dot(own));
            let inside = least_distance(away, edge - normal * 0.02, horizon);
            prop_assert!(inside < f64::from(touching) * 1.001 + 1.0e-3, "{inside} of {touching}");
        }

        /// Overlapping agents that keep to their half-planes are apart after the step.
        #[test]
        fn overlaps_are_parted(
            direction in vector(1.0),
            depth in 0.01_f32..0.9,
            own in vector(3.0),
            other in vector(3.0),
            share in 0.0_f32..1.0,
        ) {
            prop_assume!(direction.length() > 0.1);
            let away = direction.normalize() * (1.0 - depth);
            let (normal, offset) = plane([Vec2::ZERO, away], [own, other], 1.0, [share, 1.0 - share], 2.0);
            let (back, back_offset) = plane([away, Vec2::ZERO], [other, own], 1.0, [1.0 - share, share], 2.0);
            prop_assume!(normal != Vec2::ZERO);
            let one = own + normal * (offset - normal.dot(own)).max(0.0);
            let two = other + back * (back_offset - back.dot(other)).max(0.0);
            let after = (away - (one - two) * 0.05).length();
            prop_assert!(after > 0.995, "{after}");
        }
    }

    #[test]
    fn agents_at_one_point_with_one_velocity_have_no_normal() {
        let seen = Seen {
            away: [Vec4::ZERO; 2],
            velocity: [Vec4::ONE; 2],
            touching: Vec4::ONE,
            share: Vec4::splat(0.5),
            slack: Vec4::splat(0.5),
        };
        let lanes = permitted(Vec2::ONE, &seen, 2.0, 0.05);
        assert_eq!(lanes.lost, 0b1111);
        assert_eq!((lanes.x, lanes.y), (Vec4::ZERO, Vec4::ZERO));
        assert!(lanes.offset.is_finite());
    }
}
