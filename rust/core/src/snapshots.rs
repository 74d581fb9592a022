//! The last ticks of a game, to go back to: snapshots of a world and all of its swarms.

use crate::error::{Error, Result};
use crate::swarm::{Swarm, SwarmSnapshot};
use crate::world::{FlowWorld, WorldSnapshot};
use std::collections::VecDeque;

/// The most ticks that are kept.
pub const MOST_SNAPSHOTS: usize = 256;

/// A world and its swarms after a tick.
#[derive(Debug)]
struct Kept {
    tick: u64,
    world: WorldSnapshot,
    /// By the numbers of the swarms, ascending.
    swarms: Vec<(u64, SwarmSnapshot)>,
}

/// The last ticks of a world and its swarms, oldest first.
///
/// Ticks are those of the world ([`FlowWorld::tick`]). Swarms are told apart by numbers that the caller gives them.
#[derive(Debug, Default)]
pub struct Snapshots {
    most: usize,
    /// Their ticks ascend.
    kept: VecDeque<Kept>,
    /// Snapshots of swarms that lend their memory to the next ones.
    spare: Vec<SwarmSnapshot>,
    /// Snapshots of worlds that a rollback has dropped, one of which is freed with each tick that is kept.
    retired: Vec<WorldSnapshot>,
}

impl Snapshots {
    /// Sets how many ticks are kept, at most [`MOST_SNAPSHOTS`]; 0 keeps none. The oldest ones are dropped.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.min(MOST_SNAPSHOTS);
        self.spare.clear();
        self.retired.clear();
        let surplus = self.kept.len().saturating_sub(self.most);
        self.kept.drain(..surplus);
    }

    /// How many ticks are kept at most.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// Keeps the present tick of a world and its swarms: call it after the update and all steps. Snapshots of this tick
    /// and of later ones, which belong to another course of the game, are dropped, and so is the oldest one if there
    /// are too many. Does nothing if none is to be kept.
    ///
    /// Takes as long as [`FlowWorld::snapshot`] and [`Swarm::take_snapshot`].
    pub fn keep<'a>(&mut self, world: &FlowWorld, swarms: impl Iterator<Item = (u64, &'a Swarm)>) {
        if self.most == 0 {
            return;
        }
        let tick = world.tick();
        self.forget_since(tick, world);
        while self.kept.len() >= self.most {
            self.drop_first(world);
        }
        drop(self.retired.pop());
        let take = |(number, swarm): (u64, &Swarm)| {
            let mut snapshot = self.spare.pop().unwrap_or_default();
            swarm.take_snapshot(&mut snapshot);
            (number, snapshot)
        };
        let mut swarms: Vec<_> = swarms.map(take).collect();
        // What is left is of swarms that are gone.
        self.spare.clear();
        swarms.sort_by_key(|swarm| swarm.0);
        let world = world.snapshot();
        self.kept.push_back(Kept {
            tick,
            world,
            swarms,
        });
    }

    /// Goes back to the end of a tick that is kept ([`FlowWorld::restore`], [`Swarm::restore`]), to the bit. Later
    /// ticks are dropped; this one stays.
    ///
    /// # Errors
    /// [`Error::TickNotKept`], [`Error::NotRestored`] if the world or a swarm does not take the snapshot, or if other
    /// swarms are given than those of that tick. Nothing is changed then.
    pub fn roll_back(
        &mut self,
        tick: u64,
        world: &mut FlowWorld,
        swarms: &mut [(u64, &mut Swarm)],
    ) -> Result<()> {
        let kept = self.at(tick)?;
        world.check_snapshot(&kept.world)?;
        let is_given = |number: u64| swarms.iter().any(|swarm| swarm.0 == number);
        if !kept.swarms.iter().all(|swarm| is_given(swarm.0)) {
            let what = "a swarm of that tick is gone";
            return Err(Error::NotRestored { what });
        }
        for (number, swarm) in &*swarms {
            swarm.check_snapshot(kept.of_swarm(*number)?)?;
        }
        // Later ticks would get copies of fields.
        self.forget_since(tick + 1, world);
        let kept = self.at(tick)?;
        world.restore(&kept.world)?;
        for (number, swarm) in swarms {
            swarm.restore(world, kept.of_swarm(*number)?)?;
        }
        Ok(())
    }

    /// The ticks that are kept, ascending.
    pub fn ticks(&self) -> impl Iterator<Item = u64> {
        self.kept.iter().map(|kept| kept.tick)
    }

    /// The bytes that all of them take beside a world and its swarms: what has changed since, each part once.
    #[must_use]
    pub fn memory_bytes(&mut self, world: &FlowWorld) -> usize {
        let swarms = self.kept.iter_mut().flat_map(|kept| &mut kept.swarms);
        let swarms = swarms.map(|swarm| &mut swarm.1).chain(&mut self.spare);
        let swarms: usize = swarms.map(SwarmSnapshot::memory_bytes).sum();
        let worlds = self.kept.iter().map(|kept| &kept.world);
        swarms + world.snapshot_bytes(worlds.chain(&self.retired))
    }

    fn at(&self, tick: u64) -> Result<&Kept> {
        let at = self.kept.binary_search_by_key(&tick, |kept| kept.tick);
        let kept = at.ok().and_then(|at| self.kept.get(at));
        kept.ok_or_else(|| Error::TickNotKept {
            tick,
            kept: self.ticks().next().zip(self.ticks().last()),
        })
    }

    /// Drops the snapshots of a tick and of later ones. Freeing several worlds takes longer than a rollback, so that is
    /// put off.
    fn forget_since(&mut self, tick: u64, world: &FlowWorld) {
        let first = self.kept.partition_point(|kept| kept.tick < tick);
        for Kept {
            world: mut kept,
            swarms,
            ..
        } in self.kept.drain(first..)
        {
            self.spare.extend(swarms.into_iter().map(|swarm| swarm.1));
            kept.let_go(world);
            self.retired.push(kept);
        }
        self.retired.truncate(self.most);
    }

    fn drop_first(&mut self, world: &FlowWorld) {
        if let Some(mut dropped) = self.kept.pop_front() {
            dropped.world.let_go(world);
            let swarms = dropped.swarms.into_iter();
            self.spare.extend(swarms.map(|swarm| swarm.1));
        }
    }
}

impl Kept {
    fn of_swarm(&self, number: u64) -> Result<&SwarmSnapshot> {
        let at = self.swarms.binary_search_by_key(&number, |swarm| swarm.0);
        let found = at.ok().and_then(|at| self.swarms.get(at));
        let what = "a swarm was not there in that tick";
        let found = found.ok_or(Error::NotRestored { what })?;
        Ok(&found.1)
    }
}
