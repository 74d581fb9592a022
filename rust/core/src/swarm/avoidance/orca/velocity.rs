//! The velocity that an agent takes: collects the half-planes of walls, bodies and neighbours, and solves the program.

use super::scene::{Avoider, Orca};
use super::{bodies, lines, program, walls};
use crate::random;
use crate::swarm::avoidance::orca::bodies::FourBodies;
use crate::swarm::avoidance::orca::lines::{HalfPlanes, Seen, permitted};
use crate::swarm::avoidance::orca::neighbours::Neighbours;
use crate::swarm::avoidance::orca::walls::Walker;
use crate::swarm::neighbours::buckets::LANES;
use glam::{Vec2, Vec4};

/// The tangent of the angle to the right by which an agent turns whose wanted velocity is forbidden: the least, and the
/// range above it.
const KEEP_RIGHT: (f32, f32) = (0.05, 0.1);

/// The additional share of the change that the agent behind makes, of two that go the same way.
const RIGHT_OF_WAY: f32 = 0.3;
/// The rate, per second without progress, at which the inverse of the horizon grows, as a multiple of itself. A shorter
/// horizon lets crowds come closer that block each other from far away.
const HORIZON_SHRINKAGE: f32 = 2.0;
/// The least distance to which two agents may be pressed, as a fraction of the sum of their radii.
const SQUEEZED: f32 = 0.98;

/// Memory that is reused from agent to agent.
pub(in crate::swarm) struct Workspace {
    neighbours: Neighbours,
    planes: HalfPlanes,
    /// The half-planes of neighbours and bodies that the agent might touch in this step.
    contacts: HalfPlanes,
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            neighbours: Neighbours::new(),
            planes: HalfPlanes::new(),
            contacts: HalfPlanes::new(),
        }
    }
}

impl Orca<'_> {
    /// The velocity that an agent takes.
    #[inline]
    pub(in crate::swarm) fn velocity(&self, agent: &Avoider<'_>, space: &mut Workspace) -> Vec2 {
        let Workspace {
            neighbours,
            planes,
            contacts,
        } = space;
        planes.clear();
        contacts.clear();
        // A velocity above the agent's maximum speed, from an impulse, stays permitted.
        let most = agent.max_speed.max(agent.wanted.length());
        let body = &self.bodies[agent.place];
        if let Some(costs) = agent.costs {
            let walker = Walker {
                position: body.position(),
                velocity: body.velocity(),
                radius: body.radius(),
                max_speed: agent.max_speed,
                horizon: agent.kind.time_horizon_walls,
                step: agent.step,
            };
            walls::add(planes, costs, self.grid, &walker);
        }
        let walls = planes.len();
        if body.is_near_solid {
            self.add_solids(contacts, planes, agent);
        }
        if agent.kind.max_neighbours > 0 {
            // Touching agents are always within reach.
            let reach = agent.kind.neighbour_radius.max(2.0 * body.radius());
            neighbours.find(self.buckets, agent.place, reach, agent.kind.max_neighbours);
            self.add_neighbours(contacts, planes, agent, neighbours);
        }
        let hard = walls + contacts.len();
        let planes = if hard == walls {
            planes
        } else if walls == 0 {
            contacts.append(planes);
            contacts
        } else {
            planes.insert(walls, contacts);
            planes
        };
        if planes.len() == 0 {
            return agent.wanted;
        }
        planes.seal();
        let drawn = random::unit(random::keyed(self.seed, agent.key, SIDE));
        let right = Vec2::new(-agent.wanted.y, agent.wanted.x);
        let turned = agent.wanted + right * (KEEP_RIGHT.0 + KEEP_RIGHT.1 * drawn);
        // In most calls the wanted velocity is forbidden, so the turned one is tested in the same loop.
        let start = turned.clamp_length_max(most);
        let [wanted_broken, first_broken] =
            program::both_first_broken(planes, [agent.wanted, start], most);
        if wanted_broken.is_none() {
            return agent.wanted;
        }
        let velocity = program::solve(planes, hard, most, turned, start, first_broken);
        let velocity = velocity.clamp_length_max(most);
        // Extreme sizes, such as bodies of a millionth of a unit, can overflow.
        if velocity.is_finite() {
            velocity
        } else {
            agent.wanted
        }
    }

    /// Adds the half-planes of `neighbours`: to `soft` those of the paper, and to `hard` one for each neighbour that
    /// the agent might touch in this step.
    #[inline]
    fn add_neighbours(
        &self,
        hard: &mut HalfPlanes,
        soft: &mut HalfPlanes,
        agent: &Avoider<'_>,
        neighbours: &Neighbours,
    ) {
        let horizon = agent.kind.time_horizon / (1.0 + HORIZON_SHRINKAGE * agent.stalled);
        // Twice the agent's own distance, as the other agent may move as far.
        let step_away = 2.0 * agent.max_speed * agent.step;
        let body = &self.bodies[agent.place];
        let (position, ahead) = (body.position(), body.ahead());
        for (number, four) in neighbours.fours().iter().enumerate() {
            let count = (neighbours.count() - number * LANES).min(LANES);
            let places = four.map(|place| place as usize);
            let others = FourBodies::new(places.map(|place| &self.bodies[place]));
            let away = [
                others.position[0] - position.x,
                others.position[1] - position.y,
            ];
            let touching = others.radius + body.radius();
            // How far the other agent is ahead in the mean of both preferred directions, in diameters.
            let behind = (away[0] * (others.ahead[0] + ahead.x)
                + away[1] * (others.ahead[1] + ahead.y))
                / (2.0 * touching);
            let lighter = others.weight - body.weight();
            let share =
                (lighter * 0.5 + behind.clamp(Vec4::NEG_ONE, Vec4::ONE) * RIGHT_OF_WAY + 0.5)
                    .clamp(Vec4::ZERO, Vec4::ONE);
            let are_equals = lighter.abs().cmplt(Vec4::splat(bodies::UNEQUAL));
            let seen = Seen {
                away,
                velocity: others.velocity,
                touching,
                share,
                slack: Vec4::select(are_equals, 1.0 - share, share),
            };
            let near = seen.touching + step_away;
            let [away_x, away_y] = seen.away;
            let squared = away_x * away_x + away_y * away_y;
            let contacts = squared.cmplt(near * near).bitmask();
            if contacts != 0 {
                for (lane, &place) in places[..count].iter().enumerate() {
                    if contacts >> lane & 1 == 1 {
                        self.add_contact(hard, agent, place);
                    }
                }
            }
            let lanes = permitted(body.velocity(), &seen, horizon, agent.step);
            if lanes.lost != 0 {
                self.add_coincident(soft, agent, &lanes, &places[..count]);
            } else {
                soft.push_lanes(lanes.x, lanes.y, lanes.offset, count);
            }
        }
    }

    /// Keeps an agent from touching a neighbour in this step. Two agents that avoid each other may each use half of the
    /// gap between them, so they do not touch even where not all half-planes of the paper can hold. These half-planes
    /// permit standing still, so all of them can always hold.
    fn add_contact(&self, hard: &mut HalfPlanes, agent: &Avoider<'_>, place: usize) {
        let (body, other) = (&self.bodies[agent.place], &self.bodies[place]);
        let apart = body.position() - other.position();
        let distance = apart.length();
        if distance <= 0.0 {
            return;
        }
        let normal = apart / distance;
        let gap = distance - SQUEEZED * (body.radius() + other.radius());
        // Agents that are too close part slowly, but faster than the slack of the linear program lets them approach.
        let offset = if gap < 0.0 {
            program::CREEP * agent.max_speed
        } else if other.is_equal_of(body) {
            -0.5 * gap / agent.step
        } else {
            normal.dot(other.velocity()) - gap / agent.step
        };
        hard.push(normal, offset);
    }

    /// [`Self::add_neighbours`] for four neighbours of which some coincide with the agent. A random direction is drawn
    /// for each pair, opposite for its two agents.
    #[cold]
    fn add_coincident(
        &self,
        planes: &mut HalfPlanes,
        agent: &Avoider<'_>,
        lanes: &lines::Lanes,
        places: &[usize],
    ) {
        let (x, y) = (lanes.x.to_array(), lanes.y.to_array());
        let (offset, lost) = (lanes.offset.to_array(), lanes.lost);
        let body = &self.bodies[agent.place];
        for (lane, &place) in places.iter().enumerate() {
            let normal = Vec2::new(x[lane], y[lane]);
            if lost >> lane & 1 == 0 {
                planes.push(normal, offset[lane]);
                continue;
            }
            // Drawn by keys, which do not change when the order in memory does.
            let other = self.keys[self.buckets.sorted()[place].index as usize];
            let (low, high) = (other.min(agent.key), other.max(agent.key));
            let key = random::keyed(random::keyed(self.seed, low, high), COINCIDENT, self.tick);
            let normal = random::direction(key) * if agent.key == low { 1.0 } else { -1.0 };
            // Each of the two needs at most half of its own maximum speed for this.
            planes.push(normal, normal.dot(body.velocity()) + 0.5 * agent.max_speed);
        }
    }
}

/// The purpose of the number that tells how far an agent turns.
const SIDE: u64 = 0x5349_4445;
/// The purpose of the direction in which agents at the same place part.
const COINCIDENT: u64 = 0x434F_494E;
