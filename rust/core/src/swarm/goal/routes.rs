//! The field that each agent follows: the field of its group's goal for its own movement type, or for one that the
//! group shares (Emerson, Game AI Pro, 23.11).

use crate::error::Result;
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::group::{Group, check_group};
use crate::swarm::state::swarm::Swarm;
use crate::world::{FlowWorld, GoalId, Route};

/// A bit for each agent type.
type Kinds = u64;
const _: () = assert!(crate::swarm::limits::MAX_AGENT_TYPES <= Kinds::BITS as usize);

impl Swarm {
    /// Sets whether a group's members follow one field instead of one for each movement type: the field of the most
    /// restrictive movement type among them ([`FlowWorld::most_restrictive`]). Members that cannot walk everywhere that
    /// this type can use their own field.
    ///
    /// A mixed group then stays together and needs fewer fields. A member that stands on ground that the shared type
    /// cannot enter has no route.
    ///
    /// # Errors
    /// A group beyond [`crate::swarm::limits::MAX_GROUPS`].
    pub fn set_group_shares_field(&mut self, group: i64, shares: bool) -> Result<()> {
        let group = usize::from(check_group(group)?);
        if self.groups.len() <= group {
            self.groups.resize(group + 1, Group::default());
        }
        self.groups[group].shares_field = shares;
        Ok(())
    }

    /// See [`Self::set_group_shares_field`].
    ///
    /// # Errors
    /// A group beyond [`crate::swarm::limits::MAX_GROUPS`].
    pub fn group_shares_field(&self, group: i64) -> Result<bool> {
        let group = usize::from(check_group(group)?);
        Ok(self
            .groups
            .get(group)
            .is_some_and(|group| group.shares_field))
    }

    /// The (goal, movement type) pairs whose fields a step on `world` reads; hand each to
    /// [`FlowWorld::require`] before the step, or let [`Self::request_routes`] do that.
    #[must_use]
    pub fn needed_fields(&self, world: &FlowWorld) -> Vec<(GoalId, usize)> {
        let members = self.members_of_sharing_groups();
        let mut needed = Vec::new();
        for (group, &members) in self.groups.iter().zip(&members) {
            let Some(goal) = group.goal else {
                continue;
            };
            let may_have = |kind: &usize| !group.shares_field || members >> kind & 1 == 1;
            needed.extend(
                (0..self.types.len())
                    .filter(may_have)
                    .map(|kind| (goal, self.movement_in(group, members, kind, world))),
            );
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Looks up the route for each (group, type).
    pub(in crate::swarm) fn find_routes(&mut self, world: &FlowWorld) {
        let mut routes = std::mem::take(&mut self.scratch.routes);
        routes.clear();
        self.add_routes(world, &mut routes);
        self.scratch.routes = routes;
    }

    /// The present route for each (group, type).
    pub(in crate::swarm) fn routes(&self, world: &FlowWorld) -> Vec<Option<Route>> {
        let mut routes = Vec::new();
        self.add_routes(world, &mut routes);
        routes
    }

    fn add_routes(&self, world: &FlowWorld, routes: &mut Vec<Option<Route>>) {
        let members = self.members_of_sharing_groups();
        for (group, &members) in self.groups.iter().zip(&members) {
            routes.extend((0..self.types.len()).map(|kind| {
                let movement = self.movement_in(group, members, kind, world);
                world.route(group.goal?, movement)
            }));
        }
    }

    /// The types of each group's members, for groups that share a field. O(agents) if there are any.
    pub(in crate::swarm) fn members_of_sharing_groups(&self) -> [Kinds; MAX_GROUPS] {
        let mut members = [0; MAX_GROUPS];
        if self.groups.iter().any(|group| group.shares_field) {
            for (&group, &kind) in self.agents.group.iter().zip(&self.agents.kind) {
                members[usize::from(group)] |= 1 << kind;
            }
        }
        members
    }

    /// The movement type whose field a group's agents of a type follow.
    pub(in crate::swarm) fn movement_in(
        &self,
        group: &Group,
        members: Kinds,
        kind: usize,
        world: &FlowWorld,
    ) -> usize {
        let own = self.types[kind].movement;
        let types = world.movement_type_count();
        if !group.shares_field || own >= types {
            return own;
        }
        let among = (0..self.types.len())
            .filter(|other| members >> other & 1 == 1)
            .map(|other| self.types[other].movement)
            .filter(|&movement| movement < types);
        world.most_restrictive(own, among)
    }
}
