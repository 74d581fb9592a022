//! Dictionaries from whole numbers to numbers, as scripts pass them: typed, or as untyped literals.

use crate::report::refuse;
use godot::builtin::AnyDictionary;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{Element, FromGodot, GodotConvert, ToGodot};
use godot::prelude::*;
use godot::register::property::{Export, Var};
use std::marker::PhantomData;

/// A type of the values of a dictionary.
pub trait Number: Element + FromGodot + ToGodot<Pass = ByValue> + Copy {
    /// The requirement for entries, in words.
    const ENTRIES: &str;

    /// The number in an untyped literal.
    fn read(value: &Variant) -> Option<Self>;
}

impl Number for i64 {
    const ENTRIES: &str = "whole numbers only";

    fn read(value: &Variant) -> Option<Self> {
        value.try_to().ok()
    }
}

impl Number for f64 {
    const ENTRIES: &str = "numbers by whole numbers only";

    fn read(value: &Variant) -> Option<Self> {
        // A literal may be 2 as well as 2.0.
        let whole = || value.try_to::<i64>().map(|whole| whole as f64);
        value.try_to().or_else(|_| whole()).ok()
    }
}

/// A dictionary whose keys should be whole numbers and whose values should be numbers of one type. It is registered as
/// a typed dictionary.
///
/// It corresponds to [`ObjectArray`](crate::object_array::ObjectArray).
#[derive(Debug, Clone)]
pub struct IntDictionary<V = i64>(AnyDictionary, PhantomData<V>);

impl<V: Number> IntDictionary<V> {
    /// The dictionary as a typed one: itself if it is typed, otherwise a copy. If an entry has a wrong type, reports it
    /// in the name of `property` and returns `None`.
    pub fn checked(self, property: &str) -> Option<Self> {
        let entries = match self.0.try_cast_dictionary::<i64, V>() {
            Ok(typed) => return Some(Self::from(typed)),
            Err(entries) => entries,
        };
        let mut typed = Dictionary::<i64, V>::new();
        for (key, value) in entries.iter_shared() {
            let (Ok(known), Some(number)) = (key.try_to::<i64>(), V::read(&value)) else {
                let entries = V::ENTRIES;
                let reason = format_args!("must have {entries}, not {key}: {value}");
                refuse(property, reason);
                return None;
            };
            typed.set(known, number);
        }
        Some(Self::from(typed))
    }

    /// The entries of a checked dictionary.
    pub fn entries(&self) -> Dictionary<i64, V> {
        let typed = self.0.clone().try_cast_dictionary();
        typed.unwrap_or_default()
    }
}

impl<V: Number> From<Dictionary<i64, V>> for IntDictionary<V> {
    fn from(entries: Dictionary<i64, V>) -> Self {
        Self(entries.upcast_any_dictionary(), PhantomData)
    }
}

impl<V: Number> Default for IntDictionary<V> {
    fn default() -> Self {
        Self::from(Dictionary::new())
    }
}

impl<V: Number> GodotConvert for IntDictionary<V> {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<i64, V>::godot_shape()
    }
}

impl<V: Number> ToGodot for IntDictionary<V> {
    type Pass = ByValue;

    fn to_godot(&self) -> AnyDictionary {
        self.0.clone()
    }
}

impl<V: Number> FromGodot for IntDictionary<V> {
    fn try_from_godot(entries: AnyDictionary) -> Result<Self, ConvertError> {
        Ok(Self(entries, PhantomData))
    }
}

impl<V: Number> Var for IntDictionary<V> {
    type PubType = Self;

    fn var_get(field: &Self) -> AnyDictionary {
        field.0.clone()
    }

    fn var_set(field: &mut Self, entries: AnyDictionary) {
        field.0 = entries;
    }

    fn var_pub_get(field: &Self) -> Self {
        field.clone()
    }

    fn var_pub_set(field: &mut Self, value: Self) {
        *field = value;
    }
}

impl<V: Number> Export for IntDictionary<V> {}
