//! The `SwarmQuery` resource.

use crate::class_enum::{ClassEnum as _, class_enums};
use crate::convert::ids;
use crate::properties::{HandedOver, Properties, properties};
use crate::report::within;
use crate::resources::{announce_change, with};
use flow_swarm::swarm::{AgentQuery, QueryOrder, USER_COLUMNS};
use godot::classes::Resource;
use godot::meta::GodotImmutable;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::prelude::*;
use std::ops::RangeInclusive;

properties! {
core: AgentQuery;

/// Which agents a query of EnemySwarm finds, in which order, and how many.
///
/// An agent is found if it meets all conditions. A new SwarmQuery has none: it finds all agents, as a query without one does. The same SwarmQuery can be used for any number of queries and swarms.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmQuery {
    /// The groups, 0 to 255, whose agents are found. Empty for all.
    #[export]
    groups: PackedInt32Array,
    => set_groups: if !groups.is_empty() {
        refine(core, |core| core.in_groups(&wide(&groups)))?;
    };
    /// The types whose agents are found, as indices of EnemySwarm.agent_types. Empty for all.
    #[export]
    types: PackedInt32Array,
    => set_types: if !types.is_empty() {
        refine(core, |core| core.of_types(&wide(&types)))?;
    };
    /// The collision layers whose agents are found: those whose type has one of these bits in SwarmAgentType.collision_layer. With all bits, the default, agents without a layer are found too. It must not be 0.
    #[export(flags_2d_physics)]
    #[init(val = u32::MAX.into())]
    collision_mask: i64,
    => set_collision_mask: {
        let mask = within(1..=u32::MAX.into(), collision_mask)?;
        refine(core, |core| core.on_collision_layers(mask))?;
    };
    /// The ids of agents that are not found, such as that of the agent that asks. Ids of agents that no longer exist are allowed.
    #[export]
    excluded: PackedInt64Array,
    => set_excluded: refine(core, |core| Ok(core.without(&ids(&excluded))))?;
    /// A column of EnemySwarm.set_user_ints(), 0 to 3: only agents whose number in it is in int_range are found. -1 for no such condition.
    #[export_group(name = "Numbers")]
    #[export(range = (-1.0, 3.0))]
    #[init(val = -1)]
    int_column: i64,
    => set_int_column: check_column(int_column)?;
    /// The least and the greatest number in int_column that are found.
    #[export]
    #[init(val = Vector2i::new(i32::MIN, i32::MAX))]
    int_range: Vector2i,
    => set_int_range: AgentQuery::default().with_ints(0, ints_in(int_range))?;
    /// A column of EnemySwarm.set_user_floats(), 0 to 3: only agents whose number in it is in float_range are found. -1 for no such condition.
    #[export(range = (-1.0, 3.0))]
    #[init(val = -1)]
    float_column: i64,
    => set_float_column: check_column(float_column)?;
    /// The least and the greatest number in float_column that are found.
    #[export]
    #[init(val = Vector2::new(f32::MIN, f32::MAX))]
    float_range: Vector2,
    => set_float_range: AgentQuery::default().with_floats(0, floats_in(float_range))?;
    /// The order of the agents: ORDER_NATURAL, ORDER_DISTANCE, ORDER_COST_TO_GOAL, ORDER_INTS or ORDER_FLOATS. Agents that are equal in it are in ascending order of their ids.
    #[export_group(name = "Order")]
    #[export]
    order: Order,
    => set_order, get_order: order.index()?;
    /// ORDER_INTS and ORDER_FLOATS: the column that orders agents, 0 to 3.
    #[export(range = (0.0, 3.0))]
    order_column: i64,
    => set_order_column: AgentQuery::default().by(order_of(Order::ORDER_INTS, order_column))?;
    /// Whether the order is reversed: the farthest agent or the greatest number first.
    #[export]
    descending: bool,
    => set_descending: if descending {
        refine(core, |core| Ok(core.descending()))?;
    };
    /// The greatest number of agents that are returned, the first in the order. 0 for all.
    #[export(range = (0.0, 1000.0, or_greater))]
    limit: i64,
    => set_limit: {
        let limit: usize = within(0..=i64::MAX, limit)?;
        if limit > 0 {
            refine(core, |core| core.first(limit))?;
        }
    };
    ..
    base: Base<Resource>,
}

impl SwarmQuery {
}
}

class_enums! {
SwarmQuery;

/// The order of the agents that a query finds: see order.
enum Order {
    /// That of the query itself. query_circle() and query_rect() return agents by ascending id, query_segment() in the order in which the beam reaches them, query_nearest() and query_nearest_many() the nearest agent.
    ORDER_NATURAL = 0 (was NATURAL),
    /// By the distance of centres from the centre of a circle or rectangle or from the start of a segment.
    ORDER_DISTANCE = 1 (was DISTANCE),
    /// By the cost that remains to the goal of the agent's group, on the field or route that the agent follows. The agent that is first on the path is first. Agents without a goal or a route come last.
    ORDER_COST_TO_GOAL = 2 (was COST_TO_GOAL),
    /// By the numbers of EnemySwarm.set_user_ints() in order_column.
    ORDER_INTS = 3 (was INTS),
    /// By the numbers of EnemySwarm.set_user_floats() in order_column.
    ORDER_FLOATS = 4 (was FLOATS),
}
}

impl SwarmQuery {
    fn in_core(&self) -> HandedOver<AgentQuery> {
        let mut core = AgentQuery::default();
        self.hand_over(&mut core)?;
        if self.int_column >= 0 {
            refine(&mut core, |core| {
                core.with_ints(self.int_column, ints_in(self.int_range))
            })?;
        }
        if self.float_column >= 0 {
            refine(&mut core, |core| {
                core.with_floats(self.float_column, floats_in(self.float_range))
            })?;
        }
        let order = order_of(self.order, self.order_column);
        refine(&mut core, |core| core.by(order))?;
        Ok(core)
    }
}

/// The optional query of a call; null by default.
#[derive(Debug, Clone)]
pub struct OptionalQuery(Option<Gd<SwarmQuery>>);

impl GodotConvert for OptionalQuery {
    type Via = Option<Gd<SwarmQuery>>;

    fn godot_shape() -> godot::meta::shape::GodotShape {
        <Self::Via as GodotConvert>::godot_shape()
    }
}

impl ToGodot for OptionalQuery {
    type Pass = ByValue;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

impl FromGodot for OptionalQuery {
    fn try_from_godot(query: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(query))
    }
}

#[allow(
    unsafe_code,
    reason = "gdext offers no safe way to give a parameter of a class a default"
)]
// SAFETY: the only default is null, which cannot be changed by a call.
unsafe impl GodotImmutable for OptionalQuery {}

impl OptionalQuery {
    /// No query.
    pub const NONE: Self = Self(None);

    /// The core's form; without a query, one that finds all agents.
    pub fn in_core(&self) -> AgentQuery {
        // Setters accept nothing that the core refuses.
        let query = |query: &SwarmQuery| query.in_core().unwrap_or_default();
        let resource = self.0.as_ref();
        resource.map_or_else(AgentQuery::default, |resource| with(resource, query))
    }
}

fn refine(
    core: &mut AgentQuery,
    by: impl FnOnce(AgentQuery) -> flow_swarm::Result<AgentQuery>,
) -> HandedOver {
    *core = by(std::mem::take(core))?;
    Ok(())
}

fn wide(numbers: &PackedInt32Array) -> Vec<i64> {
    numbers.as_slice().iter().copied().map(i64::from).collect()
}

fn ints_in(range: Vector2i) -> RangeInclusive<i32> {
    range.x..=range.y
}

fn floats_in(range: Vector2) -> RangeInclusive<f32> {
    range.x..=range.y
}

/// -1 stands for no column.
fn check_column(column: i64) -> Result<i64, String> {
    within(-1..=USER_COLUMNS as i64 - 1, column)
}

fn order_of(order: Order, column: i64) -> QueryOrder {
    // What is out of range is refused by the core.
    let column = usize::try_from(column).unwrap_or(usize::MAX);
    match order {
        Order::ORDER_DISTANCE => QueryOrder::Distance,
        Order::ORDER_COST_TO_GOAL => QueryOrder::CostToGoal,
        Order::ORDER_INTS => QueryOrder::Ints(column),
        Order::ORDER_FLOATS => QueryOrder::Floats(column),
        _ => QueryOrder::Natural,
    }
}

impl Properties for SwarmQuery {
    fn check(&self) -> HandedOver {
        self.in_core().map(drop)
    }

    fn changed(&mut self) {
        announce_change(self.base_mut());
    }
}
