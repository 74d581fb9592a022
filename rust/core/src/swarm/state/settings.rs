//! Switches and weights of all agents of a swarm.

use crate::error::{Result, finite, in_range};
use glam::Vec2;

/// What becomes of an agent that reaches its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArrivalAction {
    /// It stops until its goal moves, and has braked for that: it does not pass the target. Others may still push it.
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
    /// Whether agents keep apart: those of [`Avoidance::Contact`](crate::swarm::Avoidance::Contact) keep their room and
    /// those of [`Avoidance::Separation`](crate::swarm::Avoidance::Separation) push each other. ORCA does not depend on it.
    pub separation: bool,
    /// Whether agents are kept out of walls.
    pub wall_correction: bool,
    /// What becomes of agents that arrive.
    pub arrival: ArrivalAction,
    /// Distance from a target, in world units, at which an agent has arrived. In a goal's cell it
    /// always has.
    pub arrival_radius: f32,
    /// Whether agents that stop where they arrive do so, too, where they meet others of their group
    /// that have arrived: a crowd grows around its goal, and who is in it keeps its place but for
    /// strong pushes. Otherwise all of them strive for the goal's cell.
    pub settle_in_crowds: bool,
    /// In about how many seconds costs forget a crowd that has gone, and see one that has come, above 0;
    /// for movement types with a [`CrowdPenalty`](crate::movement::CrowdPenalty).
    pub crowd_fading: f32,
    /// Seconds without progress after which an agent counts as stuck; longer on ground that slows it, by as much.
    pub stuck_seconds: f32,
    /// Agents outside of [`Self::focus`] decide anew in every so many steps, 1 to 60, each in its turn: in
    /// between they keep their velocity, neither avoiding others nor following the field. Walls and
    /// arrived, idle and scripted agents are looked at in every step.
    pub far_agents_every: u32,
    /// The rectangle, as its lower and upper corner in world units, around what players see. Without one
    /// no agent is far away.
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
    /// Whether a swarm takes these settings.
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
