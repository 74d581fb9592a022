//! The agents of another swarm, sorted by place.

use crate::swarm::AgentType;
use crate::swarm::neighbours::buckets::LANES;
use crate::swarm::neighbours::pairs::LANE_SETS;
use crate::swarm::neighbours::shape::Shape;
use glam::{Vec2, Vec4};

/// An agent of another swarm.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Disc {
    /// Where it was before the step.
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    /// The velocity at which it is likely to go on.
    pub(super) drift: Vec2,
    /// See [`ContactBody::preferred_direction`](super::body::ContactBody::preferred_direction).
    pub(super) preferred_direction: Vec2,
    /// How far it still has to go, in world units, if it goes to a goal among others; else not a number.
    pub(super) remaining: f32,
    /// How much it has to do with agents that go elsewhere, 0..=1.
    pub(super) conflict: f32,
    pub(super) kind: u8,
    pub(super) group: u8,
    /// Whether it moves at the game's word alone.
    pub(super) is_scripted: bool,
    pub(super) has_own_target: bool,
    pub(super) size: Size,
}

/// How large an agent is among those of its swarm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Size {
    /// It is not solid for others.
    #[default]
    None,
    Regular,
    /// Much larger than the rest.
    Oversized,
}

/// Agents of one size by place, in square buckets.
#[derive(Debug, Default)]
pub(super) struct Discs {
    shape: Shape,
    /// Where each bucket starts in `sorted`, and a last entry for the end.
    starts: Vec<u32>,
    sorted: Vec<Disc>,
    /// The positions in `sorted` once more, followed by [`LANES`] entries without meaning.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The rectangle that their middles are in.
    low: Vec2,
    high: Vec2,
    largest_radius: f32,
    /// How far any of them goes in a second under its own power.
    fastest: f32,
}

impl Discs {
    pub(super) fn sorted(&self) -> &[Disc] {
        &self.sorted
    }

    pub(super) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    pub(super) fn clear(&mut self) {
        self.sorted.clear();
    }

    /// How far any of them goes at most in a step under its own power, or is taken to go.
    pub(super) fn stride(&self, dt: f32) -> f32 {
        (self.fastest * dt).min(2.0 * self.largest_radius)
    }

    /// Whether any of them may be within `reach` of a rectangle.
    pub(super) fn reach_into(&self, low: Vec2, high: Vec2, reach: f32) -> bool {
        let corner = Vec2::splat(reach);
        !self.sorted.is_empty()
            && (low - corner).cmple(self.high).all()
            && (high + corner).cmpge(self.low).all()
    }

    /// Visits, bucket by bucket, the places of all whose middles are nearer to a point than `reach`.
    #[inline]
    pub(super) fn for_each_near(&self, at: Vec2, reach: f32, mut visit: impl FnMut(usize)) {
        if !self.reach_into(at, at, reach) {
            return;
        }
        let corner = Vec2::splat(reach);
        let (at_x, at_y) = (Vec4::splat(at.x), Vec4::splat(at.y));
        let reach = Vec4::splat(reach * reach);
        let rows = self
            .shape
            .rows_between(&self.starts, at - corner, at + corner);
        for row in rows {
            let mut start = row.start;
            while start < row.end {
                let away_x = at_x - Vec4::from_slice(&self.x[start..start + LANES]);
                let away_y = at_y - Vec4::from_slice(&self.y[start..start + LANES]);
                let squared = away_x * away_x + away_y * away_y;
                let lanes = LANE_SETS[(row.end - start).min(LANES)];
                let mut near = squared.cmplt(reach).bitmask() & lanes;
                while near != 0 {
                    visit(start + near.trailing_zeros() as usize);
                    near &= near - 1;
                }
                start += LANES;
            }
        }
    }

    /// Sorts those of some agents that are of a size: a counting sort, stable, so that agents in a bucket keep their
    /// order. O(agents + buckets), and there are at most about four buckets to an agent.
    pub(super) fn fill(&mut self, discs: &[Disc], size: Size, types: &[AgentType]) {
        let of_size = || discs.iter().filter(|disc| disc.size == size);
        let count = of_size().count();
        self.sorted.resize(count, Disc::default());
        if count == 0 {
            return;
        }
        self.measure(of_size(), types);
        self.shape = Shape::over(self.low, self.high, count, self.largest_radius, 0.0);
        let shape = &self.shape;
        let bucket_of = |disc: &Disc| shape.bucket_of(shape.cell_of(disc.position)) as usize;
        self.starts.clear();
        self.starts.resize(shape.bucket_count() + 1, 0);
        for disc in of_size() {
            self.starts[bucket_of(disc) + 1] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.x.resize(count + LANES, 0.0);
        self.y.resize(count + LANES, 0.0);
        // Each start moves on to its bucket's end, which is the start of the next.
        for disc in of_size() {
            let start = &mut self.starts[bucket_of(disc)];
            let place = *start as usize;
            self.sorted[place] = *disc;
            (self.x[place], self.y[place]) = disc.position.into();
            *start += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn measure<'a>(&mut self, discs: impl Iterator<Item = &'a Disc>, types: &[AgentType]) {
        (self.low, self.high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        (self.largest_radius, self.fastest) = (0.0, 0.0);
        for disc in discs {
            let kind = &types[usize::from(disc.kind)];
            self.low = self.low.min(disc.position);
            self.high = self.high.max(disc.position);
            self.largest_radius = self.largest_radius.max(kind.radius);
            self.fastest = self.fastest.max(kind.max_speed);
        }
    }
}
