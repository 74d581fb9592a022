//! Agents as instance data, in the layout of Godot's MultiMesh buffers.

use super::{LayerView, Swarm};
use crate::error::{Error, Result, in_range};
use crate::workers::Workers;

/// The plane that agents move in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// 2D: x right, y down; 8 numbers a transform.
    Xy,
    /// 3D: the crowd's y is the world's z; 12 numbers a transform.
    Xz,
}

/// What an instance is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstanceLayout {
    /// The plane that agents move in.
    pub plane: Plane,
    /// Whether a colour follows the transform (4 numbers: the agent type's).
    pub color: bool,
    /// Whether custom data follows (4 numbers: heading x and y, speed as a fraction of the
    /// greatest, state).
    pub custom: bool,
    /// Whether instances turn with their agents: +x ahead in 2D, -z ahead in 3D.
    pub face_movement: bool,
    /// Width of an instance as a multiple of its agent's diameter, for a mesh one unit wide.
    pub size: f32,
    /// Height of the plane in 3D.
    pub height: f32,
}

impl InstanceLayout {
    /// Numbers per instance.
    #[must_use]
    pub fn stride(&self) -> usize {
        let transform = match self.plane {
            Plane::Xy => 8,
            Plane::Xz => 12,
        };
        transform + 4 * usize::from(self.color) + 4 * usize::from(self.custom)
    }
}

/// Agents per piece of parallel work.
const CHUNK: usize = 2048;

impl Swarm {
    /// Writes one instance per agent, in the order of [`Self::ids`], to the front of `buffer`.
    ///
    /// # Errors
    /// [`Error::Length`] if the buffer is too short, [`Error::OutOfRange`] for a size outside
    /// 0..=1e6 or a height that is not finite; nothing is written then.
    pub fn pack(
        &self,
        layout: &InstanceLayout,
        buffer: &mut [f32],
        workers: &Workers,
    ) -> Result<()> {
        in_range("size", layout.size, 0.0, 1.0e6)?;
        in_range("height", layout.height, f32::MIN, f32::MAX)?;
        let stride = layout.stride();
        let needed = self.len() * stride;
        if buffer.len() < needed {
            return Err(Error::Length {
                name: "buffer",
                expected: needed,
                actual: buffer.len(),
            });
        }
        workers.for_each_chunk(&mut buffer[..needed], CHUNK * stride, |offset, part| {
            for (row, out) in part.chunks_exact_mut(stride).enumerate() {
                self.pack_agent(layout, offset / stride + row, out);
            }
        });
        Ok(())
    }

    #[inline]
    fn pack_agent(&self, layout: &InstanceLayout, index: usize, out: &mut [f32]) {
        let kind = &self.types[usize::from(self.agents.kind[index])];
        let place = self.agents.position[index];
        let layer = self.layers.at(place);
        let position = self.layers.flat(place);
        let LayerView { height, only } = self.layer_view;
        let height = layout.height + layer as f32 * height;
        let heading = self.agents.heading[index];
        let size = match only {
            Some(only) if only != layer => 0.0,
            _ => 2.0 * kind.radius * layout.size,
        };
        let ahead = if layout.face_movement {
            heading * size
        } else {
            match layout.plane {
                Plane::Xy => glam::Vec2::new(size, 0.0),
                Plane::Xz => glam::Vec2::new(0.0, -size),
            }
        };
        // Rows of the matrix, each closed by a component of the origin.
        let rest = match layout.plane {
            Plane::Xy => {
                let (transform, rest) = out.split_at_mut(8);
                transform.copy_from_slice(&[
                    ahead.x, -ahead.y, 0.0, position.x, //
                    ahead.y, ahead.x, 0.0, position.y,
                ]);
                rest
            }
            Plane::Xz => {
                let (transform, rest) = out.split_at_mut(12);
                transform.copy_from_slice(&[
                    -ahead.y, 0.0, -ahead.x, position.x, //
                    0.0, size, 0.0, height, //
                    ahead.x, 0.0, -ahead.y, position.y,
                ]);
                rest
            }
        };
        let (color, custom) = rest.split_at_mut(4 * usize::from(layout.color));
        if layout.color {
            color.copy_from_slice(&kind.color);
        }
        if layout.custom {
            let speed = self.agents.velocity[index].length() / kind.max_speed;
            let state = f32::from(self.agents.state[index] as u8);
            custom.copy_from_slice(&[heading.x, heading.y, speed, state]);
        }
    }
}
