//! Which agents take a link: those for which there is room at its end.
//!
//! Steering notes the agents whose path continues by a link. When all agents are steered, [`Swarm::take_links`] goes
//! through them in bucket order. An agent takes its link if
//!
//! - walls leave it room where it lands ([`landing`]),
//! - it would touch no agent that is ahead of it on the same link ([`coming`]),
//! - no agent is in its place when it lands, and the floor around has room for it besides those that stand there and
//!   those that are coming ([`room`]).
//!
//! All others wait in the link's first cell, where they are steered and pushed like agents before a closed door. So
//! that no link is closed for good, two agents on full floors that wait for each other's side change places
//! ([`exchange`]), and an agent that has waited for [`PATIENCE`] no longer minds agents that stand where it lands, if
//! there is room around them.
//!
//! What is read is the state before the step, and the agents that were taken before in this list. So the result does
//! not depend on threads.

mod coming;
mod exchange;
mod floor;
mod landing;
pub(in crate::swarm) mod memory;
mod request;
mod room;
mod tiles;
mod travellers;

use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::world::FlowWorld;
use glam::Vec2;
use memory::Boarding;
use request::{CLOSEST, Gap, Request, keep_apart};

/// The seconds after which an agent no longer waits for those that stand where it lands.
const PATIENCE: f32 = 1.0;
/// The steps from one look to the next of an agent that has waited for so long.
const TURNS: u64 = 8;
/// The share of its greatest speed from which on an agent is about to leave the place where it is.
const LEAVING: f32 = 0.5;

/// What becomes of an agent that wants to take a link.
enum Verdict {
    Goes(Vec2),
    /// The floor at the end is full. The place is where it would land best.
    Waits(Vec2),
    /// Walls leave it no room, or it would touch the agent ahead of it.
    Stays,
}

impl Swarm {
    /// Decides which agents take a link in this step, and starts their travels. The results of the others remain as
    /// steering left them.
    pub(in crate::swarm) fn take_links(&mut self, world: &FlowWorld, dt: f32) {
        let wants = |place: usize| self.scratch.moved[place].link == OnLink::Wants;
        if !self.scratch.link_users.places().any(wants) {
            return;
        }
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let mut boarding = std::mem::take(&mut self.scratch.boarding);
        let mut travels = std::mem::take(&mut self.agents.travel);
        let context = self.context(world, dt);
        let users = || self.scratch.link_users.places();
        boarding.clear(self.agents.len());
        for place in users().filter(|&place| moved[place].link == OnLink::Travels) {
            let index = context.buckets.sorted()[place].index as usize;
            boarding.coming.add(&context, place, &travels[index]);
        }
        for place in users().filter(|&place| moved[place].link == OnLink::Wants) {
            boarding.decide(&context, place);
        }
        boarding.exchange(&context);
        for place in users() {
            let link = &mut moved[place].link;
            *link = if *link == OnLink::Wants {
                OnLink::No
            } else {
                *link
            };
        }
        for (request, landing) in &boarding.boarded {
            context.land(request, *landing, &mut moved[request.place], &mut travels);
        }
        for (request, _) in &boarding.boarded {
            self.scratch.contacts.take_out(request.place);
        }
        self.agents.travel = travels;
        self.scratch.boarding = boarding;
        self.scratch.moved = moved;
    }
}

impl Boarding {
    /// Decides about the agent at `place` in bucket order.
    fn decide(&mut self, context: &Context<'_>, place: usize) {
        let Some(request) = context.request(place) else {
            return;
        };
        match self.verdict(context, &request) {
            Verdict::Goes(landing) => self.board(context, request, landing),
            Verdict::Waits(landing) => self.waiting.add(request, landing),
            Verdict::Stays => {}
        }
    }

    fn verdict(&mut self, context: &Context<'_>, request: &Request) -> Verdict {
        let mut best: Option<(Gap, Vec2)> = None;
        for attempt in 0..context.attempts(request) {
            let Some(landing) = context.landing(request, attempt) else {
                continue;
            };
            let gap = self.gap_at(context, request, landing);
            if best.is_none_or(|(widest, _)| gap.is_better_than(&widest)) {
                best = Some((gap, landing));
            }
            if gap.to_any >= CLOSEST {
                break;
            }
        }
        let Some((gap, landing)) = best else {
            return Verdict::Stays;
        };
        if self.coming.is_too_close(context, request, landing) {
            return Verdict::Stays;
        }
        let is_clear = gap.to_standing >= CLOSEST || context.presses_on(request);
        if is_clear && context.has_room(request, &mut self.floor, &self.coming) {
            Verdict::Goes(landing)
        } else {
            Verdict::Waits(landing)
        }
    }

    /// How near the others are to where an agent lands at that time.
    fn gap_at(&self, context: &Context<'_>, request: &Request, landing: Vec2) -> Gap {
        let mut gap = Gap::default();
        if request.keeps_apart {
            context.note_present(request, landing, &mut gap);
            self.coming
                .note_landings(context, request, landing, &mut gap);
        }
        gap
    }

    /// Has agents go that wait for each other's places. Neither floor becomes fuller by that.
    fn exchange(&mut self, context: &Context<'_>) {
        while let Some([own, other]) = self.waiting.next_pair() {
            for ((request, landing), leaving) in [(own, other.0), (other, own.0)] {
                let landing = context.place_left(&leaving, &request).unwrap_or(landing);
                self.board(context, request, landing);
            }
        }
    }

    fn board(&mut self, context: &Context<'_>, request: Request, landing: Vec2) {
        let travel = context.travel_of(&request, landing);
        self.coming.add(context, request.place, &travel);
        self.boarded.push((request, landing));
    }
}

impl Context<'_> {
    /// Notes the agents that are now where an agent lands, and cannot be gone by then.
    fn note_present(&self, request: &Request, landing: Vec2, gap: &mut Gap) {
        let own = &self.types[usize::from(request.kind)];
        // An agent that moves farther than this is gone.
        let reach = Vec2::splat(2.0 * CLOSEST * (own.radius + self.buckets.largest_radius()));
        for other in self.buckets.search(landing - reach, landing + reach) {
            let kind = &self.types[usize::from(other.kind)];
            if other.index as usize == request.index
                || !other.is_on_ground()
                || !keep_apart(own, kind)
            {
                continue;
            }
            let touching = own.radius + kind.radius;
            let displacement = other.velocity * request.seconds;
            if displacement.length() < CLOSEST * touching {
                let distance = (other.position + displacement).distance(landing);
                gap.note(distance / touching, self.pace_of(other) < LEAVING);
            }
        }
    }

    /// Where an agent stands that leaves as another one of its type comes, if that is in the last cell of the other
    /// one's link and not deeper in a wall than the other one is now.
    fn place_left(&self, leaving: &Request, comes: &Request) -> Option<Vec2> {
        let is_there = leaving.first == comes.end && leaving.kind == comes.kind;
        let place = self.buckets.sorted()[leaving.place].position;
        (is_there && self.fits(comes, place)).then_some(place)
    }

    /// Whether an agent has waited so long that it does not mind those that stand where it lands. Agents take turns in
    /// that by their ids, because crowds that wait for a full floor would look for room in every step.
    fn presses_on(&self, request: &Request) -> bool {
        let turn = self.agents.id[request.index].slot() as u64 + self.tick;
        turn.is_multiple_of(TURNS) && self.agents.stalled[request.index] >= PATIENCE
    }

    /// Has an agent take a link: its result is where it is after the step.
    fn land(
        &self,
        request: &Request,
        landing: Vec2,
        moved: &mut StepResult,
        travels: &mut [LinkTravel],
    ) {
        self.put_at_end(request, landing, moved);
        if moved.link == OnLink::Travels {
            let travel = self.travel_of(request, landing);
            self.put_on_link(&travel, moved);
            travels[request.index] = travel;
        }
    }
}
