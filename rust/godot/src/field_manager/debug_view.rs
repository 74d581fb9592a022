//! The manager's debug view: a node of the addon, drawn over the grid in 2D, or draped over the ground in 3D.

use super::FlowFieldManager;
use super::enums::DebugView;
use crate::addon;
use crate::deferred::after_nodes;
use crate::report::refuse;
use crate::surroundings;
use godot::classes::node::InternalMode;
use godot::classes::{Node, Script};
use godot::prelude::*;

/// In the addon's folder.
const SCRIPT_2D: &str = "debug/flow_debug_view.gd";
const SCRIPT_3D: &str = "debug/flow_debug_view_3d.gd";

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
        let script = addon::path_of(script_for(&this));
        // A view of the other kind is left over from another place in the tree.
        let unwanted = |path: &String| mode == DebugView::DEBUG_OFF || *path != script;
        for path in [SCRIPT_2D, SCRIPT_3D]
            .map(addon::path_of)
            .iter()
            .filter(|path| unwanted(path))
        {
            if let Some(mut view) = shown_view(&this, path) {
                view.queue_free();
            }
        }
        if mode == DebugView::DEBUG_OFF {
            return;
        }
        let shown = shown_view(&this, &script);
        let Some(mut view) = shown.or_else(|| add_view(&mut this, &script)) else {
            refuse(
                "FlowFieldManager.debug_view",
                format_args!("{script} is missing or not a node's script"),
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

/// The script of the view for the scene in which the manager is, in the addon's folder.
fn script_for(manager: &Gd<FlowFieldManager>) -> &'static str {
    let is_3d = surroundings::space(&manager.clone().upcast()).unwrap_or_else(|| {
        let viewport = manager.get_viewport();
        viewport.is_some_and(|viewport| viewport.get_camera_3d().is_some())
    });
    if is_3d { SCRIPT_3D } else { SCRIPT_2D }
}

/// The manager's view with a script. It is searched for each time instead of stored: a script may free it, and a reload of the
/// extension would lose the reference.
fn shown_view(manager: &Gd<FlowFieldManager>, path: &str) -> Option<Gd<Node>> {
    let children = manager.get_children_ex().include_internal(true).done();
    children.iter_shared().find(|child| {
        let script = child.get_script();
        script.is_some_and(|script| script.get_path() == path) && !child.is_queued_for_deletion()
    })
}

fn add_view(manager: &mut Gd<FlowFieldManager>, path: &str) -> Option<Gd<Node>> {
    let mut script = try_load::<Script>(path).ok()?;
    let mut view: Gd<Node> = script.call("new", &[]).try_to().ok()?;
    view.set("manager", &manager.to_variant());
    let child = manager.add_child_ex(&view);
    child.internal(InternalMode::BACK).done();
    Some(view)
}
