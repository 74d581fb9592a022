//! Noticing that resources in a property have been exchanged or edited.
//!
//! Nodes compare ids and revisions when they are about to use the resources, which needs no signal
//! connections to keep in step with the property.

use godot::classes::Resource;
use godot::init::is_main_thread;
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, GodotClass};
use godot::prelude::*;
use std::ops::DerefMut;

/// A resource that counts its changes.
pub trait Revised {
    /// How often it has changed.
    fn revision(&self) -> u64;
}

/// A resource, and how often it had changed when it was last used.
pub type Seen = Option<(InstanceId, u64)>;

/// The resources of an array property as they were last used.
#[derive(Default)]
pub struct SeenResources(Vec<Seen>);

impl SeenResources {
    /// Whether anything has changed since the last call.
    pub fn update<T>(&mut self, resources: &Array<Option<Gd<T>>>) -> bool
    where
        T: GodotClass + Bounds<Declarer = DeclUser> + Revised,
    {
        let now = || {
            resources
                .iter_shared()
                .map(|resource| resource.as_ref().map(seen))
        };
        if self.0.iter().copied().eq(now()) {
            return false;
        }
        self.0.clear();
        self.0.extend(now());
        true
    }
}

/// A resource as it is now.
pub fn seen<T>(resource: &Gd<T>) -> (InstanceId, u64)
where
    T: GodotClass + Bounds<Declarer = DeclUser> + Revised,
{
    let revision = with(resource, |resource| resource.revision());
    (resource.instance_id(), revision)
}

/// What `read` returns of a resource, while no other thread uses it.
///
/// The resource is bound for writing: gdext panics, instead of waiting, where a thread that has read asks to write while
/// another one reads.
pub fn with<T, R>(resource: &Gd<T>, read: impl FnOnce(&T) -> R) -> R
where
    T: GodotClass + Bounds<Declarer = DeclUser>,
{
    read(&resource.clone().bind_mut())
}

/// Emits `changed`: at once on the main thread, and there at the end of the frame from any other one.
///
/// A handler may call a node, which waits until that is free. If the node's thread waited for this resource, neither would
/// go on.
pub fn announce_change(mut resource: impl DerefMut<Target = Gd<Resource>>) {
    if is_main_thread() {
        resource.emit_changed();
    } else {
        resource.call_deferred("emit_changed", &[]);
    }
}
