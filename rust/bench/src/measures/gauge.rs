//! Density and speed in a place, over time: points of a fundamental diagram.

/// Seconds that a point of the diagram is the mean of.
const INTERVAL: f64 = 5.0;

/// A mean over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaugePoint {
    /// Agents per unit of area.
    pub density: f64,
    /// Mean speed of agents in the place, in units a second.
    pub speed: f64,
}

/// Counts agents in a place of a known area, and their speeds, in intervals of 5 s.
#[derive(Clone, Debug)]
pub struct Gauge {
    area: f64,
    seconds: f64,
    agent_seconds: f64,
    travelled: f64,
    points: Vec<GaugePoint>,
}

impl Gauge {
    /// A gauge of a place with an area above 0.
    #[must_use]
    pub fn new(area: f64) -> Self {
        Self {
            area,
            seconds: 0.0,
            agent_seconds: 0.0,
            travelled: 0.0,
            points: Vec::new(),
        }
    }

    /// Adds a step of `dt` seconds with the speeds of all agents that are in the place.
    pub fn note(&mut self, speeds: impl Iterator<Item = f64>, dt: f64) {
        for speed in speeds {
            self.agent_seconds += dt;
            self.travelled += speed * dt;
        }
        self.seconds += dt;
        // Half a step of grace: steps do not add up to the interval exactly.
        if self.seconds + 0.5 * dt >= INTERVAL {
            self.finish_interval();
        }
    }

    fn finish_interval(&mut self) {
        if self.agent_seconds > 0.0 {
            self.points.push(GaugePoint {
                density: self.agent_seconds / self.seconds / self.area,
                speed: self.travelled / self.agent_seconds,
            });
        }
        (self.seconds, self.agent_seconds, self.travelled) = (0.0, 0.0, 0.0);
    }

    /// A point for each interval in which there were agents.
    #[must_use]
    pub fn points(&self) -> &[GaugePoint] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_the_mean_over_an_interval() {
        let mut gauge = Gauge::new(4.0);
        for step in 0..50 {
            // Two agents in the first half, one of them stands; none in the second.
            let speeds: &[f64] = if step < 25 { &[1.5, 0.0] } else { &[] };
            gauge.note(speeds.iter().copied(), 0.1);
        }
        let [point] = gauge.points() else {
            panic!("one interval, not {:?}", gauge.points());
        };
        assert!((point.density - 0.25).abs() < 1e-9, "{point:?}");
        assert!((point.speed - 0.75).abs() < 1e-9, "{point:?}");
    }

    #[test]
    fn intervals_without_agents_and_unfinished_ones_have_no_point() {
        let mut gauge = Gauge::new(1.0);
        for _ in 0..12 {
            gauge.note(std::iter::empty(), 0.5);
        }
        gauge.note(std::iter::once(1.0), 0.5);
        assert!(gauge.points().is_empty());
    }
}
