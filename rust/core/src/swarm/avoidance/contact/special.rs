//! Special agents, which bands cannot hold: oversized agents, and agents that were moved farther in this step than
//! agents go under their own power. They are few, and their pairs are solved one after the other.

use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::avoidance::contact::pair::Pair;
use crate::swarm::avoidance::contact::reach::SKIN;
use crate::swarm::step::context::Context;
use glam::Vec2;

impl Contacts {
    /// Finds special agents and their pairs.
    pub(super) fn find_special(&mut self, context: &Context<'_>) {
        self.special.clear();
        self.special_pairs.clear();
        if !*self.agents.has_special.get_mut() {
            return;
        }
        let bodies = (0..).zip(&self.agents.bodies);
        let special = bodies.filter(|(_, body)| body.is_special);
        self.special.extend(special.map(|(place, _)| place));
        // Spare room, as in bands: an oversized agent may touch dozens of agents.
        let room = 64 * self.special.len().next_power_of_two();
        self.special_pairs.reserve(room);
        let buckets = context.buckets;
        let regular = buckets.regular_radius();
        let margin = SKIN * regular;
        let reach = Vec2::splat(regular + margin + context.stride);
        for number in 0..self.special.len() {
            let place = self.special[number] as usize;
            let at = self.agents.positions[place];
            let corner = reach + self.agents.bodies[place].radius;
            for row in buckets.rows_between(at - corner, at + corner) {
                for other in row {
                    if !self.agents.bodies[other].is_special {
                        self.pair([place, other], margin);
                    }
                }
            }
        }
        self.pair_special(margin);
    }

    /// Pairs special agents with each other by a sweep along the y axis.
    fn pair_special(&mut self, margin: f32) {
        let (bodies, positions) = (&self.agents.bodies, &self.agents.positions);
        let largest = self
            .special
            .iter()
            .map(|&place| bodies[place as usize].radius);
        let largest = largest.fold(0.0, f32::max);
        let y = |place: u32| positions[place as usize].y;
        self.special
            .sort_unstable_by(|&one, &other| y(one).total_cmp(&y(other)).then(one.cmp(&other)));
        for number in 0..self.special.len() {
            let one = self.special[number] as usize;
            let end =
                self.agents.positions[one].y + self.agents.bodies[one].radius + largest + margin;
            for next in number + 1..self.special.len() {
                let other = self.special[next] as usize;
                if self.agents.positions[other].y > end {
                    break;
                }
                self.pair([one, other], margin);
            }
        }
    }

    /// Pairs two agents, given by their places in bucket order, if they are closer than their touching distance plus a
    /// margin.
    fn pair(&mut self, places: [usize; 2], margin: f32) {
        let bodies = places.map(|place| &self.agents.bodies[place]);
        let near = bodies[0].radius + bodies[1].radius + margin;
        let apart = self.agents.positions[places[0]] - self.agents.positions[places[1]];
        // NaN for agents that take no part, which makes the comparison false.
        if apart.length_squared() < near * near
            && self.matrix.both_move(bodies[0].kind, bodies[1].kind) != [false; 2]
        {
            let touching = bodies[0].radius + bodies[1].radius;
            self.special_pairs.push(Pair::new(places, touching));
        }
    }
}
