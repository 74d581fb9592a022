//! Agents that take a link keep their distance from those that are on links: on the way, and where they land.

use super::request::{CLOSEST, Gap, Request, keep_apart};
use super::travellers::{Coming, Traveller};
use crate::grid::CellRect;
use crate::grid::travel::Travel;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::step::context::Context;
use glam::Vec2;

/// The share of the touching distance that agents on a link keep at least.
const ALMOST: f32 = 0.98;

/// How far, in touching distances, the first of two that land in one place has walked off when the second one may land.
/// The second one pushes it on; if all waited for more, links would let fewer agents through than a door.
const SHORTLY: f32 = 0.4;

impl Coming {
    /// Adds the agent at `place` in bucket order, which travels.
    pub(super) fn add(&mut self, context: &Context<'_>, place: usize, travel: &LinkTravel) {
        self.push(context.traveller(place, travel));
    }

    /// Notes the agents that land near a place so shortly before or after an agent lands there that neither can be gone
    /// by then.
    pub(super) fn note_landings(
        &self,
        context: &Context<'_>,
        request: &Request,
        landing: Vec2,
        gap: &mut Gap,
    ) {
        let own = &context.types[usize::from(request.kind)];
        let grid = context.world.grid();
        let reach = Vec2::splat(CLOSEST * (own.radius + context.buckets.largest_radius()));
        let [low, high] = [landing - reach, landing + reach].map(|at| grid.cell_at(at));
        let cells = CellRect {
            low,
            high: high + 1,
        };
        for traveller in self.near(cells) {
            let kind = &context.types[usize::from(traveller.kind)];
            let touching = own.radius + kind.radius;
            let first = if traveller.seconds < request.seconds {
                traveller.speed
            } else {
                request.speed
            };
            let apart = first * (traveller.seconds - request.seconds).abs();
            if apart < CLOSEST * touching && keep_apart(own, kind) {
                let distance = traveller.landing.distance(landing) / touching;
                gap.note(distance, apart < SHORTLY * touching);
            }
        }
    }

    /// Whether an agent that now takes a link with a given time would touch, on the way, one that is ahead of it on the
    /// same link. Where the ends are nearer to each other than two agents that touch, there is no distance to keep.
    pub(super) fn is_too_close(
        &self,
        context: &Context<'_>,
        request: &Request,
        landing: Vec2,
    ) -> bool {
        if !matches!(request.travel, Travel::Timed { .. }) || !request.keeps_apart {
            return false;
        }
        let own_kind = &context.types[usize::from(request.kind)];
        let own = context.traveller(request.place, &context.travel_of(request, landing));
        let length = own.velocity.length() * own.seconds;
        self.near(CellRect::cell(request.end)).any(|traveller| {
            let kind = &context.types[usize::from(traveller.kind)];
            let touching = own_kind.radius + kind.radius;
            (traveller.first, traveller.end) == (own.first, own.end)
                && keep_apart(own_kind, kind)
                && length >= touching
                && own.nearest_to(traveller) < ALMOST * touching
        })
    }
}

impl Context<'_> {
    /// The agent at `place` in bucket order on its way.
    fn traveller(&self, place: usize, travel: &LinkTravel) -> Traveller {
        let agent = &self.buckets.sorted()[place];
        let grid = self.world.grid();
        let layers = grid.layers();
        let kind = &self.types[usize::from(agent.kind)];
        let line = travel.displacement(layers).extend(self.rise_of(travel));
        Traveller {
            first: grid.clamped_cell_at(travel.from),
            end: grid.clamped_cell_at(travel.end),
            landing: travel.to,
            seconds: travel.whole - travel.done,
            speed: self.max_speed(agent, kind),
            kind: agent.kind,
            at: layers.flat(travel.from).extend(0.0) + line * (travel.done / travel.whole),
            velocity: line / travel.whole,
        }
    }

    /// How much higher the ground is at the end of a travel than at its start; 0 without heights.
    fn rise_of(&self, travel: &LinkTravel) -> f32 {
        let layers = self.world.grid().layers();
        let height = |place: Vec2| {
            let ground = self.world.ground();
            ground.standing_height(layers.at(place), layers.flat(place))
        };
        match (height(travel.from), height(travel.to)) {
            (Some(from), Some(to)) => to - from,
            _ => 0.0,
        }
    }
}
