//! Properties that a class only passes to the core.

use crate::report::refuse;
use std::error::Error;

/// The result of passing values to the core, or the reason why it refuses one.
pub type HandedOver<T = ()> = Result<T, Box<dyn Error>>;

/// A class whose properties have a form in the core.
pub trait Properties {
    /// Whether the core accepts all of them.
    fn check(&self) -> HandedOver;

    /// Called after a change.
    fn changed(&mut self) {}
}

/// Stores the new value of a property. If the core refuses it, reports that and restores the old value.
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

/// Defines a class. A property that is only passed to the core is one entry: its help, range and default, then after
/// `=>` its setter, for an enum also its getter, and the assignment or call that passes its value to the core, which
/// refers to the value by the property's name.
///
/// Setters must be in the class's first block, so the macro also takes that block, with the setters of all other
/// properties.
macro_rules! properties {
    (
        $core:ident: $form:ty;

        $(#[$($class:tt)*])*
        pub struct $name:ident {
            $(
                $(#[$($meta:tt)*])* $property:ident: $type:ty,
                $(=> $setter:ident $(, $getter:ident)?: $hand_over:expr;)?
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
            $($(#[$($meta)*])* $(#[var(set = $setter $(, get = $getter)?)])? $property: $type,)*
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

                $(
                    #[func]
                    fn $getter(&self) -> $type {
                        self.$property
                    }
                )?
            )?)*
        }

        impl $name {
            /// Passes the properties to the core, in the order of the entries.
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
