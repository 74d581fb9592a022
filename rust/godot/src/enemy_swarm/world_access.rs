//! The way to the manager's world, and what is said where there is none.

use super::EnemySwarm;
use crate::field_manager::FlowFieldManager;
use crate::report::{refuse, refuse_with_code};
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
        self.hinder(method, reason.to_owned());
        None
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
