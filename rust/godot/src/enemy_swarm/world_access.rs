//! Access to the manager's world, with the error if there is none.

use super::EnemySwarm;
use crate::field_manager::FlowFieldManager;
use crate::report::{refuse, refuse_with_code, warn};
use flow_swarm::swarm::Swarm;
use flow_swarm::world::FlowWorld;
use godot::global::Error;
use godot::prelude::*;

impl EnemySwarm {
    /// The manager, or after a report `None`.
    pub(super) fn live_manager(&mut self, method: &str) -> Option<Gd<FlowFieldManager>> {
        let reason = match &self.manager {
            Some(manager) if manager.is_instance_valid() => return Some(manager.clone()),
            Some(_) => "the manager has been freed",
            None => "manager is not set",
        };
        // Without a manager nothing moves any more, and nothing that is removed would disappear.
        self.hide();
        self.hinder(method, reason.to_owned());
        None
    }

    /// Takes the goals from groups that have those of another manager than the present one: its ids name other goals.
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
        if !groups.is_empty() {
            warn(
                "EnemySwarm.manager",
                format_args!("groups {groups:?} had goals of another manager; they have none now"),
            );
        }
    }

    /// Reports what keeps the swarm from stepping, unless that was already so the last time.
    pub(super) fn hinder(&mut self, method: &str, reason: String) {
        if self.hindrance.as_ref() != Some(&reason) {
            refuse(method, &reason);
            self.hindrance = Some(reason);
        }
    }

    /// Does something with the swarm, in line with all properties, and its world; after a report
    /// the code that fits.
    pub(super) fn try_with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &mut FlowWorld) -> flow_swarm::Result<T>,
    ) -> Result<T, Error> {
        // Unlike a step, a call is refused audibly every time.
        self.hindrance = None;
        let mut manager = self.live_manager(method).ok_or(Error::ERR_UNCONFIGURED)?;
        self.sync_properties(method);
        let mut manager = manager.bind_mut();
        let world = manager.world(method).ok_or(Error::ERR_UNCONFIGURED)?;
        task(&mut self.swarm, world).map_err(|error| refuse_with_code(method, &error))
    }

    /// [`Self::try_with_world`] for calls that return something else than a code.
    pub(super) fn with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &mut FlowWorld) -> flow_swarm::Result<T>,
    ) -> Option<T> {
        self.try_with_world(method, task).ok()
    }
}
