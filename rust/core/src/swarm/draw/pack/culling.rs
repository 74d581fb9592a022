//! Leaves out the agents that a view does not show.

use crate::ground::{BATCH, GroundBatch};
use crate::swarm::draw::pack::frustum::{Frustum, MAX_FRUSTUM_PLANES};
use crate::swarm::draw::pack::view::View;
use crate::swarm::draw::pack::{InstanceLayout, Plane};
use crate::swarm::limits::MAX_AGENT_TYPES;
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;
use glam::{Vec2, Vec3};
use std::sync::atomic::{AtomicU32, Ordering};

/// Agents per piece of parallel work.
const CHUNK: usize = 8192;
/// Half the diagonal of a square of width 1, which is its reach in any orientation.
const HALF_DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Scratch memory of culling. Between calls only its capacity is kept.
#[derive(Debug, Default)]
pub(super) struct Culling {
    /// The number of visible agents in each piece.
    seen: Vec<AtomicU32>,
}

impl View {
    /// Whether some agents may be left out.
    pub(super) fn culls(&self, plane: Plane) -> bool {
        self.rect.is_some() || self.space(plane).is_some()
    }

    /// The space that is seen of a crowd in 3D.
    fn space(&self, plane: Plane) -> Option<&Frustum> {
        self.frustum.as_ref().filter(|_| plane == Plane::Xz)
    }
}

impl Swarm {
    /// Fills `order` with the visible agents in their order.
    pub(super) fn cull(
        &self,
        layout: &InstanceLayout,
        view: &View,
        (culling, order): (&mut Culling, &mut Vec<u32>),
        workers: &Workers,
    ) {
        order.resize(self.len(), 0);
        let area = AreaTest::new(self, layout, view);
        match view.space(layout.plane) {
            None => culling.keep(order, workers, |agents, seen| {
                for (seen, &index) in seen.iter_mut().zip(agents) {
                    *seen = area.passes(self, view, index);
                }
            }),
            Some(frustum) => {
                let space = SpaceTest::new(self, layout, frustum);
                let has_area = view.rect.is_some();
                culling.keep(order, workers, |agents, seen| {
                    space.test(self, view, agents, seen);
                    if has_area {
                        for (seen, &index) in seen.iter_mut().zip(agents) {
                            *seen &= area.passes(self, view, index);
                        }
                    }
                });
            }
        }
    }
}

impl Culling {
    /// Fills `order` with those of all indices that are seen. `test` tells it of a batch of agents.
    fn keep(
        &mut self,
        order: &mut Vec<u32>,
        workers: &Workers,
        test: impl Fn(&[usize], &mut [bool; BATCH]) + Sync,
    ) {
        let seen = &mut self.seen;
        seen.resize_with(order.len().div_ceil(CHUNK), AtomicU32::default);
        // Each piece moves its visible agents to its front.
        workers.for_each_chunk(order, CHUNK, |first, part| {
            let mut count = 0;
            let (mut indices, mut is_seen) = ([0; BATCH], [false; BATCH]);
            for begin in (0..part.len()).step_by(BATCH) {
                let agents = &mut indices[..BATCH.min(part.len() - begin)];
                for (place, index) in agents.iter_mut().zip(first + begin..) {
                    *place = index;
                }
                test(agents, &mut is_seen);
                for (&index, &is_seen) in agents.iter().zip(&is_seen) {
                    // Always written: a branch for every agent would cost more.
                    part[count] = index as u32;
                    count += usize::from(is_seen);
                }
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

/// Tells which agents reach into the rectangle of a view.
struct AreaTest {
    low: Vec2,
    high: Vec2,
    /// How far instances of each type reach, at a size of 1.
    reaches: [f32; MAX_AGENT_TYPES],
}

impl AreaTest {
    fn new(swarm: &Swarm, layout: &InstanceLayout, view: &View) -> Self {
        let everywhere = (Vec2::NEG_INFINITY, Vec2::INFINITY);
        let (mut low, mut high) = view.rect.unwrap_or(everywhere);
        if layout.plane == Plane::Xy {
            // Agents that are drawn at another height than they are at.
            let (up, down) = swarm.drawn_offsets(layout.height_offset_2d);
            (low.y, high.y) = (low.y - down, high.y - up);
        }
        let mut reaches = [0.0; MAX_AGENT_TYPES];
        for (reach, kind) in reaches.iter_mut().zip(&swarm.types) {
            *reach = kind.instance_width(layout.size) * HALF_DIAGONAL;
        }
        Self { low, high, reaches }
    }

    #[inline]
    fn passes(&self, swarm: &Swarm, view: &View, index: usize) -> bool {
        let position = swarm.position_between(index, view.fraction);
        let reach = self.reaches[usize::from(swarm.agents.kind[index]) % MAX_AGENT_TYPES];
        let reach = reach * swarm.agents.factors.size_of(index) + view.margin;
        let outside = (self.low - position)
            .max(position - self.high)
            .max_element();
        outside <= reach
    }
}

/// Tells which agents reach into the frustum of a view.
struct SpaceTest<'a> {
    frustum: &'a Frustum,
    /// The height of agents above the ground.
    above: f32,
    /// See [`Frustum::reaches`], of each type.
    reaches: [[f32; MAX_FRUSTUM_PLANES]; MAX_AGENT_TYPES],
}

impl<'a> SpaceTest<'a> {
    fn new(swarm: &Swarm, layout: &InstanceLayout, frustum: &'a Frustum) -> Self {
        let mut reaches = [[0.0; MAX_FRUSTUM_PLANES]; MAX_AGENT_TYPES];
        for (reach, kind) in reaches.iter_mut().zip(&swarm.types) {
            *reach = frustum.reaches(kind.instance_width(layout.size), kind.tilt > 0.0);
        }
        Self {
            frustum,
            above: layout.height,
            reaches,
        }
    }

    /// Tells which agents of a batch are seen.
    #[inline]
    fn test(&self, swarm: &Swarm, view: &View, agents: &[usize], seen: &mut [bool; BATCH]) {
        let mut batch = GroundBatch::default();
        let mut rest = seen.as_mut_slice();
        for own in swarm.by_layer(agents) {
            swarm.find_places(own, view.fraction, &mut batch);
            let (seen, others) = rest.split_at_mut(own.len());
            for (at, (seen, &index)) in seen.iter_mut().zip(own).enumerate() {
                let kind = usize::from(swarm.agents.kind[index]) % MAX_AGENT_TYPES;
                let size = swarm.agents.factors.size_of(index);
                let place = Vec3::new(batch.x[at], self.above + batch.height[at], batch.y[at]);
                let reaches = &self.reaches[kind];
                *seen = self.frustum.touches(place, reaches, size, view.margin);
            }
            rest = others;
        }
    }
}
