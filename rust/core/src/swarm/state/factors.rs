//! Factors of single agents on what their types say: speed, size and colour of their instances.
//!
//! A column takes memory once a factor in it is set.

use crate::movement::SPEED_FACTORS;
use crate::swarm::draw::palette::{Rgba, WHITE};

/// The range of the factor on an agent's maximum speed.
pub const AGENT_SPEED_FACTORS: (f32, f32) = SPEED_FACTORS;
/// The range of the factor on the size of an agent's instance.
pub const AGENT_SIZE_FACTORS: (f32, f32) = (0.0, 1000.0);

/// The columns. Each is as long as those of [`Agents`](crate::swarm::state::agents::Agents), or empty, which stands for
/// factors of 1.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Factors {
    /// On the maximum speed. Steps read it.
    pub(in crate::swarm) speed: Vec<f32>,
    /// On the size of the instance, which does not change the size of the disc.
    pub(in crate::swarm) size: Vec<f32>,
    /// On each channel of the colour.
    pub(in crate::swarm) color: Vec<Rgba>,
}

impl Factors {
    /// Adds the entries of an agent at the end.
    pub(in crate::swarm) fn insert(&mut self) {
        insert(&mut self.speed, 1.0);
        insert(&mut self.size, 1.0);
        insert(&mut self.color, WHITE);
    }

    /// The factor on an agent's maximum speed.
    #[inline]
    pub(in crate::swarm) fn speed_of(&self, index: usize) -> f32 {
        self.speed.get(index).copied().unwrap_or(1.0)
    }

    /// The factor on the size of an agent's instance.
    #[inline]
    pub(in crate::swarm) fn size_of(&self, index: usize) -> f32 {
        self.size.get(index).copied().unwrap_or(1.0)
    }

    /// The factors on an agent's colour.
    #[inline]
    pub(in crate::swarm) fn color_of(&self, index: usize) -> Rgba {
        self.color.get(index).copied().unwrap_or(WHITE)
    }

    /// The greatest factor on speeds that any agent may have.
    pub(in crate::swarm) fn greatest_speed(&self) -> f32 {
        if self.speed.is_empty() {
            1.0
        } else {
            AGENT_SPEED_FACTORS.1
        }
    }

    /// The greatest factor on sizes. O(agents) if sizes were set.
    pub(in crate::swarm) fn greatest_size(&self) -> f32 {
        if self.size.is_empty() {
            return 1.0;
        }
        // Several maxima at once, which the compiler computes by vector instructions.
        let mut most = [0.0_f32; 8];
        let (rows, rest) = self.size.as_chunks::<8>();
        for row in rows {
            for (most, &size) in most.iter_mut().zip(row) {
                *most = if size > *most { size } else { *most };
            }
        }
        most.iter().chain(rest).copied().fold(0.0, f32::max)
    }
}

fn insert<T>(column: &mut Vec<T>, one: T) {
    if !column.is_empty() {
        column.push(one);
    }
}
