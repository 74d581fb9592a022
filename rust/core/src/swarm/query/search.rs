//! What all searches share: the agents at their present positions, the conditions of a query, and its order.

use crate::grid::layers::Layers;
use crate::swarm::AgentType;
use crate::swarm::avoidance::bucket_width;
use crate::swarm::draw::levels::Levels;
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::query::agent_query::{AgentQuery, QueryOrder};
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::group::Kinds;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::value_at;
use crate::world::{FlowWorld, Route};
use glam::Vec2;

/// The agents of a swarm, ready for searches by one query.
pub(super) struct Search<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) agents: &'a Agents,
    pub(super) buckets: &'a Buckets,
    pub(super) types: &'a [AgentType],
    pub(super) layers: &'a Layers,
    /// Where agents stand in 3D.
    pub(super) levels: Levels<'a>,
    /// The number of steps so far.
    pub(super) tick: u64,
    pub(super) query: &'a AgentQuery,
    /// The types that the query finds.
    kinds: Kinds,
    /// The route for each (group, type), if the order needs them.
    routes: Vec<Option<Route>>,
}

/// An agent that a search has found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The value that orders it.
    pub(super) key: f64,
    pub(super) id: AgentId,
}

impl Found {
    /// Whether it comes before another agent.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        self.cmp(other).is_lt()
    }

    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.total_cmp(&other.key).then(self.id.cmp(&other.id))
    }
}

impl Swarm {
    /// Calls `task` with a search over the agents at their positions in `world`. If layers have moved, it uses a moved
    /// copy of the agents: the agents themselves are moved in the next step, before which the layers may change again.
    pub(super) fn search<R>(
        &mut self,
        world: &FlowWorld,
        query: &AgentQuery,
        task: impl FnOnce(&Search<'_>) -> R,
    ) -> R {
        let routes = match query.order {
            QueryOrder::CostToGoal => self.routes(world),
            _ => Vec::new(),
        };
        let (grid, workers) = (world.grid(), world.workers());
        let (mut moved_agents, mut moved_buckets);
        let (agents, buckets) = if self.is_elsewhere(world) {
            moved_agents = self.agents.clone();
            moved_agents.move_layers(&self.layers, grid.layers());
            moved_buckets = Buckets::default();
            (&moved_agents, &mut moved_buckets)
        } else {
            (&self.agents, &mut self.buckets)
        };
        buckets.ensure(grid, agents, &self.types, bucket_width, workers);
        task(&Search {
            world,
            agents,
            buckets,
            types: &self.types,
            layers: grid.layers(),
            levels: Levels {
                ground: world.ground(),
                layers: grid.layers(),
                layer_height: self.layer_view.height,
            },
            tick: self.tick,
            query,
            kinds: kinds_on(query, &self.types),
            routes,
        })
    }
}

/// The types that are selected by a query and have one of its collision layers.
fn kinds_on(query: &AgentQuery, types: &[AgentType]) -> Kinds {
    let is_on_layer = |kind: &AgentType| kind.collision_layer & query.collision_mask != 0;
    let kinds = types.iter().enumerate();
    // Without a condition agents are found whose type has no layer at all.
    let found = kinds.filter(|(_, kind)| query.collision_mask == u32::MAX || is_on_layer(kind));
    found.fold(0, |mask, (number, _)| mask | 1 << number) & query.kinds
}

impl Search<'_> {
    /// Whether the query finds an agent, by its index in the columns.
    pub(super) fn accepts(&self, index: u32) -> bool {
        let (agents, query) = (self.agents, self.query);
        let index = index as usize;
        let int_is_in = |(column, range): &(usize, std::ops::RangeInclusive<i32>)| {
            range.contains(&value_at(&agents.user.ints[*column], index))
        };
        let float_is_in = |(column, range): &(usize, std::ops::RangeInclusive<f32>)| {
            range.contains(&value_at(&agents.user.floats[*column], index))
        };
        self.kinds >> agents.kind[index] & 1 == 1
            && query.selects_group(agents.group[index])
            && query.ints.iter().all(int_is_in)
            && query.floats.iter().all(float_is_in)
            && (query.excluded.is_empty()
                || query.excluded.binary_search(&agents.id[index]).is_err())
    }

    /// An agent as found by the search: `distance` orders it by distance, `natural` in the natural order.
    pub(super) fn found(&self, agent: &SortedAgent, natural: f64, distance: f64) -> Found {
        let index = agent.index as usize;
        let user = &self.agents.user;
        let key = match self.query.order {
            QueryOrder::Natural => natural,
            QueryOrder::Distance => distance,
            QueryOrder::Ints(column) => value_at(&user.ints[column], index).into(),
            QueryOrder::Floats(column) => value_at(&user.floats[column], index).into(),
            QueryOrder::CostToGoal => self.cost_to_goal(agent),
        };
        let id = self.agents.id[index];
        if self.query.is_descending && key != f64::INFINITY {
            return Found { key: -key, id };
        }
        Found { key, id }
    }

    /// The cost that remains to an agent, in cells of clear ground; infinite without a route.
    ///
    /// Costs belong to the centres of cells. Within a cell, an agent that is farther in the direction of the field has
    /// less to go.
    fn cost_to_goal(&self, agent: &SortedAgent) -> f64 {
        let index = agent.index as usize;
        let (group, kind) = (self.agents.goal_group[index], self.agents.kind[index]);
        let route = usize::from(group) * self.types.len() + usize::from(kind);
        let Some(Some(route)) = self.routes.get(route) else {
            return f64::INFINITY;
        };
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(agent.position);
        let point = grid.to_cell_space(agent.position);
        let ahead = route
            .sample_for(point, 0.0)
            .dot(point - (cell.as_vec2() + 0.5));
        let cost = route.cost_to_goal(cell);
        cost.map_or(f64::INFINITY, |cost| cost - f64::from(ahead))
    }

    /// Whether a position is on a layer of the world.
    pub(super) fn is_on_layer(&self, position: Vec2, layer: u32) -> bool {
        self.layers.at(position) == layer
    }

    /// The ids of what was found, in order, at most as many as the query asks for.
    pub(super) fn in_order(&self, mut found: Vec<Found>) -> Vec<AgentId> {
        let limit = self.query.limit;
        if limit < found.len() {
            found.select_nth_unstable_by(limit, Found::cmp);
            found.truncate(limit);
        }
        found.sort_unstable_by(Found::cmp);
        found.into_iter().map(|found| found.id).collect()
    }
}
