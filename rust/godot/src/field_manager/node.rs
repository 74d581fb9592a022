//! The node's virtual methods and notifications.
//!
//! The node uses notifications, because a script on the node may override any virtual method.

use super::FlowFieldManager;
use crate::deferred::after_nodes;
use crate::monitors;
use crate::report::OrRefuse;
use godot::classes::notify::NodeNotification;
use godot::classes::{Engine, INode};
use godot::prelude::*;

#[godot_api]
impl INode for FlowFieldManager {
    fn on_notification(&mut self, what: NodeNotification) {
        match what {
            NodeNotification::READY => self.start(),
            NodeNotification::ENTER_TREE => monitors::include(self.base().instance_id()),
            NodeNotification::EXIT_TREE => monitors::leave_out(self.base().instance_id()),
            NodeNotification::INTERNAL_PHYSICS_PROCESS => {
                let node = self.base().instance_id();
                after_nodes(node, "FlowFieldManager.update", Self::update_frame);
            }
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.warnings()
    }
}

impl FlowFieldManager {
    fn start(&mut self) {
        self.show_debug_view();
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let mut node = self.base_mut();
        node.set_physics_process_internal(true);
        // Before swarms, which have the default priority, so that they step with the fields of this frame.
        node.set_physics_process_priority(-100);
    }

    /// Updates the manager in a physics frame.
    fn update_frame(mut this: Gd<Self>) {
        let delta = this.get_physics_process_delta_time();
        this.bind_mut().pass_time(delta);
        Self::update(this.clone());
        Self::keep_frame(&this);
    }

    /// Lets cost overlays fade. Without a world there are none, and `update` reports why there is none.
    fn pass_time(&mut self, delta: f64) {
        const METHOD: &str = "FlowFieldManager.update";
        if let Some(world) = self.world(METHOD) {
            world.fade_cost_overlays(delta).or_refuse(METHOD);
        }
    }
}
