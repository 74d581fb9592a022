//! Dictionaries of whole numbers as scripts pass them: typed ones, and untyped literals.

use crate::report::refuse;
use godot::builtin::AnyDictionary;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::prelude::*;
use godot::register::property::{Export, Var};

/// A dictionary whose keys and values should be whole numbers; registered as a typed one.
///
/// The same as [`ObjectArray`](crate::object_array::ObjectArray) is among arrays.
#[derive(Debug, Clone)]
pub struct IntDictionary(AnyDictionary);

impl IntDictionary {
    /// The dictionary with its type: itself if it has one, else a copy; after a report in the name of `property` `None` if an
    /// entry is something else.
    pub fn checked(self, property: &str) -> Option<Self> {
        let entries = match self.0.try_cast_dictionary::<i64, i64>() {
            Ok(typed) => return Some(Self::from(typed)),
            Err(entries) => entries,
        };
        let mut typed = Dictionary::<i64, i64>::new();
        for (key, value) in entries.iter_shared() {
            let (Ok(known), Ok(number)) = (key.try_to::<i64>(), value.try_to::<i64>()) else {
                let reason = format_args!("must have whole numbers only, not {key}: {value}");
                refuse(property, reason);
                return None;
            };
            typed.set(known, number);
        }
        Some(Self::from(typed))
    }

    /// The entries of a checked dictionary.
    pub fn entries(&self) -> Dictionary<i64, i64> {
        let typed = self.0.clone().try_cast_dictionary();
        typed.unwrap_or_default()
    }
}

impl From<Dictionary<i64, i64>> for IntDictionary {
    fn from(entries: Dictionary<i64, i64>) -> Self {
        Self(entries.upcast_any_dictionary())
    }
}

impl Default for IntDictionary {
    fn default() -> Self {
        Self::from(Dictionary::new())
    }
}

impl GodotConvert for IntDictionary {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<i64, i64>::godot_shape()
    }
}

impl ToGodot for IntDictionary {
    type Pass = ByValue;

    fn to_godot(&self) -> AnyDictionary {
        self.0.clone()
    }
}

impl FromGodot for IntDictionary {
    fn try_from_godot(entries: AnyDictionary) -> Result<Self, ConvertError> {
        Ok(Self(entries))
    }
}

impl Var for IntDictionary {
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

impl Export for IntDictionary {}
