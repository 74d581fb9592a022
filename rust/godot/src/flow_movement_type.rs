//! The `FlowMovementType` resource.

use crate::convert::f32_from;
use crate::flow_terrain_kind::TerrainRule;
use crate::number_dictionary::IntDictionary;
use crate::report::{OrRefuse, refuse};
use crate::resources::{Revised, announce_change};
use flow_swarm::error::{Result, in_range};
use flow_swarm::movement::{CrowdPenalty, MovementType, SlopeSpeed, TerrainSpeed, WallPenalty};
use godot::classes::Resource;
use godot::prelude::*;

/// The properties of one kind of agents in relation to terrain: the cost of each terrain id, the speed on it, how much paths avoid walls and crowds, and how much room the agents need.
///
/// A cost of 1 is clear ground and 255 is a wall. Ground of cost 2 to 254 is crossed only if no other path costs less in total. On it agents are slower by the same factor, down to a tenth of their speed, unless cost_slows is `false` or speed_factors has another factor. Terrain ids that FlowFieldManager.terrain_set has cost what that set says; entries there find this type by its Resource.resource_name.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct FlowMovementType {
    /// The cost of each terrain id: 256 entries of 1 to 255. If empty, the id is the cost, and id 0 is clear ground.
    #[export]
    #[var(get, set)]
    cost_table: PackedByteArray,
    /// If `true`, the speed of agents is inverse to the cost of the terrain: on ground of cost 5 it is a fifth, and never below a tenth. Wall penalty and crowd penalty do not change the speed. If `false`, agents have the same speed on all terrain except that of speed_factors.
    #[export]
    #[var(set)]
    #[init(val = true)]
    cost_slows: bool,
    /// The factors of agents' speed by terrain id, 0 to 255, whatever the cost of that terrain: 0.1 to 4. A factor above 1 suits a road. Paths prefer the road only if it costs less than the ground beside it.
    #[export]
    #[var(get, set)]
    speed_factors: IntDictionary<f64>,
    /// The factor of agents' speed, 0.1 to 4, on ground that rises by 45 degrees in the direction in which they are heading. On gentler slopes the effect is smaller in proportion to the rise, on steeper ones it is the same. 1 is no effect. The factor is multiplied with that of the terrain; the product is from 0.1 to 4. Heights of the ground come from FlowFieldManager.set_heights() and the like. Costs of paths do not change.
    #[export(range = (0.1, 4.0))]
    #[var(set)]
    #[init(val = 1.0)]
    uphill_speed: f64,
    /// The factor of agents' speed, 0.1 to 4, on ground that falls by 45 degrees in the direction in which they are heading: see uphill_speed.
    #[export(range = (0.1, 4.0))]
    #[var(set)]
    #[init(val = 1.0)]
    downhill_speed: f64,
    /// The penalty that is added to the cost of cells near walls, 0 to 253, so that paths keep away from walls. The sum is at most 254, so no corridor is closed. 0 is no penalty; 20 with a radius of 1 is a common choice.
    #[export(range = (0.0, 253.0))]
    #[var(set)]
    wall_penalty: i64,
    /// The distance from a wall, in cells, up to which the penalty reaches, 0 to 32. The eight neighbours of a wall cell are at distance 1.
    #[export(range = (0.0, 32.0))]
    #[var(set)]
    #[init(val = 1)]
    wall_penalty_radius: i64,
    /// If `true`, the penalty falls linearly with the distance from the wall. If `false`, it is the same up to the radius.
    #[export]
    #[var(set)]
    wall_penalty_falloff: bool,
    /// The penalty that is added to the cost of cells which are full of agents that stand or hardly move, 0 to 253; less crowded cells get a part of it. Paths lead around standing crowds and spread over several doors. Crowds are measured four times a second, and the penalty fades within EnemySwarm.crowd_fading. The sum is at most 254, so no path is closed. 0 is no penalty; 5 to 20 are common choices.
    #[export(range = (0.0, 253.0))]
    #[var(set)]
    crowd_penalty: i64,
    /// The radius, in world units, of the largest agent of this type. No path leads through a gap in which it does not fit. A radius of up to half a cell changes nothing, and 16 cells are the maximum. Agents are led from cell centre to cell centre, so a gap of an even number of cells counts as one cell narrower.
    #[export(range = (0.0, 256.0, or_greater))]
    #[var(set)]
    clearance_radius: f64,
    /// The number of changes so far, for managers that use this resource.
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
    fn set_uphill_speed(&mut self, factor: f64) {
        let speed = SlopeSpeed::new(f32_from(factor), 1.0);
        if speed.or_refuse("FlowMovementType.uphill_speed").is_some() {
            self.uphill_speed = factor;
            self.touch();
        }
    }

    #[func]
    fn set_downhill_speed(&mut self, factor: f64) {
        let speed = SlopeSpeed::new(1.0, f32_from(factor));
        if speed.or_refuse("FlowMovementType.downhill_speed").is_some() {
            self.downhill_speed = factor;
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

    /// Returns the cost of a terrain id, without wall and crowd penalties. If the id is not in 0 to 255, reports an error and returns -1.
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
                refuse(
                    METHOD,
                    format_args!("cost must be from 1 to 255, not {cost}"),
                );
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

    /// Returns the factor of agents' speed on a terrain id. If the id is not in 0 to 255, reports an error and returns 0.
    #[func]
    fn get_speed_factor(&mut self, terrain_id: i64) -> f64 {
        const METHOD: &str = "FlowMovementType.get_speed_factor";
        let Some(id) = crate::painted::terrain_id(METHOD, terrain_id) else {
            return 0.0;
        };
        f64::from(self.movement_type().speed_on(id))
    }

    /// Sets the factor of agents' speed, 0.1 to 4, on a terrain id in speed_factors.
    #[func]
    fn set_speed_factor(&mut self, terrain_id: i64, factor: f64) -> godot::global::Error {
        const METHOD: &str = "FlowMovementType.set_speed_factor";
        let checked = TerrainSpeed::default().with_factor(terrain_id, f32_from(factor));
        if checked.or_refuse(METHOD).is_none() {
            return godot::global::Error::ERR_INVALID_PARAMETER;
        }
        // A copy, as scripts may hold the dictionary, and resources share it with their duplicates.
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

    /// The core's form of this resource, without clearance, which depends on the cell size, and without a terrain set.
    /// The setters refuse all values that the core refuses.
    fn movement_type(&self) -> MovementType {
        self.movement_type_on(&[])
    }

    /// The core's form of this resource on terrain of a set, whose rules come before its own costs and speeds.
    pub fn movement_type_on(&self, rules: &[TerrainRule]) -> MovementType {
        let penalty = WallPenalty::new(
            self.wall_penalty,
            self.wall_penalty_radius,
            self.wall_penalty_falloff,
        )
        .unwrap_or_default();
        let own = MovementType::new(self.cost_table.as_slice(), penalty)
            .unwrap_or_else(|_| MovementType::with_wall_penalty(penalty));
        let plain = if rules.is_empty() {
            own
        } else {
            MovementType::new(&ruled_costs(&own, rules), penalty).unwrap_or(own)
        };
        plain
            .with_crowd_penalty(CrowdPenalty::new(self.crowd_penalty).unwrap_or_default())
            .with_terrain_speed(&ruled_speed(self.terrain_speed(), rules))
            .with_slope_speed(self.slope_speed())
    }

    fn slope_speed(&self) -> SlopeSpeed {
        let (uphill, downhill) = (f32_from(self.uphill_speed), f32_from(self.downhill_speed));
        SlopeSpeed::new(uphill, downhill).unwrap_or_default()
    }

    fn terrain_speed(&self) -> TerrainSpeed {
        // A script may have put any value into the dictionary since it was checked.
        terrain_speed(self.cost_slows, &self.speed_factors).unwrap_or_default()
    }
}

/// The movement type of agents for which no resource says more than a terrain set does.
pub fn default_movement_type(rules: &[TerrainRule]) -> MovementType {
    let own = MovementType::default();
    if rules.is_empty() {
        return own;
    }
    let costs = ruled_costs(&own, rules);
    MovementType::new(&costs, WallPenalty::default())
        .unwrap_or(own)
        .with_terrain_speed(&ruled_speed(TerrainSpeed::default(), rules))
}

/// The costs of all terrain ids, with those of a terrain set.
fn ruled_costs(own: &MovementType, rules: &[TerrainRule]) -> Vec<u8> {
    let mut costs: Vec<u8> = (0..=u8::MAX).map(|id| own.cost_of(id)).collect();
    for rule in rules {
        costs[usize::from(rule.id)] = rule.cost;
    }
    costs
}

/// The speeds on all terrain ids, with those of a terrain set.
fn ruled_speed(own: TerrainSpeed, rules: &[TerrainRule]) -> TerrainSpeed {
    rules.iter().fold(own, |speed, rule| match rule.speed {
        Some(factor) => {
            let ruled = speed.clone().with_factor(i64::from(rule.id), factor);
            ruled.unwrap_or(speed)
        }
        None => speed,
    })
}

/// The core's form of `cost_slows` and `speed_factors`.
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
