//! Properties that a class only hands over to the core.

use crate::report::refuse;
use std::error::Error;

/// The outcome of handing values over to the core, or why it refuses one.
pub type HandedOver<T = ()> = Result<T, Box<dyn Error>>;

/// A class whose properties have a form in the core.
pub trait Properties {
    /// Whether the core takes all of them as they are.
    fn check(&self) -> HandedOver;

    /// Called after a change.
    fn changed(&mut self) {}
}

/// Stores the new value of a property; if the core refuses the outcome, reports that and puts the old value back.
pub fn change<C: Properties, T>(
    class: &mut C,
    property: &str,
    value: T,
    field: impl Fn(&mut C) -> &mut T,
) {
    let before = std::mem::replace(field(class), value);
    match class.check() {
        Ok(()) => class.changed(),
        Err(reason) => {
            *field(class) = before;
            refuse(property, reason);
        }
    }
}

/// Defines a class. A property that it only hands over to the core is one entry: its help, range and default, then after
/// `=>` its setter and the assignment or call that hands over its value, which is known there by the property's name.
///
/// Setters must be in the class's first block, so the macro takes that too, with the setters of all other properties.
macro_rules! properties {
    (
        $core:ident: $form:ty;

        $(#[$($class:tt)*])*
        pub struct $name:ident {
            $(
                $(#[$($meta:tt)*])* $property:ident: $type:ty,
                $(=> $setter:ident: $hand_over:expr;)?
            )*
            ..
            $($own:tt)*
        }

        impl $same:ident {
            $($api:tt)*
        }
    ) => {
        $(#[$($class)*])*
        pub struct $name {
            $($(#[$($meta)*])* $(#[var(set = $setter)])? $property: $type,)*
            $($own)*
        }

        #[godot_api]
        impl $same {
            $($api)*

            $($(
                #[func]
                fn $setter(&mut self, value: $type) {
                    let property = concat!(stringify!($name), ".", stringify!($property));
                    $crate::properties::change(self, property, value, |this| &mut this.$property);
                }
            )?)*
        }

        impl $name {
            /// Hands over to the core, in the order of the entries, what is only handed over.
            #[allow(clippy::clone_on_copy, reason = "some properties are arrays")]
            fn hand_over(&self, $core: &mut $form) -> $crate::properties::HandedOver {
                $($(
                    let $property = self.$property.clone();
                    $hand_over;
                )?)*
                Ok(())
            }
        }
    };
}

pub(crate) use properties;
