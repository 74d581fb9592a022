//! Leaves out the agents that a view does not show.

use crate::ground::GroundReader;
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
            None => culling.keep(
                order,
                workers,
                || (),
                |(), index| area.passes(self, view, index),
            ),
            Some(frustum) => {
                let space = SpaceTest::new(self, layout, frustum);
                let has_area = view.rect.is_some();
                let is_seen = |ground: &mut GroundReader<'_>, index| {
                    (!has_area || area.passes(self, view, index))
                        && space.passes(self, view, ground, index)
                };
                let start = || GroundReader::new(&self.ground);
                culling.keep(order, workers, start, is_seen);
            }
        }
    }
}

impl Culling {
    /// Fills `order` with those of all indices that are seen. `start` makes what the test of a piece's agents needs.
    fn keep<S>(
        &mut self,
        order: &mut Vec<u32>,
        workers: &Workers,
        start: impl Fn() -> S + Sync,
        is_seen: impl Fn(&mut S, usize) -> bool + Sync,
    ) {
        let seen = &mut self.seen;
        seen.resize_with(order.len().div_ceil(CHUNK), AtomicU32::default);
        // Each piece moves its visible agents to its front.
        workers.for_each_chunk(order, CHUNK, |first, part| {
            let mut state = start();
            let mut count = 0;
            for row in 0..part.len() {
                let index = first + row;
                let is_seen = is_seen(&mut state, index);
                // Always written: a branch for every agent would cost more.
                part[count] = index as u32;
                count += usize::from(is_seen);
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

    #[inline]
    fn passes(
        &self,
        swarm: &Swarm,
        view: &View,
        ground: &mut GroundReader<'_>,
        index: usize,
    ) -> bool {
        let position = swarm.position_between(index, view.fraction);
        let height = self.above + swarm.height_between(index, view.fraction, ground);
        let reaches = &self.reaches[usize::from(swarm.agents.kind[index]) % MAX_AGENT_TYPES];
        let size = swarm.agents.factors.size_of(index);
        let place = Vec3::new(position.x, height, position.y);
        self.frustum.touches(place, reaches, size, view.margin)
    }
}
