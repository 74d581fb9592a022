//! Numbers that a game keeps with its agents.

use super::EnemySwarm;
use crate::convert::{f32_from, id_from_godot, ids as core_ids, packed_ids, vec2};
use crate::report::{OrRefuse, code};
use flow_swarm::swarm::AgentId;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Sets a whole number of agents, one per id, in one of the columns 0 to 3: health, a clip to play, whatever the game keeps. They begin with 0, follow their agents, are saved with them, and shaders read the first two columns (custom_data_preset). All of them, or none after an error.
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

    /// Sets a number with a fraction of agents, one per id, in one of the columns 0 to 3, which are others than those of set_user_ints(). All of them, or none after an error.
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

    /// Adds to a whole number of agents in one of the columns 0 to 3, and returns the ids of those whose number has fallen from above 0 to 0 or below, in the order of `ids`: if it is their health, those that die. Numbers stop at the ends of 32 bits. All of them, or none after an error.
    #[func]
    fn add_user_ints(
        &mut self,
        ids: PackedInt64Array,
        delta: i64,
        #[opt(default = 0)] column: i64,
    ) -> PackedInt64Array {
        let fallen = self.swarm.add_user_ints(column, &core_ids(&ids), delta);
        let fallen = fallen.or_refuse("EnemySwarm.add_user_ints");
        packed_ids(&fallen.unwrap_or_default())
    }

    /// Takes `amount` from the number in a column of all agents whose centres are at most `radius` from `center`, as an explosion does. Returns the ids of those whose number has fallen from above 0 to 0 or below, and removes them if `despawns`.
    #[func]
    fn damage_circle(
        &mut self,
        center: Vector2,
        radius: f64,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = false)] despawns: bool,
    ) -> PackedInt64Array {
        let fallen = self.with_world("EnemySwarm.damage_circle", |swarm, world| {
            let circle = (vec2(center), f32_from(radius));
            swarm.damage_circle(world, circle, (column, amount))
        });
        self.fallen(fallen, despawns)
    }

    /// Takes `amount` from the number in a column of all agents that a beam of some width touches, as query_segment() finds them. Returns the ids of those whose number has fallen from above 0 to 0 or below, the one nearest to `from` first, and removes them if `despawns`.
    #[func]
    fn damage_segment(
        &mut self,
        from: Vector2,
        to: Vector2,
        width: f64,
        amount: i64,
        #[opt(default = 0)] column: i64,
        #[opt(default = false)] despawns: bool,
    ) -> PackedInt64Array {
        let fallen = self.with_world("EnemySwarm.damage_segment", |swarm, world| {
            let beam = (vec2(from), vec2(to), f32_from(width));
            swarm.damage_segment(world, beam, (column, amount))
        });
        self.fallen(fallen, despawns)
    }

    fn fallen(&mut self, fallen: Option<Vec<AgentId>>, despawns: bool) -> PackedInt64Array {
        let fallen = fallen.unwrap_or_default();
        if despawns {
            self.swarm.despawn(&fallen);
        }
        packed_ids(&fallen)
    }

    /// A column of set_user_ints() for all agents, in the order of get_ids().
    #[func]
    fn get_user_ints(&mut self, #[opt(default = 0)] column: i64) -> PackedInt32Array {
        let numbers = self.swarm.user_ints(column);
        let numbers = numbers.or_refuse("EnemySwarm.get_user_ints");
        let mut array = PackedInt32Array::from(numbers.unwrap_or_default());
        // What nobody has written to is zeros.
        if numbers.is_some() {
            array.resize(self.swarm.len());
        }
        array
    }

    /// A column of set_user_floats() for all agents, in the order of get_ids().
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

    /// An agent's number in a column of set_user_ints(); 0 for an id that names no agent, which is reported.
    #[func]
    fn get_agent_user_int(&mut self, id: i64, #[opt(default = 0)] column: i64) -> i64 {
        let number = self.swarm.user_int(column, id_from_godot(id));
        let number = number.or_refuse("EnemySwarm.get_agent_user_int");
        number.map_or(0, i64::from)
    }

    /// An agent's number in a column of set_user_floats(); 0 for an id that names no agent, which is reported.
    #[func]
    fn get_agent_user_float(&mut self, id: i64, #[opt(default = 0)] column: i64) -> f64 {
        let number = self.swarm.user_float(column, id_from_godot(id));
        let number = number.or_refuse("EnemySwarm.get_agent_user_float");
        number.map_or(0.0, f64::from)
    }
}
