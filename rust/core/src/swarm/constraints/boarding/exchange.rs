//! Agents that wait for each other: where two floors are full, an agent of each can still go to the other.

use super::request::Request;
use super::tiles::Tiles;
use crate::grid::CellRect;
use glam::Vec2;

/// How far, in cells along each axis, the first cell of one link may be from the last cell of the other: the two
/// directions of a door may be links side by side.
const BESIDE: i32 = 2;

/// What an agent wants that waits, and where it would land.
pub(super) type Waits = (Request, Vec2);

/// The agents that wait because a floor is full.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// What they want and where they would land; `None` once they go.
    agents: Vec<Option<Waits>>,
    /// All before this one have been looked at.
    next: usize,
    /// By the first cells of their links.
    tiles: Tiles,
}

impl Waiting {
    pub(super) fn clear(&mut self, agents: usize) {
        self.tiles.clear(agents);
        self.next = 0;
        self.agents.clear();
        self.agents.reserve(agents);
    }

    pub(super) fn add(&mut self, request: Request, landing: Vec2) {
        self.tiles.push(request.first);
        self.agents.push(Some((request, landing)));
    }

    /// Takes out the next two that wait for each other's places.
    pub(super) fn next_pair(&mut self) -> Option<[Waits; 2]> {
        while let Some(&own) = self.agents.get(self.next) {
            let number = self.next;
            self.next += 1;
            if let Some((request, _)) = own
                && let Some(opposite) = self.opposite(&request)
                // Where both ends are near each other, an agent may be its own opposite.
                && opposite != number
            {
                let taken = [number, opposite].map(|number| self.agents[number].take());
                if let [Some(own), Some(other)] = taken {
                    return Some([own, other]);
                }
            }
        }
        None
    }

    /// The first agent that waits to go from the end of an agent's link to its start.
    fn opposite(&self, request: &Request) -> Option<usize> {
        let there = CellRect::cell(request.end).grown(BESIDE);
        let back = CellRect::cell(request.first).grown(BESIDE);
        let comes_back = |&number: &usize| {
            let other = &self.agents[number];
            other.is_some_and(|(other, _)| there.contains(other.first) && back.contains(other.end))
        };
        self.tiles.near(there).filter(comes_back).min()
    }
}
