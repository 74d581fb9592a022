//! The numbers of one instance.

use crate::swarm::draw::pack::pose::Pose;
use crate::swarm::draw::pack::{CustomData, Instances, Plane};
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

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
        if self.fraction < 1.0 {
            for (row, index) in rows.zip(agents) {
                let pose = Pose {
                    position: self.swarm.position_between(index, self.fraction),
                    heading: self.swarm.heading_between(index, self.fraction),
                    left: 1.0 - self.fraction,
                };
                self.write_row(index, &pose, row);
            }
        } else {
            for (row, index) in rows.zip(agents) {
                let pose = Pose {
                    position: self.swarm.position_between(index, 1.0),
                    heading: self.swarm.agents.heading[index],
                    left: 0.0,
                };
                self.write_row(index, &pose, row);
            }
        }
    }

    #[allow(
        clippy::inline_always,
        reason = "what is the same for all rows is then found once"
    )]
    #[inline(always)]
    fn write_row(&self, index: usize, pose: &Pose, out: &mut [f32]) {
        let (layout, agents) = (&self.layout, &self.swarm.agents);
        let kind = &self.swarm.types[usize::from(agents.kind[index])];
        let layer = self.swarm.layers.at(agents.position[index]);
        let size = match self.swarm.layer_view.only {
            Some(only) if only != layer => 0.0,
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
        // Rows of the matrix, each closed by a component of the origin.
        let rest = match layout.plane {
            Plane::Xy => {
                let (transform, rest) = out.split_at_mut(8);
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
            Plane::Xz => {
                let (transform, rest) = out.split_at_mut(12);
                let on_link = self.swarm.height_on_link(index, 1.0 - pose.left);
                let height = on_link.unwrap_or_else(|| self.swarm.flat_height(layer));
                transform.copy_from_slice(&[
                    -ahead.y,
                    0.0,
                    -ahead.x,
                    pose.position.x, //
                    0.0,
                    size,
                    0.0,
                    layout.height + height, //
                    ahead.x,
                    0.0,
                    -ahead.y,
                    pose.position.y,
                ]);
                rest
            }
        };
        let (color, custom) = rest.split_at_mut(4 * usize::from(layout.color));
        if layout.color {
            let (state, group) = (agents.state[index].index(), agents.group[index]);
            let mut own = self.swarm.palette.mix(&kind.color, state, group);
            if let Some(factors) = agents.factors.color.get(index) {
                for (channel, factor) in own.iter_mut().zip(factors) {
                    *channel *= factor;
                }
            }
            color.copy_from_slice(&own);
        }
        if layout.custom != CustomData::None {
            custom.copy_from_slice(&layout.custom.of(self.swarm, index, pose));
        }
    }
}
