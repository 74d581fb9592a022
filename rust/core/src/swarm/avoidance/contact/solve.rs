//! One pass of the solver over all pairs.
//!
//! The correction for each agent of a pair with offset `δ` and touching distance `D` is `δ (D²/(δ² + D²) − ½)`. To
//! first order in the overlap this is the projection onto the constraint, and it needs no square root. The two agents
//! share the correction by their inverse masses and by which of them is in front.

use crate::swarm::avoidance::contact::band::Band;
use crate::swarm::avoidance::contact::body::Bodies;
use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::avoidance::contact::find_pairs::Finder;
use crate::swarm::avoidance::contact::pair::Pair;
use crate::swarm::avoidance::contact::rules::Rules;
use crate::swarm::avoidance::contact::sweep::Sweep;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;
use std::ops::Range;

/// How much less the agent in front yields than the agent behind it, at most. The value falls by the share `FRONT_LAST`
/// until the last pass, so that no overlap is left where there is no room behind.
const FRONT: f32 = 0.75;
const FRONT_LAST: f32 = 0.5;
/// In this many passes at the end, being in front does not count for overlaps deeper than `LATE_FADE` radii: an agent
/// between a wall and an agent in front of it cannot yield.
const LATE_PASSES: usize = 3;
const LATE_FADE: f32 = 0.1;
/// In this many passes at the end corrections are not turned. Two agents that a wall keeps from parting are pushed on
/// along it by turned corrections in each pass, by up to a radius in a step, into those beside them.
const STRAIGHT_PASSES: usize = 2;
/// How long one direction has right of way, in seconds.
const SLOT: f32 = 20.0;
/// Agents closer than this fraction of the touching distance are parted by the exact projection. The first-order
/// correction falls with their distance there, and surrounding agents would hold two nearly coincident agents together
/// for good.
const DEEP: f32 = 0.5;
/// Agents closer than this fraction of the touching distance are coincident: the line between them gives no direction.
const COINCIDENT: f32 = 1.0e-3;
/// Overlaps up to half of this fraction of the touching distance are ignored. (Squares are compared, which doubles the
/// fraction.)
const SLOP: f32 = 2.0e-3;

/// The parameters of a pass, which are the same for all pairs.
struct Pass<'a> {
    rules: Rules<'a>,
    /// The weight of being in front in this pass; see [`FRONT`].
    front: f32,
    /// The least value of `fading` in [`Shares`](crate::swarm::avoidance::contact::pair::Shares).
    fading: f32,
    /// The share of its angle by which a correction between agents that go elsewhere is turned in this pass, 0 or 1.
    turning: f32,
}

impl Contacts {
    /// Runs the given ones of `count` passes over all pairs. Pass 0 finds the pairs. Each pass ends with all agents out
    /// of walls.
    pub(super) fn solve(
        &mut self,
        context: &Context<'_>,
        moved: &[StepResult],
        passes: Range<usize>,
        count: usize,
    ) {
        let Bodies {
            positions, bodies, ..
        } = &mut self.agents;
        let rules = Rules {
            axis: axis(context.tick, context.dt),
            matrix: &self.matrix,
            bodies,
        };
        let pass_of = |number: usize, rules| {
            let share = number as f32 / (count - 1) as f32;
            let is_late = number + LATE_PASSES >= count;
            Pass {
                rules,
                front: FRONT * (1.0 - FRONT_LAST * share),
                turning: if number + STRAIGHT_PASSES < count {
                    1.0
                } else {
                    0.0
                },
                fading: if is_late { 4.0 / LATE_FADE } else { 0.0 },
            }
        };
        let pass = pass_of(passes.start, rules);
        for pair in &mut self.special_pairs {
            pass.push_apart(pair, positions);
        }
        let finder = Finder::new(context, rules, !self.special.is_empty());
        // Every second pass runs backward: the bands, and the pairs in each band.
        let is_backward = |pass: usize| (pass as u64 + context.tick) % 2 == 1;
        let sweep = Sweep {
            steps: 2 * passes.len(),
            starts_backward: is_backward(passes.start),
            workers: context.world.workers(),
            task: |step, bands: &mut [Band], positions: &mut [Vec2]| {
                let number = passes.start + step / 2;
                let (band, next) = bands.split_first_mut().expect("a band");
                let pass = pass_of(number, rules.from(band.first));
                if number == 0 {
                    band.find_near_walls(moved);
                    finder.find(band, positions, |pair, positions| {
                        pass.push_apart(pair, positions);
                    });
                } else if is_backward(number) {
                    for pair in band.pairs.iter_mut().rev() {
                        pass.push_apart(pair, positions);
                    }
                } else {
                    for pair in &mut band.pairs {
                        pass.push_apart(pair, positions);
                    }
                }
                if !context.settings.wall_correction {
                    return;
                }
                // No later band of this pass moves agents of these two bands, nor those of the very first band.
                if step % 2 == 1 || band.first == 0 {
                    band.leave_walls(context, bodies, positions);
                }
                if step % 2 == 1
                    && let [next] = next
                {
                    let positions = &mut positions[next.first - band.first..];
                    next.leave_walls(context, bodies, positions);
                }
            },
        };
        sweep.run(&mut self.bands[..self.band_count], positions);
    }
}

/// The direction with right of way turns by the golden angle every [`SLOT`] seconds.
fn axis(tick: u64, dt: f32) -> Vec2 {
    const AXES: usize = 16;
    // 2.4 radians apart.
    const DIRECTIONS: [[f32; 2]; AXES] = [
        [1.0, 0.0],
        [-0.737_369, 0.675_490],
        [0.087_426, -0.996_171],
        [0.608_439, 0.793_601],
        [-0.984_713, -0.174_182],
        [0.843_755, -0.536_728],
        [-0.259_604, 0.965_715],
        [-0.460_907, -0.887_448],
        [0.939_321, 0.343_039],
        [-0.924_346, 0.381_555],
        [0.423_846, -0.905_734],
        [0.299_284, 0.954_164],
        [-0.865_211, -0.501_409],
        [0.976_676, -0.214_717],
        [-0.575_130, 0.818_062],
        [-0.128_511, -0.991_708],
    ];
    let slot = (tick as f64 * f64::from(dt) / f64::from(SLOT)) as usize % AXES;
    Vec2::from_array(DIRECTIONS[slot])
}

impl Pass<'_> {
    /// Parts two agents that overlap.
    #[inline(always)]
    fn push_apart(&self, pair: &mut Pair, positions: &mut [Vec2]) {
        let [i, j] = [pair.one as usize, pair.other as usize];
        let apart = positions[i] - positions[j];
        let squared = apart.length_squared();
        let touching2 = pair.touching * pair.touching;
        if squared >= (1.0 - SLOP) * touching2 {
            return;
        }
        if !pair.shares.is_known() {
            pair.shares = self.rules.shares(pair, apart);
        }
        let shares = pair.shares;
        // For equal radii and small overlaps this is a quarter of the overlap in radii.
        let size = touching2 / (squared + touching2) - 0.5;
        let scale = if squared < DEEP * DEEP * touching2 {
            0.5 * (pair.touching / squared.sqrt() - 1.0)
        } else {
            size
        };
        let turn = shares.turn * self.turning;
        let mut correction = (apart - apart.perp() * turn) * scale;
        if squared < COINCIDENT * COINCIDENT * touching2 {
            let side = if i & 1 == 0 { 0.05 } else { -0.05 };
            correction = Vec2::new(0.1, side) * pair.touching;
        }
        let length2 = correction.length_squared();
        if length2 > shares.most * shares.most {
            correction *= shares.most / length2.sqrt();
        }
        let fading = shares.fading.max(self.fading);
        let front = self.front * shares.front * (1.0 - size * fading).max(0.0);
        // The first agent's share beyond one half of the correction, -1..=1.
        let more = (shares.lighter - front) / (1.0 - shares.lighter * front);
        positions[i] += correction * (1.0 + more);
        positions[j] -= correction * (1.0 - more);
    }
}
