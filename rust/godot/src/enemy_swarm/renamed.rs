//! Methods of `EnemySwarm` under their old names.

use super::{EnemySwarm, enums};
use crate::swarm_query::OptionalQuery;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// The old name of set_agent_state().
    #[func]
    fn set_state(&mut self, ids: PackedInt64Array, state: enums::AgentState) -> Error {
        self.set_agent_state(ids, state)
    }

    /// The old name of query_nearest().
    #[func]
    fn nearest(
        &mut self,
        position: Vector2,
        max_distance: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> i64 {
        self.query_nearest(position, max_distance, query)
    }

    /// The old name of query_nearest_many().
    #[func]
    fn nearest_many(
        &mut self,
        positions: PackedVector2Array,
        max_distance: f64,
        #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
    ) -> PackedInt64Array {
        self.query_nearest_many(positions, max_distance, query)
    }
}
