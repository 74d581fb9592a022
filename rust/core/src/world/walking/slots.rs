//! Updates the fields of a slot as its goal walks.

use crate::error::Result;
use crate::integrate::GoalCell;
use crate::movement::CostField;
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::Destination;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::build_context::Walking;
use crate::world::walking::parts::Parts;
use std::sync::Arc;

impl FieldSlot {
    /// Makes the field lead to the goal's present position. Returns whether a near field was solved or dropped.
    pub(super) fn follow(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
    ) -> bool {
        let Some(field) = &mut self.field else {
            return false;
        };
        if self.destination.as_ref() == Some(destination) {
            let has_parts = self.walk.near.take().is_some() && !field.is_whole();
            if has_parts {
                Arc::make_mut(field).parts = Parts::default();
            }
            return has_parts;
        }
        let versions = [self.version, None];
        if self.walk.is_up_to_date(context, destination, versions) {
            return false;
        }
        let integration = Arc::clone(&field.integration);
        let goals = || integration.goal_cells().collect();
        // Parts that nothing else holds are changed in place.
        let mut parts = match Arc::get_mut(field) {
            Some(field) => std::mem::take(&mut field.parts),
            None => field.parts.clone(),
        };
        let far = (versions, goals);
        let is_news = self.walk.follow(context, destination, far, &mut parts);
        if !parts.are_the_same_as(&field.parts) {
            Arc::make_mut(field).parts = parts;
        }
        is_news
    }

    /// Repairs middle fields after a change of costs. They are not used until near fields are found anew.
    pub(super) fn repair_middle(&mut self, context: &BuildContext<'_>) {
        if self.walk.has_old_middle(context) {
            if let Some(field) = &mut self.field {
                Arc::make_mut(field).parts.let_go_of_middle();
            }
            self.walk.repair_middle(context);
        }
    }

    /// Continues the farther fields. Returns whether a new far field was swapped in.
    pub(super) fn walk_on(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
    ) -> Result<bool> {
        if self.walk.waits_for_ground(context, destination) {
            return Ok(false);
        }
        let walked = self.walk.note(destination);
        self.walk.build_middle(context, destination, walked);
        let built = self.walk.build_far(context, destination, walked)?;
        let Some((far, (integration, flow))) = built else {
            return Ok(false);
        };
        // A goal that was in a wall when the solve began, and no longer is, is followed from its last valid position.
        if integration.goals().is_empty() && far.destination.cells != destination.cells {
            return Ok(false);
        }
        let field = Arc::new(Field::whole(Arc::new(integration), flow));
        if let Some(old) = self.field.replace(field) {
            context.scratch.keep(old);
        }
        self.stop_waiting();
        self.version = Some(far.version);
        self.destination = Some(Arc::clone(&far.destination));
        self.walk.left_at = far.begun_at;
        let revision = far.version.costs;
        if let Some(costs) = far.into_costs() {
            let scratch = context.scratch;
            context.layer.inherit_arrays(costs, revision, scratch);
        }
        Ok(true)
    }

    /// Whether a goal has left the cells to which the field leads.
    pub(super) fn is_away(&self, destination: &Destination) -> bool {
        self.destination
            .as_ref()
            .is_none_or(|old| old.cells != destination.cells)
    }

    /// Whether the goal has moved to where no path leads from the place to which the far field leads. Agents from which
    /// the far field does not lead may then have a path to the goal.
    pub(in crate::world) fn is_cut_off_from(
        &self,
        destination: &Destination,
        costs: &CostField,
    ) -> bool {
        let Some(field) = self.field.as_ref().filter(|field| !field.has_zone_alone()) else {
            return false;
        };
        let is_apart = |goal: &GoalCell| {
            costs.is_open(goal.cell) && field.integration.cost_at(goal.cell).is_none()
        };
        self.is_away(destination) && destination.cells.iter().any(is_apart)
    }

    /// Whether the far field is kept while its goal, of `goal_cells` cells, walks on a map of `map_cells` cells.
    pub(in crate::world) fn stays(
        &self,
        goal_cells: usize,
        walking: &Walking,
        map_cells: usize,
    ) -> bool {
        let leads = |field: &Arc<Field>| !field.integration.goals().is_empty();
        let leads_anywhere = self
            .led
            .unwrap_or_else(|| self.field.as_ref().is_some_and(leads));
        walking.is_for(goal_cells, map_cells) && self.is_followed && leads_anywhere
    }
}
