//! What is wrong with the properties of a swarm.

use super::EnemySwarm;
use super::output::Canvas;
use godot::prelude::*;

impl EnemySwarm {
    /// One sentence for each thing that is wrong.
    pub(super) fn warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let Some(manager) = self.get_manager() else {
            warnings.push("No manager is set: agents have no fields to follow.");
            return warnings;
        };
        let output = self.get_output().and_then(|node| Canvas::of(&node));
        if self.y_sort && matches!(output, Some(Canvas::Solid(_))) {
            warnings.push("y_sort has no effect in 3D: there depth decides what covers what.");
        }
        let manager = manager.bind();
        for (index, kind) in self.agent_types.iter_shared().enumerate() {
            let Some(kind) = kind else {
                continue;
            };
            let (radius, movement) = kind.bind().radius_and_movement_type();
            let fitting = manager.fitting_radius(movement);
            if radius > fitting {
                warnings.push(&format!(
                    "Agent type {index} has a radius of {radius}, but movement type {movement} has \
                     room for {fitting} only: agents get stuck in gaps. Raise its clearance_radius."
                ));
            }
        }
        warnings
    }
}
