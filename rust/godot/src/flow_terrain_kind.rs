//! The `FlowTerrainKind` resource.

use crate::convert::f32_from;
use crate::number_dictionary::NameDictionary;
use crate::painted::terrain_id;
use crate::report::{OrRefuse, within};
use crate::resources::{Revised, announce_change};
use flow_swarm::error::in_range;
use flow_swarm::movement::SPEED_FACTORS;
use godot::classes::Resource;
use godot::prelude::*;

/// A kind of terrain, such as road, swamp or water: what its terrain id looks like in the editor, and what it costs.
///
/// Its name is Resource.resource_name. It belongs into FlowTerrainSet.kinds.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowTerrainKind {
    /// The terrain id, 0 to 255, that is painted. Each kind of a set has an id of its own.
    #[export(range = (0.0, 255.0))]
    #[var(set)]
    #[init(val = 1)]
    id: i64,
    /// The colour in the editor's palette and over painted cells. Cells of a transparent colour are not coloured.
    #[export]
    #[var(set)]
    #[init(val = Color::from_rgba(0.6, 0.6, 0.6, 1.0))]
    color: Color,
    /// The cost of a cell, 1 to 254, or 255 for a wall: see FlowMovementType.cost_table. It holds for all movement types that have no entry in costs.
    #[export(range = (1.0, 255.0))]
    #[var(set)]
    #[init(val = 1)]
    cost: i64,
    /// The factor of agents' speed, 0.1 to 4: see FlowMovementType.speed_factors. With 0 the speed follows from the cost, or is that of the movement type. It holds for all movement types that have no entry in speeds.
    #[export(range = (0.0, 4.0))]
    #[var(set)]
    speed: f64,
    /// Costs for single movement types, by the Resource.resource_name of the FlowMovementType: `{"boat": 1}`.
    #[export]
    #[var(get, set)]
    costs: NameDictionary<i64>,
    /// Speed factors for single movement types, as speed has them, by the Resource.resource_name of the FlowMovementType.
    #[export]
    #[var(get, set)]
    speeds: NameDictionary<f64>,
    /// The number of changes so far, for managers that use this resource.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl FlowTerrainKind {
    #[func]
    fn set_id(&mut self, id: i64) {
        if terrain_id("FlowTerrainKind.id", id).is_some() {
            self.id = id;
            self.touch();
        }
    }

    #[func]
    fn set_color(&mut self, color: Color) {
        self.color = color;
        self.touch();
    }

    #[func]
    fn set_cost(&mut self, cost: i64) {
        if checked_cost(cost)
            .or_refuse("FlowTerrainKind.cost")
            .is_some()
        {
            self.cost = cost;
            self.touch();
        }
    }

    #[func]
    fn set_speed(&mut self, speed: f64) {
        let checked = checked_speed(speed);
        if checked.or_refuse("FlowTerrainKind.speed").is_some() {
            self.speed = speed;
            self.touch();
        }
    }

    #[func]
    fn get_costs(&self) -> NameDictionary<i64> {
        self.costs.clone()
    }

    #[func]
    fn set_costs(&mut self, costs: NameDictionary<i64>) {
        const PROPERTY: &str = "FlowTerrainKind.costs";
        let Some(costs) = costs.checked(PROPERTY) else {
            return;
        };
        for (name, cost) in costs.entries().iter_shared() {
            let checked = checked_cost(cost).map_err(|error| format!("{name} {error}"));
            if checked.or_refuse(PROPERTY).is_none() {
                return;
            }
        }
        self.costs = costs;
        self.touch();
    }

    #[func]
    fn get_speeds(&self) -> NameDictionary<f64> {
        self.speeds.clone()
    }

    #[func]
    fn set_speeds(&mut self, speeds: NameDictionary<f64>) {
        const PROPERTY: &str = "FlowTerrainKind.speeds";
        let Some(speeds) = speeds.checked(PROPERTY) else {
            return;
        };
        for (name, speed) in speeds.entries().iter_shared() {
            let checked = checked_speed(speed).map_err(|error| format!("{name}: {error}"));
            if checked.or_refuse(PROPERTY).is_none() {
                return;
            }
        }
        self.speeds = speeds;
        self.touch();
    }

    fn touch(&mut self) {
        self.revision += 1;
        announce_change(self.base_mut());
    }

    /// A kind as a preset has it.
    pub fn preset(name: &str, id: i64, color: Color, cost: i64, speed: f64) -> Gd<Self> {
        let mut kind = Gd::from_init_fn(|base| Self {
            id,
            color,
            cost,
            speed,
            costs: NameDictionary::default(),
            speeds: NameDictionary::default(),
            revision: 0,
            base,
        });
        kind.set_name(name);
        kind
    }

    /// The terrain id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// What the kind is for the movement type with a name.
    pub fn rule(&self, movement_type: &StringName) -> TerrainRule {
        // A script may have put any value into the dictionaries since they were checked.
        let cost = self.costs.entries().get(movement_type);
        let cost = cost.and_then(|cost| checked_cost(cost).ok());
        let speed = self.speeds.entries().get(movement_type);
        let speed = speed.and_then(|speed| checked_speed(speed).ok());
        let speed = speed.unwrap_or_else(|| f32_from(self.speed));
        TerrainRule {
            id: u8::try_from(self.id).unwrap_or_default(),
            cost: cost.unwrap_or_else(|| u8::try_from(self.cost).unwrap_or(u8::MAX)),
            speed: (speed > 0.0).then_some(speed),
        }
    }

    /// The names of movement types in `costs` and `speeds`.
    pub fn named_types(&self) -> Vec<StringName> {
        let costs = self.costs.entries();
        let speeds = self.speeds.entries();
        let names = costs.keys_shared().chain(speeds.keys_shared());
        names.collect()
    }
}

/// What a terrain id costs a movement type.
pub struct TerrainRule {
    pub id: u8,
    pub cost: u8,
    /// The factor of the speed; without one, that of the movement type.
    pub speed: Option<f32>,
}

fn checked_cost(cost: i64) -> Result<u8, String> {
    within(1..=255, cost)
}

/// A factor, or 0 for none.
fn checked_speed(speed: f64) -> Result<f32, flow_swarm::Error> {
    let speed = f32_from(speed);
    if speed == 0.0 {
        return Ok(speed);
    }
    in_range("speed", speed, SPEED_FACTORS.0, SPEED_FACTORS.1)
}

impl Revised for FlowTerrainKind {
    fn revision(&self) -> u64 {
        self.revision
    }
}
