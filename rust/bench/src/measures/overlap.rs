//! Overlaps between the discs of agents.

use glam::Vec2;

use super::Nearby;

/// Histogram bins per radius of overlap.
const BINS_PER_RADIUS: usize = 10_000;
/// The greatest overlap that is counted, in radii. The smaller disc is then inside the other or, with equal discs, both
/// are at the same place.
const GREATEST: f32 = 2.0;

/// The overlaps of touching pairs in all samples.
///
/// A sample tests every pair of agents whose centres are closer than the sum of their radii. The overlap of a pair is
/// that sum minus the distance, divided by the smaller radius, 0..=2. Pairs that do not touch are not counted, so mean
/// and percentiles refer to overlapping pairs only.
pub struct Overlaps {
    bins: Vec<u64>,
    sum: f64,
    pairs: u64,
    max: f32,
    nearby: Nearby,
}

impl Default for Overlaps {
    fn default() -> Self {
        Self {
            bins: vec![0; GREATEST as usize * BINS_PER_RADIUS + 1],
            sum: 0.0,
            pairs: 0,
            max: 0.0,
            nearby: Nearby::default(),
        }
    }
}

impl Overlaps {
    /// Adds a sample: the centres and radii of all agents, in the same unit and order.
    ///
    /// # Panics
    /// If there are fewer radii than positions.
    pub fn note(&mut self, positions: &[Vec2], radii: &[f32]) {
        let largest = radii.iter().copied().fold(0.0, f32::max);
        if positions.is_empty() {
            return;
        }
        let mut nearby = std::mem::take(&mut self.nearby);
        nearby.rebuild(positions, 2.0 * largest);
        for (index, &at) in positions.iter().enumerate() {
            let reach = radii[index] + largest;
            nearby.around(at, reach, |other| {
                let sum = radii[index] + radii[other];
                let apart = positions[other].distance(at);
                if other > index && apart < sum {
                    self.add((sum - apart) / radii[index].min(radii[other]));
                }
            });
        }
        self.nearby = nearby;
    }

    fn add(&mut self, overlap: f32) {
        let overlap = overlap.min(GREATEST);
        self.bins[(overlap * BINS_PER_RADIUS as f32) as usize] += 1;
        self.sum += f64::from(overlap);
        self.pairs += 1;
        self.max = self.max.max(overlap);
    }

    /// The mean overlap of touching pairs, in radii; 0 if no pair touched.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.pairs.max(1) as f64
    }

    /// The deepest overlap, in radii; 0 if no pair touched.
    #[must_use]
    pub fn max(&self) -> f32 {
        self.max
    }

    /// The number of touching pairs in all samples together.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The overlap that `share` (0..=1) of the touching pairs do not exceed, in radii, to 0.0001; 0 if no pair touched.
    #[must_use]
    pub fn percentile(&self, share: f64) -> f64 {
        let rank = (self.pairs as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bin, &count) in self.bins.iter().enumerate() {
            seen += count;
            if seen >= rank {
                let upper = (bin + 1) as f64 / BINS_PER_RADIUS as f64;
                return upper.min(f64::from(self.max));
            }
        }
        0.0
    }
}

/// For each disc its deepest overlap with another, divided by the radius of the smaller of the two, 0..=2; 0 if no disc
/// touches it. Centres and radii are in the same unit and order.
///
/// # Panics
/// If there are fewer radii than positions.
#[must_use]
pub fn deepest(positions: &[Vec2], radii: &[f32]) -> Vec<f32> {
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let mut deepest = vec![0.0_f32; positions.len()];
    if largest <= 0.0 {
        return deepest;
    }
    let mut nearby = Nearby::default();
    nearby.rebuild(positions, 2.0 * largest);
    for (index, &at) in positions.iter().enumerate() {
        nearby.around(at, radii[index] + largest, |other| {
            let shared = radii[index] + radii[other] - positions[other].distance(at);
            if other != index && shared > 0.0 {
                let overlap = shared / radii[index].min(radii[other]);
                deepest[index] = deepest[index].max(overlap.min(GREATEST));
            }
        });
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_disc_has_the_deepest_of_its_overlaps() {
        // 0 and 1 overlap by a quarter of a radius, 1 and 2 by half a radius, 3 is alone, and 4 is within 5.
        let centres = [-1.0, 6.0, 12.0, 50.0, 90.0, 91.0].map(|x| Vec2::new(x, 0.0));
        let found = deepest(&centres, &[4.0, 4.0, 4.0, 4.0, 2.0, 20.0]);
        assert_eq!(found, [0.25, 0.5, 0.5, 0.0, 2.0, 2.0]);
        assert!(deepest(&[], &[]).is_empty());
    }

    fn overlaps(agents: &[(f32, f32, f32)]) -> Overlaps {
        let positions: Vec<_> = agents.iter().map(|&(x, y, _)| Vec2::new(x, y)).collect();
        let radii: Vec<_> = agents.iter().map(|&(.., radius)| radius).collect();
        let mut overlaps = Overlaps::default();
        overlaps.note(&positions, &radii);
        overlaps
    }

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 2.0e-4
    }

    #[test]
    fn counts_each_touching_pair_once() {
        // 0 and 1 overlap by a quarter of a radius, 1 and 2 by half a radius, 0 and 2 only touch, and 3 is far away.
        let found = overlaps(&[
            (-1.0, 0.0, 4.0),
            (6.0, 0.0, 4.0),
            (12.0, 0.0, 4.0),
            (90.0, -50.0, 4.0),
        ]);
        assert_eq!(found.pairs(), 2);
        assert!(near(found.mean(), 0.375), "{}", found.mean());
        assert_eq!(found.max(), 0.5);
        assert!(near(found.percentile(0.5), 0.25));
        assert!(near(found.percentile(0.99), 0.5));
    }

    #[test]
    fn the_same_place_is_two_radii_and_no_agent_is_none() {
        let found = overlaps(&[(3.0, 3.0, 0.5), (3.0, 3.0, 0.5)]);
        assert_eq!((found.pairs(), found.max()), (1, 2.0));
        assert_eq!(found.percentile(0.99), 2.0);
        let none = overlaps(&[(3.0, 3.0, 0.5)]);
        assert_eq!(
            (none.mean(), none.max(), none.percentile(0.5)),
            (0.0, 0.0, 0.0)
        );
        assert_eq!(overlaps(&[]).pairs(), 0);
    }

    #[test]
    fn measures_in_the_smaller_radius_and_across_many_squares() {
        // The rims of an oversized and a small agent overlap by 1, and the small one's radius is 2.
        let found = overlaps(&[(0.0, 0.0, 30.0), (-31.0, 0.0, 2.0), (0.0, 40.0, 2.0)]);
        assert_eq!(found.pairs(), 1);
        assert!(near(found.mean(), 0.5), "{}", found.mean());
        // A small agent inside the oversized one counts as two radii, whatever the depth.
        assert_eq!(overlaps(&[(0.0, 0.0, 30.0), (5.0, 0.0, 2.0)]).max(), 2.0);
    }

    #[test]
    fn finds_what_a_comparison_of_all_pairs_finds() {
        let mut random = crate::maps::SplitMix64::new(9);
        let agents: Vec<_> = (0..200)
            .map(|_| {
                let mut draw = |most: f64| (random.unit() * most) as f32;
                (draw(60.0) - 30.0, draw(60.0), 0.5 + draw(4.0))
            })
            .collect();
        let mut pairs = 0;
        for (index, a) in agents.iter().enumerate() {
            for b in &agents[..index] {
                pairs += u64::from((a.0 - b.0).hypot(a.1 - b.1) < a.2 + b.2);
            }
        }
        assert!(pairs > 100);
        assert_eq!(overlaps(&agents).pairs(), pairs);
    }
}
