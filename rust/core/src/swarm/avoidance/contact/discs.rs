//! The agents of another swarm, sorted into buckets.

use crate::swarm::AgentType;
use crate::swarm::neighbours::buckets::LANES;
use crate::swarm::neighbours::pairs::LANE_SETS;
use crate::swarm::neighbours::shape::Shape;
use glam::{Vec2, Vec4};

/// An agent of another swarm.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Disc {
    /// The position before the step.
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    /// The velocity that the agent is expected to keep during the step.
    pub(super) drift: Vec2,
    /// See [`ContactBody::preferred_direction`](super::body::ContactBody::preferred_direction).
    pub(super) preferred_direction: Vec2,
    /// The remaining distance to the group's goal, in world units; NaN where it is not known (see
    /// [`ContactBody::remaining`](super::body::ContactBody::remaining)).
    pub(super) remaining: f32,
    /// The strength of the agent's conflict with agents that go elsewhere, 0..=1.
    pub(super) conflict: f32,
    pub(super) kind: u8,
    pub(super) goal_group: u16,
    /// Whether only the game moves the agent.
    pub(super) is_scripted: bool,
    pub(super) has_own_target: bool,
    pub(super) size: Size,
}

/// The size class of an agent within its swarm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Size {
    /// The agent is not solid for other swarms.
    #[default]
    None,
    Regular,
    /// Much larger than the other agents of its swarm.
    Oversized,
}

/// Agents of one size class, sorted into square buckets.
#[derive(Debug, Default)]
pub(super) struct Discs {
    shape: Shape,
    /// The index in `sorted` at which each bucket starts, followed by one entry for the end.
    starts: Vec<u32>,
    sorted: Vec<Disc>,
    /// The positions of `sorted` as columns, followed by [`LANES`] unspecified entries.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The bounds of the agents' centres.
    low: Vec2,
    high: Vec2,
    largest_radius: f32,
    /// The greatest maximum speed among them, in world units a second.
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

    /// The longest displacement of any of them in a step under its own power. It is limited to the largest diameter.
    pub(super) fn stride(&self, dt: f32) -> f32 {
        (self.fastest * dt).min(2.0 * self.largest_radius)
    }

    /// Whether the bounds of the agents, grown by `reach`, intersect a rectangle.
    pub(super) fn reach_into(&self, low: Vec2, high: Vec2, reach: f32) -> bool {
        let corner = Vec2::splat(reach);
        !self.sorted.is_empty()
            && (low - corner).cmple(self.high).all()
            && (high + corner).cmpge(self.low).all()
    }

    /// Visits, bucket by bucket, the places of all agents whose centres are closer to a point than `reach`.
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

    /// Sorts the agents of one size class into buckets. The counting sort is stable: agents in a bucket keep their
    /// order. O(agents + buckets); there are at most about four buckets for each agent.
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
        // Filling moves each entry of `starts` to the end of its bucket, which is the start of the next one.
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
