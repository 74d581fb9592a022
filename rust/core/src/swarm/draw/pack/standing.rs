//! How instances stand on the heights of the ground: their height and their tilt.
//!
//! Rows are written as on flat ground first, in batches, and then put on the ground while they are in the cache. So
//! drawing on flat ground costs nothing more. The numbers of a batch are kept in arrays: see [`GroundBatch`].

use crate::ground::{BATCH, GroundBatch, Lanes, ZEROS};
use crate::swarm::draw::pack::{Instances, Plane};

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
        let mut batch = GroundBatch::default();
        let mut indices = [0; BATCH];
        for rows in out.chunks_mut(BATCH * stride) {
            let indices = &mut indices[..rows.len() / stride];
            for (place, index) in indices.iter_mut().zip(&mut agents) {
                *place = index;
            }
            self.write_flat_rows(indices.iter().copied(), rows);
            let mut rest = rows;
            for own in self.swarm.by_layer(indices) {
                let (rows, others) = rest.split_at_mut(own.len() * stride);
                self.stand(own, rows, &mut batch);
                rest = others;
            }
        }
    }

    /// Puts the rows of agents of one layer on the ground.
    fn stand(&self, agents: &[usize], rows: &mut [f32], batch: &mut GroundBatch) {
        let stride = self.layout.stride();
        let along_y = match self.layout.plane {
            Plane::Xy => 7,
            Plane::Xz => 11,
        };
        for (at, row) in rows.chunks_exact(stride).take(BATCH).enumerate() {
            (batch.x[at], batch.y[at]) = (row[3], row[along_y]);
        }
        let layer = self.swarm.layer_of(agents[0]);
        let (ground, count) = (&self.swarm.ground, agents.len());
        let has_tilt = self.swarm.types.iter().any(|kind| kind.tilt > 0.0);
        match self.layout.plane {
            Plane::Xy if ground.find_heights(layer, batch, count) => self.offset(rows, batch),
            Plane::Xz if has_tilt => {
                if ground.find_rises(layer, batch, count) {
                    self.tilt(agents, rows, batch);
                    self.lift(agents, rows, batch);
                }
            }
            Plane::Xz if ground.find_heights(layer, batch, count) => {
                self.lift(agents, rows, batch);
            }
            Plane::Xy | Plane::Xz => {}
        }
    }

    /// Moves the rows of agents in 2D.
    fn offset(&self, rows: &mut [f32], batch: &GroundBatch) {
        for (row, height) in rows
            .chunks_exact_mut(self.layout.stride())
            .zip(&batch.height)
        {
            row[7] -= self.layout.height_offset_2d * height;
        }
    }

    /// Sets the heights of the rows of agents in 3D. Heights of the ground are absolute: where there are any, the height
    /// of the layer is not added.
    fn lift(&self, agents: &[usize], rows: &mut [f32], batch: &GroundBatch) {
        let rows = rows.chunks_exact_mut(self.layout.stride());
        for ((row, &index), height) in rows.zip(agents).zip(&batch.height) {
            if !self.swarm.is_on_link(index) {
                row[7] = self.layout.height + height;
            }
        }
    }

    /// Tilts the rows of agents in 3D along the ground.
    fn tilt(&self, agents: &[usize], rows: &mut [f32], batch: &GroundBatch) {
        let stride = self.layout.stride();
        let mut tilts = Tilts::NONE;
        for (at, (row, &index)) in rows
            .chunks_exact(stride)
            .zip(agents)
            .take(BATCH)
            .enumerate()
        {
            let kind = &self.swarm.types[usize::from(self.swarm.agents.kind[index])];
            let is_on_link = self.swarm.is_on_link(index);
            tilts.share[at] = if is_on_link { 0.0 } else { kind.tilt };
            tilts.most[at] = kind.max_tilt;
            // The row is still that of an upright instance.
            (tilts.ahead_x[at], tilts.ahead_y[at]) = (-row[2], -row[10]);
            tilts.size[at] = row[5];
        }
        tilts.find_slopes(batch);
        let axes = tilts.axes();
        for (at, row) in rows.chunks_exact_mut(stride).take(BATCH).enumerate() {
            if tilts.slope_x[at] != 0.0 || tilts.slope_y[at] != 0.0 {
                let [right, up, back] = &axes;
                [row[0], row[1], row[2]] = [right.x[at], up.x[at], back.x[at]];
                [row[4], row[5], row[6]] = [right.y[at], up.y[at], back.y[at]];
                [row[8], row[9], row[10]] = [right.z[at], up.z[at], back.z[at]];
            }
        }
    }
}

/// Vectors with y up, one for each agent of a batch.
struct Axis {
    x: Lanes,
    y: Lanes,
    z: Lanes,
}

/// What the tilts of a batch of agents are made of, and the slopes to which they are tilted.
struct Tilts {
    /// The share of the slope of the ground to which an agent is tilted, and the greatest slope.
    share: Lanes,
    most: Lanes,
    /// The direction that it faces, of any length, and the width of its instance.
    ahead_x: Lanes,
    ahead_y: Lanes,
    size: Lanes,
    slope_x: Lanes,
    slope_y: Lanes,
}

impl Axis {
    const ZERO: Self = Self {
        x: ZEROS,
        y: ZEROS,
        z: ZEROS,
    };
}

impl Tilts {
    const NONE: Self = Self {
        share: ZEROS,
        most: ZEROS,
        ahead_x: ZEROS,
        ahead_y: ZEROS,
        size: ZEROS,
        slope_x: ZEROS,
        slope_y: ZEROS,
    };

    #[inline]
    fn find_slopes(&mut self, ground: &GroundBatch) {
        for at in 0..BATCH {
            let (x, y) = (
                ground.rise_x[at] * self.share[at],
                ground.rise_y[at] * self.share[at],
            );
            let steepness = (x * x + y * y).sqrt();
            let most = self.most[at];
            let share = if steepness > most {
                most / steepness
            } else {
                1.0
            };
            (self.slope_x[at], self.slope_y[at]) = (x * share, y * share);
        }
    }

    /// The axes of the instances: to their right, up and back.
    #[inline]
    fn axes(&self) -> [Axis; 3] {
        let [mut right, mut up, mut back] = [Axis::ZERO; 3];
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
