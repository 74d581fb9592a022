//! Sectors of clear ground that see one root (Emerson, Game AI Pro, 23.4.1 and 23.6.4).
//!
//! Most of a large map is clear. A sector that sees the goal or one corner of a wall as a whole needs no solve and
//! stores no cells: checking the eight sectors around it is enough.

use super::border;
use super::field::TiledField;
use super::tile::Content;
use crate::grid::STEPS;
use crate::integrate::{Candidate, Root, Sight, Solver, UNREACHED};
use crate::movement::CostField;
use glam::IVec2;

impl TiledField {
    /// The common root of all cells of a sector, if the ground and the values along its border prove it: all cells are
    /// open and cost the same, and every line to the root leaves the sector through cells that have this root.
    pub(super) fn sight(&self, sector: u32, costs: &CostField) -> Option<Sight> {
        if self.solver != Solver::Eikonal || self.is_left_by_links(sector) {
            return None;
        }
        let rect = self.layout.rect(sector);
        let (low, size) = (rect.low, rect.high - rect.low);
        let cost = costs.one_cost(rect)?;
        let goals = &self.goals[self.goals_in(sector)];
        let sight = match goals {
            [] => (0..8).find_map(|step| self.sight_from(sector, step, cost))?,
            [goal] => {
                let candidate = Candidate {
                    cost: self.initial_cost(goal),
                    root: Root::HERE,
                };
                Sight::of(candidate, cost, self.scale())?.moved(low - goal.cell)?
            }
            _ => return None,
        };
        let sides = sight.sides(size);
        // A root inside the sector is a goal, or comes from an earlier solution.
        if !sight.reaches(size) || sides == IVec2::ZERO && goals.is_empty() {
            return None;
        }
        for (step, by) in STEPS.into_iter().enumerate() {
            let is_entry = |by: i32, side: i32| by == 0 || by == side;
            let is_needed = is_entry(by.x, sides.x) && is_entry(by.y, sides.y);
            let Some(slot) = self.slot_beside(sector, step) else {
                if is_needed {
                    return None;
                }
                continue;
            };
            let other = &self.slots[slot as usize];
            let there = self.layout.rect(other.sector);
            match &other.published {
                None if is_needed => return None,
                None => continue,
                Some(Content::Clear(known)) if other.is_whole() => {
                    if known.moved(low - there.low) != Some(sight) {
                        return None;
                    }
                    continue;
                }
                Some(_) => {}
            }
            let (side, cells) = border::strip(there.high - there.low, (step + 4) % 8);
            for at in cells {
                let candidate = other.candidate(there.high - there.low, side, at);
                if candidate.cost == UNREACHED {
                    if is_needed {
                        return None;
                    }
                    continue;
                }
                let cell = there.low + border::cell(there.high - there.low, side, at);
                if candidate != sight.candidate_at(cell - low) || costs.cost_at(cell) != cost {
                    return None;
                }
            }
        }
        Some(sight)
    }

    /// Returns true if links start in a sector: its cells may have other roots then.
    fn is_left_by_links(&self, sector: u32) -> bool {
        !self.links.leaving_sector(sector).is_empty()
    }

    /// The root of the first reached cell in the neighbour of `sector` in the direction `step`, relative to `sector`.
    fn sight_from(&self, sector: u32, step: usize, cost: u8) -> Option<Sight> {
        let other = &self.slots[self.slot_beside(sector, step)? as usize];
        let low = self.layout.rect(sector).low;
        let there = self.layout.rect(other.sector);
        if let Some(Content::Clear(sight)) = other.published
            && other.is_whole()
        {
            return sight
                .moved(low - there.low)
                .filter(|sight| sight.is_on(cost, self.scale()));
        }
        let size = there.high - there.low;
        let (side, mut cells) = border::strip(size, (step + 4) % 8);
        let (at, candidate) = cells.find_map(|at| {
            let candidate = other.candidate(size, side, at);
            (candidate.cost != UNREACHED).then_some((at, candidate))
        })?;
        let cell = there.low + border::cell(size, side, at);
        Sight::of(candidate, cost, self.scale())?.moved(low - cell)
    }
}
