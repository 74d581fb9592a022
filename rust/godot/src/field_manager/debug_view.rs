//! The manager's debug view: a node of the addon's own, drawn over the grid.

use super::FlowFieldManager;
use crate::report::refuse;
use godot::classes::node::InternalMode;
use godot::classes::{Node, Script};
use godot::prelude::*;

const SCRIPT: &str = "res://addons/flow_swarm/debug/flow_debug_view.gd";

/// The view's node, once it has been asked for.
#[derive(Default)]
pub(super) struct DebugView {
    node: Option<Gd<Node>>,
}

impl FlowFieldManager {
    /// Makes the view show what the debug properties say, or takes it away.
    pub(super) fn show_debug_view(&mut self) {
        if !self.base().is_inside_tree() {
            return;
        }
        if self.debug_view == Self::DEBUG_OFF {
            if let Some(mut node) = self.debug.node.take() {
                node.queue_free();
            }
            return;
        }
        if self.debug.node.is_none() {
            let Some(mut node) = new_view() else {
                refuse(
                    "FlowFieldManager.debug_view",
                    format_args!("{SCRIPT} is missing or not a node's script"),
                );
                return;
            };
            node.set("manager", &self.to_gd().to_variant());
            self.base_mut()
                .add_child_ex(&node)
                .internal(InternalMode::BACK)
                .done();
            self.debug.node = Some(node);
        }
        if let Some(node) = &mut self.debug.node {
            node.set("mode", &self.debug_view.to_variant());
            node.set("goal", &self.debug_goal.to_variant());
            node.set("movement_type", &self.debug_movement_type.to_variant());
        }
    }
}

fn new_view() -> Option<Gd<Node>> {
    let mut script = try_load::<Script>(SCRIPT).ok()?;
    script.call("new", &[]).try_to().ok()
}
