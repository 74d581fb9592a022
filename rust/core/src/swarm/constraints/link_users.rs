//! The agents that want a link in a step, or are on one.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The places in bucket order of the agents that want a link in a step, or are on one. Between steps only its capacity
/// is kept.
#[derive(Debug, Default)]
pub(in crate::swarm) struct LinkUsers {
    /// The first [`Self::count`] are in use.
    places: Vec<AtomicU32>,
    count: AtomicUsize,
}

impl LinkUsers {
    /// Empties the list, with room for `agents` if links are used at all.
    pub(in crate::swarm) fn make_room(&mut self, is_used: bool, agents: usize) {
        *self.count.get_mut() = 0;
        if is_used && self.places.len() < agents {
            self.places.resize_with(agents, AtomicU32::default);
        }
    }

    /// Adds an agent, at most once in a step. Any number of threads may add agents at once.
    pub(in crate::swarm) fn note(&self, place: usize) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.places[number].store(place as u32, Ordering::Relaxed);
    }

    /// Sorts the list after all agents were added, so that it does not depend on threads.
    pub(in crate::swarm) fn sort(&mut self) {
        let count = *self.count.get_mut();
        self.places[..count].sort_unstable_by_key(|place| place.load(Ordering::Relaxed));
    }

    /// The places in bucket order, ascending.
    pub(in crate::swarm) fn places(&self) -> impl Iterator<Item = usize> {
        let count = self.count.load(Ordering::Relaxed);
        let places = self.places[..count].iter();
        places.map(|place| place.load(Ordering::Relaxed) as usize)
    }
}
