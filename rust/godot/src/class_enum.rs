//! Enums of the Godot classes, with names and types that scripts and the editor know.
//!
//! gdext registers a class's constants as plain integers. Here they belong to an enum, and arguments, results and
//! properties can have its type. A script may still pass any integer: the setter or method that takes one checks it
//! with [`ClassEnum::index`] or its like, so that the error names what was called.

use godot::meta::shape::{EnumeratorShape, GodotShape};
use godot::obj::GodotClass;
use godot::prelude::*;
use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};

/// A number that should be a value of an enum of a Godot class.
pub trait ClassEnum: Copy + 'static {
    /// The name of the enum.
    const NAME: &str;
    /// The name of the enum with that of its class.
    const FULL_NAME: &str;
    /// The names of the values, with their numbers.
    const VALUES: &[(&str, i64)];
    /// Deprecated names of values. They are constants of the class and belong to no enum.
    const OLD_NAMES: &[(&str, i64)];

    /// The number, which may be that of no value.
    fn number(self) -> i64;

    /// Which of the values it is. For another number the error tells what it must be.
    fn index(self) -> Result<usize, String> {
        let number = self.number();
        let index = Self::VALUES.iter().position(|value| value.1 == number);
        index.ok_or_else(|| format!("must be {}, not {number}", listed(Self::VALUES)))
    }

    /// [`Self::index`] for an argument, which the error names.
    fn index_for(self, argument: &str) -> Result<usize, String> {
        let index = self.index();
        index.map_err(|reason| format!("{argument} {reason}"))
    }

    /// The entry of `all` for this value: `all` has one for each, in their order.
    fn pick<T: Copy>(self, all: &[T]) -> Result<T, String> {
        Ok(all[self.index()?])
    }
}

/// The values in words: "A (0), B (1) or C (2)".
fn listed(values: &[(&str, i64)]) -> String {
    let mut list = String::new();
    for (index, (name, number)) in values.iter().enumerate() {
        let joint = match index {
            0 => "",
            last if last + 1 == values.len() => " or ",
            _ => ", ",
        };
        list.push_str(&format!("{joint}{name} ({number})"));
    }
    list
}

/// What the engine is told of arguments, results and properties of an enum.
pub fn shape<E: ClassEnum>() -> GodotShape {
    let values = E::VALUES.iter().map(|&(name, number)| EnumeratorShape {
        name: shown(name, E::VALUES).into(),
        value: Some(number),
    });
    GodotShape::Enum {
        variant_type: VariantType::INT,
        enumerators: values.collect(),
        godot_name: Some(E::FULL_NAME.into()),
        is_bitfield: false,
    }
}

/// The name of a value in the inspector: without the prefix that all values share, in words.
fn shown(name: &str, values: &[(&str, i64)]) -> String {
    let shared = |prefix: &str| values.iter().all(|(other, _)| other.starts_with(prefix));
    let ends = name.match_indices('_').map(|(index, _)| index + 1);
    let prefix = ends.take_while(|&end| shared(&name[..end])).last();
    let words = name[prefix.unwrap_or(0)..].split('_');
    let capitalised = words.map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_owned() + &rest.to_lowercase()
    });
    capitalised.collect::<Vec<_>>().join(" ")
}

/// Registers the values of an enum, and their old names, as constants of its class. It is called after the class has
/// been registered.
pub fn register<C: GodotClass, E: ClassEnum>() {
    let constant = |&(name, number): &(&str, i64)| IntegerConstant::new(name, number);
    let values = ConstantKind::Enum {
        name: E::NAME.into(),
        enumerators: E::VALUES.iter().map(constant).collect(),
    };
    ExportConstant::new(C::class_id(), values).register();
    for old in E::OLD_NAMES {
        let old = ConstantKind::Integer(constant(old));
        ExportConstant::new(C::class_id(), old).register();
    }
}

/// Defines the enums of a class. Each becomes a type with a constant for every value; `(was NAME)` keeps a deprecated
/// name. The function `register_enums` registers all of them.
macro_rules! class_enums {
    (
        $class:ident;
        $(
            $(#[doc = $about:literal])*
            enum $name:ident {
                $($(#[doc = $docs:literal])* $value:ident = $number:literal $((was $old:ident))?,)+
            }
        )+
    ) => {
        /// Registers the enums of the class.
        pub fn register_enums() {
            $($crate::class_enum::register::<$class, $name>();)+
        }

        $(
            $(#[doc = $about])*
            #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
            pub struct $name(pub i64);

            #[allow(dead_code, reason = "some values are for scripts alone")]
            impl $name {
                $($(#[doc = $docs])* pub const $value: Self = Self($number);)+
            }

            impl $crate::class_enum::ClassEnum for $name {
                const NAME: &str = stringify!($name);
                const FULL_NAME: &str = concat!(stringify!($class), ".", stringify!($name));
                const VALUES: &[(&str, i64)] = &[$((stringify!($value), $number)),+];
                const OLD_NAMES: &[(&str, i64)] = &[$($((stringify!($old), $number),)?)+];

                fn number(self) -> i64 {
                    self.0
                }
            }

            impl ::godot::meta::GodotConvert for $name {
                type Via = i64;

                fn godot_shape() -> ::godot::meta::shape::GodotShape {
                    $crate::class_enum::shape::<Self>()
                }
            }

            impl ::godot::meta::ToGodot for $name {
                type Pass = ::godot::meta::conv::ByValue;

                fn to_godot(&self) -> i64 {
                    self.0
                }
            }

            impl ::godot::meta::FromGodot for $name {
                fn try_from_godot(
                    number: i64,
                ) -> Result<Self, ::godot::meta::error::ConvertError> {
                    Ok(Self(number))
                }
            }

            impl ::godot::register::property::SimpleVar for $name {}
            impl ::godot::register::property::Export for $name {}

            #[allow(
                unsafe_code,
                reason = "gdext offers no safe way to give a parameter of another type a default"
            )]
            // SAFETY: the type is Copy.
            unsafe impl ::godot::meta::GodotImmutable for $name {}
        )+
    };
}

pub(crate) use class_enums;
