//! Routes that wait to be searched: what is asked for beyond what a tick allows (Emerson, Game AI Pro, 23.15).

use crate::world::goal_id::GoalId;
use glam::IVec2;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A goal and a movement type.
pub(super) type Pair = (GoalId, usize);

/// Which request for a route comes first, by where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestPriority {
    /// Agents that stand where nothing leads on. The first search for any of them in a tick is always made, and they
    /// wait before all others.
    Agents,
    /// Agents that have tiles to follow, but the routes along which these were made are forgotten. They ask again in
    /// the next tick and need no place in the queue.
    Renewal,
    /// The game, which is told that the route is waiting if it is.
    Game,
    /// The game, which needs the answer at once.
    GameAtOnce,
    /// The queue.
    Queue,
    /// Goals that have been moved.
    Mover,
}

/// What waits, those first whose agents stand without a direction; first come, first served among these and among
/// all others.
#[derive(Debug, Default)]
pub(super) struct RouteQueue {
    agents: Line,
    others: Line,
}

/// Goals and movement types in the order in which they came.
#[derive(Debug, Default)]
struct Line {
    /// Some of them may have been taken out since.
    order: VecDeque<Pair>,
    places: BTreeMap<Pair, Places>,
}

/// Routes to one goal for one movement type that are taken out to be searched.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) pair: Pair,
    places: Places,
    is_of_agents: bool,
}

impl Waiting {
    /// From where routes are wanted, by rows.
    pub(super) fn cells(&self) -> Vec<IVec2> {
        let cells = self.places.cells.iter();
        cells.map(|&(y, x)| IVec2::new(x, y)).collect()
    }
}

/// From where routes are wanted, as (y, x).
#[derive(Debug, Default)]
struct Places {
    cells: BTreeSet<(i32, i32)>,
    /// When agents were there; what they wanted from elsewhere before does not count any more.
    tick: u64,
}

impl RouteQueue {
    /// Lets routes from cells wait. Agents tell in each tick where they stand.
    pub(super) fn push(
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

    /// Takes out those whose turn it is.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
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

    /// Puts those back to the front of whose cells some have been left.
    pub(super) fn put_back(&mut self, waiting: Waiting, left: &[IVec2]) {
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

    /// Forgets a goal.
    pub(super) fn forget_goal(&mut self, goal: GoalId) {
        for line in [&mut self.agents, &mut self.others] {
            let of_goal = line.places.range((goal, 0)..=(goal, usize::MAX));
            let of_goal: Vec<Pair> = of_goal.map(|(&pair, _)| pair).collect();
            for pair in of_goal {
                line.places.remove(&pair);
            }
        }
    }

    /// Forgets all but the first movement types.
    pub(super) fn truncate(&mut self, count: usize) {
        for line in [&mut self.agents, &mut self.others] {
            line.places.retain(|&(_, movement), _| movement < count);
        }
    }

    pub(super) fn contains(&self, pair: Pair) -> bool {
        self.agents.places.contains_key(&pair) || self.others.places.contains_key(&pair)
    }

    /// Whether the route from a cell waits.
    pub(super) fn holds(&self, pair: Pair, cell: IVec2) -> bool {
        [&self.agents, &self.others].iter().any(|line| {
            let places = line.places.get(&pair);
            places.is_some_and(|places| places.cells.contains(&(cell.y, cell.x)))
        })
    }

    /// Whether a new request must wait for others.
    pub(super) fn is_before(&self, priority: RequestPriority) -> bool {
        !self.agents.places.is_empty()
            || priority != RequestPriority::Agents && !self.others.places.is_empty()
    }

    /// How many goals and movement types wait.
    pub(super) fn len(&self) -> usize {
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
    fn agents_come_first_and_then_whoever_came_first() {
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
