//! What a game has put among the agents, by id, and who is there: bodies with those that touch them, areas
//! with those inside.

use crate::error::{Error, Result};
use crate::swarm::bodies::shape::{Pose, Shape};
use crate::swarm::constraints::travel::velocity_over;
use crate::swarm::state::agents::{AgentId, Agents, flag};
use crate::swarm::{AgentType, MAX_SPEED};
use crate::workers::Workers;
use glam::Vec2;

/// The most bodies, and the most areas, of a swarm.
pub const MAX_SITES: usize = 4096;

/// Agents below which one thread looks at all sites.
const LEAST_SHARED: usize = 8192;
/// The most pieces that sites are cut into for several threads.
const MOST_PIECES: usize = 16;

/// What bodies and areas differ in.
pub(in crate::swarm) trait Role {
    /// What errors call it.
    const NAME: &'static str;
    /// What errors call several.
    const COUNT: &'static str;

    /// How far from the outline, outside of it, the centre of an agent is at most that counts as there.
    fn reach(radius: f32) -> f32;
}

/// A body or an area.
#[derive(Debug, Clone)]
pub(in crate::swarm) struct Site<R> {
    id: i64,
    pub(in crate::swarm) shape: Shape,
    pub(in crate::swarm) pose: Pose,
    /// Where it was in the last step.
    stepped: Pose,
    pub(in crate::swarm) role: R,
}

impl<R> Site<R> {
    /// How fast it has come from where it was in the last step, which took `dt` seconds.
    pub(in crate::swarm) fn velocity(&self, dt: f32) -> Vec2 {
        let way = self.pose.position() - self.stepped.position();
        if way.is_finite() {
            velocity_over(way, dt, MAX_SPEED)
        } else {
            Vec2::ZERO
        }
    }
}

/// An agent at a site.
type Stay = (i64, AgentId);

/// All bodies, or all areas. Ids ascend and never come back.
#[derive(Debug)]
pub(in crate::swarm) struct Sites<R> {
    last: i64,
    list: Vec<Site<R>>,
    /// Who was there after the last step, by ascending ids of both.
    there: Vec<Stay>,
    /// The same after the step before.
    before: Vec<Stay>,
    /// What several threads find, for consecutive sites each; holds nothing between steps but capacity.
    found: Vec<Vec<Stay>>,
}

impl<R> Default for Sites<R> {
    fn default() -> Self {
        Self {
            last: 0,
            list: Vec::new(),
            there: Vec::new(),
            before: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl<R: Role + Send + Sync> Sites<R> {
    pub(super) fn add(&mut self, shape: Shape, pose: Pose, role: R) -> Result<i64> {
        shape.check()?;
        if self.list.len() >= MAX_SITES {
            return Err(Error::OutOfRange {
                name: R::COUNT,
                value: (self.list.len() + 1).into(),
                min: 0.into(),
                max: MAX_SITES.into(),
            });
        }
        self.last += 1;
        self.list.push(Site {
            id: self.last,
            shape,
            pose,
            stepped: pose,
            role,
        });
        Ok(self.last)
    }

    fn place(&self, id: i64) -> Result<usize> {
        let place = self.list.binary_search_by_key(&id, |site| site.id);
        place.map_err(|_| Error::UnknownId { name: R::NAME, id })
    }

    pub(super) fn get(&self, id: i64) -> Result<&Site<R>> {
        Ok(&self.list[self.place(id)?])
    }

    pub(super) fn get_mut(&mut self, id: i64) -> Result<&mut Site<R>> {
        let place = self.place(id)?;
        Ok(&mut self.list[place])
    }

    pub(super) fn remove(&mut self, id: i64) -> Result<()> {
        let place = self.place(id)?;
        self.list.remove(place);
        self.there.retain(|stay| stay.0 != id);
        Ok(())
    }

    pub(in crate::swarm) fn iter(&self) -> impl Iterator<Item = &Site<R>> {
        self.list.iter()
    }

    pub(in crate::swarm) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The agents that were there after the last step and are alive, by ascending id.
    pub(super) fn agents_at(&self, id: i64, agents: &Agents) -> Result<Vec<AgentId>> {
        self.place(id)?;
        let first = self.there.partition_point(|stay| stay.0 < id);
        let stays = self.there[first..].iter().take_while(|stay| stay.0 == id);
        let alive = stays.filter(|stay| agents.find(stay.1).is_ok());
        Ok(alive.map(|stay| stay.1).collect())
    }

    /// Finds out who is there after a step. `visit_near` is to call back with the places, in the columns, of
    /// at least all agents whose centres are in a rectangle, each once.
    pub(in crate::swarm) fn look(
        &mut self,
        agents: &Agents,
        types: &[AgentType],
        workers: &Workers,
        visit_near: impl Fn((Vec2, Vec2), &mut dyn FnMut(usize)) + Sync + Send,
    ) {
        std::mem::swap(&mut self.there, &mut self.before);
        for site in &mut self.list {
            site.stepped = site.pose;
        }
        self.gather(agents, types, workers, visit_near);
    }

    /// Finds out who was there after the last step, once agents have been replaced by others. O(agents at
    /// times sites).
    pub(in crate::swarm) fn recall(&mut self, agents: &Agents, types: &[AgentType]) {
        self.gather(agents, types, &Workers::serial(), |_, visit| {
            (0..agents.len()).for_each(visit);
        });
    }

    fn gather(
        &mut self,
        agents: &Agents,
        types: &[AgentType],
        workers: &Workers,
        visit_near: impl Fn((Vec2, Vec2), &mut dyn FnMut(usize)) + Sync + Send,
    ) {
        let Self {
            list, there, found, ..
        } = self;
        there.clear();
        if list.is_empty() {
            return;
        }
        // Room for everybody from the start, as with the events.
        there.reserve(agents.len());
        let largest = types.iter().map(|kind| kind.radius).fold(0.0, f32::max);
        let margin = Vec2::splat(R::reach(largest));
        let find = |site: &Site<R>, there: &mut Vec<Stay>| {
            let first = there.len();
            let (low, high) = site.shape.bounds(&site.stepped);
            visit_near((low - margin, high + margin), &mut |index| {
                let radius = types[usize::from(agents.kind[index])].radius;
                let nearest = site.shape.nearest(&site.stepped, agents.position[index]);
                let takes_part = agents.flags[index] & flag::QUARANTINED == 0;
                if nearest.distance <= R::reach(radius) && takes_part {
                    there.push((site.id, agents.id[index]));
                }
            });
            there[first..].sort_unstable_by_key(|stay| stay.1);
        };
        if workers.threads() == 1 || agents.len() < LEAST_SHARED || list.len() == 1 {
            for site in list {
                find(site, there);
            }
            return;
        }
        // Several pieces for each thread, as sites differ in size.
        let length = list.len().div_ceil(MOST_PIECES);
        found.resize_with(list.len().div_ceil(length), Vec::new);
        let list = &*list;
        workers.for_each_chunk(found, 1, |piece, found| {
            let found = &mut found[0];
            found.clear();
            found.reserve(agents.len());
            let sites = list[piece * length..].iter().take(length);
            sites.for_each(|site| find(site, found));
        });
        for found in found {
            there.extend_from_slice(found);
        }
    }

    /// Forgets who is no longer alive.
    pub(in crate::swarm) fn forget_the_dead(&mut self, agents: &Agents) {
        self.there.retain(|stay| agents.find(stay.1).is_ok());
    }

    /// Who has come in the last step, by ascending ids of both.
    pub(super) fn comers(&self) -> impl Iterator<Item = Stay> {
        without(&self.there, &self.before)
    }

    /// Who has left in the last step and is alive, by ascending ids of both. Nobody leaves what has been
    /// removed.
    pub(super) fn leavers(&self, agents: &Agents) -> impl Iterator<Item = Stay> {
        without(&self.before, &self.there)
            .filter(move |stay| self.place(stay.0).is_ok() && agents.find(stay.1).is_ok())
    }
}

/// What `some` have and `others` have not; both ascend.
fn without<'a>(some: &'a [Stay], others: &'a [Stay]) -> impl Iterator<Item = Stay> + 'a {
    let mut others = others.iter().copied().peekable();
    some.iter().copied().filter(move |stay| {
        while others.next_if(|other| other < stay).is_some() {}
        others.peek() != Some(stay)
    })
}
