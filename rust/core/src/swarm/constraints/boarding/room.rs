//! How much room there is on the floor at the end of a link.

use super::floor::Floor;
use super::request::{Request, keep_apart};
use super::travellers::Coming;
use crate::swarm::AgentType;
use crate::swarm::step::context::Context;
use glam::Vec2;
use std::f32::consts::PI;

/// The share of open ground that discs cover where they stand side by side and hardly press each other.
const FULL: f32 = 0.7;
/// How far from the end of a link the ground counts, along each axis: in radii of the agent, and at least and at most
/// in cells.
const REACH: (f32, i32, i32) = (6.0, 6, 40);

impl Context<'_> {
    /// Whether there is room for an agent besides those that stand on the ground around the end of its link and those
    /// that are coming there. Ground that is empty has room for one agent, however small it is.
    ///
    /// Agents count by the area of their discs, whether they stand or move: in a crowd that is pressed together all may
    /// be fast and none gets away.
    pub(super) fn has_room(&self, request: &Request, floor: &mut Floor, coming: &Coming) -> bool {
        if !request.keeps_apart {
            return true;
        }
        let grid = self.world.grid();
        let own = &self.types[usize::from(request.kind)];
        let (radii, least, most) = REACH;
        let reach = ((radii * own.radius / grid.cell_size()).ceil() as i32).clamp(least, most);
        let ground = floor.flood(self.world.costs(own.movement), request.end, reach);
        let area = |kind: &AgentType| PI * kind.radius * kind.radius;
        let left = FULL * ground as f32 * grid.cell_size() * grid.cell_size() - area(own);
        let counts = |kind: &AgentType, at: Vec2| {
            keep_apart(own, kind) && floor.has(grid.clamped_cell_at(at))
        };
        let mut taken = 0.0;
        for traveller in coming.near(floor.cells()) {
            let kind = &self.types[usize::from(traveller.kind)];
            if counts(kind, traveller.landing) {
                taken += area(kind);
            }
        }
        let [low, high] = [floor.cells().low, floor.cells().high].map(|cell| cell.as_vec2());
        let corners = (grid.to_world(low), grid.to_world(high));
        let mut present = self.buckets.search(corners.0, corners.1);
        let has_room = |taken: f32| taken == 0.0 || taken <= left;
        has_room(taken)
            && present.all(|other| {
                let kind = &self.types[usize::from(other.kind)];
                if other.is_on_ground() && counts(kind, other.position) {
                    taken += area(kind);
                }
                has_room(taken)
            })
    }
}
