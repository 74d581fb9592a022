//! How instances stand on the heights of the ground: their height and their tilt.
//!
//! Rows are written as on flat ground first, in batches, and then put on the ground while they are in the cache. So
//! drawing on flat ground costs nothing more. The tilts of a batch are kept number by number, so that the compiler
//! computes several agents with one instruction.

use crate::ground::GroundReader;
use crate::swarm::draw::pack::{Instances, Plane};
use crate::swarm::state::agent_type::AgentType;
use glam::Vec2;

/// The number of agents in a batch.
const BATCH: usize = 32;

impl AgentType {
    /// The slope to which an agent is tilted on ground that rises by `rise`.
    #[inline]
    fn tilted(&self, rise: Vec2) -> Vec2 {
        let rise = rise * self.tilt;
        let squared = rise.length_squared();
        if squared > self.max_tilt * self.max_tilt {
            rise * (self.max_tilt / squared.sqrt())
        } else {
            rise
        }
    }
}

impl Instances<'_> {
    /// Whether the heights of the ground change instances.
    pub(super) fn is_on_heights(&self) -> bool {
        let is_read = match self.layout.plane {
            Plane::Xy => self.layout.height_offset_2d != 0.0,
            Plane::Xz => true,
        };
        is_read && !self.swarm.ground.is_flat()
    }

    /// Writes the rows of agents on the heights of the ground, until `out` is full.
    pub(super) fn write_rows_on_heights(
        &self,
        mut agents: impl Iterator<Item = usize>,
        out: &mut [f32],
    ) {
        let stride = self.layout.stride();
        let has_tilt = self.swarm.types.iter().any(|kind| kind.tilt > 0.0);
        let mut ground = GroundReader::new(&self.swarm.ground);
        let mut indices = [0; BATCH];
        for rows in out.chunks_mut(BATCH * stride) {
            let indices = &mut indices[..rows.len() / stride];
            for (place, index) in indices.iter_mut().zip(&mut agents) {
                *place = index;
            }
            let indices = &*indices;
            self.write_flat_rows(indices.iter().copied(), rows);
            match self.layout.plane {
                Plane::Xy => self.offset(indices, rows, &mut ground),
                Plane::Xz if has_tilt => self.tilt(indices, rows, &mut ground),
                Plane::Xz => self.lift(indices, rows, &mut ground),
            }
        }
    }

    /// Moves the rows of agents in 2D.
    fn offset(&self, agents: &[usize], rows: &mut [f32], ground: &mut GroundReader<'_>) {
        for (row, &index) in rows.chunks_exact_mut(self.layout.stride()).zip(agents) {
            let position = Vec2::new(row[3], row[7]);
            if let Some(height) = ground.height(self.layer_of(index), position) {
                row[7] -= self.layout.height_offset_2d * height;
            }
        }
    }

    /// Sets the heights of the rows of agents in 3D. Heights of the ground are absolute: where there are any, the height
    /// of the layer is not added.
    fn lift(&self, agents: &[usize], rows: &mut [f32], ground: &mut GroundReader<'_>) {
        for (row, &index) in rows.chunks_exact_mut(self.layout.stride()).zip(agents) {
            let position = Vec2::new(row[3], row[11]);
            if !self.swarm.is_on_link(index)
                && let Some(height) = ground.height(self.layer_of(index), position)
            {
                row[7] = self.layout.height + height;
            }
        }
    }

    /// Sets the heights of the rows of agents in 3D, and tilts them along the ground.
    fn tilt(&self, agents: &[usize], rows: &mut [f32], ground: &mut GroundReader<'_>) {
        let stride = self.layout.stride();
        let mut tilts = Tilts::default();
        for (at, (row, &index)) in rows.chunks_exact_mut(stride).zip(agents).enumerate() {
            let position = Vec2::new(row[3], row[11]);
            let mut slope = Vec2::ZERO;
            if !self.swarm.is_on_link(index)
                && let Some((height, rise)) = ground.standing(self.layer_of(index), position)
            {
                row[7] = self.layout.height + height;
                let kind = &self.swarm.types[usize::from(self.swarm.agents.kind[index])];
                slope = kind.tilted(rise);
            }
            // The row is still that of an upright instance.
            tilts.set(at, slope, Vec2::new(-row[2], -row[10]), row[5]);
        }
        let axes = tilts.axes();
        for (at, row) in rows.chunks_exact_mut(stride).enumerate() {
            if tilts.slope_x[at] != 0.0 || tilts.slope_y[at] != 0.0 {
                let [right, up, back] = &axes;
                [row[0], row[1], row[2]] = [right.x[at], up.x[at], back.x[at]];
                [row[4], row[5], row[6]] = [right.y[at], up.y[at], back.y[at]];
                [row[8], row[9], row[10]] = [right.z[at], up.z[at], back.z[at]];
            }
        }
    }

    #[inline]
    fn layer_of(&self, index: usize) -> u32 {
        self.swarm.layers.at(self.swarm.agents.position[index])
    }
}

/// Vectors with y up, one for each agent of a batch.
#[derive(Default)]
struct Axis {
    x: [f32; BATCH],
    y: [f32; BATCH],
    z: [f32; BATCH],
}

/// The slopes to which the agents of a batch are tilted, the directions that they face, of any length, and the widths of
/// their instances.
#[derive(Default)]
struct Tilts {
    slope_x: [f32; BATCH],
    slope_y: [f32; BATCH],
    ahead_x: [f32; BATCH],
    ahead_y: [f32; BATCH],
    size: [f32; BATCH],
}

impl Tilts {
    #[inline]
    fn set(&mut self, at: usize, slope: Vec2, ahead: Vec2, size: f32) {
        (self.slope_x[at], self.slope_y[at]) = (slope.x, slope.y);
        (self.ahead_x[at], self.ahead_y[at]) = (ahead.x, ahead.y);
        self.size[at] = size;
    }

    /// The axes of the instances: to their right, up and back.
    #[inline]
    fn axes(&self) -> [Axis; 3] {
        let [mut right, mut up, mut back] = <[Axis; 3]>::default();
        for at in 0..BATCH {
            let (slope_x, slope_y) = (self.slope_x[at], self.slope_y[at]);
            let (x, z) = (self.ahead_x[at], self.ahead_y[at]);
            // The front is (x, y, z) and the normal is (-slope_x, 1, -slope_y). They are perpendicular.
            let y = slope_x * x + slope_y * z;
            let front = (x * x + y * y + z * z).sqrt();
            let normal = (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
            // The axes of an instance of no size are finite, too.
            let by_both = self.size[at] / (front * normal + f32::MIN_POSITIVE);
            let (by_front, by_normal) = (normal * by_both, front * by_both);
            back.x[at] = -x * by_front;
            back.y[at] = -y * by_front;
            back.z[at] = -z * by_front;
            up.x[at] = -slope_x * by_normal;
            up.y[at] = by_normal;
            up.z[at] = -slope_y * by_normal;
            right.x[at] = (-z - y * slope_y) * by_both;
            right.y[at] = (x * slope_y - z * slope_x) * by_both;
            right.z[at] = (x + y * slope_x) * by_both;
        }
        [right, up, back]
    }
}
