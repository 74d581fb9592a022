//! The state of goals that walk as bytes.
//!
//! Near and middle fields, and fields that are being built, follow from what they were made from: their costs, the
//! positions of the goal, and for unfinished fields the work so far. That is what a save holds. Reading solves them
//! again.
//!
//! `present` is what they are compared with; `goals`, `fields`, `tiers` and `builds` are their parts.

mod builds;
mod fields;
mod goals;
mod present;
mod tiers;

pub(in crate::world) use fields::{FieldList, FieldNumbers};
pub(in crate::world) use present::Present;

use crate::bytes::{Saved, Unpacker, Writer};
use crate::error::Result;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::walking::far_build::Far;
use crate::world::walking::middle::Tier;
use crate::world::walking::near::{GoalDepths, Near};
use crate::world::walking::walk::Walk;

impl Walk {
    /// Writes all but near fields. If it does not go on, the next update drops what is unfinished.
    pub(in crate::world) fn write(
        &self,
        goes_on: bool,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            far,
            tiers,
            near: _,
            depths,
            closed_since,
            seen,
            left_at,
            walked_at,
        } = self;
        let far = far.as_ref().filter(|_| goes_on);
        far.is_some().write(out);
        if let Some(far) = far {
            far.write(present, out);
        }
        for tier in tiers {
            let nothing = Tier::default();
            let tier = if goes_on { tier } else { &nothing };
            tier.write((present, fields), out);
        }
        depths.write(out);
        closed_since.write(out);
        seen.write(out);
        left_at.write(out);
        walked_at.write(out);
    }

    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
        scratch: &Scratch,
    ) -> Result<Self> {
        let mut walk = Self::default();
        if bool::read(input)? {
            walk.far = Some(Far::read(input, present, scratch)?);
        }
        for tier in &mut walk.tiers {
            *tier = Tier::read(input, (present, fields), scratch)?;
        }
        walk.depths = GoalDepths::read(input)?;
        if bool::read(input)? {
            walk.closed_since = Some(present.read_tick(input)?);
        }
        walk.seen = Destination::read_checked(input)?;
        walk.left_at = present.read_tick(input)?;
        walk.walked_at = present.read_tick(input)?;
        Ok(walk)
    }

    /// Writes the near fields.
    pub(in crate::world) fn write_near(
        &self,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        self.near.is_some().write(out);
        if let Some(near) = &self.near {
            near.write((present, fields), out);
        }
    }

    pub(in crate::world) fn read_near(
        &mut self,
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
    ) -> Result<()> {
        if bool::read(input)? {
            self.near = Some(Near::read(input, present, fields)?);
        }
        Ok(())
    }
}
