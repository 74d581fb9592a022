//! Measures whole groups before agents are steered.

use crate::swarm::goal::group_center::{GroupCenter, measure};
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::settings::ArrivalAction;
use crate::swarm::state::swarm::Swarm;

impl Swarm {
    /// Measures the crowds around goals, if agents settle in them. O(agents).
    pub(in crate::swarm) fn measure_crowds(&mut self) {
        let crowds = &mut self.scratch.crowds;
        if self.settings.settle_in_crowds && self.settings.arrival == ArrivalAction::Stop {
            crowds.measure(&self.agents, &self.types, self.groups.len());
        } else {
            crowds.clear();
        }
    }
    /// Finds the centres of groups, if any agents keep to theirs. O(agents).
    pub(in crate::swarm) fn find_group_centers(&mut self) {
        let group_centers = &mut self.scratch.group_centers;
        group_centers.clear();
        if self.types.iter().any(|kind| kind.cohesion > 0.0) {
            group_centers.resize(MAX_GROUPS, GroupCenter::default());
            measure(group_centers, &self.agents, &self.types, &self.groups);
        }
    }
}
