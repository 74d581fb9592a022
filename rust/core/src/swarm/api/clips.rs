//! Plays clips on agents: an attack, a hit, a cheer.

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::playing::{Clip, Playing};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::value_at;

impl Swarm {
    /// Starts clips of agents, one for each id or one for all, in place of those that they play. Steps advance them. A
    /// clip that plays once ends by itself, and agents then go on as they move; a corpse holds its last frame.
    ///
    /// # Errors
    /// Neither one nor as many clips as ids ([`Error::Length`](crate::Error::Length)), a number that is out of its
    /// range ([`Clip`]), or [`Error::UnknownId`](crate::Error::UnknownId); none is changed then.
    pub fn play_clips(&mut self, ids: &[AgentId], clips: &[Clip]) -> Result<()> {
        clips.iter().try_for_each(Clip::check)?;
        let rows = self.rows_for("clips", ids, clips.len())?;
        for (index, &clip) in rows.into_iter().zip(clips.iter().cycle()) {
            self.start_clip(index, clip);
        }
        Ok(())
    }

    /// Blends the clips of agents out, in the time in which they were blended in. Agents that play none stay as they
    /// are.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId); none is changed then.
    pub fn stop_clips(&mut self, ids: &[AgentId]) -> Result<()> {
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            if let Some(Some(playing)) = self.agents.playing.get_mut(index) {
                playing.is_stopping = true;
            }
        }
        Ok(())
    }

    /// The number of the clip that an agent plays on request, or as its death.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn clip(&self, id: AgentId) -> Result<Option<u8>> {
        let index = self.agents.find(id)?;
        let playing = self.agents.playing.get(index).copied().flatten();
        Ok(playing.map(|playing| playing.clip.number))
    }

    /// [`Self::set_type`] for types with clips of other numbers. `counterpart` is given a type and the number of one of
    /// its clips, and returns the number and the length in seconds of the clip of the new type that an agent plays
    /// instead, at the same share; `None` ends the clip at once.
    ///
    /// # Errors
    /// As [`Self::set_type`], or a clip or a length out of their ranges; no agent is changed then.
    pub fn set_type_and_clips(
        &mut self,
        ids: &[AgentId],
        kind: i64,
        counterpart: impl Fn(u8, u8) -> Option<(u8, f32)>,
    ) -> Result<()> {
        let kind = self.check_kind(kind)?;
        self.find_all(ids)?;
        let mut changes = Vec::new();
        for &id in ids {
            let index = self.agents.find(id)?;
            let old = self.agents.kind[index];
            let playing = value_at(&self.agents.playing, index);
            let playing = playing.and_then(|playing| {
                let (number, seconds) = counterpart(old, playing.clip.number)?;
                Some(playing.as_clip(number, seconds))
            });
            if let Some(Playing { clip, .. }) = playing {
                clip.check()?;
            }
            let number = |clip| counterpart(old, clip).map(|(number, _)| number);
            // Without a clip there is nothing to blend into.
            let held = playing.and_then(|_| self.agents.trail.held_as(index, number));
            changes.push((index, playing, held));
        }
        for (index, playing, held) in changes {
            if let Some(entry) = self.agents.playing.get_mut(index) {
                *entry = playing;
            }
            self.agents.trail.set_held(index, held);
        }
        self.change_type(ids, kind)
    }

    /// Starts the clip of a death, if the agent's type has one.
    pub(in crate::swarm) fn start_death(&mut self, index: usize) {
        let kind = &self.types[usize::from(self.agents.kind[index])];
        if let Some(death) = kind.clips.death {
            self.start_clip(index, Clip::of_death(death));
        }
    }

    /// Ends the clip of an agent that is no longer a corpse.
    pub(in crate::swarm) fn end_death(&mut self, index: usize) {
        if let Some(playing) = self.agents.playing.get_mut(index) {
            *playing = None;
            self.agents.trail.show_movement(index);
        }
    }

    fn start_clip(&mut self, index: usize, clip: Clip) {
        let count = self.agents.len();
        self.agents.playing.resize(count, None);
        let before = self.agents.playing[index].replace(Playing::new(clip));
        let is_corpse = self.agents.state[index] == AgentState::Corpse;
        self.agents.trail.hold(index, count, before, is_corpse);
    }

    /// Advances all clips.
    pub(in crate::swarm) fn advance_clips(&mut self, dt: f32) {
        let agents = &mut self.agents;
        for (index, entry) in agents.playing.iter_mut().enumerate() {
            let Some(playing) = *entry else {
                continue;
            };
            *entry = playing.after(dt, agents.state[index] == AgentState::Corpse);
            if entry.is_none_or(|playing| playing.weight == 1.0) {
                agents.trail.show_movement(index);
            }
        }
    }
}
