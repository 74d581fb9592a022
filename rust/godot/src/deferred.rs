//! Work that is deferred until the engine has processed all nodes.

use godot::classes::Node;
use godot::obj::Inherits;
use godot::prelude::*;

/// Calls `task` with the node, if it still exists, after all nodes have been processed in this frame.
///
/// During a notification the node is bound, and the engine accesses it again afterwards. A deferred call has neither
/// restriction, so handlers of signals may call and free any node.
pub fn after_nodes<T>(node: InstanceId, name: &'static str, task: fn(Gd<T>))
where
    T: GodotClass + Inherits<Node> + 'static,
{
    let call = callable(name, move |_| {
        if let Ok(node) = Gd::try_from_instance_id(node) {
            task(node);
        }
    });
    call.call_deferred(&[]);
}

/// A callable for any thread. The platform without threads has no such kind, and needs none.
pub fn callable<R: ToGodot>(
    name: &'static str,
    function: impl Fn(&[&Variant]) -> R + Send + Sync + 'static,
) -> Callable {
    #[cfg(any(not(target_family = "wasm"), target_feature = "atomics"))]
    let callable = Callable::from_sync_fn(name, function);
    #[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
    let callable = Callable::from_fn(name, function);
    callable
}
