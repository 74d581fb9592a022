//! Marching in formation: the leader of each march walks along its field, and the members' own targets with it.
//!
//! A slot lies beside the trail of the leader: behind it at the distance of its rank, aside by its file. So a column
//! bends round corners as its leader did. Where walls leave no room aside, the slot moves towards the trail, and out
//! again behind the narrow place. The leader waits for members that lag behind.

use crate::swarm::constraints::walls;
use crate::swarm::goal::pace::pace;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::march::{March, Member};
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

/// The speed of the leader as a fraction of that of its slowest member, so that members can catch up.
const LEADING: f32 = 0.9;
/// The mean distance of members behind their slots, in spacings, from which on the leader goes slower, and at which it
/// goes at [`LEAST_LEADING`].
const LAGGING: (f32, f32) = (0.75, 2.5);
/// The least speed of the leader as a fraction of its usual one.
const LEAST_LEADING: f32 = 0.25;
/// The shares of its offset to the side at which a slot is tried.
const SQUEEZED: [f32; 3] = [1.0, 0.5, 0.0];

/// The farthest that a target is ahead of its slot, in cells.
const MOST_BRAKING: f32 = 16.0;

/// What becomes of a march in a step.
enum Outcome {
    Goes,
    /// The leader is at the destination.
    Arrives,
    /// No member is left, or there is no route.
    Ends,
}

impl Swarm {
    /// Moves the leaders of all marches and gives their members new targets. A march that arrives takes up its
    /// formation.
    pub(in crate::swarm) fn lead_marches(&mut self, world: &FlowWorld, dt: f32) {
        let mut marches = std::mem::take(&mut self.marches);
        marches.retain_mut(|march| {
            let outcome = self.lead(march, world, dt);
            match outcome {
                Outcome::Goes => return true,
                Outcome::Arrives => {
                    self.groups.end_march(march.order);
                    self.form_up_at_destination(world, march);
                }
                // The last agent has ended the order, whose number may be in use again.
                Outcome::Ends if march.members.is_empty() => {}
                Outcome::Ends => {
                    self.groups.end_march(march.order);
                    for member in &march.members {
                        if let Ok(index) = self.agents.find(member.id) {
                            self.agents.flags[index] &= !flag::OWN_TARGET;
                        }
                    }
                }
            }
            false
        });
        self.marches = marches;
    }

    fn lead(&mut self, march: &mut March, world: &FlowWorld, dt: f32) -> Outcome {
        march
            .members
            .retain(|member| self.is_marching(march.order, member));
        let Some((speed, lag)) = self.pace_of(march) else {
            return Outcome::Ends;
        };
        let Some(outcome) = self.move_leader(march, world, (speed, lag), dt) else {
            // Its route is still being searched.
            return Outcome::Goes;
        };
        if matches!(outcome, Outcome::Goes) {
            march.note_trail();
            let moved = speed * eagerness(lag / march.spacing);
            self.move_slots(march, world, moved, dt);
        }
        outcome
    }

    /// Whether an agent has had no other orders since the march gave it its target.
    fn is_marching(&self, order: u16, member: &Member) -> bool {
        self.agents.find(member.id).is_ok_and(|index| {
            self.agents.goal_group[index] == order
                && self.agents.flags[index] & flag::OWN_TARGET != 0
                && self.agents.target[index] == member.target
        })
    }

    /// The speed of the leader, and the mean distance of members behind their slots; `None` without members.
    fn pace_of(&self, march: &March) -> Option<(f32, f32)> {
        let (mut slowest, mut lag) = (f32::INFINITY, 0.0);
        for member in &march.members {
            let index = self.agents.find(member.id).ok()?;
            let kind = &self.types[usize::from(self.agents.kind[index])];
            let own =
                pace(kind, self.seed, self.agents.key[index]) * self.agents.factors.speed_of(index);
            slowest = slowest.min(kind.max_speed * own);
            let behind = member.place - self.agents.position[index];
            lag += behind.dot(march.direction_at(member.rank as f32)).max(0.0);
        }
        let count = march.members.len();
        (count > 0).then(|| (LEADING * slowest, lag / count as f32))
    }

    /// Moves the leader along the route of its order; `None` while there is none yet.
    fn move_leader(
        &self,
        march: &mut March,
        world: &FlowWorld,
        (speed, lag): (f32, f32),
        dt: f32,
    ) -> Option<Outcome> {
        let first = self.agents.find(march.members.first()?.id).ok()?;
        let kind = self.agents.kind[first];
        let movement = self.types[usize::from(kind)].movement;
        let route = usize::from(march.order) * self.types.len() + usize::from(kind);
        let route = self.scratch.routes.get(route)?.as_ref()?;
        let grid = world.grid();
        let cell = grid.clamped_cell_at(march.leader);
        if let Some(end) = route.link_from(cell) {
            march.leader = grid.center_of(end);
            return Some(Outcome::Goes);
        }
        let point = grid.to_cell_space(march.leader);
        let left = route.distance_to_target(point) * grid.cell_size();
        if route.is_goal(cell) || left <= 0.5 * march.spacing {
            return Some(Outcome::Arrives);
        }
        let direction = route.sample_for(point, 0.0);
        if direction == Vec2::ZERO {
            return route.cost_to_goal(cell).is_none().then_some(Outcome::Ends);
        }
        march.ahead = direction;
        let length = speed * eagerness(lag / march.spacing) * dt;
        let step = direction * length.min(left);
        let costs = world.costs(movement);
        // The middle of a leader slides along walls as a disc without a size would.
        let steps = [step, Vec2::new(step.x, 0.0), Vec2::new(0.0, step.y)];
        let open = steps
            .into_iter()
            .find(|&step| costs.is_open(grid.clamped_cell_at(march.leader + step)));
        march.leader += open.unwrap_or(Vec2::ZERO);
        Some(Outcome::Goes)
    }

    /// Moves the slots behind a leader that moves at `speed`, and their members' targets.
    fn move_slots(&mut self, march: &mut March, world: &FlowWorld, speed: f32, dt: f32) {
        let grid = world.grid();
        let half = 0.5 * march.spacing;
        for number in 0..march.members.len() {
            let member = march.members[number];
            let Ok(index) = self.agents.find(member.id) else {
                continue;
            };
            let kind = &self.types[usize::from(self.agents.kind[index])];
            let costs = world.costs(kind.movement);
            let radius = kind.radius / grid.cell_size();
            let base = march.behind(member.rank as f32);
            let direction = march.direction_at(member.rank as f32);
            let aside = direction.perp() * (member.file as f32 * half);
            let is_free = |place: Vec2| {
                let [from, to] = [base, place].map(|at| grid.to_cell_space(at));
                costs.has_line_of_sight(from, to) && walls::is_clear(costs, to, radius)
            };
            let places = SQUEEZED.map(|share| base + aside * share);
            let free = places.into_iter().find(|&place| is_free(place));
            // The trail itself may be too narrow for some, and goes back into walls before it begins.
            let place = free.unwrap_or(if costs.is_open(grid.clamped_cell_at(base)) {
                base
            } else {
                march.leader
            });
            // Agents brake to stop on their target, so it is as far ahead as they need to stop from this speed.
            let braking = speed * speed / (2.0 * kind.acceleration) + speed * dt;
            let braking = braking.min(MOST_BRAKING * grid.cell_size());
            let ahead = place + direction * braking;
            let [from, to] = [place, ahead].map(|at| grid.to_cell_space(at));
            let target = if costs.has_line_of_sight(from, to) {
                ahead
            } else {
                place
            };
            march.members[number].place = place;
            march.members[number].target = target;
            self.agents.target[index] = target;
            self.agents.flags[index] &= !flag::ARRIVED;
        }
    }
}

/// The speed of a leader as a fraction of its usual one, if members lag behind by some spacings.
fn eagerness(lag: f32) -> f32 {
    let (from, to) = LAGGING;
    (1.0 - (lag - from) / (to - from)).clamp(LEAST_LEADING, 1.0)
}
