//! Asking for what agents need to find their way (Emerson, Game AI Pro, 23.5 and 23.12).

use crate::error::Result;
use crate::route::Sectors;
use crate::swarm::AgentState;
use crate::swarm::state::swarm::Swarm;
use crate::world::{FlowWorld, GoalId, GoalMode, RequestPriority, RouteNeed};
use glam::IVec2;

/// What the agents of some groups and types need of a tiled goal.
struct Needs {
    goal: GoalId,
    movement: usize,
    /// Where agents stand without a route, by sector.
    cells: Vec<(u32, IVec2)>,
    /// Whether one of these needs it in this step.
    is_urgent: bool,
    /// The sectors in which agents stand.
    sectors: Vec<u32>,
}

impl Needs {
    fn places(&self) -> Vec<IVec2> {
        self.cells.iter().map(|&(_, cell)| cell).collect()
    }

    /// Whether all who need a route are led on by tiles until they get it.
    fn is_patient(&self) -> bool {
        !self.cells.is_empty() && !self.is_urgent
    }
}

/// Has routes found anew of those who are led on meanwhile: some in each step.
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
    /// Asks `world` for the fields that the next step needs, and for routes to tiled goals from wherever
    /// agents stand that have none. Call it before each step: agents then move in the tick of an order.
    ///
    /// With tiled goals O(agents), and a search for the first agents in a sector without a route.
    ///
    /// # Errors
    /// The first error of [`FlowWorld::require`]; all else is asked for all the same.
    pub fn request_routes(&self, world: &mut FlowWorld) -> Result<()> {
        // The step sees all edits then, whether agents need routes or not, and whether queries have been made or
        // not.
        world.refresh_costs();
        let mut result = Ok(());
        for (goal, movement) in self.needed_fields(world) {
            result = result.and(world.keep_up(goal, movement, RequestPriority::Agents));
        }
        let (mut needs, of_route) = self.tiled_needs(world);
        if needs.is_empty() {
            return result;
        }
        let sectors = Sectors::new(world.grid().size(), world.sector_size())?;
        for index in 0..self.agents.len() {
            if self.agents.state[index] != AgentState::Following {
                continue;
            }
            let (group, kind) = (self.agents.group[index], self.agents.kind[index]);
            let route = usize::from(group) * self.types.len() + usize::from(kind);
            let Some(Some(need)) = of_route.get(route) else {
                continue;
            };
            let need = &mut needs[*need];
            let cell = world.grid().clamped_cell_at(self.agents.position[index]);
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

    /// The tiled goals that agents follow, each once for a movement type, and for each (group, type) which
    /// of them.
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
        let members = self.members_of_sharing_groups();
        for (group, &members) in self.groups.iter().zip(&members) {
            for kind in 0..self.types.len() {
                let movement = self.movement_in(group, members, kind, world);
                // Of a type that the world does not have nothing can be asked; a step refuses it.
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
