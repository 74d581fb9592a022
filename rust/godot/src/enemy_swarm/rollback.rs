//! What a swarm does when its manager keeps a tick, or goes back to one.

use super::EnemySwarm;
use flow_swarm::swarm::Swarm;
use godot::prelude::*;

impl EnemySwarm {
    /// Whether it uses a manager.
    pub(crate) fn is_of(&self, manager: InstanceId) -> bool {
        self.get_manager()
            .is_some_and(|own| own.instance_id() == manager)
    }

    /// The core's swarm, in line with all properties; agents that follow nodes have their own orders until
    /// [`Self::take_back`].
    pub(crate) fn lend(&mut self, method: &str) -> &mut Swarm {
        self.sync_properties(method);
        self.attached_nodes.forget_removed(&self.swarm);
        self.give_own_orders();
        &mut self.swarm
    }

    /// Ends [`Self::lend`].
    pub(crate) fn take_back(&mut self) {
        self.take_own_orders();
    }

    /// Brings the node in line with its swarm, which has gone back to an earlier tick.
    pub(crate) fn follow_rollback(&mut self) {
        self.take_settings();
        self.detach_removed();
        self.note_manager_of_goals();
    }
}
