//! Speed of whole fields on one thread, compared with a binary heap.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;

use flow_swarm_bench::baselines::binary_heap::BinaryHeapDijkstra;
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::timing::{Contestant, Race, median};

use super::fields::Fields;

/// The greatest number of goals, which are used in turn.
const GOALS: usize = 20;

/// The speed at which fields are built.
pub struct Speed {
    /// Median time of a field, in milliseconds.
    pub build_ms: f64,
    /// The median of cells that reach the goal per time, in millions per second.
    pub megacells_per_second: f64,
    /// The ratio of a binary heap's time, for costs and best neighbours, to that of the field.
    pub heap_ratio: f64,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "speed: {:.3} ms a field, {:.1} Mcells/s on one thread; a binary heap takes {:.2} times as long",
            self.build_ms, self.megacells_per_second, self.heap_ratio
        )
    }
}

/// Times `rounds` fields to goals spread over the list.
pub fn measure(
    mut fields: Fields,
    map: &CostMap,
    goals: &[(usize, usize)],
    rounds: usize,
) -> Result<Option<Speed>, flow_swarm::Error> {
    let apart = goals.len().div_ceil(GOALS).max(1);
    let goals: Vec<(usize, usize)> = goals.iter().copied().step_by(apart).collect();
    if goals.is_empty() || rounds == 0 {
        return Ok(None);
    }
    let mut reached = Vec::new();
    for &goal in &goals {
        reached.push(fields.octile_costs(goal)?.reached_cell_count());
    }
    let mut heap = BinaryHeapDijkstra::new();
    // The warm-up run uses the last goal, so that the first timed round begins with the first.
    let turns = [Cell::new(goals.len() - 1), Cell::new(goals.len() - 1)];
    let next = |turn: &Cell<usize>| {
        let goal = goals[turn.get()];
        turn.set((turn.get() + 1) % goals.len());
        goal
    };
    let race = Race::run(
        "field",
        rounds,
        &mut [
            Contestant::new("binary heap", || {
                let (x, y) = next(&turns[0]);
                heap.solve(black_box(map), &[map.index(x, y)]);
                black_box(heap.directions());
            }),
            Contestant::new("core", || {
                if let Ok(field) = fields.build_field(next(&turns[1])) {
                    fields.take_back(black_box(field));
                }
            }),
        ],
    );
    let core = &race.timings[1];
    let rates: Vec<f64> = core
        .seconds
        .iter()
        .zip(reached.iter().cycle())
        .map(|(seconds, &cells)| cells as f64 / seconds / 1e6)
        .collect();
    Ok(Some(Speed {
        build_ms: core.median_ms(),
        megacells_per_second: median(&rates),
        heap_ratio: race.timings[0].ratio_to(core),
    }))
}
