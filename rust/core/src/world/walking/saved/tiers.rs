//! Tiers of middle fields as bytes.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::walking::middle::{Level, Middle, Tier};
use crate::world::walking::middle_build::MiddleBuild;
use crate::world::walking::saved::fields::{FieldList, FieldNumbers};
use crate::world::walking::saved::present::Present;
use std::sync::Arc;

impl Tier {
    pub(super) fn write(
        &self,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        let Self { build, middle } = self;
        build.is_some().write(out);
        if let Some(build) = build {
            build.write(present, out);
        }
        middle.is_some().write(out);
        if let Some(middle) = middle {
            middle.write((present, fields), out);
        }
    }

    pub(super) fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
        scratch: &Scratch,
    ) -> Result<Self> {
        let mut tier = Self::default();
        if bool::read(input)? {
            tier.build = Some(MiddleBuild::read(input, present, scratch)?);
        }
        if bool::read(input)? {
            tier.middle = Some(Middle::read(input, (present, fields))?);
        }
        Ok(tier)
    }
}

impl Middle {
    fn write(&self, (present, fields): (Present<'_>, &mut FieldNumbers), out: &mut Writer) {
        let Self {
            latest,
            former,
            version,
            links,
        } = self;
        present.write_version(*version, out);
        Arc::ptr_eq(links, present.costs.shared_links()).write(out);
        out.u32(former.len() as u32);
        for level in std::iter::once(latest).chain(former) {
            level.destination.write(out);
            level.begun_at.write(out);
            fields.all(&level.fields, version.rule, present).write(out);
        }
    }

    fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
    ) -> Result<Self> {
        let version = present.read_version(input)?;
        let links = present.read_links(input)?;
        let former = input.u32()?;
        let mut level = || {
            Ok(Level {
                destination: Destination::read_checked(input)?,
                begun_at: present.read_tick(input)?,
                fields: fields.some(input)?,
            })
        };
        Ok(Self {
            latest: level()?,
            former: (0..former).map(|_| level()).collect::<Result<_>>()?,
            version,
            links,
        })
    }
}
