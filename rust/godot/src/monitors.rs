//! Custom monitors: what managers and swarms do, as graphs in the editor's debugger.
//!
//! Monitors are there while a manager or a swarm is in the tree. Their values are those of all nodes together, read
//! from the nodes when the debugger or a script asks, so that they cost nothing otherwise.

use crate::enemy_swarm::EnemySwarm;
use crate::field_manager::FlowFieldManager;
use godot::classes::{Engine, Performance};
use godot::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An amount that is summed up over a physics frame.
#[derive(Default)]
pub(crate) struct FrameSum {
    frame: u64,
    sum: f64,
}

impl FrameSum {
    /// Adds an amount. Returns `true` for the first one of a frame.
    pub(crate) fn add(&mut self, amount: f64) -> bool {
        // Frames count from 0, and a sum begins without any.
        let frame = Engine::singleton().get_physics_frames() + 1;
        let is_first = self.frame != frame;
        if is_first {
            *self = Self { frame, sum: 0.0 };
        }
        self.sum += amount;
        is_first
    }

    /// The sum of the last frame in which there was any.
    pub(crate) fn get(&self) -> f64 {
        self.sum
    }
}

/// What a monitor shows of one node.
#[derive(Clone, Copy)]
enum Value {
    Manager(fn(&mut FlowFieldManager) -> f64),
    Swarm(fn(&mut EnemySwarm) -> f64),
    Both(fn(&mut FlowFieldManager) -> f64, fn(&mut EnemySwarm) -> f64),
}

/// The monitors: their names, and where the values are from.
const MONITORS: [(&str, Value); 6] = [
    (
        "flow_swarm/update_ms",
        Value::Manager(FlowFieldManager::update_ms),
    ),
    ("flow_swarm/step_ms", Value::Swarm(EnemySwarm::step_ms)),
    (
        "flow_swarm/fields_built",
        Value::Manager(FlowFieldManager::fields_in_frame),
    ),
    (
        "flow_swarm/tiles_built",
        Value::Manager(FlowFieldManager::tiles_in_frame),
    ),
    ("flow_swarm/agents", Value::Swarm(EnemySwarm::agents_now)),
    (
        "flow_swarm/memory_mib",
        Value::Both(FlowFieldManager::memory_mib, EnemySwarm::memory_mib),
    ),
];

/// The nodes in the tree, by instance id.
static NODES: Mutex<BTreeSet<i64>> = Mutex::new(BTreeSet::new());

fn nodes() -> MutexGuard<'static, BTreeSet<i64>> {
    NODES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Includes a node that enters the tree.
pub(crate) fn include(node: InstanceId) {
    if Engine::singleton().is_editor_hint() {
        return;
    }
    let is_first = {
        let mut nodes = nodes();
        nodes.insert(node.to_i64()) && nodes.len() == 1
    };
    if is_first {
        for (name, value) in MONITORS {
            let call = crate::deferred::callable(name, move |_| sum(value).to_variant());
            Performance::singleton().add_custom_monitor(name, &call);
        }
    }
}

/// Leaves out a node that exits the tree.
pub(crate) fn leave_out(node: InstanceId) {
    let is_last = {
        let mut nodes = nodes();
        nodes.remove(&node.to_i64()) && nodes.is_empty()
    };
    if is_last {
        for (name, _) in MONITORS {
            Performance::singleton().remove_custom_monitor(name);
        }
    }
}

/// The ids of all managers and swarms in the tree.
pub(crate) fn nodes_in_tree() -> BTreeSet<i64> {
    nodes().clone()
}

/// The value of all nodes together. No lock is held while nodes are asked.
fn sum(value: Value) -> f64 {
    let nodes: Vec<i64> = nodes().iter().copied().collect();
    let values = nodes.into_iter().map(|node| {
        let node = InstanceId::from_i64(node);
        let manager = || Gd::<FlowFieldManager>::try_from_instance_id(node).ok();
        let swarm = || Gd::<EnemySwarm>::try_from_instance_id(node).ok();
        let (of_manager, of_swarm) = match value {
            Value::Manager(of_manager) => (Some(of_manager), None),
            Value::Swarm(of_swarm) => (None, Some(of_swarm)),
            Value::Both(of_manager, of_swarm) => (Some(of_manager), Some(of_swarm)),
        };
        let managed = of_manager.and_then(|value| Some(value(&mut manager()?.bind_mut())));
        managed
            .or_else(|| of_swarm.and_then(|value| Some(value(&mut swarm()?.bind_mut()))))
            .unwrap_or(0.0)
    });
    values.sum()
}

/// Bytes as MiB.
pub(crate) fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
