//! Claims on MultiMeshes, so that only one swarm fills each.
//!
//! A duplicated scene shares its resources with the original. Two swarms that fill the same MultiMesh would draw each
//! other's agents.

use godot::classes::{MultiMesh, Node};
use godot::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The output node of each MultiMesh that a swarm fills.
static CLAIMED: Mutex<BTreeMap<i64, i64>> = Mutex::new(BTreeMap::new());

fn claimed() -> MutexGuard<'static, BTreeMap<i64, i64>> {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to fill a MultiMesh, until it is dropped. Without a claim the MultiMesh shows no instances.
pub(super) struct MultiMeshClaim {
    multimesh: Gd<MultiMesh>,
}

/// The reason why a MultiMesh cannot be claimed.
pub(super) enum Taken {
    /// Another swarm draws with the same node.
    WithNode,
    /// Another node has the same MultiMesh, which another swarm fills.
    ByAnotherNode,
}

impl MultiMeshClaim {
    pub(super) fn new(multimesh: &Gd<MultiMesh>, node: &Gd<Node>) -> Result<Self, Taken> {
        let (key, node) = (
            multimesh.instance_id().to_i64(),
            node.instance_id().to_i64(),
        );
        let mut claimed = claimed();
        match claimed.get(&key) {
            Some(&other) if other == node => return Err(Taken::WithNode),
            Some(_) => return Err(Taken::ByAnotherNode),
            None => {}
        }
        claimed.insert(key, node);
        drop(claimed);
        let mut multimesh = multimesh.clone();
        multimesh.set_visible_instance_count(0);
        Ok(Self { multimesh })
    }

    pub(super) fn multimesh(&self) -> &Gd<MultiMesh> {
        &self.multimesh
    }
}

impl Drop for MultiMeshClaim {
    fn drop(&mut self) {
        claimed().remove(&self.multimesh.instance_id().to_i64());
        self.multimesh.set_visible_instance_count(0);
    }
}
