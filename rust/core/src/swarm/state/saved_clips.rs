//! Clips that agents play, in saves.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::swarm::state::playing::{Clip, Playing};

/// Bits of the second byte of an entry.
const ONCE: u8 = 1;
const STOPPING: u8 = 2;
/// The first byte of an agent that plays no clip; otherwise the number of the clip.
const NONE: u8 = u8::MAX;
/// Bytes of an entry.
const ENTRY: usize = 2 + 4 * 4;

pub(super) fn write(column: &[Option<Playing>], out: &mut Writer) {
    for entry in column {
        let Some(playing) = entry else {
            out.bytes.extend([NONE; ENTRY]);
            continue;
        };
        let Clip {
            number,
            seconds,
            once,
            blend,
        } = playing.clip;
        let marks = u8::from(once) * ONCE + u8::from(playing.is_stopping) * STOPPING;
        out.bytes.extend([number, marks]);
        for value in [seconds, blend, playing.elapsed, playing.weight] {
            out.u32(value.to_bits());
        }
    }
}

pub(super) fn read(count: usize, input: &mut Reader<'_>) -> Result<Vec<Option<Playing>>> {
    input.array(count, ENTRY, |input| {
        let (number, marks) = (input.u8()?, input.u8()?);
        if number == NONE {
            let rest = input.take(ENTRY - 2)?;
            let is_empty = marks == NONE && rest.iter().all(|&byte| byte == NONE);
            return match is_empty {
                true => Ok(None),
                false => Err(input.bad("it has a clip without a number")),
            };
        }
        let [seconds, blend] = [input.number()?, input.number()?];
        let clip = Clip {
            number,
            seconds,
            once: marks & ONCE != 0,
            blend,
        };
        let playing = Playing {
            clip,
            elapsed: input.number()?,
            weight: input.number()?,
            is_stopping: marks & STOPPING != 0,
        };
        let is_known = clip.check().is_ok() && marks <= ONCE + STOPPING;
        let is_within = (0.0..=seconds).contains(&playing.elapsed);
        if !is_known || !is_within || !(0.0..=1.0).contains(&playing.weight) {
            return Err(input.bad("it has a clip that is out of its range"));
        }
        Ok(Some(playing))
    })
}
