//! Methods of `FlowFieldManager` that keep the last ticks of its world and its swarms, and go back to one.
//!
//! Swarms are bound before the manager, as in a step, so that calls on other threads never wait for each other.

use super::FlowFieldManager;
use super::crowds::Member;
use crate::deferred::after_nodes;
use crate::enemy_swarm::EnemySwarm;
use crate::monitors;
use crate::report::{OrRefuse, code, refuse, within};
use flow_swarm::snapshots::{MOST_SNAPSHOTS, Snapshots};
use flow_swarm::swarm::Swarm;
use godot::global::Error;
use godot::obj::GdMut;
use godot::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The last ticks.
#[derive(Default)]
pub(super) struct KeptTicks {
    snapshots: Snapshots,
    /// Which swarms had stepped, after each tick.
    rounds: BTreeMap<u64, Vec<Member>>,
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Has the manager keep its last `count` ticks in memory, 1 to 256, with all swarms that use it, to go back to with rollback_to(); 0, the default, keeps none and drops all. In the scene tree a tick is kept at the end of each physics frame, after all swarms have stepped. Scripts that call update() and step() themselves keep a tick by take_snapshot().
    ///
    /// For 10,000 agents a tick takes 0.2 to 0.3 ms, and for each tick 1.5 MB of memory for the agents. What has changed of terrain, costs, fields and routes is kept once for each change.
    #[func]
    fn keep_snapshots(&mut self, count: i64) {
        const METHOD: &str = "FlowFieldManager.keep_snapshots: count";
        let most = within::<usize>(0..=MOST_SNAPSHOTS as i64, count);
        if let Some(most) = most.or_refuse(METHOD) {
            self.kept.snapshots.set_most(most);
            self.kept.forget_rounds();
        }
    }

    /// Keeps the present tick, that of get_tick(), of the world and all swarms that use it. Call it after update() and the step() of all swarms, before the orders of the next tick. A tick that comes again after rollback_to() replaces the one that was kept, and those after it. Changes nothing that updates, steps and queries return. Returns OK, or ERR_UNCONFIGURED after an error: if keep_snapshots() has not been called, or the grid is invalid.
    #[func(gd_self)]
    fn take_snapshot(this: Gd<Self>) -> Error {
        const METHOD: &str = "FlowFieldManager.take_snapshot";
        if this.bind().kept.snapshots.most() == 0 {
            refuse(METHOD, "call keep_snapshots() before");
            return Error::ERR_UNCONFIGURED;
        }
        Self::keep_tick(this, METHOD)
    }

    /// Goes back to the end of a tick that is kept (get_snapshot_ticks()): the world and all swarms that use it are as they were then, to the bit. Later ticks are dropped. The same calls after it have the same results, with the same ids of agents, goals, stamps, links, overlays, bodies and areas, with FULL and TILED goals, and on all machines. So after a late input of another player go back to its tick, give all orders again, each in its tick, and call update(), step() and take_snapshot() for each tick.
    ///
    /// Drop the ids that were given since: they name nothing, or what is created next. Properties of the manager, agent_types and resources stay as they are, as for load_state(); a FlowTerrain that has changed since is not read again. The Steering properties of swarms go back. No signal is emitted, and those of repeated ticks are emitted again. With background = true fields that were on the way are built again.
    ///
    /// Takes a fraction of a millisecond for 10,000 agents, more with TILED goals than with FULL ones; fields, and costs of changed movement types, that were unfinished in that tick go on with the work that was done since, as long as the same work is asked of them; otherwise it is done again, in the next update. Returns OK, or ERR_INVALID_PARAMETER after an error: if the tick is not kept, if the grid, movement types or other properties of the world have changed since, or if other swarms use the manager than in that tick. Then nothing is changed. Create swarms early, and keep empty ones instead of freeing them.
    #[func(gd_self)]
    fn rollback_to(this: Gd<Self>, tick: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.rollback_to";
        let Some(tick) =
            within::<u64>(0..=i64::MAX, tick).or_refuse("FlowFieldManager.rollback_to: tick")
        else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let mut this = this;
        let mut nodes = Self::swarms_of(&this);
        let mut swarms: Vec<(u64, GdMut<'_, EnemySwarm>)> = nodes
            .iter_mut()
            .map(|(number, swarm)| (*number, swarm.bind_mut()))
            .collect();
        let mut manager = this.bind_mut();
        let mut kept = std::mem::take(&mut manager.kept);
        let result = match manager.world(METHOD) {
            None => None,
            Some(world) => {
                let lent = swarms.iter_mut();
                let mut lent: Vec<(u64, &mut Swarm)> = lent
                    .map(|(number, swarm)| (*number, swarm.lend(METHOD)))
                    .collect();
                Some(kept.snapshots.roll_back(tick, world, &mut lent))
            }
        };
        if matches!(result, Some(Ok(()))) {
            if let Some(members) = kept.rounds.get(&tick) {
                manager.crowds.restore(members);
            }
            kept.forget_rounds();
        }
        manager.kept = kept;
        drop(manager);
        for (_, swarm) in &mut swarms {
            swarm.take_back();
            if matches!(result, Some(Ok(()))) {
                swarm.follow_rollback();
            }
        }
        drop(swarms);
        result.map_or(Error::ERR_UNCONFIGURED, |result| code(METHOD, result))
    }

    /// Returns the number of updates so far, the tick that take_snapshot() keeps. load_state() and rollback_to() bring it back to what it was.
    #[func]
    fn get_tick(&self) -> i64 {
        let tick = self.world_ref().map_or(0, |world| world.tick());
        tick.cast_signed()
    }

    /// Returns the ticks that rollback_to() can go back to, ascending.
    #[func]
    fn get_snapshot_ticks(&self) -> PackedInt64Array {
        let ticks = self.kept.snapshots.ticks();
        ticks.map(u64::cast_signed).collect()
    }

    /// Returns the memory of all ticks that are kept, in bytes, beside the world and its swarms as they are now. Linear in what the world holds, for each tick.
    #[func]
    fn get_snapshot_bytes(&mut self) -> i64 {
        self.kept_bytes() as i64
    }
}

impl FlowFieldManager {
    /// The bytes of all ticks that are kept.
    pub(super) fn kept_bytes(&mut self) -> usize {
        let mut kept = std::mem::take(&mut self.kept);
        let world = self.world_ref();
        let bytes = world.map_or(0, |world| kept.snapshots.memory_bytes(world));
        self.kept = kept;
        bytes
    }

    /// Has the tick of this frame kept after all swarms have stepped, if ticks are kept.
    pub(super) fn keep_frame(this: &Gd<Self>) {
        if this.is_instance_valid() && this.bind().kept.snapshots.most() > 0 {
            after_nodes(
                this.instance_id(),
                "FlowFieldManager.take_snapshot",
                |this| {
                    // An invalid grid has been reported by the update.
                    let _ = Self::keep_tick(this, "FlowFieldManager.update");
                },
            );
        }
    }

    fn keep_tick(mut this: Gd<Self>, method: &str) -> Error {
        let mut nodes = Self::swarms_of(&this);
        let mut swarms: Vec<(u64, GdMut<'_, EnemySwarm>)> = nodes
            .iter_mut()
            .map(|(number, swarm)| (*number, swarm.bind_mut()))
            .collect();
        let mut manager = this.bind_mut();
        let mut kept = std::mem::take(&mut manager.kept);
        let world = manager.world(method);
        let tick = world.as_ref().map(|world| world.tick());
        if let Some(world) = world {
            let lent = swarms.iter_mut();
            let lent: Vec<(u64, &mut Swarm)> = lent
                .map(|(number, swarm)| (*number, swarm.lend(method)))
                .collect();
            let swarms = lent.into_iter().map(|(number, swarm)| (number, &*swarm));
            kept.snapshots.keep(world, swarms);
        }
        if let Some(tick) = tick {
            let members = manager.crowds.members().to_vec();
            kept.rounds.insert(tick, members);
            kept.forget_rounds();
        }
        manager.kept = kept;
        drop(manager);
        swarms.iter_mut().for_each(|swarm| swarm.1.take_back());
        if tick.is_some() {
            Error::OK
        } else {
            Error::ERR_UNCONFIGURED
        }
    }

    /// The swarms that use a manager, with the numbers by which they are told apart: those in the tree, and those that
    /// have stepped.
    fn swarms_of(this: &Gd<Self>) -> Vec<(u64, Gd<EnemySwarm>)> {
        let mut nodes: BTreeSet<i64> = monitors::nodes_in_tree();
        let members = this.bind().crowds.members().to_vec();
        nodes.extend(members.iter().map(|member| member.swarm.to_i64()));
        let manager = this.instance_id();
        let swarm = |node: i64| {
            let swarm: Gd<EnemySwarm> =
                Gd::try_from_instance_id(InstanceId::from_i64(node)).ok()?;
            let is_its = !swarm.is_queued_for_deletion() && swarm.bind().is_of(manager);
            is_its.then(|| (node.cast_unsigned(), swarm))
        };
        nodes.into_iter().filter_map(swarm).collect()
    }
}

impl KeptTicks {
    /// Drops what is known of ticks that are no longer kept.
    fn forget_rounds(&mut self) {
        let ticks: BTreeSet<u64> = self.snapshots.ticks().collect();
        self.rounds.retain(|tick, _| ticks.contains(tick));
    }
}
