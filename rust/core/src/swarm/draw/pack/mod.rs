//! Writes agents as instance data, in the layout of Godot's MultiMesh buffers.
//!
//! Read this file (the layout and [`Swarm::pack`]), `view` and `choice` (which agents are drawn), `culling` with
//! `frustum` (which are in view), `y_order` (their order), `channels` and `division` (which buffer each is written to),
//! then `pose`, `instance` and `custom` with `character` (the numbers of one instance), `standing` (how instances stand
//! on the heights of the ground) and `footing` (the same heights, for one agent).
//!
//! - Instances do not depend on threads: each piece of agents writes its own part of the buffer.
//! - Once buffers have their size nothing is allocated.

mod channels;
mod character;
mod choice;
mod culling;
mod custom;
mod division;
mod footing;
mod frustum;
mod instance;
mod pose;
mod standing;
mod view;
mod y_order;

pub use channels::{Band, Channels, Eye, MAX_BANDS, MAX_CHANNELS};
pub use choice::{ChannelInstances, Packer};
pub use custom::CustomData;
pub use frustum::{Extent, Frustum, MAX_FRUSTUM_PLANES};
pub use view::View;

use crate::error::{Error, Result, in_range};
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;

/// The plane that agents move in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// 2D: x right, y down; 8 numbers a transform.
    Xy,
    /// 3D: the crowd's y is the world's z; 12 numbers a transform.
    Xz,
}

/// The layout of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstanceLayout {
    /// The plane that agents move in.
    pub plane: Plane,
    /// Whether a colour follows the transform (4 numbers: the type's times the [`Palette`]'s).
    ///
    /// [`Palette`]: crate::swarm::Palette
    pub color: bool,
    /// What custom data follows (4 numbers or none).
    pub custom: CustomData,
    /// Whether instances turn with their agents: +x ahead in 2D, -z ahead in 3D.
    pub face_movement: bool,
    /// Width of an instance as a multiple of its agent's diameter, for a mesh one unit wide, of types that have none of
    /// their own ([`AgentType::instance_size`](crate::swarm::AgentType::instance_size)).
    pub size: f32,
    /// Height of agents above the ground in 3D. Where the ground has no heights, it is at the height of the layer.
    pub height: f32,
    /// How far up, towards -y, instances are moved in 2D for each unit of the height of the ground.
    pub height_offset_2d: f32,
}

impl Default for InstanceLayout {
    /// In 2D and as wide as their agents, without colours and custom data.
    fn default() -> Self {
        Self {
            plane: Plane::Xy,
            color: false,
            custom: CustomData::None,
            face_movement: true,
            size: 1.0,
            height: 0.0,
            height_offset_2d: 0.0,
        }
    }
}

impl InstanceLayout {
    /// Numbers per instance.
    #[must_use]
    pub fn stride(&self) -> usize {
        let transform = match self.plane {
            Plane::Xy => 8,
            Plane::Xz => 12,
        };
        let custom = self.custom != CustomData::None;
        transform + 4 * usize::from(self.color) + 4 * usize::from(custom)
    }

    fn check(&self) -> Result<()> {
        in_range("size", self.size, 0.0, MAX_INSTANCE_SIZE)?;
        in_range("height", self.height, f32::MIN, f32::MAX)?;
        let most = MAX_HEIGHT_OFFSET;
        in_range("height_offset_2d", self.height_offset_2d, -most, most)?;
        Ok(())
    }
}

/// The greatest [`InstanceLayout::size`].
pub const MAX_INSTANCE_SIZE: f32 = 1.0e6;

/// The greatest [`InstanceLayout::height_offset_2d`], up or down.
pub const MAX_HEIGHT_OFFSET: f32 = 1.0e6;

/// Agents per piece of parallel work.
const CHUNK: usize = 2048;

/// The agents that [`Swarm::instances`] has chosen for drawing, in order.
#[derive(Debug, Clone, Copy)]
pub struct Instances<'a> {
    swarm: &'a Swarm,
    layout: InstanceLayout,
    /// Indices of agents; `None` for all of them in their order.
    order: Option<&'a [u32]>,
    /// The point in time between the step before and the last one, 0..=1.
    fraction: f32,
}

impl Instances<'_> {
    /// The number of instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.map_or(self.swarm.len(), <[u32]>::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the instances to the front of `buffer`.
    ///
    /// # Errors
    /// [`Error::TooShort`] for the buffer; nothing is written then.
    pub fn write(&self, buffer: &mut [f32], workers: &Workers) -> Result<()> {
        let stride = self.layout.stride();
        let needed = self.len() * stride;
        if buffer.len() < needed {
            return Err(Error::TooShort {
                name: "buffer",
                least: needed,
                actual: buffer.len(),
            });
        }
        let buffer = &mut buffer[..needed];
        workers.for_each_chunk(buffer, CHUNK * stride, |offset, part| {
            let first = offset / stride;
            match self.order {
                None => self.write_rows(first.., part),
                Some(order) => {
                    self.write_rows(order[first..].iter().map(|&index| index as usize), part);
                }
            }
        });
        Ok(())
    }
}

impl Swarm {
    /// Writes one instance per agent, in the order of [`Self::ids`], to the front of `buffer`.
    ///
    /// # Errors
    /// [`Error::TooShort`] for the buffer, [`Error::OutOfRange`] for a size outside
    /// 0..=1e6 or a height that is not finite; nothing is written then.
    pub fn pack(
        &self,
        layout: &InstanceLayout,
        buffer: &mut [f32],
        workers: &Workers,
    ) -> Result<()> {
        layout.check()?;
        let all = Instances {
            swarm: self,
            layout: *layout,
            order: None,
            fraction: 1.0,
        };
        all.write(buffer, workers)
    }
}
