//! Every function that could change something is listed as an order or made as a query, including new ones.

use std::fs;
use std::path::{Path, PathBuf};

/// The public functions that may change a world or a swarm: all that take one by `&mut` and are not queries.
const ORDERS: &[&str] = &[
    "add_area",
    "add_body",
    "add_cost_overlay",
    "add_force_field",
    "add_link",
    "add_links",
    "add_user_ints",
    "apply_impulse",
    "apply_radial_impulse",
    "cancel_travel",
    "clear",
    "clear_goals",
    "clear_heights",
    "clear_cost_overlays",
    "clear_targets",
    "create_goal",
    "create_goal_of_kind",
    "close_tiles",
    "create_goal_with_costs",
    "create_goal_with_mode",
    "damage_circle",
    "damage_ray",
    "damage_segment",
    "damage_sphere",
    "despawn",
    "fade_cost_overlays",
    "form_up",
    "load",
    "load_in",
    "load_state",
    "load_heights",
    "load_tiles",
    "open_tiles",
    "move_area",
    "move_body",
    "move_cost_overlay",
    "move_goal",
    "move_goal_with_costs",
    "place_stamp",
    "place_stamps",
    "play_clips",
    "release_goal",
    "remove_area",
    "remove_body",
    "remove_cost_overlay",
    "remove_link",
    "replace_links",
    "remove_stamp",
    "remove_stamps",
    "outline",
    "report_crowding",
    "request_route",
    "request_routes",
    "require",
    "restore",
    "send",
    "send_in_formation",
    "spawn",
    "step",
    "stop_clips",
    "step_among",
    "update",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The names of a source's public functions that take `self`, a world or a swarm by `&mut`. No others can change one,
/// because worlds and swarms have no interior mutability.
fn mutable_functions(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let starts = text
        .match_indices("pub fn ")
        .map(|(at, found)| at + found.len());
    let signature = |from: usize| text[from..].split('{').next().unwrap_or_default();
    let takes = |&from: &usize| {
        let mutable = ["&mut self", "&mut FlowWorld", "&mut Swarm"];
        mutable.iter().any(|taken| signature(from).contains(taken))
    };
    let name = |from| signature(from).split(['(', '<']).next().unwrap_or_default();
    starts.filter(takes).map(name).collect()
}

#[test]
fn every_function_that_could_change_something_is_an_order_or_asked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let asked = fs::read_to_string(root.join("tests/pure_queries/queries.rs")).expect("readable");
    let mut paths = Vec::new();
    for folder in ["src/world", "src/swarm"] {
        sources(&root.join(folder), &mut paths);
    }
    let mut found = 0;
    let mut forgotten = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("readable");
        for name in mutable_functions(&text) {
            found += 1;
            let is_order = ORDERS.contains(&name) || name.starts_with("set_");
            let is_asked = asked.contains(&format!(".{name}("));
            assert!(!(is_order && is_asked), "{name} is an order, and asked");
            if !is_order && !is_asked {
                forgotten.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(found > 80, "only {found} functions found");
    assert!(
        forgotten.is_empty(),
        "neither order nor asked: {forgotten:#?}"
    );
}
