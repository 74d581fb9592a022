//! How instances stand on the heights of the ground: their height and their tilt.
//!
//! In 2D rows are written as on flat ground first, in batches, and then moved while they are in the cache. In 3D the
//! numbers of a batch are kept in arrays ([`GroundBatch`] and [`Stances`]), and its transforms are written from them.
//! Drawing on flat ground costs nothing more.

use crate::ground::{BATCH, GROUP, GroundBatch, Lanes, ZEROS};
use crate::swarm::draw::pack::instance::TRANSFORM_3D;
use crate::swarm::draw::pack::{Instances, Plane};
use glam::{Mat4, Vec4};

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
        let mut batch = GroundBatch::default();
        let mut stances = Stances::NONE;
        let mut indices = [0; BATCH];
        for rows in out.chunks_mut(BATCH * stride) {
            let indices = &mut indices[..rows.len() / stride];
            for (place, index) in indices.iter_mut().zip(&mut agents) {
                *place = index;
            }
            let mut rest = rows;
            for own in self.swarm.by_layer(indices) {
                let (rows, others) = rest.split_at_mut(own.len() * stride);
                match self.layout.plane {
                    Plane::Xy => self.write_offset_rows(own, rows, &mut batch),
                    Plane::Xz => {
                        self.gather(own, has_tilt, rows, &mut batch, &mut stances);
                        self.find_ground(own, has_tilt, &mut batch);
                        self.write_transforms(rows, has_tilt, &batch, &stances);
                    }
                }
                rest = others;
            }
        }
    }

    /// Writes the rows of agents of one layer in 2D.
    fn write_offset_rows(&self, agents: &[usize], rows: &mut [f32], batch: &mut GroundBatch) {
        self.write_flat_rows(agents.iter().copied(), rows);
        let stride = self.layout.stride();
        for (at, row) in rows.chunks_exact(stride).take(BATCH).enumerate() {
            (batch.x[at], batch.y[at]) = (row[3], row[7]);
        }
        let layer = self.swarm.layer_of(agents[0]);
        if self.swarm.ground.find_heights(layer, batch, agents.len()) {
            for (row, height) in rows.chunks_exact_mut(stride).zip(&batch.height) {
                row[7] -= self.layout.height_offset_2d * height;
            }
        }
    }

    /// Finds where agents of one layer are, what their instances are on level ground and, if asked, how far they are
    /// tilted along the ground, and writes what follows the transforms of their rows.
    fn gather(
        &self,
        agents: &[usize],
        has_tilt: bool,
        rows: &mut [f32],
        batch: &mut GroundBatch,
        stances: &mut Stances,
    ) {
        let rows = rows.chunks_exact_mut(self.layout.stride());
        for (at, (row, &index)) in rows.zip(agents).take(BATCH).enumerate() {
            let pose = self.pose(index);
            (batch.x[at], batch.y[at]) = pose.position.into();
            let upright = self.upright(index, &pose);
            (stances.ahead_x[at], stances.ahead_y[at]) = upright.ahead.into();
            stances.size[at] = upright.size;
            if has_tilt {
                let kind = &self.swarm.types[usize::from(self.swarm.agents.kind[index])];
                (stances.tilt[at], stances.max_tilt[at]) = (kind.tilt, kind.max_tilt);
            }
            self.write_channels(index, &pose, &mut row[TRANSFORM_3D..]);
        }
    }

    /// Finds the heights and, if asked, the rises where agents of one layer stand. Heights of the ground are absolute:
    /// where there are any, the height of the layer is not added.
    fn find_ground(&self, agents: &[usize], has_tilt: bool, batch: &mut GroundBatch) {
        let (swarm, layer) = (self.swarm, self.swarm.layer_of(agents[0]));
        let is_found = if has_tilt {
            swarm.ground.find_rises(layer, batch, agents.len())
        } else {
            swarm.ground.find_heights(layer, batch, agents.len())
        };
        if !is_found {
            batch.height = [swarm.flat_height(layer); BATCH];
            (batch.rise_x, batch.rise_y) = (ZEROS, ZEROS);
        }
        if swarm.agents.travel.is_empty() {
            return;
        }
        for (at, &index) in agents.iter().take(BATCH).enumerate() {
            if let Some(on_link) = swarm.height_on_link(index, self.fraction) {
                batch.height[at] = on_link;
                (batch.rise_x[at], batch.rise_y[at]) = (0.0, 0.0);
            }
        }
    }

    /// Writes the transforms of agents.
    fn write_transforms(
        &self,
        rows: &mut [f32],
        has_tilt: bool,
        batch: &GroundBatch,
        stances: &Stances,
    ) {
        let stride = self.layout.stride();
        let above = Vec4::splat(self.layout.height);
        for (group, rows) in rows.chunks_mut(GROUP * stride).enumerate() {
            let at = group * GROUP;
            let of = |lanes: &Lanes| Vec4::from_slice(&lanes[at..]);
            let axes = if has_tilt {
                stances.tilted(at, of(&batch.rise_x), of(&batch.rise_y))
            } else {
                stances.upright(at)
            };
            let origin = [of(&batch.x), above + of(&batch.height), of(&batch.y)];
            // Each row of the matrices, of four agents.
            let [first, second, third] = [0, 1, 2].map(|number| {
                let [right, up, back] = axes.map(|axis| axis[number]);
                Mat4::from_cols(right, up, back, origin[number]).transpose()
            });
            for (next, row) in rows.chunks_exact_mut(stride).take(GROUP).enumerate() {
                let row = &mut row[..TRANSFORM_3D];
                first.col(next).write_to_slice(&mut row[..4]);
                second.col(next).write_to_slice(&mut row[4..8]);
                third.col(next).write_to_slice(&mut row[8..]);
            }
        }
    }
}

/// A vector of each of four agents, with y up.
type Axis = [Vec4; 3];

/// How the instances of a batch of agents are turned and tilted.
struct Stances {
    /// See [`Upright`](crate::swarm::draw::pack::instance::Upright).
    ahead_x: Lanes,
    ahead_y: Lanes,
    size: Lanes,
    /// The share of the slope of the ground to which an agent is tilted, and the greatest slope.
    tilt: Lanes,
    max_tilt: Lanes,
}

impl Stances {
    const NONE: Self = Self {
        ahead_x: ZEROS,
        ahead_y: ZEROS,
        size: ZEROS,
        tilt: ZEROS,
        max_tilt: ZEROS,
    };

    /// The axes of four instances from `at` on that stand upright: to their right, up and back.
    #[inline]
    fn upright(&self, at: usize) -> [Axis; 3] {
        let of = |lanes: &Lanes| Vec4::from_slice(&lanes[at..]);
        let (x, z, size) = (of(&self.ahead_x), of(&self.ahead_y), of(&self.size));
        let zero = Vec4::ZERO;
        [[-z, zero, x], [zero, size, zero], [-x, zero, -z]]
    }

    /// [`Self::upright`], tilted along ground that rises by `rise_x` and `rise_y` for each unit of distance.
    #[inline]
    fn tilted(&self, at: usize, rise_x: Vec4, rise_y: Vec4) -> [Axis; 3] {
        let of = |lanes: &Lanes| Vec4::from_slice(&lanes[at..]);
        let (x, z, size) = (of(&self.ahead_x), of(&self.ahead_y), of(&self.size));
        let tilt = of(&self.tilt);
        let (slope_x, slope_z) = (rise_x * tilt, rise_y * tilt);
        // No slope, no size: such instances have finite axes, too.
        let least = Vec4::splat(f32::MIN_POSITIVE);
        let limit = of(&self.max_tilt);
        let steepness = slope_x * slope_x + slope_z * slope_z;
        let (slope_x, slope_z) = if steepness.cmpgt(limit * limit).any() {
            let share = (limit / steepness.sqrt().max(least)).min(Vec4::ONE);
            (slope_x * share, slope_z * share)
        } else {
            (slope_x, slope_z)
        };
        // The front is (x, y, z) and the normal is (-slope_x, 1, -slope_z). They are perpendicular.
        let y = slope_x * x + slope_z * z;
        let front = (x * x + y * y + z * z).sqrt();
        let normal = (Vec4::ONE + slope_x * slope_x + slope_z * slope_z).sqrt();
        let by_both = size / (front * normal + least);
        let (by_front, by_normal) = (normal * by_both, front * by_both);
        let right = [
            (-z - y * slope_z) * by_both,
            (x * slope_z - z * slope_x) * by_both,
            (x + y * slope_x) * by_both,
        ];
        let up = [-slope_x * by_normal, by_normal, -slope_z * by_normal];
        let back = [-x * by_front, -y * by_front, -z * by_front];
        [right, up, back]
    }
}
