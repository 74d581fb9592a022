//! Arrays of objects, as scripts pass them: typed, or as untyped literals.

use crate::report::refuse;
use godot::builtin::AnyArray;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::obj::GodotClass;
use godot::prelude::*;
use godot::register::property::{Export, Var};
use std::fmt::{Debug, Formatter};
use std::marker::PhantomData;

/// An array whose entries should be objects of one class, or null. It is registered as a typed array.
///
/// A property of this type needs its own getter: scripts use the type of the getter, and gdext would register an
/// untyped one.
///
/// The engine converts an untyped literal to a typed array if it knows the type of the variable. Through an untyped
/// reference, such as `$EnemySwarm`, the literal arrives untyped. The engine's own properties accept both.
pub struct ObjectArray<T: GodotClass> {
    entries: AnyArray,
    class: PhantomData<fn() -> T>,
}

impl<T: GodotClass> ObjectArray<T> {
    /// The array as a typed one: itself if it is typed, otherwise a copy. If an entry has a wrong type, reports it in
    /// the name of `method` and returns `None`. `name` is the argument's name, empty for a property.
    pub fn checked(self, method: &str, name: &str) -> Option<Self> {
        let entries = match self.entries.try_cast_array::<Option<Gd<T>>>() {
            Ok(typed) => return Some(Self::from(typed)),
            Err(entries) => entries,
        };
        let mut typed = Array::<Option<Gd<T>>>::new();
        for (index, entry) in entries.iter_shared().enumerate() {
            let Ok(object) = entry.try_to::<Option<Gd<T>>>() else {
                let class = T::class_id();
                let reason = format_args!("{name}[{index}] must be a {class} or null, not {entry}");
                refuse(method, reason);
                return None;
            };
            typed.push(object.as_ref());
        }
        Some(Self::from(typed))
    }

    /// The entries of a checked array.
    pub fn objects(&self) -> Array<Option<Gd<T>>> {
        self.entries.clone().try_cast_array().unwrap_or_default()
    }

    /// Another reference to the same array, as a getter returns it.
    pub fn shared(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            class: PhantomData,
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

impl<T: GodotClass> From<Array<Option<Gd<T>>>> for ObjectArray<T> {
    fn from(objects: Array<Option<Gd<T>>>) -> Self {
        Self {
            entries: objects.upcast_any_array(),
            class: PhantomData,
        }
    }
}

impl<T: GodotClass> Default for ObjectArray<T> {
    fn default() -> Self {
        Self::from(Array::new())
    }
}

impl<T: GodotClass> Debug for ObjectArray<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.entries.fmt(formatter)
    }
}

impl<T: GodotClass> GodotConvert for ObjectArray<T> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<Option<Gd<T>>>::godot_shape()
    }
}

impl<T: GodotClass> ToGodot for ObjectArray<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> AnyArray {
        self.entries.clone()
    }
}

impl<T: GodotClass> FromGodot for ObjectArray<T> {
    fn try_from_godot(entries: AnyArray) -> Result<Self, ConvertError> {
        Ok(Self {
            entries,
            class: PhantomData,
        })
    }
}

impl<T: GodotClass> Var for ObjectArray<T> {
    type PubType = Self;

    fn var_get(field: &Self) -> AnyArray {
        field.entries.clone()
    }

    fn var_set(field: &mut Self, entries: AnyArray) {
        field.entries = entries;
    }

    fn var_pub_get(field: &Self) -> Self {
        field.shared()
    }

    fn var_pub_set(field: &mut Self, value: Self) {
        *field = value;
    }
}

impl<T: GodotClass> Export for ObjectArray<T> {}
