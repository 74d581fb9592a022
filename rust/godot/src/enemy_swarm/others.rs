//! The other swarms of the manager, whose agents this swarm's agents keep out of.

use super::EnemySwarm;
use crate::field_manager::{FlowFieldManager, Member, SwarmOutline};
use flow_swarm::swarm::{Others, Outline};
use godot::classes::Engine;
use godot::prelude::*;
use std::sync::Arc;

/// The outlines of the other swarms: those before and after this swarm in an order that is the same for all swarms.
#[derive(Default)]
pub(super) struct OtherSwarms {
    before: Vec<Arc<Outline>>,
    after: Vec<Arc<Outline>>,
}

impl OtherSwarms {
    /// The outlines among which a swarm steps. If `again` is true, a swarm that has already stepped in the present
    /// round begins a new one.
    ///
    /// No guard on any node may be held, as the guards of several swarms are taken one after the other.
    pub(super) fn of(
        this: &Gd<EnemySwarm>,
        manager: &Gd<FlowFieldManager>,
        method: &str,
        again: bool,
    ) -> Self {
        let mut manager = manager.clone();
        let own = this.instance_id();
        let frame = Engine::singleton().get_physics_frames();
        let members = manager.bind_mut().enter_round(own, frame, again);
        if let Some(members) = members {
            let outlines = find_outlines(&members, manager.instance_id(), method);
            manager.bind_mut().begin_round(outlines);
        }
        let outlines = manager.bind_mut().outlines();
        let Some(place) = outlines.iter().position(|(swarm, _)| *swarm == own) else {
            return Self::default();
        };
        let solid = |outlines: &[SwarmOutline]| {
            let outlines = outlines.iter().filter(|(_, outline)| !outline.is_empty());
            outlines.map(|(_, outline)| Arc::clone(outline)).collect()
        };
        Self {
            before: solid(&outlines[..place]),
            after: solid(&outlines[place + 1..]),
        }
    }

    /// Calls a task of the core with the outlines.
    pub(super) fn with<T>(&self, task: impl FnOnce(Others<'_>) -> T) -> T {
        let before: Vec<&Outline> = self.before.iter().map(|outline| &**outline).collect();
        let after: Vec<&Outline> = self.after.iter().map(|outline| &**outline).collect();
        task(Others {
            before: &before,
            after: &after,
        })
    }
}

/// A swarm of the manager.
struct Known {
    /// The order of swarms: nodes in the tree have different paths, which do not depend on the order of the nodes.
    path: String,
    swarm: Gd<EnemySwarm>,
    moves: bool,
    mask: u32,
}

/// The outlines of those `members` that still use the manager.
fn find_outlines(members: &[Member], manager: InstanceId, method: &str) -> Vec<SwarmOutline> {
    let mut known: Vec<Known> = members
        .iter()
        .filter_map(|member| {
            let swarm: Gd<EnemySwarm> = Gd::try_from_instance_id(member.swarm).ok()?;
            let (path, mask) = swarm.clone().bind_mut().meet_manager(manager, method)?;
            Some(Known {
                path,
                swarm,
                moves: !member.is_resting,
                mask,
            })
        })
        .collect();
    known.sort_by(|one, other| {
        let ids = [one, other].map(|known| known.swarm.instance_id());
        one.path.cmp(&other.path).then(ids[0].cmp(&ids[1]))
    });
    let masks: Vec<u32> = known.iter().map(|known| known.mask).collect();
    let found = known.iter_mut().enumerate().map(|(number, known)| {
        let others = masks[..number].iter().chain(&masks[number + 1..]);
        let layers = others.fold(0, |layers, mask| layers | mask);
        let mut swarm = known.swarm.bind_mut();
        (
            swarm.base().instance_id(),
            swarm.find_outline(method, layers, known.moves),
        )
    });
    found.collect()
}

impl EnemySwarm {
    /// The node's path and [`flow_swarm::swarm::Swarm::contact_mask`]; `None` if the swarm does not use the manager or
    /// has left the tree.
    fn meet_manager(&mut self, manager: InstanceId, method: &str) -> Option<(String, u32)> {
        let uses_it = self.get_manager()?.instance_id() == manager;
        if !uses_it || !self.base().is_inside_tree() || self.base().is_queued_for_deletion() {
            return None;
        }
        self.sync_properties(method);
        Some((
            self.base().get_path().to_string(),
            self.swarm.contact_mask(),
        ))
    }

    /// The outline of the agents that are in any of some collision layers: see [`flow_swarm::swarm::Swarm::outline`].
    fn find_outline(&mut self, method: &str, layers: u32, moves: bool) -> Arc<Outline> {
        if Arc::get_mut(&mut self.outline).is_none() {
            // A step on another thread still reads the last outline.
            self.outline = Arc::default();
        }
        let manager = self.get_manager().filter(|_| layers != 0);
        if let Some(outline) = Arc::get_mut(&mut self.outline) {
            outline.clear();
            if let Some(mut manager) = manager
                && let Some(world) = manager.bind_mut().world(method)
            {
                self.swarm.outline(world, layers, moves, outline);
            }
        }
        Arc::clone(&self.outline)
    }
}
