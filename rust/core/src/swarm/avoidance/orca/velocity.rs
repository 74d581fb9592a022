//! The velocity that an agent takes.

use super::scene::{Avoider, Orca};
use super::{bodies, lines, program, walls};
use crate::random;
use crate::swarm::avoidance::orca::bodies::FourBodies;
use crate::swarm::avoidance::orca::lines::{HalfPlanes, Seen, permitted};
use crate::swarm::avoidance::orca::neighbours::Neighbours;
use crate::swarm::avoidance::orca::walls::Walker;
use crate::swarm::neighbours::buckets::LANES;
use glam::{Vec2, Vec4};

/// How far to the right an agent turns that cannot go as it wants, as a tangent: at least, and by how
/// much more at most.
const KEEP_RIGHT: (f32, f32) = (0.05, 0.1);

/// How much more of the work the agent behind does on a common way, as a share.
const RIGHT_OF_WAY: f32 = 0.3;
/// By how much the inverse of the horizon grows in a second without progress, as a multiple of it. Crowds
/// that block each other far ahead are none the safer for it.
const IMPATIENCE: f32 = 2.0;
/// How near two agents may be pressed to each other, as a fraction of the sum of their radii.
const SQUEEZED: f32 = 0.98;

/// Memory for one agent after the other.
pub(in crate::swarm) struct Workspace {
    neighbours: Neighbours,
    planes: HalfPlanes,
    /// Those of neighbours that might be touched.
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
        // A velocity above the agent's own, from an impulse, is no reason to go astray.
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
            // Agents that touch it are seen in any case.
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
        // Most cannot go as they want, so what comes then is looked at along with that.
        let start = turned.clamp_length_max(most);
        let [wanted_broken, first_broken] =
            program::both_first_broken(planes, [agent.wanted, start], most);
        if wanted_broken.is_none() {
            return agent.wanted;
        }
        let velocity = program::solve(planes, hard, most, turned, start, first_broken);
        let velocity = velocity.clamp_length_max(most);
        // Numbers of no game, such as bodies of a millionth of a unit, can get out of hand.
        if velocity.is_finite() {
            velocity
        } else {
            agent.wanted
        }
    }

    /// Adds what `neighbours` leave to an agent: to `hard` what those leave that it might
    /// touch in this step, to `soft` the half-planes of the paper.
    #[inline]
    fn add_neighbours(
        &self,
        hard: &mut HalfPlanes,
        soft: &mut HalfPlanes,
        agent: &Avoider<'_>,
        neighbours: &Neighbours,
    ) {
        let horizon = agent.kind.time_horizon / (1.0 + IMPATIENCE * agent.stalled);
        // Twice its speed: the other one may come as far.
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
            // How far, in diameters, the other one is ahead on the way that both have in common.
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

    /// Keeps an agent from touching a neighbour in this step. Two that avoid each other may use half of
    /// what is between them each, so that they do not touch even where the paper's half-planes
    /// cannot all be kept to; and as standing still is permitted, these always can.
    fn add_contact(&self, hard: &mut HalfPlanes, agent: &Avoider<'_>, place: usize) {
        let (body, other) = (&self.bodies[agent.place], &self.bodies[place]);
        let apart = body.position() - other.position();
        let distance = apart.length();
        if distance <= 0.0 {
            return;
        }
        let normal = apart / distance;
        let gap = distance - SQUEEZED * (body.radius() + other.radius());
        // What is too near creeps apart, faster than the slack of the linear program lets it creep
        // together.
        let offset = if gap < 0.0 {
            program::CREEP * agent.max_speed
        } else if other.is_equal_of(body) {
            -0.5 * gap / agent.step
        } else {
            normal.dot(other.velocity()) - gap / agent.step
        };
        hard.push(normal, offset);
    }

    /// [`Self::add_neighbours`] for four of which some are where the agent is: a direction is drawn for
    /// each pair, opposite for the two of them.
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
            // By keys, which stay when the order in memory changes.
            let other = self.keys[self.buckets.sorted()[place].index as usize];
            let (low, high) = (other.min(agent.key), other.max(agent.key));
            let key = random::keyed(random::keyed(self.seed, low, high), COINCIDENT, self.tick);
            let normal = random::direction(key) * if agent.key == low { 1.0 } else { -1.0 };
            // At their own speed at most, as far as the two are concerned.
            planes.push(normal, normal.dot(body.velocity()) + 0.5 * agent.max_speed);
        }
    }
}

/// The purpose of the number that tells how far an agent turns.
const SIDE: u64 = 0x5349_4445;
/// The purpose of the direction in which agents at the same place part.
const COINCIDENT: u64 = 0x434F_494E;
