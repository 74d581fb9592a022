//! The costs beyond the exits of a sector, from which first tiles are solved (Emerson, Game AI Pro, 23.6.1: costs
//! carried over).

use super::goal_routes::{ACROSS, GoalRoutes, TO_GOAL};
use super::graph::PortalGraph;
use super::sector_search::{NO_PATH, SectorSearch};
use crate::movement::CostField;
use glam::IVec2;

/// A cell at which routes from a sector continue or end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExitCost {
    /// A cell just outside of the sector, or a goal cell inside.
    pub(crate) cell: IVec2,
    /// The cost from that cell to the goal, on the finest scale.
    pub(crate) to_go: u64,
    pub(crate) is_goal: bool,
}

impl GoalRoutes {
    /// The cells at which known routes from a sector continue, with their costs. The cost of a cell beyond a window is
    /// that of its route over the portals of its own sector, as the sector's table would have it. An agent that crosses
    /// the window thus reaches a cell from which the rest of its path does not cost more. Linear in the cells of the
    /// sectors that routes lead to.
    pub(crate) fn exit_costs(
        &self,
        graph: &PortalGraph,
        costs: &CostField,
        sector: u32,
        search: &mut SectorSearch,
    ) -> Vec<ExitCost> {
        let sectors = graph.sectors();
        let low = sectors.rect(sector).low;
        let width = (sectors.rect(sector).high - low).x;
        let goals = self.ends_in(graph, sector).into_iter();
        let goals = goals.filter(|end| end.mark == TO_GOAL).map(|end| {
            let place = i32::from(end.place);
            ExitCost {
                cell: low + IVec2::new(place % width, place / width),
                to_go: end.cost,
                is_goal: true,
            }
        });
        let mut exits_and_goals: Vec<ExitCost> = goals.collect();
        let mut loaded = None;
        for portal in graph.portals_of(sector) {
            if graph.is_link(portal) || self.next_of(portal) != ACROSS {
                continue;
            }
            let across = graph.across(portal);
            if loaded != Some(across.sector) {
                search.load(costs, sectors, across.sector);
                search.spread(&mut self.ends_in(graph, across.sector));
                loaded = Some(across.sector);
            }
            let window = graph.cells(across);
            for y in window.low.y..window.high.y {
                for x in window.low.x..window.high.x {
                    let cell = IVec2::new(x, y);
                    let to_go = search.to_go[sectors.place(cell)];
                    if to_go != NO_PATH {
                        exits_and_goals.push(ExitCost {
                            cell,
                            to_go,
                            is_goal: false,
                        });
                    }
                }
            }
        }
        exits_and_goals
    }
}
