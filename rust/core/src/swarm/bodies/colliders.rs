//! Colliders by id, and their overlaps: bodies with the agents that touch them, areas with the agents inside.

use crate::error::{Error, Result};
use crate::grid::layers::Layers;
use crate::swarm::AgentType;
use crate::swarm::bodies::shape::{Pose, Shape};
use crate::swarm::constraints::velocity::velocity_over;
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::Vec2;

/// The most bodies, and the most areas, of a swarm.
pub const MAX_SITES: usize = 4096;

/// The number of agents below which one thread visits all colliders.
const LEAST_SHARED: usize = 8192;
/// The most pieces that colliders are cut into for several threads.
const MOST_PIECES: usize = 16;

/// The differences between bodies and areas.
pub(in crate::swarm) trait Role {
    /// The name of the kind in errors.
    const NAME: &'static str;
    /// The name of their number in errors.
    const COUNT: &'static str;

    /// The largest distance outside of the outline at which the centre of an agent of this radius counts as an overlap.
    fn reach(radius: f32) -> f32;
}

/// A body or an area.
#[derive(Debug, Clone)]
pub(in crate::swarm) struct Collider<R> {
    pub(super) id: i64,
    pub(in crate::swarm) shape: Shape,
    pub(in crate::swarm) pose: Pose,
    /// The pose in the last step.
    pub(super) stepped: Pose,
    pub(in crate::swarm) role: R,
}

impl<R> Collider<R> {
    /// The velocity from the pose in the last step to the present one, for a step of `dt` seconds.
    pub(in crate::swarm) fn velocity(&self, dt: f32) -> Vec2 {
        let displacement = self.pose.position() - self.stepped.position();
        if displacement.is_finite() {
            velocity_over(displacement, dt, MAX_SPEED)
        } else {
            Vec2::ZERO
        }
    }
}

/// A collider's id and an agent that overlaps it.
type Overlap = (i64, AgentId);

/// All bodies, or all areas. Ids ascend and are never reused.
#[derive(Debug)]
pub(in crate::swarm) struct Colliders<R> {
    pub(super) last: i64,
    pub(super) list: Vec<Collider<R>>,
    /// The overlaps after the last step, by ascending ids of both.
    pub(super) there: Vec<Overlap>,
    /// The overlaps after the step before the last one.
    before: Vec<Overlap>,
    /// The overlaps that several threads find, each for consecutive colliders. Between steps only its capacity is kept.
    found: Vec<Vec<Overlap>>,
}

impl<R> Default for Colliders<R> {
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

impl<R: Clone> Colliders<R> {
    /// Becomes a copy of `other`.
    pub(in crate::swarm) fn copy_from(&mut self, other: &Self) {
        let Self {
            last,
            list,
            there,
            before,
            found: _,
        } = self;
        *last = other.last;
        list.clone_from(&other.list);
        there.clone_from(&other.there);
        before.clone_from(&other.before);
    }
}

impl<R: Role + Send + Sync> Colliders<R> {
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
        self.list.push(Collider {
            id: self.last,
            shape,
            pose,
            stepped: pose,
            role,
        });
        Ok(self.last)
    }

    fn place(&self, id: i64) -> Result<usize> {
        let place = self.list.binary_search_by_key(&id, |collider| collider.id);
        place.map_err(|_| Error::UnknownId { name: R::NAME, id })
    }

    pub(super) fn get(&self, id: i64) -> Result<&Collider<R>> {
        Ok(&self.list[self.place(id)?])
    }

    pub(super) fn get_mut(&mut self, id: i64) -> Result<&mut Collider<R>> {
        let place = self.place(id)?;
        Ok(&mut self.list[place])
    }

    pub(super) fn remove(&mut self, id: i64) -> Result<()> {
        let place = self.place(id)?;
        self.list.remove(place);
        self.there.retain(|overlap| overlap.0 != id);
        Ok(())
    }

    pub(in crate::swarm) fn iter(&self) -> impl Iterator<Item = &Collider<R>> {
        self.list.iter()
    }

    pub(in crate::swarm) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The living agents that overlapped a collider after the last step, by ascending id.
    pub(super) fn agents_at(&self, id: i64, agents: &Agents) -> Result<Vec<AgentId>> {
        self.place(id)?;
        let first = self.there.partition_point(|overlap| overlap.0 < id);
        let overlaps = self.there[first..]
            .iter()
            .take_while(|overlap| overlap.0 == id);
        let alive = overlaps.filter(|overlap| agents.find(overlap.1).is_ok());
        Ok(alive.map(|overlap| overlap.1).collect())
    }

    /// Finds the overlaps after a step. `visit_near` must call back once with the index of each agent whose centre is
    /// in a rectangle; it may also call back with others.
    pub(in crate::swarm) fn look(
        &mut self,
        agents: &Agents,
        (types, layers): (&[AgentType], &Layers),
        workers: &Workers,
        visit_near: impl Fn((Vec2, Vec2), &mut dyn FnMut(usize)) + Sync + Send,
    ) {
        std::mem::swap(&mut self.there, &mut self.before);
        for collider in &mut self.list {
            collider.stepped = collider.pose;
        }
        self.gather(agents, (types, layers), workers, visit_near);
    }

    /// Finds the overlaps anew after all agents were replaced. O(agents · colliders).
    pub(in crate::swarm) fn recall(
        &mut self,
        agents: &Agents,
        types: &[AgentType],
        layers: &Layers,
    ) {
        let all = |_, visit: &mut dyn FnMut(usize)| (0..agents.len()).for_each(visit);
        self.gather(agents, (types, layers), &Workers::serial(), all);
    }

    fn gather(
        &mut self,
        agents: &Agents,
        (types, layers): (&[AgentType], &Layers),
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
        // Room for all agents is reserved at once, as for events.
        there.reserve(agents.len());
        let largest = types.iter().map(|kind| kind.radius).fold(0.0, f32::max);
        let margin = Vec2::splat(R::reach(largest));
        let find = |collider: &Collider<R>, there: &mut Vec<Overlap>| {
            let first = there.len();
            let (low, high) = collider.shape.bounds(&collider.stepped);
            let layer = layers.at(collider.stepped.position());
            visit_near((low - margin, high + margin), &mut |index| {
                let radius = types[usize::from(agents.kind[index])].radius;
                let nearest = collider
                    .shape
                    .nearest(&collider.stepped, agents.position[index]);
                let is_on_layer = layers.at(agents.position[index]) == layer;
                let takes_part = is_on_layer && !agents.is_out(index);
                if nearest.distance <= R::reach(radius) && takes_part {
                    there.push((collider.id, agents.id[index]));
                }
            });
            there[first..].sort_unstable_by_key(|overlap| overlap.1);
        };
        if workers.threads() == 1 || agents.len() < LEAST_SHARED || list.len() == 1 {
            for collider in list {
                find(collider, there);
            }
            return;
        }
        // Several pieces for each thread, as colliders differ in size.
        let length = list.len().div_ceil(MOST_PIECES);
        found.resize_with(list.len().div_ceil(length), Vec::new);
        let list = &*list;
        workers.for_each_chunk(found, 1, |piece, found| {
            let found = &mut found[0];
            found.clear();
            found.reserve(agents.len());
            let colliders = list[piece * length..].iter().take(length);
            colliders.for_each(|collider| find(collider, found));
        });
        for found in found {
            there.extend_from_slice(found);
        }
    }

    /// Removes the overlaps of agents that are no longer alive.
    pub(in crate::swarm) fn forget_the_dead(&mut self, agents: &Agents) {
        self.there.retain(|overlap| agents.find(overlap.1).is_ok());
    }

    /// The overlaps that began in the last step, by ascending ids of both.
    pub(super) fn entered_since(&self) -> impl Iterator<Item = Overlap> {
        without(&self.there, &self.before)
    }

    /// The overlaps that ended in the last step, by ascending ids of both, except those of removed agents and
    /// colliders.
    pub(super) fn left_since(&self, agents: &Agents) -> impl Iterator<Item = Overlap> {
        without(&self.before, &self.there)
            .filter(move |overlap| self.place(overlap.0).is_ok() && agents.find(overlap.1).is_ok())
    }
}

/// The overlaps in `some` that are not in `others`. Both lists ascend.
fn without<'a>(some: &'a [Overlap], others: &'a [Overlap]) -> impl Iterator<Item = Overlap> + 'a {
    let mut others = others.iter().copied().peekable();
    some.iter().copied().filter(move |overlap| {
        while others.next_if(|other| other < overlap).is_some() {}
        others.peek() != Some(overlap)
    })
}
