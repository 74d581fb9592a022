//! Density and speed in an area over time: points of a fundamental diagram.

/// The number of seconds over which a point of the diagram is averaged.
const INTERVAL: f64 = 5.0;

/// Means over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaugePoint {
    /// Agents per unit of area.
    pub density: f64,
    /// Mean speed of the agents in the area, in units per second.
    pub speed: f64,
}

/// Averages the number of agents in an area of known size, and their speeds, over intervals of 5 s.
#[derive(Clone, Debug)]
pub struct Gauge {
    area: f64,
    seconds: f64,
    agent_seconds: f64,
    travelled: f64,
    points: Vec<GaugePoint>,
}

impl Gauge {
    /// Creates a gauge for an area of a size above 0.
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

    /// Adds a step of `dt` seconds with the speeds of all agents in the area.
    pub fn note(&mut self, speeds: impl Iterator<Item = f64>, dt: f64) {
        for speed in speeds {
            self.agent_seconds += dt;
            self.travelled += speed * dt;
        }
        self.seconds += dt;
        // A tolerance of half a step, because steps do not add up exactly to the interval.
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
            // Two agents in the first half, one of which stands; none in the second half.
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
