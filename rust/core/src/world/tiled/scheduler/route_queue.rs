//! The queue of requests for routes beyond the budget of a tick (Emerson, Game AI Pro, 23.15).

use crate::bytes::saved;
use crate::world::goal_id::GoalId;
use glam::IVec2;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A goal and a movement type.
pub(in crate::world::tiled) type Pair = (GoalId, usize);

/// The priority of a request for a route, by its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestPriority {
    /// Agents without a direction. The first search for any of them in a tick is always made, and their requests come
    /// before all others in the queue.
    Agents,
    /// Agents that follow tiles whose routes have been forgotten. They request again in the next tick and are not
    /// queued.
    Renewal,
    /// The game. The answer says if the route has to wait.
    Game,
    /// The game, if it needs the result at once.
    GameAtOnce,
    /// A request from the queue.
    Queue,
    /// A goal that has been moved.
    Mover,
}

/// The requests that wait. Those of agents without a direction come first; both kinds are in the order of their
/// arrival.
#[derive(Debug, Clone, Default)]
pub(in crate::world::tiled) struct RouteQueue {
    agents: Line,
    others: Line,
}

/// Goals and movement types in the order of their first requests.
#[derive(Debug, Clone, Default)]
struct Line {
    /// May contain pairs that have been removed from `places`.
    order: VecDeque<Pair>,
    places: BTreeMap<Pair, Places>,
}

/// The requests of one goal and movement type, taken from the queue.
#[derive(Debug)]
pub(in crate::world::tiled) struct Waiting {
    pub(in crate::world::tiled) pair: Pair,
    places: Places,
    is_of_agents: bool,
}

impl Waiting {
    /// The cells from which routes are requested, row by row.
    pub(in crate::world::tiled) fn cells(&self) -> Vec<IVec2> {
        let cells = self.places.cells.iter();
        cells.map(|&(y, x)| IVec2::new(x, y)).collect()
    }
}

/// The cells, as (y, x), from which routes are requested.
#[derive(Debug, Clone, Default)]
struct Places {
    cells: BTreeSet<(i32, i32)>,
    /// The tick of the last request of agents. Their requests from earlier ticks no longer count.
    tick: u64,
}

saved!(Places { cells, tick });
saved!(Line { order, places });
saved!(RouteQueue { agents, others });

impl RouteQueue {
    /// Whether requests are only from cells, given as (y, x), and for goals that make sense.
    pub(in crate::world::tiled) fn all(
        &self,
        is_sound: impl Fn(Pair, &BTreeSet<(i32, i32)>) -> bool,
    ) -> bool {
        let lines = [&self.agents, &self.others].into_iter();
        let mut places = lines.flat_map(|line| &line.places);
        places.all(|(&pair, places)| is_sound(pair, &places.cells))
    }

    /// Queues requests from cells. Agents request in each tick from where they stand.
    pub(in crate::world::tiled) fn push(
        &mut self,
        pair: Pair,
        cells: &[IVec2],
        priority: RequestPriority,
        tick: u64,
    ) {
        if priority == RequestPriority::Agents {
            self.agents.push(pair, cells, tick);
        } else {
            self.others.push(pair, cells, 0);
        }
    }

    /// Removes and returns the next requests.
    pub(in crate::world::tiled) fn pop(&mut self) -> Option<Waiting> {
        let is_of_agents = !self.agents.places.is_empty();
        let line = self.line(is_of_agents);
        let pair = line.first()?;
        line.order.pop_front();
        let places = line.places.remove(&pair)?;
        Some(Waiting {
            pair,
            places,
            is_of_agents,
        })
    }

    /// Puts requests back to the front with the cells that are left.
    pub(in crate::world::tiled) fn put_back(&mut self, waiting: Waiting, left: &[IVec2]) {
        let Waiting {
            pair,
            mut places,
            is_of_agents,
        } = waiting;
        places.cells = left.iter().map(|cell| (cell.y, cell.x)).collect();
        let line = self.line(is_of_agents);
        line.places.insert(pair, places);
        line.order.push_front(pair);
    }

    fn line(&mut self, is_of_agents: bool) -> &mut Line {
        if is_of_agents {
            &mut self.agents
        } else {
            &mut self.others
        }
    }

    /// Removes the requests of a goal.
    pub(in crate::world::tiled) fn forget_goal(&mut self, goal: GoalId) {
        for line in [&mut self.agents, &mut self.others] {
            let of_goal = line.places.range((goal, 0)..=(goal, usize::MAX));
            let of_goal: Vec<Pair> = of_goal.map(|(&pair, _)| pair).collect();
            for pair in of_goal {
                line.places.remove(&pair);
            }
        }
    }

    /// Removes the requests of all but the first `count` movement types.
    pub(in crate::world::tiled) fn truncate(&mut self, count: usize) {
        for line in [&mut self.agents, &mut self.others] {
            line.places.retain(|&(_, movement), _| movement < count);
        }
    }

    pub(in crate::world::tiled) fn contains(&self, pair: Pair) -> bool {
        self.agents.places.contains_key(&pair) || self.others.places.contains_key(&pair)
    }

    /// Returns true if the route from a cell waits.
    pub(in crate::world::tiled) fn holds(&self, pair: Pair, cell: IVec2) -> bool {
        [&self.agents, &self.others].iter().any(|line| {
            let places = line.places.get(&pair);
            places.is_some_and(|places| places.cells.contains(&(cell.y, cell.x)))
        })
    }

    /// Returns true if a new request must wait for earlier ones.
    pub(in crate::world::tiled) fn is_before(&self, priority: RequestPriority) -> bool {
        !self.agents.places.is_empty()
            || priority != RequestPriority::Agents && !self.others.places.is_empty()
    }

    /// The number of goals and movement types that wait.
    pub(in crate::world::tiled) fn len(&self) -> usize {
        let agents = &self.agents.places;
        let others = self.others.places.keys();
        agents.len() + others.filter(|&pair| !agents.contains_key(pair)).count()
    }
}

impl Line {
    fn push(&mut self, pair: Pair, cells: &[IVec2], tick: u64) {
        let places = self.places.entry(pair).or_insert_with(|| {
            self.order.push_back(pair);
            Places::default()
        });
        if places.tick != tick {
            places.cells.clear();
            places.tick = tick;
        }
        places
            .cells
            .extend(cells.iter().map(|cell| (cell.y, cell.x)));
    }

    fn first(&mut self) -> Option<Pair> {
        while let Some(&pair) = self.order.front() {
            if self.places.contains_key(&pair) {
                return Some(pair);
            }
            self.order.pop_front();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: IVec2 = IVec2::new(3, 4);

    fn pair(goal: i64) -> Pair {
        (GoalId(goal), 0)
    }

    fn popped(queue: &mut RouteQueue) -> Option<(Pair, Vec<IVec2>)> {
        let waiting = queue.pop()?;
        Some((waiting.pair, waiting.cells()))
    }

    #[test]
    fn requests_of_agents_come_first_and_others_in_their_order() {
        let mut queue = RouteQueue::default();
        for goal in [5, 2, 9] {
            queue.push(pair(goal), &[CELL], RequestPriority::Game, 1);
        }
        queue.push(pair(7), &[CELL], RequestPriority::Agents, 1);
        queue.push(pair(2), &[IVec2::ONE], RequestPriority::Game, 2);
        queue.forget_goal(GoalId(9));
        assert_eq!(queue.len(), 3);
        assert!(queue.contains(pair(2)) && !queue.contains(pair(9)));
        assert_eq!(popped(&mut queue), Some((pair(7), vec![CELL])));
        assert!(
            queue.is_before(RequestPriority::Game) && !queue.is_before(RequestPriority::Agents)
        );
        assert_eq!(popped(&mut queue), Some((pair(5), vec![CELL])));
        assert_eq!(popped(&mut queue), Some((pair(2), vec![IVec2::ONE, CELL])));
        assert_eq!(popped(&mut queue), None);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn agents_count_where_they_stand_now() {
        let mut queue = RouteQueue::default();
        queue.push(pair(1), &[CELL], RequestPriority::Agents, 1);
        queue.push(pair(1), &[IVec2::ZERO], RequestPriority::Agents, 2);
        queue.push(pair(1), &[IVec2::ONE], RequestPriority::Agents, 2);
        assert_eq!(
            popped(&mut queue),
            Some((pair(1), vec![IVec2::ZERO, IVec2::ONE]))
        );
    }

    #[test]
    fn what_is_left_comes_first_again() {
        let mut queue = RouteQueue::default();
        queue.push(pair(1), &[IVec2::ONE, CELL], RequestPriority::Game, 1);
        queue.push(pair(2), &[CELL], RequestPriority::Game, 1);
        let waiting = queue.pop().expect("there are two");
        queue.put_back(waiting, &[CELL]);
        assert_eq!(popped(&mut queue), Some((pair(1), vec![CELL])));
        assert_eq!(popped(&mut queue), Some((pair(2), vec![CELL])));
    }
}
