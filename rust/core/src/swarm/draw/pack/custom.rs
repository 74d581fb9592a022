//! The presets of custom data, which shaders read.

use crate::swarm::AgentState;
use crate::swarm::draw::pack::character;
use crate::swarm::draw::pack::pose::Pose;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::value_at;
use glam::Vec2;

/// Four numbers for the shader. A column is one of the game's own ([`Swarm::set_user_ints`],
/// [`Swarm::set_user_floats`]).
///
/// For a corpse the phase is the time since its death, in seconds up to 16, and the speed is -1: a shader plays the
/// clip once and stops at its last frame.
///
/// Some renderers keep custom data in 16 bits: integers are exact up to 2,048 there, and everywhere
/// up to 2^24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CustomData {
    /// None.
    #[default]
    None,
    /// Heading x and y, speed as a fraction of the type's greatest, state.
    Motion,
    /// For sprite sheets: phase of the walk (0..1, see [`Tracking`]), heading in turns from +x
    /// towards +y (0..1), speed as a fraction of the greatest, clip (integer column 0).
    ///
    /// [`Tracking`]: crate::swarm::Tracking
    Sprite,
    /// For animation by vertices: phase of the walk, speed as a fraction of the greatest, clip
    /// (integer column 0), float column 0.
    Vertices,
    /// Float columns 0 and 1, integer columns 0 and 1.
    User,
    /// For characters of several clips ([`AgentType::clips`](crate::swarm::AgentType::clips)): phase of the movement
    /// (0..1) and gait (0 stands, 1 walks, 2 runs); clip and its weight as `32 * (clip + 1) + 31 * weight`, rounded, or
    /// 0; share of the clip that has been played (0..=1). A gait of -1 - c says that the phase is the share of clip c,
    /// from which the present clip is blended in.
    Character,
}

/// The speed that tells shaders that an agent is a corpse.
const CORPSE_SPEED: f32 = -1.0;

impl CustomData {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Motion,
        Self::Sprite,
        Self::Vertices,
        Self::User,
        Self::Character,
    ];

    /// The numbers of an agent; for [`Self::None`] no shader reads them.
    #[inline]
    pub(super) fn of(self, swarm: &Swarm, index: usize, pose: &Pose) -> [f32; 4] {
        let agents = &swarm.agents;
        let speed = || {
            if agents.state[index] == AgentState::Corpse {
                return CORPSE_SPEED;
            }
            let kind = &swarm.types[usize::from(agents.kind[index])];
            agents.velocity[index].length() / kind.max_speed
        };
        let int = |column: usize| value_at(&agents.user.ints[column], index) as f32;
        let float = |column: usize| value_at(&agents.user.floats[column], index);
        match self {
            Self::None => [0.0; 4],
            Self::Motion => {
                let state = f32::from(agents.state[index] as u8);
                [pose.heading.x, pose.heading.y, speed(), state]
            }
            Self::Sprite => [
                pose.phase(swarm, index),
                turns(pose.heading),
                speed(),
                int(0),
            ],
            Self::Vertices => [pose.phase(swarm, index), speed(), int(0), float(0)],
            Self::User => [float(0), float(1), int(0), int(1)],
            Self::Character => character::numbers(swarm, index, pose),
        }
    }
}

/// The angle of a vector that is not zero, from +x towards +y, in turns (0..1), within 0.0007 of one.
///
/// The arc tangent on -1..=1 is approximated by `x * (pi / 4 + 0.273 * (1 - |x|))` (Rajan, Wang, Inkol and Joyal,
/// Efficient approximations for the arctangent function, IEEE Signal Processing Magazine 23(3), 2006). The platform's
/// own function would differ between machines.
fn turns(vector: Vec2) -> f32 {
    const LINEAR: f32 = 0.125;
    const BEND: f32 = 0.273 / std::f32::consts::TAU;
    let arc = |slope: f32| slope * (LINEAR + BEND * (1.0 - slope.abs()));
    let Vec2 { x, y } = vector;
    let turns = if x.abs() >= y.abs() {
        let half = if x < 0.0 { 0.5 } else { 0.0 };
        half + arc(y / x)
    } else {
        let quarter = if y < 0.0 { 0.75 } else { 0.25 };
        quarter - arc(x / y)
    };
    let turns = if turns < 0.0 { turns + 1.0 } else { turns };
    if turns < 1.0 { turns } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_the_angle() {
        for number in 0..3600 {
            let angle = f64::from(number) * std::f64::consts::TAU / 3600.0;
            let vector = Vec2::new(angle.cos() as f32, angle.sin() as f32);
            let off = f64::from(turns(vector)) - f64::from(number) / 3600.0;
            let off = off.abs().min(1.0 - off.abs());
            assert!(off < 0.0007, "{number}: {off}");
            assert!((0.0..1.0).contains(&turns(vector)));
        }
        assert_eq!(turns(Vec2::X), 0.0);
        assert_eq!(turns(Vec2::Y), 0.25);
        assert_eq!(turns(-Vec2::X), 0.5);
        assert_eq!(turns(-Vec2::Y), 0.75);
    }
}
