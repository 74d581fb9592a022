//! Colours: an instance's colour is the product of the colours of its type, state and group.

use crate::error::{Error, Result, in_range};
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::agent_state::AgentState;

/// Red, green, blue and alpha.
pub(in crate::swarm) type Rgba = [f32; 4];

pub(in crate::swarm) const WHITE: Rgba = [1.0; 4];
/// The greatest channel of a colour.
pub(in crate::swarm) const MOST_COLOR: f32 = 1.0e6;
/// Colours of states and groups, which are multiplied with those of types. White changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    pub(in crate::swarm) states: [Rgba; AgentState::COUNT],
    /// A colour for every number of a group.
    pub(in crate::swarm) groups: Box<[Rgba; MAX_GROUPS]>,
    /// Whether all colours are white.
    pub(in crate::swarm) is_plain: bool,
}

impl Default for Palette {
    fn default() -> Self {
        Self {
            states: [WHITE; AgentState::COUNT],
            groups: Box::new([WHITE; MAX_GROUPS]),
            is_plain: true,
        }
    }
}

impl Palette {
    /// A palette from colours by the number of the state ([`AgentState`](crate::swarm::AgentState)) and by the number
    /// of the group. Missing colours are white.
    ///
    /// # Errors
    /// More colours than states or groups ([`Error::OutOfRange`]), or a channel outside ±1e6.
    pub fn new(states: &[Rgba], groups: &[Rgba]) -> Result<Self> {
        let mut palette = Self::default();
        fill("number of state colours", &mut palette.states, states)?;
        fill("number of group colours", &mut *palette.groups, groups)?;
        let mut all = palette.states.iter().chain(palette.groups.iter());
        palette.is_plain = all.all(|&color| color == WHITE);
        Ok(palette)
    }

    /// The colour of an agent.
    #[inline]
    pub(in crate::swarm) fn mix(&self, kind: &Rgba, state: usize, group: u8) -> Rgba {
        if self.is_plain {
            return *kind;
        }
        let (state, group) = (&self.states[state], &self.groups[usize::from(group)]);
        std::array::from_fn(|channel| kind[channel] * state[channel] * group[channel])
    }
}

fn fill(name: &'static str, table: &mut [Rgba], colors: &[Rgba]) -> Result<()> {
    let most = table.len();
    let Some(front) = table.get_mut(..colors.len()) else {
        return Err(Error::OutOfRange {
            name,
            value: colors.len().into(),
            min: 0.into(),
            max: most.into(),
        });
    };
    for &channel in colors.iter().flatten() {
        in_range("color", channel, -MOST_COLOR, MOST_COLOR)?;
    }
    front.copy_from_slice(colors);
    Ok(())
}
