//! Numbers that a game keeps with its agents, and damage.

use super::EnemySwarm;
use super::enums::FallenAction;
use crate::class_enum::ClassEnum as _;
use crate::convert::{f32_from, id_from_godot, ids as core_ids, packed_ids, vec2};
use crate::report::{OrRefuse, code};
use crate::swarm_query::OptionalQuery;
use flow_swarm::swarm::{AgentId, AgentState, Swarm};
use flow_swarm::world::FlowWorld;
use godot::global::Error;
use godot::prelude::*;

fn is_known(method: &str, action: FallenAction) -> bool {
    let index = action.index_for("fallen_action");
    index.or_refuse(method).is_some()
}

/// What `read` returns for each of these agents, or the first error.
fn of_each<T>(
    ids: &PackedInt64Array,
    read: impl FnMut(AgentId) -> flow_swarm::Result<T>,
) -> flow_swarm::Result<Vec<T>> {
    core_ids(ids).into_iter().map(read).collect()
}

#[godot_api(secondary)]
impl EnemySwarm {
    /// Sets an integer of each of these agents in a column, 0 to 3: `values` has one entry for each id, or one for all. A game keeps here what it needs, such as health or the clip that plays. The numbers are 0 at first, are saved with their agents, and shaders can read the first two columns (custom_data_preset). After an error none is changed.
    #[func]
    fn set_user_ints(
        &mut self,
        ids: PackedInt64Array,
        values: PackedInt32Array,
        #[opt(default = 0)] column: i64,
    ) -> Error {
        let ids = core_ids(&ids);
        let result = self.swarm.set_user_ints(column, &ids, values.as_slice());
        code("EnemySwarm.set_user_ints", result)
    }

    /// Sets a float of each of these agents in a column, 0 to 3: `values` has one entry for each id, or one for all. These columns are separate from those of set_user_ints(). After an error none is changed.
    #[func]
    fn set_user_floats(
        &mut self,
        ids: PackedInt64Array,
        values: PackedFloat32Array,
        #[opt(default = 0)] column: i64,
    ) -> Error {
        let ids = core_ids(&ids);
        let result = self.swarm.set_user_floats(column, &ids, values.as_slice());
        code("EnemySwarm.set_user_floats", result)
    }

    /// Adds `delta` to an integer of each of these agents in a column, 0 to 3. Returns the ids of the agents whose number has fallen from above 0 to 0 or below, in the order of `ids`: if it is health, those that die. Numbers stop at the limits of 32 bits. `fallen_action` says what becomes of those agents: FALLEN_STAY, FALLEN_DESPAWN or FALLEN_CORPSE. After an error none is changed.
    #[func]
    fn add_user_ints(
        &mut self,
        ids: PackedInt64Array,
        delta: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = FallenAction::FALLEN_STAY)] fallen_action: FallenAction,
    ) -> PackedInt64Array {
        const METHOD: &str = "EnemySwarm.add_user_ints";
        if !is_known(METHOD, fallen_action) {
            return PackedInt64Array::new();
        }
        let fallen = self.swarm.add_user_ints(column, &core_ids(&ids), delta);
        self.fallen(fallen.or_refuse(METHOD), fallen_action)
    }

    /// Subtracts `amount` from the number in a column of set_user_ints() of all agents that query_circle() finds, as an explosion does. Returns the ids of the agents whose number has fallen from above 0 to 0 or below. `fallen_action` says what becomes of these agents: FALLEN_STAY, FALLEN_DESPAWN or FALLEN_CORPSE. To know all agents that are hit, call query_circle(), and add_user_ints() with the ids that it returns. These two calls do the same.
    #[func]
    fn damage_circle(
        &mut self,
        center: Vector2,
        radius: f64,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = FallenAction::FALLEN_STAY)] fallen_action: FallenAction,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let circle = (vec2(center), f32_from(radius));
        self.damage("EnemySwarm.damage_circle", fallen_action, |swarm, world| {
            swarm.damage_circle(world, circle, (column, amount), &query)
        })
    }

    /// Subtracts `amount` from the number in a column of set_user_ints() of all agents that query_segment() finds. Returns the ids of the agents whose number has fallen from above 0 to 0 or below, in the order in which they were found. `fallen_action` says what becomes of these agents: FALLEN_STAY, FALLEN_DESPAWN or FALLEN_CORPSE. With a query whose limit is 1, the shot stops at the first agent. To know all agents that are hit, call query_segment(), and add_user_ints() with the ids that it returns. These two calls do the same.
    #[func]
    #[allow(
        clippy::too_many_arguments,
        reason = "a script gives only the first four"
    )]
    fn damage_segment(
        &mut self,
        from: Vector2,
        to: Vector2,
        width: f64,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = FallenAction::FALLEN_STAY)] fallen_action: FallenAction,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        let query = query.in_core();
        let beam = (vec2(from), vec2(to), f32_from(width));
        self.damage(
            "EnemySwarm.damage_segment",
            fallen_action,
            |swarm, world| swarm.damage_segment(world, beam, (column, amount), &query),
        )
    }

    /// Lets `damage` find the agents that fall, for which it is told the swarm and its world, and does with them what
    /// `action` says.
    pub(super) fn damage(
        &mut self,
        method: &str,
        action: FallenAction,
        damage: impl FnOnce(&mut Swarm, &FlowWorld) -> flow_swarm::Result<Vec<AgentId>>,
    ) -> PackedInt64Array {
        if !is_known(method, action) {
            return PackedInt64Array::new();
        }
        let fallen = self.with_world(method, |swarm, world| damage(swarm, world));
        self.fallen(fallen, action)
    }

    fn fallen(&mut self, fallen: Option<Vec<AgentId>>, action: FallenAction) -> PackedInt64Array {
        let fallen = fallen.unwrap_or_default();
        match action {
            FallenAction::FALLEN_DESPAWN => {
                self.swarm.despawn(&fallen);
            }
            FallenAction::FALLEN_CORPSE => {
                // The call has just found them.
                let result = self.swarm.set_state(&fallen, AgentState::Corpse);
                result.or_refuse("EnemySwarm.set_state");
            }
            _ => {}
        }
        packed_ids(&fallen)
    }

    /// Returns a column of set_user_ints() for all agents, in the order of get_ids().
    #[func]
    fn get_user_ints(&mut self, #[opt(default = 0)] column: i64) -> PackedInt32Array {
        let numbers = self.swarm.user_ints(column);
        let numbers = numbers.or_refuse("EnemySwarm.get_user_ints");
        let mut array = PackedInt32Array::from(numbers.unwrap_or_default());
        // A column that was never written to is empty and stands for zeros.
        if numbers.is_some() {
            array.resize(self.swarm.len());
        }
        array
    }

    /// Returns a column of set_user_floats() for all agents, in the order of get_ids().
    #[func]
    fn get_user_floats(&mut self, #[opt(default = 0)] column: i64) -> PackedFloat32Array {
        let numbers = self.swarm.user_floats(column);
        let numbers = numbers.or_refuse("EnemySwarm.get_user_floats");
        let mut array = PackedFloat32Array::from(numbers.unwrap_or_default());
        if numbers.is_some() {
            array.resize(self.swarm.len());
        }
        array
    }

    /// Returns the numbers of these agents in a column of set_user_ints(), in their order. Returns an empty array, with an error, if an id names no agent.
    #[func]
    fn get_user_ints_of(
        &mut self,
        ids: PackedInt64Array,
        #[opt(default = 0)] column: i64,
    ) -> PackedInt32Array {
        let numbers = of_each(&ids, |id| self.swarm.user_int(column, id));
        let numbers = numbers.or_refuse("EnemySwarm.get_user_ints_of");
        PackedInt32Array::from(numbers.unwrap_or_default())
    }

    /// Returns the numbers of these agents in a column of set_user_floats(), in their order. Returns an empty array, with an error, if an id names no agent.
    #[func]
    fn get_user_floats_of(
        &mut self,
        ids: PackedInt64Array,
        #[opt(default = 0)] column: i64,
    ) -> PackedFloat32Array {
        let numbers = of_each(&ids, |id| self.swarm.user_float(column, id));
        let numbers = numbers.or_refuse("EnemySwarm.get_user_floats_of");
        PackedFloat32Array::from(numbers.unwrap_or_default())
    }

    /// Returns an agent's number in a column of set_user_ints(); 0, with an error, if there is no agent with this id.
    #[func]
    fn get_agent_user_int(&mut self, id: i64, #[opt(default = 0)] column: i64) -> i64 {
        let number = self.swarm.user_int(column, id_from_godot(id));
        let number = number.or_refuse("EnemySwarm.get_agent_user_int");
        number.map_or(0, i64::from)
    }

    /// Returns an agent's number in a column of set_user_floats(); 0, with an error, if there is no agent with this id.
    #[func]
    fn get_agent_user_float(&mut self, id: i64, #[opt(default = 0)] column: i64) -> f64 {
        let number = self.swarm.user_float(column, id_from_godot(id));
        let number = number.or_refuse("EnemySwarm.get_agent_user_float");
        number.map_or(0.0, f64::from)
    }
}
