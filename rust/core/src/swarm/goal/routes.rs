//! The field that each agent follows: the field of its group's goal for its own movement type, or for one that the
//! group shares (Emerson, Game AI Pro, 23.11).

use crate::error::Result;
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::group::{Group, Kinds, check_group};
use crate::swarm::state::swarm::Swarm;
use crate::world::{FlowWorld, GoalId, Route};

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
        self.groups.entry(group).shares_field = shares;
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
        let mut needed = Vec::new();
        for (group, members) in self.groups_with_members() {
            let Some(goal) = group.goal else {
                continue;
            };
            let may_have = |kind: &usize| {
                let has_all = !group.shares_field && group.order.is_none();
                has_all || members >> kind & 1 == 1
            };
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
        for (group, members) in self.groups_with_members() {
            routes.extend((0..self.types.len()).map(|kind| {
                if group.order.is_some() && members >> kind & 1 == 0 {
                    return None;
                }
                let movement = self.movement_in(group, members, kind, world);
                world.route(group.goal?, movement)
            }));
        }
    }

    /// The groups and orders, with the types of their members where these count: in orders, and in groups that share a
    /// field. O(agents) if any group shares one.
    pub(in crate::swarm) fn groups_with_members(&self) -> impl Iterator<Item = (&Group, Kinds)> {
        let sharing = self.members_of_sharing_groups();
        let groups = self.groups.iter().enumerate();
        groups.map(move |(number, group)| {
            let kinds = group.order.as_ref().map(|order| order.kinds);
            (group, kinds.unwrap_or_else(|| sharing[number % MAX_GROUPS]))
        })
    }

    /// The types of each group's members, for groups that share a field. O(agents) if there are any.
    fn members_of_sharing_groups(&self) -> [Kinds; MAX_GROUPS] {
        let mut members = [0; MAX_GROUPS];
        if self.groups.iter().any(|group| group.shares_field) {
            for (&group, &kind) in self.agents.goal_group.iter().zip(&self.agents.kind) {
                if let Some(members) = members.get_mut(usize::from(group)) {
                    *members |= 1 << kind;
                }
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
