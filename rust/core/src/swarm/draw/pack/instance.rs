//! The numbers of one instance.

use crate::swarm::draw::pack::pose::Pose;
use crate::swarm::draw::pack::{CustomData, Instances, Plane};
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

/// The numbers of a transform in 3D.
pub(super) const TRANSFORM_3D: usize = 12;

/// An instance on level ground.
pub(super) struct Upright {
    /// The direction that it faces, as long as `size`.
    pub(super) ahead: Vec2,
    /// The width of the instance; 0 for one that is not drawn.
    pub(super) size: f32,
}

impl Swarm {
    /// The position of an agent at `fraction` of the time from the step before to the last one.
    #[inline]
    pub(super) fn position_between(&self, index: usize, fraction: f32) -> Vec2 {
        let position = self.agents.position[index];
        let place = match self.agents.trail.position.get(index) {
            Some(&before) if fraction < 1.0 => before.lerp(position, fraction),
            _ => position,
        };
        self.layers.flat(place)
    }

    #[inline]
    fn heading_between(&self, index: usize, fraction: f32) -> Vec2 {
        let heading = self.agents.heading[index];
        match self.agents.trail.heading.get(index) {
            // The mean of two opposite headings is zero.
            Some(&before) if fraction < 1.0 => before.lerp(heading, fraction).normalize_or(heading),
            _ => heading,
        }
    }
}

impl Instances<'_> {
    /// Writes the rows of agents until `out` is full.
    #[inline]
    pub(super) fn write_rows(&self, agents: impl Iterator<Item = usize>, out: &mut [f32]) {
        if self.is_on_heights() {
            self.write_rows_on_heights(agents, out);
        } else {
            self.write_flat_rows(agents, out);
        }
    }

    /// Writes the rows of agents as on ground without heights, until `out` is full.
    #[inline]
    pub(super) fn write_flat_rows(&self, agents: impl Iterator<Item = usize>, out: &mut [f32]) {
        let rows = out.chunks_exact_mut(self.layout.stride());
        for (row, index) in rows.zip(agents) {
            let pose = self.pose(index);
            let upright = self.upright(index, &pose);
            let rest = match self.layout.plane {
                Plane::Xy => self.write_transform_2d(&upright, &pose, row),
                Plane::Xz => self.write_transform_3d(index, &upright, &pose, row),
            };
            self.write_channels(index, &pose, rest);
        }
    }

    /// The pose of an agent at the point in time that is drawn.
    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    pub(super) fn pose(&self, index: usize) -> Pose {
        if self.fraction < 1.0 {
            Pose {
                position: self.swarm.position_between(index, self.fraction),
                heading: self.swarm.heading_between(index, self.fraction),
                left: 1.0 - self.fraction,
            }
        } else {
            Pose {
                position: self.swarm.position_between(index, 1.0),
                heading: self.swarm.agents.heading[index],
                left: 0.0,
            }
        }
    }

    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    pub(super) fn upright(&self, index: usize, pose: &Pose) -> Upright {
        let (layout, agents) = (&self.layout, &self.swarm.agents);
        let kind = &self.swarm.types[usize::from(agents.kind[index])];
        let size = match self.swarm.layer_view.only {
            Some(only) if only != self.swarm.layer_of(index) => 0.0,
            _ => kind.instance_width(layout.size) * agents.factors.size_of(index),
        };
        let ahead = if layout.face_movement {
            pose.heading * size
        } else {
            match layout.plane {
                Plane::Xy => Vec2::new(size, 0.0),
                Plane::Xz => Vec2::new(0.0, -size),
            }
        };
        Upright { ahead, size }
    }

    /// Writes a transform, by the rows of its matrix, each closed by a component of the origin. Returns what is left of
    /// the row.
    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    fn write_transform_2d<'r>(
        &self,
        upright: &Upright,
        pose: &Pose,
        row: &'r mut [f32],
    ) -> &'r mut [f32] {
        let ahead = upright.ahead;
        let (transform, rest) = row.split_at_mut(8);
        transform.copy_from_slice(&[
            ahead.x,
            -ahead.y,
            0.0,
            pose.position.x, //
            ahead.y,
            ahead.x,
            0.0,
            pose.position.y,
        ]);
        rest
    }

    /// [`Self::write_transform_2d`], in 3D.
    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    fn write_transform_3d<'r>(
        &self,
        index: usize,
        upright: &Upright,
        pose: &Pose,
        row: &'r mut [f32],
    ) -> &'r mut [f32] {
        let (ahead, size) = (upright.ahead, upright.size);
        let (transform, rest) = row.split_at_mut(TRANSFORM_3D);
        let on_link = self.swarm.height_on_link(index, 1.0 - pose.left);
        let height = on_link.unwrap_or_else(|| self.swarm.flat_height(self.swarm.layer_of(index)));
        transform.copy_from_slice(&[
            -ahead.y,
            0.0,
            -ahead.x,
            pose.position.x, //
            0.0,
            size,
            0.0,
            self.layout.height + height, //
            ahead.x,
            0.0,
            -ahead.y,
            pose.position.y,
        ]);
        rest
    }

    /// Writes what follows the transform: the colour and the custom data.
    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    pub(super) fn write_channels(&self, index: usize, pose: &Pose, out: &mut [f32]) {
        let (layout, agents) = (&self.layout, &self.swarm.agents);
        let mut channels = out.as_chunks_mut::<4>().0.iter_mut();
        if layout.color
            && let Some(color) = channels.next()
        {
            let kind = &self.swarm.types[usize::from(agents.kind[index])];
            let (state, group) = (agents.state[index].index(), agents.group[index]);
            *color = self.swarm.palette.mix(&kind.color, state, group);
            if let Some(factors) = agents.factors.color.get(index) {
                for (channel, factor) in color.iter_mut().zip(factors) {
                    *channel *= factor;
                }
            }
        }
        if layout.custom != CustomData::None
            && let Some(custom) = channels.next()
        {
            *custom = layout.custom.of(self.swarm, index, pose);
        }
    }
}
