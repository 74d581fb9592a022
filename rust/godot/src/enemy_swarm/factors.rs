//! Factors of single agents on the speed, size and colour of their type.

use super::EnemySwarm;
use crate::convert::{id_from_godot, ids as core_ids, rgba};
use crate::report::{OrRefuse, code};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Multiplies the maximum speed of agents by a factor, 0.1 to 4: one for each id, or one for all. A factor of 0.5 slows them to half the SwarmAgentType.max_speed, and 1 ends the effect. After an error no agent is changed.
    #[func]
    fn set_agent_speed_scales(
        &mut self,
        ids: PackedInt64Array,
        scales: PackedFloat32Array,
    ) -> Error {
        let result = self
            .swarm
            .set_speed_factors(&core_ids(&ids), scales.as_slice());
        code("EnemySwarm.set_agent_speed_scales", result)
    }

    /// Multiplies the size of agents' instances by a factor, 0 to 1000: one for each id, or one for all. Only what is drawn changes: the disc of an agent has the radius of its type. After an error no agent is changed.
    #[func]
    fn set_agent_scales(&mut self, ids: PackedInt64Array, scales: PackedFloat32Array) -> Error {
        let result = self
            .swarm
            .set_size_factors(&core_ids(&ids), scales.as_slice());
        code("EnemySwarm.set_agent_scales", result)
    }

    /// Sets colours by which the colours of agents' types, states and groups are multiplied: one for each id, or one for all. Color.WHITE ends the effect. After an error no agent is changed.
    #[func]
    fn set_agent_colors(&mut self, ids: PackedInt64Array, colors: PackedColorArray) -> Error {
        let colors: Vec<_> = colors.as_slice().iter().copied().map(rgba).collect();
        let result = self.swarm.set_colors(&core_ids(&ids), &colors);
        code("EnemySwarm.set_agent_colors", result)
    }

    /// Returns the factor on the maximum speed of an agent. If no agent has this id, reports an error and returns 0.
    #[func]
    fn get_agent_speed_scale(&mut self, id: i64) -> f64 {
        let factor = self.swarm.speed_factor(id_from_godot(id));
        let factor = factor.or_refuse("EnemySwarm.get_agent_speed_scale");
        factor.map_or(0.0, f64::from)
    }

    /// Returns the factor on the size of an agent's instance. If no agent has this id, reports an error and returns 0.
    #[func]
    fn get_agent_scale(&mut self, id: i64) -> f64 {
        let factor = self.swarm.size_factor(id_from_godot(id));
        let factor = factor.or_refuse("EnemySwarm.get_agent_scale");
        factor.map_or(0.0, f64::from)
    }

    /// Returns the colour by which an agent's colours are multiplied. If no agent has this id, reports an error and returns a transparent black.
    #[func]
    fn get_agent_color(&mut self, id: i64) -> Color {
        let color = self.swarm.color(id_from_godot(id));
        let color = color.or_refuse("EnemySwarm.get_agent_color");
        let [red, green, blue, alpha] = color.unwrap_or_default();
        Color::from_rgba(red, green, blue, alpha)
    }
}
