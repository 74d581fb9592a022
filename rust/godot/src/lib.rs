//! Flow Swarm as a Godot 4 extension. This is the only crate that uses the engine.
//!
//! Classes have properties and short methods. All computation is in `flow_swarm`.
//!
//! Read `field_manager` (the world as a node) and `enemy_swarm` (a crowd as a node) first. `flow_movement_type`,
//! `flow_stamp`, `flow_terrain`, `flow_terrain_set` with `flow_terrain_kind`, and `swarm_agent_type`, with `swarm_look`
//! and `swarm_clips`, are the resources of their properties, `swarm_query` that of queries. `source_geometry` collects
//! shapes for baking. The other files are helpers: `class_enum` (enums of the classes), `convert` (types), `report`
//! (errors), `number_dictionary` and `object_array` (arguments of scripts), `addon` (where the addon lies), `monitors`
//! (what the debugger shows), `resources` (edited resources), `deferred`, `painted` and `surroundings`.
//!
//! - The pool's workers get core data and slices of buffers. Of Godot they use only files.
//! - Godot may call from any thread: a call waits until the object is free.
//! - No signal is emitted, and no script is called, while an object or lock is held.

mod addon;
mod class_enum;
mod convert;
mod deferred;
mod enemy_swarm;
mod field_manager;
mod flow_movement_type;
mod flow_stamp;
mod flow_terrain;
mod flow_terrain_kind;
mod flow_terrain_set;
mod monitors;
mod number_dictionary;
mod object_array;
mod painted;
mod properties;
mod report;
mod resources;
mod source_geometry;
mod surroundings;
mod swarm_agent_type;
mod swarm_clips;
mod swarm_look;
mod swarm_query;

struct FlowSwarmExtension;

fn register_enums() {
    enemy_swarm::enums::register_enums();
    field_manager::enums::register_enums();
    source_geometry::register_enums();
    swarm_agent_type::register_enums();
    swarm_query::register_enums();
}

#[allow(
    unsafe_code,
    reason = "the engine loads the library through this entry point, whose contract gdext upholds"
)]
mod entry {
    use super::FlowSwarmExtension;
    use godot::init::InitStage;
    use godot::prelude::*;
    use godot::sys;
    use std::ffi::c_char;

    /// The texts of the editor's help for the classes.
    const HELP: &str = include_str!("editor_help.xml");

    // SAFETY: nothing of the library is used once it is unloaded: worker threads belong to nodes,
    // which are gone by then, and are joined with them.
    #[gdextension(entry_symbol = flow_swarm_init)]
    unsafe impl ExtensionLibrary for FlowSwarmExtension {
        fn on_stage_init(stage: InitStage) {
            // At this stage gdext has just registered the classes, also after a reload.
            if stage == InitStage::Scene {
                crate::register_enums();
            }
            // Only the editor reaches this stage.
            if stage == InitStage::Editor {
                let load = sys::interface_fn!(editor_help_load_xml_from_utf8_chars_and_len);
                // SAFETY: the engine reads as many bytes as there are, and keeps none of them.
                unsafe { load(HELP.as_ptr().cast::<c_char>(), HELP.len() as i64) };
            }
        }
    }
}
