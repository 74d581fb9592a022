//! Dictionaries of numbers by whole numbers or by names, as scripts pass them: typed, or as untyped literals.

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
    /// The numbers that are wanted, in words.
    const NUMBERS: &str;

    /// The number in an untyped literal.
    fn read(value: &Variant) -> Option<Self>;
}

impl Number for i64 {
    const NUMBERS: &str = "whole numbers";

    fn read(value: &Variant) -> Option<Self> {
        value.try_to().ok()
    }
}

impl Number for f64 {
    const NUMBERS: &str = "numbers";

    fn read(value: &Variant) -> Option<Self> {
        // A literal may be 2 as well as 2.0.
        let whole = || value.try_to::<i64>().map(|whole| whole as f64);
        value.try_to().or_else(|_| whole()).ok()
    }
}

/// A type of the keys of a dictionary.
pub trait Key: Element + FromGodot + Clone {
    /// The keys that are wanted, in words.
    const KEYS: &str;

    /// The key in an untyped literal.
    fn read(key: &Variant) -> Option<Self>;

    /// Sets the entry of this key.
    fn put<V: Number>(self, entries: &mut Dictionary<Self, V>, value: V);
}

impl Key for i64 {
    const KEYS: &str = "whole numbers";

    fn read(key: &Variant) -> Option<Self> {
        key.try_to().ok()
    }

    fn put<V: Number>(self, entries: &mut Dictionary<Self, V>, value: V) {
        entries.set(self, value);
    }
}

impl Key for StringName {
    const KEYS: &str = "names";

    fn read(key: &Variant) -> Option<Self> {
        // A literal may be "boat" as well as &"boat".
        let text = || key.try_to::<GString>().ok();
        let name = key.try_to().ok();
        name.or_else(|| text().map(|text| StringName::from(&text)))
    }

    fn put<V: Number>(self, entries: &mut Dictionary<Self, V>, value: V) {
        entries.set(&self, value);
    }
}

/// A dictionary by whole numbers, such as terrain ids.
pub type IntDictionary<V = i64> = NumberDictionary<i64, V>;

/// A dictionary by names.
pub type NameDictionary<V> = NumberDictionary<StringName, V>;

/// A dictionary whose keys should be of one type, and whose values should be numbers of one type. It is registered as
/// a typed dictionary.
///
/// It corresponds to [`ObjectArray`](crate::object_array::ObjectArray).
#[derive(Debug, Clone)]
pub struct NumberDictionary<K, V>(AnyDictionary, PhantomData<(K, V)>);

impl<K: Key, V: Number> NumberDictionary<K, V> {
    /// The dictionary as a typed one: itself if it is typed, otherwise a copy. If an entry has a wrong type, reports it
    /// in the name of `property` and returns `None`.
    pub fn checked(self, property: &str) -> Option<Self> {
        let entries = match self.0.try_cast_dictionary::<K, V>() {
            Ok(typed) => return Some(Self::from(typed)),
            Err(entries) => entries,
        };
        let mut typed = Dictionary::<K, V>::new();
        for (key, value) in entries.iter_shared() {
            let (Some(known), Some(number)) = (K::read(&key), V::read(&value)) else {
                let (numbers, keys) = (V::NUMBERS, K::KEYS);
                let reason = format_args!("must have {numbers} by {keys} only, not {key}: {value}");
                refuse(property, reason);
                return None;
            };
            known.put(&mut typed, number);
        }
        Some(Self::from(typed))
    }

    /// The entries of a checked dictionary.
    pub fn entries(&self) -> Dictionary<K, V> {
        let typed = self.0.clone().try_cast_dictionary();
        typed.unwrap_or_default()
    }
}

impl<K: Key, V: Number> From<Dictionary<K, V>> for NumberDictionary<K, V> {
    fn from(entries: Dictionary<K, V>) -> Self {
        Self(entries.upcast_any_dictionary(), PhantomData)
    }
}

impl<K: Key, V: Number> Default for NumberDictionary<K, V> {
    fn default() -> Self {
        Self::from(Dictionary::new())
    }
}

impl<K: Key, V: Number> GodotConvert for NumberDictionary<K, V> {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<K, V>::godot_shape()
    }
}

impl<K: Key, V: Number> ToGodot for NumberDictionary<K, V> {
    type Pass = ByValue;

    fn to_godot(&self) -> AnyDictionary {
        self.0.clone()
    }
}

impl<K: Key, V: Number> FromGodot for NumberDictionary<K, V> {
    fn try_from_godot(entries: AnyDictionary) -> Result<Self, ConvertError> {
        Ok(Self(entries, PhantomData))
    }
}

impl<K: Key, V: Number> Var for NumberDictionary<K, V> {
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

impl<K: Key, V: Number> Export for NumberDictionary<K, V> {}
