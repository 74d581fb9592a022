//! Work that is done when the engine has left the nodes.

use godot::classes::Node;
use godot::obj::Inherits;
use godot::prelude::*;

/// Calls `task` with the node, if it still exists, once all nodes have had this frame.
///
/// During a notification the node is bound, and the engine reads it again afterwards. During a deferred call neither holds:
/// handlers of signals may call and free any node.
pub fn after_nodes<T>(node: InstanceId, name: &'static str, task: fn(Gd<T>))
where
    T: GodotClass + Inherits<Node> + 'static,
{
    let call = Callable::from_sync_fn(name, move |_| {
        if let Ok(node) = Gd::try_from_instance_id(node) {
            task(node);
        }
    });
    call.call_deferred(&[]);
}
