//! Bodies and areas in saves.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::bodies::colliders::{Collider, Colliders, MAX_SITES, Role};
use crate::swarm::bodies::{Area, Body, Force, ForceKind, Pose, Shape};

/// What distinguishes bodies from areas, in saves.
pub(in crate::swarm) trait SavedRole: Role + Sized {
    fn write(&self, out: &mut Writer);

    fn read(input: &mut Reader<'_>) -> Result<Self>;
}

impl SavedRole for Body {
    fn write(&self, out: &mut Writer) {
        out.u8(u8::from(self.is_solid));
    }

    fn read(input: &mut Reader<'_>) -> Result<Self> {
        match input.u8()? {
            mark @ 0..=1 => Ok(Self {
                is_solid: mark == 1,
            }),
            _ => Err(input.bad("it has a body with an unknown mark")),
        }
    }
}

const FORCES: [ForceKind; 3] = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex];

impl SavedRole for Area {
    fn write(&self, out: &mut Writer) {
        let Some(Force { kind, strength }) = self.force else {
            return out.u8(0);
        };
        let place = FORCES.iter().position(|&one| one == kind);
        out.u8(1 + place.unwrap_or(0) as u8);
        out.u32(strength.to_bits());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self> {
        let number = usize::from(input.u8()?);
        if number == 0 {
            return Ok(Self { force: None });
        }
        let Some(&kind) = FORCES.get(number - 1) else {
            return Err(input.bad("it has a force of an unknown kind"));
        };
        let strength = input.number()?;
        let force = Force { kind, strength };
        let checked = force.check();
        checked.map_err(|_| input.bad("it has a force that is out of its range"))?;
        Ok(Self { force: Some(force) })
    }
}

impl Shape {
    fn write(&self, out: &mut Writer) {
        match *self {
            Self::Disc(radius) => {
                out.u8(0);
                out.u32(radius.to_bits());
            }
            Self::Box(half) => {
                out.u8(1);
                out.vector(half);
            }
        }
    }

    fn read(input: &mut Reader<'_>) -> Result<Self> {
        let shape = match input.u8()? {
            0 => Self::Disc(input.number()?),
            1 => Self::Box(input.vector()?),
            _ => return Err(input.bad("it has an unknown shape")),
        };
        let checked = shape.check();
        checked.map_err(|_| input.bad("it has a shape of an impossible size"))?;
        Ok(shape)
    }
}

impl<R: SavedRole> Colliders<R> {
    pub(in crate::swarm) fn write(&self, out: &mut Writer) {
        out.u64(self.last.cast_unsigned());
        out.u32(self.list.len() as u32);
        for collider in &self.list {
            out.u64(collider.id.cast_unsigned());
            collider.shape.write(out);
            collider.pose.write(out);
            collider.stepped.write(out);
            collider.role.write(out);
        }
        out.u32(self.there.len() as u32);
        for &(id, agent) in &self.there {
            out.u64(id.cast_unsigned());
            out.u64(agent.bits());
        }
    }

    pub(in crate::swarm) fn read(input: &mut Reader<'_>) -> Result<Self> {
        let last = input.u64()?.cast_signed();
        let count = input.u32()? as usize;
        if count > MAX_SITES {
            return Err(input.bad("it has too many bodies or areas"));
        }
        // An id, a shape, two poses and a role.
        let list = input.array(count, 8 + 5 + 32 + 1, |input| {
            Ok(Collider {
                id: input.u64()?.cast_signed(),
                shape: Shape::read(input)?,
                pose: Pose::read(input)?,
                stepped: Pose::read(input)?,
                role: R::read(input)?,
            })
        })?;
        let is_known = |id: i64| (1..=last).contains(&id);
        let are_known = list.iter().all(|collider| is_known(collider.id));
        if !are_known || !list.is_sorted_by(|one, next| one.id < next.id) {
            return Err(input.bad("it has bodies or areas with impossible ids"));
        }
        let count = input.u32()? as usize;
        let there = input.array(count, 16, |input| {
            let id = input.u64()?.cast_signed();
            Ok((id, AgentId::from_bits(input.u64()?)))
        })?;
        if !there.is_sorted_by(|one, next| one < next) {
            return Err(input.bad("it has agents at bodies or areas out of order"));
        }
        let mut colliders = Self::default();
        (colliders.last, colliders.list, colliders.there) = (last, list, there);
        Ok(colliders)
    }
}

impl Pose {
    fn write(&self, out: &mut Writer) {
        out.vector(self.position());
        out.vector(self.ahead());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self> {
        let (position, ahead) = (input.vector()?, input.vector()?);
        let pose = Self::with_unit(position, ahead);
        pose.ok_or_else(|| input.bad("it has a body or area without a direction"))
    }
}
