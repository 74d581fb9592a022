//! Where agents that take a link land.

use super::request::Request;
use crate::grid::travel::Travel;
use crate::random;
use crate::swarm::Avoidance;
use crate::swarm::constraints::walls;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use glam::{IVec2, Vec2};

/// The purpose of the numbers that say where in a link's last cell an agent lands.
const LANDING: u64 = 0x4C41_4E44;
/// The number of random points of a link's last cell that an agent tries in a step.
const ATTEMPTS: u64 = 4;
impl Context<'_> {
    /// The link that the agent at `place` in bucket order wants to take; `None` if there is none any more.
    pub(super) fn request(&self, place: usize) -> Option<Request> {
        let agent = &self.buckets.sorted()[place];
        let kind = &self.types[usize::from(agent.kind)];
        let first = self.world.grid().clamped_cell_at(agent.position);
        let end = self.route_of(agent)?.link_from(first)?;
        let mut request = Request {
            place,
            index: agent.index as usize,
            kind: agent.kind,
            first,
            end,
            travel: self.world.travel_between(first, end),
            seconds: self.dt,
            speed: self.max_speed(agent, kind),
            keeps_apart: match kind.avoidance {
                Avoidance::None => false,
                Avoidance::Orca => true,
                Avoidance::Contact | Avoidance::Separation => self.settings.separation,
            },
        };
        if request.travel != Travel::AtOnce {
            let center = self.world.grid().center_of(end);
            request.seconds = self.travel_of(&request, center).whole;
        }
        Some(request)
    }

    /// The speed of an agent as a share of its greatest speed.
    pub(super) fn pace_of(&self, agent: &SortedAgent) -> f32 {
        let most = self.max_speed(agent, &self.types[usize::from(agent.kind)]);
        agent.velocity.length() / most.max(f32::MIN_POSITIVE)
    }

    /// The number of places that [`Self::landing`] distinguishes.
    pub(super) fn attempts(&self, request: &Request) -> u64 {
        let is_at_center = self.inset(request) >= 0.5;
        match request.travel {
            Travel::AtOnce | Travel::Timed { .. } if !is_at_center => ATTEMPTS,
            _ => 1,
        }
    }

    /// A place in the last cell of a link; `None` if walls leave no room for the agent there, as with any gap that is
    /// too narrow for it.
    pub(super) fn landing(&self, request: &Request, attempt: u64) -> Option<Vec2> {
        let grid = self.world.grid();
        let agent = &self.buckets.sorted()[request.place];
        let kind = &self.types[usize::from(request.kind)];
        let inset = self.inset(request);
        let mut landing = match request.travel {
            Travel::Walk => self.nearest_in(request.end, inset, agent.position),
            Travel::AtOnce | Travel::Timed { .. } => self.random_in(request, inset, attempt),
        };
        if self.settings.wall_correction {
            let costs = self.world.costs(kind.movement);
            let radius = kind.radius / grid.cell_size();
            landing = walls::slide(costs, landing, Vec2::ZERO, radius).unwrap_or(landing);
        }
        let landing = grid.to_world(landing);
        self.fits(request, landing).then_some(landing)
    }

    /// Whether walls leave an agent as much room at a place as it has where it takes the link.
    pub(super) fn fits(&self, request: &Request, place: Vec2) -> bool {
        let grid = self.world.grid();
        let agent = &self.buckets.sorted()[request.place];
        let kind = &self.types[usize::from(request.kind)];
        let [from, to] = [agent.position, place].map(|place| grid.to_cell_space(place));
        let costs = self.world.costs(kind.movement);
        !self.settings.wall_correction
            || walls::fits(costs, from, to, kind.radius / grid.cell_size())
    }

    /// Moves an agent's result to where it lands.
    pub(super) fn put_at_end(&self, request: &Request, landing: Vec2, moved: &mut StepResult) {
        moved.position = landing;
        moved.velocity = self.buckets.sorted()[request.place].velocity;
        moved.flags &= !flag::LOST;
        moved.is_near_wall = false;
        // An agent on a link is not stuck, however long it is there.
        moved.under_way = request.travel == Travel::AtOnce;
        moved.link = match request.travel {
            Travel::AtOnce => OnLink::Jumps,
            Travel::Walk | Travel::Timed { .. } => OnLink::Travels,
        };
    }

    /// The travel of an agent that takes a link and lands at a place.
    pub(super) fn travel_of(&self, request: &Request, landing: Vec2) -> LinkTravel {
        let agent = &self.buckets.sorted()[request.place];
        let mut travel = LinkTravel {
            from: agent.position,
            to: landing,
            end: self.world.grid().center_of(request.end),
            ..LinkTravel::default()
        };
        (travel.whole, travel.arc) = match request.travel {
            Travel::AtOnce => (self.dt, 0.0),
            Travel::Walk => (self.walking_seconds(agent, &travel), 0.0),
            Travel::Timed { seconds, arc } => (seconds, arc),
        };
        travel
    }

    /// The distance of places in the last cell from the cell's edges, in cells.
    fn inset(&self, request: &Request) -> f32 {
        let radius = self.types[usize::from(request.kind)].radius;
        (radius / self.world.grid().cell_size()).min(0.5)
    }

    /// A random point of the last cell, in cells, clear of the cell's edges. Agents that all land on one line would no
    /// longer get past each other.
    fn random_in(&self, request: &Request, inset: f32, attempt: u64) -> Vec2 {
        let key = random::keyed(self.seed, self.agents.key[request.index], self.tick);
        let drawn = |axis: u64| random::unit(random::keyed(key, LANDING, 2 * attempt + axis));
        let offset = inset + Vec2::new(drawn(0), drawn(1)) * (1.0 - 2.0 * inset);
        request.end.as_vec2() + offset
    }

    /// The point of a cell, in cells and clear of the cell's edges, that is nearest to a place if both were on one
    /// layer. Agents that walk side by side then land side by side.
    fn nearest_in(&self, cell: IVec2, inset: f32, place: Vec2) -> Vec2 {
        let grid = self.world.grid();
        let layers = grid.layers();
        let layer = layers.at(grid.center_of(cell));
        let point = grid.to_cell_space(layers.place(layers.flat(place), layer));
        let corner = cell.as_vec2();
        point.clamp(corner + inset, corner + (1.0 - inset))
    }
}
