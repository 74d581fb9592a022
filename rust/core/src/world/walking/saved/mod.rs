//! The state of goals that walk as bytes.
//!
//! Near and middle fields, and fields that are being built, follow from what they were made from: their costs, the
//! positions of the goal, and for unfinished fields the work so far. That is what a save holds. Reading solves them
//! again.
//!
//! `present` is what they are compared with; `goals`, `fields` and `builds` are their parts.

mod builds;
mod fields;
mod goals;
mod present;

pub(in crate::world) use fields::{FieldList, FieldNumbers};
pub(in crate::world) use present::Present;

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::walking::near::{GoalDepths, Near};
use crate::world::walking::unfinished::{Far, MiddleBuild};
use crate::world::walking::walk::{Level, Middle, Walk};
use std::sync::Arc;

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
            middle_build,
            middle,
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
        let middle_build = middle_build.as_ref().filter(|_| goes_on);
        middle_build.is_some().write(out);
        if let Some(build) = middle_build {
            build.write(present, out);
        }
        let middle = middle.as_ref().filter(|_| goes_on);
        middle.is_some().write(out);
        if let Some(middle) = middle {
            present.write_version(middle.version, out);
            middle.begun_at.write(out);
            Arc::ptr_eq(&middle.links, present.costs.shared_links()).write(out);
            out.u32(middle.former.len() as u32);
            for level in std::iter::once(&middle.latest).chain(&middle.former) {
                level.destination.write(out);
                let rule = middle.version.rule;
                fields.all(&level.fields, rule, present).write(out);
            }
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
        if bool::read(input)? {
            walk.middle_build = Some(MiddleBuild::read(input, present, scratch)?);
        }
        if bool::read(input)? {
            let version = present.read_version(input)?;
            let begun_at = present.read_tick(input)?;
            let links = present.read_links(input)?;
            let former = input.u32()?;
            let mut level = || {
                Ok(Level {
                    destination: Destination::read_checked(input)?,
                    fields: fields.some(input)?,
                })
            };
            walk.middle = Some(Middle {
                latest: level()?,
                former: (0..former).map(|_| level()).collect::<Result<_>>()?,
                version,
                begun_at,
                links,
            });
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
