//! The node's virtual methods and notifications.
//!
//! The node uses notifications, because a script on the node may override any virtual method.

use super::EnemySwarm;
use crate::deferred::after_nodes;
use crate::monitors;
use flow_swarm::swarm::MAX_STEP_SECONDS;
use godot::classes::notify::NodeNotification;
use godot::classes::{Engine, INode};
use godot::prelude::*;

/// The most steps that a physics frame may take.
const MOST_STEPS: f64 = 64.0;

#[godot_api]
impl INode for EnemySwarm {
    fn on_notification(&mut self, what: NodeNotification) {
        let (name, task): (_, fn(Gd<Self>)) = match what {
            NodeNotification::READY => return self.start(),
            NodeNotification::ENTER_TREE => return monitors::include(self.base().instance_id()),
            NodeNotification::EXIT_TREE => return monitors::leave_out(self.base().instance_id()),
            NodeNotification::INTERNAL_PHYSICS_PROCESS => ("EnemySwarm.step", Self::step_frame),
            NodeNotification::INTERNAL_PROCESS => ("EnemySwarm.interpolate", Self::draw_frame),
            _ => return,
        };
        after_nodes(self.base().instance_id(), name, task);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.warnings()
    }
}

impl EnemySwarm {
    fn start(&mut self) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        if self.get_output().is_none() {
            self.make_default_output();
        }
        let draws = self.interpolate;
        let mut node = self.base_mut();
        node.set_physics_process_internal(true);
        node.set_process_internal(draws);
        after_nodes(node.instance_id(), "EnemySwarm.output", Self::claim_output);
    }

    /// Steps the swarm in a physics frame.
    fn step_frame(mut this: Gd<Self>) {
        let delta = this.get_physics_process_delta_time();
        // Engine.time_scale can make a frame longer than the longest step.
        let steps = (delta / f64::from(MAX_STEP_SECONDS))
            .ceil()
            .clamp(1.0, MOST_STEPS);
        for step in 0..steps as u32 {
            if this.is_instance_valid() && this.bind_mut().steps_by_itself() {
                // Only the first step begins a round: each swarm takes all its steps of a frame in turn.
                Self::step_in_round(this.clone(), delta / steps, step == 0);
            }
        }
    }

    /// Draws the swarm in a frame, if it interpolates.
    fn draw_frame(mut this: Gd<Self>) {
        if this.bind_mut().steps_by_itself() {
            let fraction = Engine::singleton().get_physics_interpolation_fraction();
            Self::show(this, "EnemySwarm.interpolate", fraction.clamp(0.0, 1.0));
        }
    }

    fn steps_by_itself(&self) -> bool {
        let has_work = !self.swarm.is_empty() || self.drawn.is_showing();
        self.auto_step && has_work && self.base().is_inside_tree()
    }
}
