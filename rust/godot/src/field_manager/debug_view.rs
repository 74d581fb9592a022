//! The manager's debug view: a node of the addon, drawn over the grid.

use super::FlowFieldManager;
use super::enums::DebugView;
use crate::deferred::after_nodes;
use crate::report::refuse;
use godot::classes::node::InternalMode;
use godot::classes::{Node, Script};
use godot::prelude::*;

const SCRIPT: &str = "res://addons/flow_swarm/debug/flow_debug_view.gd";

impl FlowFieldManager {
    /// Updates the view to the debug properties, or removes it, at the end of the frame.
    pub(super) fn show_debug_view(&self) {
        if self.base().is_inside_tree() {
            let node = self.base().instance_id();
            after_nodes(node, "FlowFieldManager.debug_view", Self::match_debug_view);
        }
    }

    /// The manager must not be bound: the view's script runs, and handlers of the manager's signals.
    fn match_debug_view(mut this: Gd<Self>) {
        if !this.is_inside_tree() {
            return;
        }
        let (mode, goal, movement_type) = {
            let manager = this.bind_mut();
            let kind = manager.debug_movement_type;
            (manager.debug_view, manager.debug_goal, kind)
        };
        let shown = shown_view(&this);
        if mode == DebugView::DEBUG_OFF {
            if let Some(mut view) = shown {
                view.queue_free();
            }
            return;
        }
        let Some(mut view) = shown.or_else(|| add_view(&mut this)) else {
            refuse(
                "FlowFieldManager.debug_view",
                format_args!("{SCRIPT} is missing or not a node's script"),
            );
            return;
        };
        let values = [
            ("mode", mode.0),
            ("goal", goal),
            ("movement_type", movement_type),
        ];
        for (property, value) in values {
            if view.is_instance_valid() {
                view.set(property, &value.to_variant());
            }
        }
    }
}

/// The manager's view. It is searched for each time instead of stored: a script may free it, and a reload of the
/// extension would lose the reference.
fn shown_view(manager: &Gd<FlowFieldManager>) -> Option<Gd<Node>> {
    let children = manager.get_children_ex().include_internal(true).done();
    children.iter_shared().find(|child| {
        let script = child.get_script();
        script.is_some_and(|script| script.get_path() == SCRIPT) && !child.is_queued_for_deletion()
    })
}

fn add_view(manager: &mut Gd<FlowFieldManager>) -> Option<Gd<Node>> {
    let mut script = try_load::<Script>(SCRIPT).ok()?;
    let mut view: Gd<Node> = script.call("new", &[]).try_to().ok()?;
    view.set("manager", &manager.to_variant());
    let child = manager.add_child_ex(&view);
    child.internal(InternalMode::BACK).done();
    Some(view)
}
