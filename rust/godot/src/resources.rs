//! Detects that resources in a property have been replaced or edited.
//!
//! Nodes compare ids and revisions before they use the resources. So no signal connections have to be kept in step with
//! the property.

use godot::classes::Resource;
use godot::init::is_main_thread;
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, GodotClass};
use godot::prelude::*;
use std::ops::DerefMut;

/// A resource that counts its changes.
pub trait Revised {
    /// The number of changes so far.
    fn revision(&self) -> u64;
}

/// A resource and its revision when it was last used.
pub type Seen = Option<(InstanceId, u64)>;

/// The resources of an array property, as of their last use.
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

/// The id and the present revision of a resource.
pub fn seen<T>(resource: &Gd<T>) -> (InstanceId, u64)
where
    T: GodotClass + Bounds<Declarer = DeclUser> + Revised,
{
    let revision = with(resource, |resource| resource.revision());
    (resource.instance_id(), revision)
}

/// Calls `read` with a resource while no other thread uses it, and returns the result.
///
/// The resource is bound for writing. With shared bindings, gdext panics, instead of waiting, if a thread that holds
/// one asks for writing while another thread holds one too.
pub fn with<T, R>(resource: &Gd<T>, read: impl FnOnce(&T) -> R) -> R
where
    T: GodotClass + Bounds<Declarer = DeclUser>,
{
    read(&resource.clone().bind_mut())
}

/// Emits `changed`: at once on the main thread; from any other thread on the main thread, at the end of the frame.
///
/// A handler may call a node, which waits until the node is free. If the thread that uses the node waited for this
/// resource, both would wait forever.
pub fn announce_change(mut resource: impl DerefMut<Target = Gd<Resource>>) {
    if is_main_thread() {
        resource.emit_changed();
    } else {
        resource.call_deferred("emit_changed", &[]);
    }
}
