//! The `FlowTerrainSet` resource.

use crate::flow_terrain_kind::{FlowTerrainKind, TerrainRule};
use crate::object_array::ObjectArray;
use crate::resources::{self, Revised, announce_change};
use godot::classes::Resource;
use godot::prelude::*;
use std::collections::BTreeSet;

/// The kinds of terrain of a game: names, colours, costs and speeds of terrain ids.
///
/// Assign it to FlowFieldManager.terrain_set. Then the terrain ids that it has cost what it says, for all movement types of the manager, and the editor's painter shows its names and colours. All other ids cost what the FlowMovementType says. Several managers may share a set.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowTerrainSet {
    /// The kinds of terrain, in the order in which the editor's palette shows them. If two have the same id, the first one counts.
    #[export]
    #[var(get, set)]
    kinds: ObjectArray<FlowTerrainKind>,
    /// The number of times that other kinds were set, for managers that use this resource.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl FlowTerrainSet {
    #[func]
    fn get_kinds(&self) -> ObjectArray<FlowTerrainKind> {
        self.kinds.shared()
    }

    #[func]
    fn set_kinds(&mut self, kinds: ObjectArray<FlowTerrainKind>) {
        if let Some(kinds) = kinds.checked("FlowTerrainSet.kinds", "") {
            self.kinds = kinds;
            self.revision += 1;
            announce_change(self.base_mut());
        }
    }

    /// Returns a new set with ground (id 1), road (2), swamp (3), water (4) and wall (255). Ground costs 2 and a road 1, so paths prefer roads; agents are a quarter faster on them. Swamp costs 8, and agents are slower there. Water and walls cannot be entered.
    #[func]
    fn create_basic() -> Gd<FlowTerrainSet> {
        let kinds = [
            FlowTerrainKind::preset("Ground", 1, Color::TRANSPARENT_BLACK, 2, 1.0),
            FlowTerrainKind::preset("Road", 2, Color::from_rgba8(217, 179, 107, 255), 1, 1.25),
            FlowTerrainKind::preset("Swamp", 3, Color::from_rgba8(110, 139, 61, 255), 8, 0.4),
            FlowTerrainKind::preset("Water", 4, Color::from_rgba8(61, 126, 207, 255), 255, 0.0),
            FlowTerrainKind::preset("Wall", 255, Color::from_rgba8(184, 64, 56, 255), 255, 0.0),
        ];
        let kinds: Array<Option<Gd<FlowTerrainKind>>> = kinds.into_iter().map(Some).collect();
        let mut set = FlowTerrainSet::new_gd();
        set.bind_mut().kinds = ObjectArray::from(kinds);
        set
    }

    /// Returns the kind with a terrain id, or `null` if there is none.
    #[func]
    fn get_kind(&mut self, id: i64) -> Option<Gd<FlowTerrainKind>> {
        let mut kinds = self.kinds();
        kinds.find(|kind| resources::with(kind, FlowTerrainKind::id) == id)
    }

    /// Returns what is wrong with the set, a sentence for each mistake: ids that two kinds have, and empty entries. Empty if there is nothing wrong.
    #[func]
    fn get_setup_warnings(&mut self) -> PackedStringArray {
        self.warnings().iter().map(GString::from).collect()
    }

    /// What is wrong with the set, a sentence for each mistake.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut known = BTreeSet::new();
        for (index, kind) in self.kinds.objects().iter_shared().enumerate() {
            let Some(kind) = kind else {
                warnings.push(format!("kinds[{index}] of the terrain set is empty."));
                continue;
            };
            let id = resources::with(&kind, FlowTerrainKind::id);
            if !known.insert(id) {
                warnings.push(format!(
                    "kinds[{index}] of the terrain set has the id {id} of an earlier kind, which counts."
                ));
            }
        }
        warnings
    }

    /// What the ids of the set are for the movement type with a name; each id once.
    pub fn rules(&self, movement_type: &StringName) -> Vec<TerrainRule> {
        let mut known = BTreeSet::new();
        self.kinds()
            .map(|kind| resources::with(&kind, |kind| kind.rule(movement_type)))
            .filter(|rule| known.insert(rule.id))
            .collect()
    }

    /// The names of movement types that costs or speeds are given for.
    pub fn named_types(&self) -> BTreeSet<String> {
        let names = self
            .kinds()
            .flat_map(|kind| resources::with(&kind, FlowTerrainKind::named_types));
        names.map(|name| name.to_string()).collect()
    }

    /// The array of kinds, to detect changes.
    pub fn entries(&self) -> Array<Option<Gd<FlowTerrainKind>>> {
        self.kinds.objects()
    }

    fn kinds(&self) -> impl Iterator<Item = Gd<FlowTerrainKind>> {
        let kinds = self.kinds.objects();
        let count = kinds.len();
        (0..count).filter_map(move |index| kinds.get(index).flatten())
    }
}

impl Revised for FlowTerrainSet {
    fn revision(&self) -> u64 {
        self.revision
    }
}
