//! What saved fields are compared with: the present costs, by which revisions become ages, and the number of updates.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::flow::DirectionRule;
use crate::grid::CellRect;
use crate::grid::links::Links;
use crate::integrate::Solver;
use crate::movement::CostField;
use crate::world::past_costs::PastCosts;
use crate::world::version::Version;
use glam::IVec2;
use std::sync::Arc;

/// The revision of costs that are not the present ones. Costs never have it.
pub(super) const OLD: u64 = 0;
/// The solvers, by their numbers in saves.
const SOLVERS: [Solver; 2] = [Solver::Octile, Solver::Eikonal];

impl Saved for Solver {
    fn write(&self, out: &mut Writer) {
        out.u8(self.number() as u8);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let number = input.u8()?;
        let mut solvers = SOLVERS.into_iter();
        let solver = solvers.find(|solver| solver.number() == u64::from(number));
        solver.ok_or_else(|| input.bad("it has an unknown solver"))
    }
}

impl Saved for DirectionRule {
    fn write(&self, out: &mut Writer) {
        let place = Self::ALL.iter().position(|rule| rule == self);
        out.u8(place.unwrap_or(0) as u8);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let rule = Self::ALL.get(usize::from(input.u8()?)).copied();
        rule.ok_or_else(|| input.bad("it has an unknown rule"))
    }
}

/// The present costs of a movement type, which saved costs are compared with.
#[derive(Clone, Copy)]
pub(in crate::world) struct Present<'a> {
    pub(in crate::world) costs: &'a Arc<CostField>,
    /// The edits before.
    pub(in crate::world) past: &'a PastCosts,
    /// The least revision that fields on these costs have.
    pub(in crate::world) revision: u64,
    /// The number of updates.
    pub(in crate::world) tick: u64,
}

impl Present<'_> {
    /// Writes how old the costs of a revision are.
    pub(in crate::world) fn write_costs(&self, revision: u64, out: &mut Writer) {
        self.past.write_age(revision, self.revision, out);
    }

    /// Reads what [`Self::write_costs`] has written, as a revision.
    pub(in crate::world) fn read_costs(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        self.past.read_age(input, (self.revision, OLD))
    }

    pub(in crate::world) fn write_version(&self, version: Version, out: &mut Writer) {
        self.write_costs(version.costs, out);
        version.goal.write(out);
        version.solver.write(out);
        version.rule.write(out);
    }

    pub(in crate::world) fn read_version(&self, input: &mut Unpacker<'_>) -> Result<Version> {
        Ok(Version {
            costs: self.read_costs(input)?,
            goal: u64::read(input)?,
            solver: Saved::read(input)?,
            rule: Saved::read(input)?,
        })
    }

    /// Reads the number of an update that has been.
    pub(in crate::world) fn read_tick(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        let tick = u64::read(input)?;
        if tick > self.tick {
            return Err(input.bad("it has fields from a future update"));
        }
        Ok(tick)
    }

    pub(super) fn map(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: IVec2::new(self.costs.width() as i32, self.costs.height() as i32),
        }
    }

    /// The present links, or others that are like none.
    pub(super) fn read_links(&self, input: &mut Unpacker<'_>) -> Result<Arc<Links>> {
        Ok(if bool::read(input)? {
            Arc::clone(self.costs.shared_links())
        } else {
            Arc::default()
        })
    }
}
