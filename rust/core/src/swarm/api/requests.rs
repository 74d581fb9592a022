//! Requests the fields and routes that agents need (Emerson, Game AI Pro, 23.5 and 23.12).

use crate::error::Result;
use crate::route::Sectors;
use crate::swarm::AgentState;
use crate::swarm::state::swarm::Swarm;
use crate::world::{FlowWorld, GoalId, GoalMode, RequestPriority, RouteNeed};
use glam::IVec2;

/// The needs of agents of some groups and types for one tiled goal.
struct Needs {
    goal: GoalId,
    movement: usize,
    /// Cells where agents stand without a route, one for each sector.
    cells: Vec<(u32, IVec2)>,
    /// Whether any of these agents needs the route in this step.
    is_urgent: bool,
    /// The sectors in which agents stand.
    sectors: Vec<u32>,
}

impl Needs {
    fn places(&self) -> Vec<IVec2> {
        self.cells.iter().map(|&(_, cell)| cell).collect()
    }

    /// Whether tiles lead all agents that need a route until they get it.
    fn is_patient(&self) -> bool {
        !self.cells.is_empty() && !self.is_urgent
    }
}

/// Renews routes of agents that tiles lead in the meantime: some in each step.
fn renew(world: &mut FlowWorld, needs: &mut Vec<Needs>) -> Result<()> {
    needs.retain(Needs::is_patient);
    needs.sort_unstable_by_key(|need| (need.goal, need.movement));
    let pairs: Vec<(GoalId, usize)> = needs.iter().map(|it| (it.goal, it.movement)).collect();
    for pair in world.renewals(&pairs) {
        let found = pairs.binary_search(&pair).map(|at| needs[at].places());
        if let Ok(places) = found
            && !world.renew(pair.0, pair.1, &places)?
        {
            break;
        }
    }
    Ok(())
}

impl Swarm {
    /// Requests from `world` the fields that the next step needs, and routes to tiled goals for agents without one.
    /// Call it before each step: agents then move in the tick of an order.
    ///
    /// With tiled goals O(agents), and a search for each sector in which the first agents have no route.
    ///
    /// Groups whose goal has been released have none from then on, and agents with an order to such a goal follow their
    /// group again.
    ///
    /// # Errors
    /// The first error of [`FlowWorld::require`], or once [`GoalReleased`](crate::Error::GoalReleased) for a goal that
    /// has been released. The other requests are made all the same.
    pub fn request_routes(&mut self, world: &mut FlowWorld) -> Result<()> {
        // The step then sees all edits, whether or not agents need routes and whether or not queries were made.
        world.refresh_for_agents();
        let mut result = self.leave_released_goals(world);
        self.hold_goals(world);
        result = result.and(self.lead_to_targets(world));
        for (goal, movement) in self.needed_fields(world) {
            result = result.and(world.keep_up(goal, movement, RequestPriority::Agents));
        }
        let (mut needs, of_route) = self.tiled_needs(world);
        if needs.is_empty() {
            return result;
        }
        let sectors = Sectors::new(world.grid().size(), world.sector_size())?;
        for index in 0..self.agents.len() {
            let place = match self.agents.state[index] {
                AgentState::Following => self.agents.position[index],
                // The route goes on where it lands.
                AgentState::Travelling => self.agents.travel[index].to,
                _ => continue,
            };
            let (group, kind) = (self.agents.goal_group[index], self.agents.kind[index]);
            let route = usize::from(group) * self.types.len() + usize::from(kind);
            let Some(Some(need)) = of_route.get(route) else {
                continue;
            };
            let need = &mut needs[*need];
            let cell = world.grid().clamped_cell_at(place);
            let route_need = world.route_need(need.goal, need.movement, cell);
            if route_need == RouteNeed::NoTile {
                continue;
            }
            let sector = sectors.at(cell);
            if need.sectors.last() != Some(&sector) {
                need.sectors.push(sector);
            }
            if route_need != RouteNeed::NoRoute {
                need.cells.push((sector, cell));
                need.is_urgent |= route_need == RouteNeed::Route;
            }
        }
        for need in &mut needs {
            need.cells
                .sort_unstable_by_key(|&(sector, cell)| (sector, cell.y, cell.x));
            need.cells.dedup();
            world.note_standing(need.goal, need.movement, &need.sectors);
        }
        for need in needs.iter().filter(|need| need.is_urgent) {
            let asked = world.request_all(
                need.goal,
                need.movement,
                &need.places(),
                RequestPriority::Agents,
            );
            result = result.and(asked.map(drop));
        }
        result.and(renew(world, &mut needs))
    }

    /// The tiled goals that agents follow, once for each movement type, and their index for each (group, type).
    fn tiled_needs(&self, world: &FlowWorld) -> (Vec<Needs>, Vec<Option<usize>>) {
        let mut needs: Vec<Needs> = Vec::new();
        let mut of_route = Vec::new();
        let is_tiled = |&goal: &GoalId| world.goal_mode(goal) == Ok(GoalMode::Tiled);
        if !self
            .groups
            .iter()
            .any(|group| group.goal.as_ref().is_some_and(is_tiled))
        {
            return (needs, of_route);
        }
        for (group, members) in self.groups_with_members() {
            for kind in 0..self.types.len() {
                if group.order.is_some() && members >> kind & 1 == 0 {
                    of_route.push(None);
                    continue;
                }
                let movement = self.movement_in(group, members, kind, world);
                // A movement type that the world does not have is skipped here; a step refuses it.
                let is_known = world.check_movement(movement as i64).is_ok();
                let goal = group.goal.filter(|goal| is_known && is_tiled(goal));
                of_route.push(goal.map(|goal| {
                    let is_same = |need: &Needs| (need.goal, need.movement) == (goal, movement);
                    needs.iter().position(is_same).unwrap_or_else(|| {
                        needs.push(Needs {
                            goal,
                            movement,
                            cells: Vec::new(),
                            is_urgent: false,
                            sectors: Vec::new(),
                        });
                        needs.len() - 1
                    })
                }));
            }
        }
        (needs, of_route)
    }
}
