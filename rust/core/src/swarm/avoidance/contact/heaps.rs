//! Heaps: more agents in a place than there is room for, for instance a wave that is spawned on one point.
//!
//! In a step the solver parts agents from those near them, so a heap spreads from its rim, in the more steps the wider
//! it becomes. Agents in a heap are therefore first moved to where there are fewer, like a gas that expands. How dense
//! they are is averaged over 3×3 buckets, because a single bucket can hold more centres of packed discs than its share.

use crate::swarm::avoidance::contact::band::for_each_band;
use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::step::context::Context;
use glam::{IVec2, Vec2};

/// The share of the ground that the densest packing of equal discs covers. In 3×3 buckets it may be more, as packed
/// discs may have their centres just within the rims of buckets: at most by `RIM` times the share of a radius in the
/// width of a bucket. Square and hexagonal lattices, however they lie, come to 1.4 times that share.
const PACKED: f32 = 0.9069;
const RIM: f32 = 1.5;
/// How much denser than packed discs a heap is where agents leave it at full speed.
const DENSER: f32 = 0.1;
/// The slope of the density, as a share of the density, up to which agents stay, and from which on they leave at full
/// speed. In a room with more agents than it has room for, small differences are chance.
const FLAT: f32 = 0.3;
const STEEP: f32 = 0.65;
/// The displacement in a step of 1/60 s, in regular radii. In longer steps it is longer, up to `LONGEST` times.
const DISPLACEMENT: f32 = 4.0;
const LONGEST: f32 = 3.0;
/// The weights of three neighbouring buckets in an average.
const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

impl Contacts {
    /// Moves agents out of heaps. Only where all types collide with each other: others may lie on each other, and are
    /// parted by the solver alone.
    pub(super) fn leave_heaps(&mut self, context: &Context<'_>) {
        if !self.matrix.is_uniform() {
            return;
        }
        let bodies = &self.agents.bodies;
        let buckets = context.buckets;
        let regular = buckets.regular_radius();
        let farthest = DISPLACEMENT * regular * (60.0 * context.dt).min(LONGEST);
        let least = context.most_packed() * buckets.width().powi(2) / disc_area(regular);
        let bands = &mut self.bands[..self.band_count];
        let positions = &mut self.agents.positions;
        let workers = context.world.workers();
        for_each_band(bands, positions, 0, workers, &|band, positions| {
            buckets.for_each_crowded(band.first..band.end, least as u32 + 1, |cell, places| {
                let displacement = context.way_out_of_heap(cell) * farthest;
                for place in places {
                    let body = &bodies[place];
                    if body.inverse_mass > 0.0 && !body.is_special {
                        positions[place - band.first] += displacement;
                    }
                }
            });
        });
    }
}

impl Context<'_> {
    /// The density above which agents lie in a heap.
    fn most_packed(&self) -> f32 {
        PACKED * (1.0 + RIM * self.buckets.regular_radius() / self.buckets.width())
    }

    /// The direction out of a heap for the agents of a bucket, of a length up to 1; zero if they lie in no heap.
    fn way_out_of_heap(&self, cell: IVec2) -> Vec2 {
        let inverse_area = self.buckets.width().powi(2).recip();
        let most_packed = self.most_packed();
        if self.covered(cell) * inverse_area <= most_packed {
            return Vec2::ZERO;
        }
        let mut density = 0.0;
        let mut slope = Vec2::ZERO;
        for y in 0..3 {
            for x in 0..3 {
                let offset = IVec2::new(x, y) - 1;
                let covered = self.covered(cell + offset) * inverse_area;
                let [across, along] = [WEIGHTS[x as usize], WEIGHTS[y as usize]];
                density += across * along * covered;
                slope += covered * offset.as_vec2() * Vec2::new(along, across);
            }
        }
        let share = ((density - most_packed) / DENSER).min(1.0);
        if share <= 0.0 {
            return Vec2::ZERO;
        }
        let steepness = (slope.length() / density - FLAT) / (STEEP - FLAT);
        -slope.normalize_or_zero() * (share * steepness.clamp(0.0, 1.0))
    }

    /// The area that agents cover whose centres are in a bucket. An oversized one counts as a regular one: what it
    /// covers is not in its bucket.
    fn covered(&self, cell: IVec2) -> f32 {
        let regular = self.buckets.regular_radius();
        self.buckets.sorted()[self.buckets.agents_of(cell)]
            .iter()
            .filter(|agent| agent.is_on_ground())
            .map(|agent| disc_area(self.types[usize::from(agent.kind)].radius.min(regular)))
            .sum()
    }
}

fn disc_area(radius: f32) -> f32 {
    std::f32::consts::PI * radius * radius
}
