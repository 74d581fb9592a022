//! Access to the manager's world, with a report if there is none.

use super::EnemySwarm;
use crate::field_manager::FlowFieldManager;
use crate::report::{OrRefuse, refuse, refuse_with_code, warn};
use flow_swarm::swarm::Swarm;
use flow_swarm::world::FlowWorld;
use godot::global::Error;
use godot::prelude::*;

impl EnemySwarm {
    /// The manager; `None` after a report.
    pub(super) fn live_manager(&mut self, method: &str) -> Option<Gd<FlowFieldManager>> {
        let reason = match &self.manager {
            Some(manager) if manager.is_instance_valid() => return Some(manager.clone()),
            Some(_) => "the manager has been freed",
            None => "manager is not set",
        };
        // Without a manager the agents are not drawn again, so they are hidden.
        self.hide();
        self.hinder(method, reason.to_owned());
        None
    }

    /// Removes the goals of groups that belong to a manager other than the present one, as their ids mean other goals
    /// here.
    pub(super) fn forget_foreign_goals(&mut self) {
        let Some(manager) = self.get_manager().map(|manager| manager.instance_id()) else {
            return;
        };
        if self.goals_of.is_none_or(|known| known == manager) {
            return;
        }
        self.goals_of = None;
        let mut groups = Vec::new();
        for group in 0..flow_swarm::swarm::MAX_GROUPS as i64 {
            let has_goal = matches!(self.swarm.group_goal(group), Ok(Some(_)));
            if has_goal && self.swarm.set_group_goal(group, None).is_ok() {
                groups.push(group);
            }
        }
        let orders = self.swarm.ids().to_vec();
        // All of them are alive.
        self.swarm
            .clear_goals(&orders)
            .or_refuse("EnemySwarm.manager");
        if !groups.is_empty() {
            warn(
                "EnemySwarm.manager",
                format_args!("groups {groups:?} had goals of another manager; they have none now"),
            );
        }
    }

    /// Reports the reason why the swarm cannot step, unless it is the same as the last time.
    pub(super) fn hinder(&mut self, method: &str, reason: String) {
        if self.hindrance.as_ref() != Some(&reason) {
            refuse(method, &reason);
            self.hindrance = Some(reason);
        }
    }

    /// Calls `task` with the swarm, in line with all properties, and its world. Returns an error code after a report.
    pub(super) fn try_with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &mut FlowWorld) -> flow_swarm::Result<T>,
    ) -> Result<T, Error> {
        // Unlike a step, a call reports its error every time.
        self.hindrance = None;
        let mut manager = self.live_manager(method).ok_or(Error::ERR_UNCONFIGURED)?;
        self.sync_properties(method);
        let mut manager = manager.bind_mut();
        let world = manager.world(method).ok_or(Error::ERR_UNCONFIGURED)?;
        task(&mut self.swarm, world).map_err(|error| refuse_with_code(method, &error))
    }

    /// [`Self::try_with_world`] for calls that do not return an error code.
    pub(super) fn with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &mut FlowWorld) -> flow_swarm::Result<T>,
    ) -> Option<T> {
        self.try_with_world(method, task).ok()
    }
}
