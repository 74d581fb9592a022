//! Unfinished middle and far fields as bytes: their costs and the work so far, which reading does again.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::far_build::Far;
use crate::world::walking::middle_build::MiddleBuild;
use crate::world::walking::saved::present::Present;
use crate::world::walking::window::Window;
use std::sync::Arc;

/// More cells of work than any field takes.
const MOST_WORK: usize = 32 * crate::grid::MAX_CELLS as usize;

impl Far {
    pub(in crate::world) fn write(&self, present: Present<'_>, out: &mut Writer) {
        // As long as it copies the present costs, it is for these.
        self.costs.is_some().write(out);
        let costs = match &self.costs {
            Some(_) => self.version.costs,
            None => present.revision,
        };
        present.write_version(
            Version {
                costs,
                ..self.version
            },
            out,
        );
        self.begun_at.write(out);
        self.destination.write(out);
        if let Some(costs) = &self.costs {
            costs.write_from(present.costs, out);
        }
        self.budgets.write(out);
    }

    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        present: Present<'_>,
        scratch: &Scratch,
    ) -> Result<Self> {
        let has_costs = bool::read(input)?;
        let version = present.read_version(input)?;
        let begun_at = present.read_tick(input)?;
        let destination = Destination::read_checked(input)?;
        let mut far = Self::begin(&destination, version, begun_at);
        if has_costs {
            let costs = CostField::clone(present.costs).read_into(input)?;
            far.costs = Some(Arc::new(costs));
        }
        far.budgets = read_budgets(input)?;
        let is_unfinished = far.catch_up(present.costs, scratch);
        let is_copying = !has_costs && version.costs == present.revision;
        if !is_unfinished || far.costs.is_none() != is_copying {
            return Err(input.bad("it has an unfinished field that would be finished"));
        }
        Ok(far)
    }
}

impl MiddleBuild {
    pub(super) fn write(&self, present: Present<'_>, out: &mut Writer) {
        present.write_version(self.version, out);
        self.begun_at.write(out);
        self.destination.write(out);
        Arc::ptr_eq(&self.links, present.costs.shared_links()).write(out);
        out.u32(self.begun.len() as u32);
        for (window, own) in &self.begun {
            window.write(out);
            own.write_from(&present.costs.cut_out(window.cells), out);
        }
        self.budgets.write(out);
    }

    pub(super) fn read(
        input: &mut Unpacker<'_>,
        present: Present<'_>,
        scratch: &Scratch,
    ) -> Result<Self> {
        let version = present.read_version(input)?;
        let begun_at = present.read_tick(input)?;
        let destination = Destination::read_checked(input)?;
        let links = present.read_links(input)?;
        let mut begun = Vec::new();
        for _ in 0..input.u32()? {
            let window = Window::read(input, present.map())?;
            let own = present.costs.cut_out(window.cells).read_into(input)?;
            begun.push((window, Arc::new(own)));
        }
        let with = (version, begun_at);
        let mut build = Self::begin_on(begun, links, &destination, with);
        build.budgets = read_budgets(input)?;
        if !build.catch_up(scratch) {
            return Err(input.bad("it has an unfinished field that would be finished"));
        }
        Ok(build)
    }
}

/// Reads the work so far of an unfinished field, in cells from update to update.
fn read_budgets(input: &mut Unpacker<'_>) -> Result<Vec<usize>> {
    let budgets = Vec::<usize>::read(input)?;
    if budgets.iter().any(|&budget| budget > MOST_WORK) {
        return Err(input.bad("it has an unfinished field that would be finished"));
    }
    Ok(budgets)
}
