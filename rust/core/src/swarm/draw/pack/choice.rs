//! Chooses the agents that are drawn, and their order.

use crate::error::{Result, finite, in_range};
use crate::swarm::draw::pack::y_order::YOrder;
use crate::swarm::draw::pack::{InstanceLayout, Instances, Plane};
use crate::swarm::limits::MAX_AGENT_TYPES;
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;
use glam::Vec2;
use std::sync::atomic::{AtomicU32, Ordering};

/// Agents per piece of parallel work.
const CHUNK: usize = 8192;
/// Half the diagonal of a square of width 1, which is its reach in any orientation.
const HALF_DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// The part of a crowd that is drawn, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The rectangle, as its lower and upper corner in world units, that instances must reach into;
    /// `None` for all of them.
    pub rect: Option<(Vec2, Vec2)>,
    /// How far an instance extends beyond a square of its width, in world units, 0..=1e6.
    pub margin: f32,
    /// Whether instances are sorted by y, and by id where y is equal.
    pub y_sort: bool,
    /// The point in time between the step before and the last one at which agents are shown, 0..=1. Values below 1 need
    /// [`Tracking::between_steps`](crate::swarm::Tracking::between_steps).
    pub fraction: f32,
}

impl Default for View {
    /// All agents at their present positions.
    fn default() -> Self {
        Self {
            rect: None,
            margin: 0.0,
            y_sort: false,
            fraction: 1.0,
        }
    }
}

impl View {
    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<()> {
        if let Some((low, high)) = self.rect {
            finite("view", low)?;
            finite("view", high)?;
            in_range("width of view", high.x - low.x, 0.0, f32::INFINITY)?;
            in_range("height of view", high.y - low.y, 0.0, f32::INFINITY)?;
        }
        in_range("margin of view", self.margin, 0.0, 1.0e6)?;
        in_range("fraction", self.fraction, 0.0, 1.0)?;
        Ok(())
    }
}

/// Scratch memory for choosing and sorting agents. Between calls only its capacity is kept.
#[derive(Debug, Default)]
pub struct Packer {
    order: Vec<u32>,
    /// The number of visible agents in each piece.
    seen: Vec<AtomicU32>,
    y_order: YOrder,
}

impl Swarm {
    /// Chooses the agents that `view` shows, for writing in `layout`. O(1) if all agents are shown unsorted, otherwise
    /// O(agents). Nothing is allocated once `packer` was used for as many agents.
    ///
    /// # Errors
    /// A layout's size outside 0..=1e6 or height that is not finite, or a view with numbers that are
    /// out of their ranges.
    pub fn instances<'a>(
        &'a self,
        layout: &InstanceLayout,
        view: &View,
        packer: &'a mut Packer,
        workers: &Workers,
    ) -> Result<Instances<'a>> {
        layout.check()?;
        view.check()?;
        if view.rect.is_some() {
            self.cull(layout, view, packer, workers);
        } else if view.y_sort {
            packer.order.clear();
            packer.order.extend(0..self.len() as u32);
        }
        if view.y_sort {
            let y_of = |index| self.position_between(index, view.fraction).y;
            packer
                .y_order
                .sort(&mut packer.order, y_of, self.ids(), workers);
        }
        let is_choice = view.rect.is_some() || view.y_sort;
        Ok(Instances {
            swarm: self,
            layout: *layout,
            order: is_choice.then_some(packer.order.as_slice()),
            fraction: view.fraction,
        })
    }

    /// Fills `packer.order` with the visible agents in their order.
    fn cull(&self, layout: &InstanceLayout, view: &View, packer: &mut Packer, workers: &Workers) {
        let Some((mut low, mut high)) = view.rect else {
            return;
        };
        if layout.plane == Plane::Xy {
            // Agents that are drawn at another height than they are at.
            let (up, down) = self.drawn_offsets(layout.height_offset_2d);
            (low.y, high.y) = (low.y - down, high.y - up);
        }
        let mut reaches = [0.0; MAX_AGENT_TYPES];
        for (reach, kind) in reaches.iter_mut().zip(&self.types) {
            *reach = 2.0 * kind.radius * layout.size * HALF_DIAGONAL;
        }
        let sizes = &self.agents.factors;
        let Packer { order, seen, .. } = packer;
        order.resize(self.len(), 0);
        seen.resize_with(self.len().div_ceil(CHUNK), AtomicU32::default);
        // Each piece moves its visible agents to its front.
        workers.for_each_chunk(order, CHUNK, |first, part| {
            let mut count = 0;
            for row in 0..part.len() {
                let index = first + row;
                let position = self.position_between(index, view.fraction);
                let reach = reaches[usize::from(self.agents.kind[index]) % MAX_AGENT_TYPES];
                let reach = reach * sizes.size_of(index) + view.margin;
                let outside = (low - position).max(position - high).max_element();
                // Always written: a branch for every agent would cost more.
                part[count] = index as u32;
                count += usize::from(outside <= reach);
            }
            seen[first / CHUNK].store(count as u32, Ordering::Relaxed);
        });
        let mut end = 0;
        for (piece, count) in seen.iter().enumerate() {
            let (first, count) = (piece * CHUNK, count.load(Ordering::Relaxed) as usize);
            order.copy_within(first..first + count, end);
            end += count;
        }
        order.truncate(end);
    }
}
