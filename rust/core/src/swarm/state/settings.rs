//! Switches and weights of all agents of a swarm.

use crate::error::{Result, finite, in_range};
use glam::Vec2;

/// What an agent does that reaches its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArrivalAction {
    /// It brakes, stops without passing the target, and stands until its goal moves. Others may still push it.
    #[default]
    Stop,
    /// It is removed at the end of the step, and does not brake before.
    Despawn,
    /// It goes on to the exact target, and comes to rest there.
    KeepGoing,
}

impl ArrivalAction {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 3] = [Self::Stop, Self::Despawn, Self::KeepGoing];
}

/// Switches and weights of all agents of a swarm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Whether agents keep apart by [`Avoidance::Contact`](crate::swarm::Avoidance::Contact) and
    /// [`Avoidance::Separation`](crate::swarm::Avoidance::Separation). ORCA does not depend on it.
    pub separation: bool,
    /// Whether agents are kept out of walls.
    pub wall_correction: bool,
    /// What agents do that arrive.
    pub arrival: ArrivalAction,
    /// Distance from a target, in world units, at which an agent has arrived. In a goal's cell it
    /// always has.
    pub arrival_radius: f32,
    /// Whether agents also arrive and stop where they touch arrived agents of their group. A crowd then grows around
    /// the goal, and its agents keep their places except under strong pushes. Otherwise all agents press towards the
    /// goal's cell.
    pub settle_in_crowds: bool,
    /// The time in seconds, above 0, within which costs adapt to a crowd that has left or formed, for movement types
    /// with a [`CrowdPenalty`](crate::movement::CrowdPenalty).
    pub crowd_fading: f32,
    /// The time without progress, in seconds, after which an agent counts as stuck. It is proportionally longer on
    /// ground that slows the agent.
    pub stuck_seconds: f32,
    /// The number of steps, 1 to 60, from one decision to the next of agents outside of [`Self::focus`]. In between
    /// they keep their velocity, and neither avoid others nor follow the field. Walls count in every step, and arrived,
    /// idle and scripted agents decide in every step.
    pub far_agents_every: u32,
    /// The rectangle around what players see, as its lower and upper corner in world units. Without one all agents
    /// decide in every step.
    pub focus: Option<(Vec2, Vec2)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            separation: true,
            wall_correction: true,
            arrival: ArrivalAction::default(),
            arrival_radius: 0.0,
            settle_in_crowds: false,
            crowd_fading: 2.0,
            stuck_seconds: 2.0,
            far_agents_every: 1,
            focus: None,
        }
    }
}

impl Settings {
    /// Checks the ranges of all settings.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<()> {
        in_range("arrival_radius", self.arrival_radius, 0.0, 1.0e6)?;
        in_range("crowd_fading", self.crowd_fading, 0.01, 1.0e6)?;
        in_range("stuck_time", self.stuck_seconds, 0.01, 1.0e6)?;
        in_range("far_agents_every", self.far_agents_every, 1, 60)?;
        if let Some((low, high)) = self.focus {
            finite("focus", low)?;
            finite("focus", high)?;
            let size = high - low;
            in_range("width of focus", size.x, 0.0, f32::INFINITY)?;
            in_range("height of focus", size.y, 0.0, f32::INFINITY)?;
        }
        Ok(())
    }
}
