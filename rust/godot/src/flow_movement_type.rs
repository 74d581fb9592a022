//! The `FlowMovementType` resource.

use crate::convert::f32_from;
use crate::int_dictionary::IntDictionary;
use crate::report::{OrRefuse, refuse};
use crate::resources::{Revised, announce_change};
use flow_swarm::error::{Result, in_range};
use flow_swarm::movement::{CrowdPenalty, MovementType, TerrainSpeed, WallPenalty};
use godot::classes::Resource;
use godot::prelude::*;

/// How one kind of agent sees the terrain: what each terrain id costs, how fast agents are on it, how much it shuns walls, and how much room it needs.
///
/// A cost of 1 is clear ground, 255 is a wall, and 2 to 254 is ground that a path leads across only if there is no path of less cost in all. Agents are slower there by as much, down to a tenth of their speed, unless cost_slows is off or speed_factors says otherwise.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowMovementType {
    /// The cost of each terrain id: 256 entries of 1 to 255. Empty means that the id is the cost (and id 0 is clear ground).
    #[export]
    #[var(get, set)]
    cost_table: PackedByteArray,
    /// Whether agents are as slow as the terrain costs: on ground of cost 5 at a fifth of their speed, never below a tenth. Wall penalty and crowd penalty slow nothing. Off, agents keep their speed on all terrain but that of speed_factors.
    #[export]
    #[var(set)]
    #[init(val = true)]
    cost_slows: bool,
    /// By what the speed of agents is multiplied on terrain ids, 0 to 255, whatever these cost: 0.1 to 4. A factor above 1 is a road; paths prefer it only if it costs less than the ground beside it.
    #[export]
    #[var(get, set)]
    speed_factors: IntDictionary<f64>,
    /// Added to the cost of cells near walls, so that paths keep their distance; the sum stops at 254, so no corridor is ever closed. 0 switches it off; 20 with radius 1 is a common choice.
    #[export(range = (0.0, 253.0))]
    #[var(set)]
    wall_penalty: i64,
    /// How far from a wall the penalty reaches, in cells; the eight neighbours of a wall are at distance 1.
    #[export(range = (0.0, 32.0))]
    #[var(set)]
    #[init(val = 1)]
    wall_penalty_radius: i64,
    /// Whether the penalty fades with distance instead of being the same up to the radius.
    #[export]
    #[var(set)]
    wall_penalty_falloff: bool,
    /// Added to the cost of cells that are full of agents that stand or hardly move, less where it is less crowded: paths lead around standing crowds and spread over several doors. It is measured four times a second and fades as EnemySwarm.crowd_fading says; the sum stops at 254, so no way is ever closed. 0 switches it off; 5 to 20 are common choices.
    #[export(range = (0.0, 253.0))]
    #[var(set)]
    crowd_penalty: i64,
    /// Radius in world units of the largest agent of this type: no gap that it does not fit through is part of a way. Up to half a cell it changes nothing, and 16 cells are the most. Agents are led from cell centre to cell centre, so a gap an even number of cells wide counts as one cell less.
    #[export(range = (0.0, 256.0, or_greater))]
    #[var(set)]
    clearance_radius: f64,
    /// Counts the changes, for managers that use this resource.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl FlowMovementType {
    #[func]
    fn get_cost_table(&self) -> PackedByteArray {
        self.cost_table.clone()
    }

    #[func]
    fn set_cost_table(&mut self, table: PackedByteArray) {
        if !table.is_empty()
            && MovementType::new(table.as_slice(), WallPenalty::default())
                .or_refuse("FlowMovementType.cost_table")
                .is_none()
        {
            return;
        }
        self.cost_table = table;
        self.touch();
    }

    #[func]
    fn set_cost_slows(&mut self, slows: bool) {
        self.cost_slows = slows;
        self.touch();
    }

    #[func]
    fn get_speed_factors(&self) -> IntDictionary<f64> {
        self.speed_factors.clone()
    }

    #[func]
    fn set_speed_factors(&mut self, factors: IntDictionary<f64>) {
        const PROPERTY: &str = "FlowMovementType.speed_factors";
        let Some(factors) = factors.checked(PROPERTY) else {
            return;
        };
        if terrain_speed(self.cost_slows, &factors)
            .or_refuse(PROPERTY)
            .is_some()
        {
            self.speed_factors = factors;
            self.touch();
        }
    }

    #[func]
    fn set_wall_penalty(&mut self, weight: i64) {
        let penalty = WallPenalty::new(weight, 0, false);
        if penalty.or_refuse("FlowMovementType.wall_penalty").is_some() {
            self.wall_penalty = weight;
            self.touch();
        }
    }

    #[func]
    fn set_wall_penalty_radius(&mut self, radius: i64) {
        let penalty = WallPenalty::new(0, radius, false);
        if penalty
            .or_refuse("FlowMovementType.wall_penalty_radius")
            .is_some()
        {
            self.wall_penalty_radius = radius;
            self.touch();
        }
    }

    #[func]
    fn set_wall_penalty_falloff(&mut self, falloff: bool) {
        self.wall_penalty_falloff = falloff;
        self.touch();
    }

    #[func]
    fn set_crowd_penalty(&mut self, weight: i64) {
        let penalty = CrowdPenalty::new(weight);
        if penalty
            .or_refuse("FlowMovementType.crowd_penalty")
            .is_some()
        {
            self.crowd_penalty = weight;
            self.touch();
        }
    }

    #[func]
    fn set_clearance_radius(&mut self, radius: f64) {
        let most = f32::MAX;
        let checked = in_range("clearance_radius", f32_from(radius), 0.0, most);
        if checked
            .or_refuse("FlowMovementType.clearance_radius")
            .is_some()
        {
            self.clearance_radius = radius;
            self.touch();
        }
    }

    /// The cost of a terrain id, without any wall penalty; -1 for an id outside 0 to 255, which is reported.
    #[func]
    fn get_cost(&mut self, terrain_id: i64) -> i64 {
        let Some(id) = crate::painted::terrain_id("FlowMovementType.get_cost", terrain_id) else {
            return -1;
        };
        i64::from(self.movement_type().cost_of(id))
    }

    /// Sets the cost, 1 to 255, of a terrain id.
    #[func]
    fn set_cost(&mut self, terrain_id: i64, cost: i64) -> godot::global::Error {
        const METHOD: &str = "FlowMovementType.set_cost";
        let Some(id) = crate::painted::terrain_id(METHOD, terrain_id) else {
            return godot::global::Error::ERR_INVALID_PARAMETER;
        };
        let cost = match u8::try_from(cost) {
            Ok(cost) if cost > 0 => cost,
            _ => {
                refuse(METHOD, format_args!("cost must be in 1..=255, not {cost}"));
                return godot::global::Error::ERR_INVALID_PARAMETER;
            }
        };
        if self.cost_table.is_empty() {
            let identity = MovementType::default();
            self.cost_table = (0..=u8::MAX).map(|id| identity.cost_of(id)).collect();
        }
        self.cost_table.as_mut_slice()[usize::from(id)] = cost;
        self.touch();
        godot::global::Error::OK
    }

    /// By what the speed of agents is multiplied on a terrain id; 0 for an id outside 0 to 255, which is reported.
    #[func]
    fn get_speed_factor(&mut self, terrain_id: i64) -> f64 {
        const METHOD: &str = "FlowMovementType.get_speed_factor";
        let Some(id) = crate::painted::terrain_id(METHOD, terrain_id) else {
            return 0.0;
        };
        f64::from(self.movement_type().speed_on(id))
    }

    /// Sets the speed factor, 0.1 to 4, of a terrain id in speed_factors.
    #[func]
    fn set_speed_factor(&mut self, terrain_id: i64, factor: f64) -> godot::global::Error {
        const METHOD: &str = "FlowMovementType.set_speed_factor";
        let checked = TerrainSpeed::default().with_factor(terrain_id, f32_from(factor));
        if checked.or_refuse(METHOD).is_none() {
            return godot::global::Error::ERR_INVALID_PARAMETER;
        }
        // A copy: scripts may hold the dictionary, and resources share theirs with duplicates.
        let mut factors = self.speed_factors.entries().duplicate_shallow();
        factors.set(terrain_id, factor);
        self.speed_factors = factors.into();
        self.touch();
        godot::global::Error::OK
    }

    fn touch(&mut self) {
        self.revision += 1;
        announce_change(self.base_mut());
    }

    /// The clearance radius in world units.
    pub fn clearance_radius(&self) -> f64 {
        self.clearance_radius
    }

    /// The core's form of this resource but for clearance, which depends on the cell size. The setters have let nothing in that it would refuse.
    pub fn movement_type(&self) -> MovementType {
        let penalty = WallPenalty::new(
            self.wall_penalty,
            self.wall_penalty_radius,
            self.wall_penalty_falloff,
        )
        .unwrap_or_default();
        MovementType::new(self.cost_table.as_slice(), penalty)
            .unwrap_or_else(|_| MovementType::with_wall_penalty(penalty))
            .with_crowd_penalty(CrowdPenalty::new(self.crowd_penalty).unwrap_or_default())
            .with_terrain_speed(&self.terrain_speed())
    }

    fn terrain_speed(&self) -> TerrainSpeed {
        // A script may have put anything into the dictionary since it was checked.
        terrain_speed(self.cost_slows, &self.speed_factors).unwrap_or_default()
    }
}

/// The core's form of the two properties.
fn terrain_speed(cost_slows: bool, factors: &IntDictionary<f64>) -> Result<TerrainSpeed> {
    let plain = if cost_slows {
        TerrainSpeed::default()
    } else {
        TerrainSpeed::even()
    };
    let factors = factors.entries();
    factors
        .iter_shared()
        .try_fold(plain, |speed, (id, factor)| {
            speed.with_factor(id, f32_from(factor))
        })
}

impl Revised for FlowMovementType {
    fn revision(&self) -> u64 {
        self.revision
    }
}
