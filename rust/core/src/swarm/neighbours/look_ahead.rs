//! For many agents at once, the runs of later agents in bucket order that may touch them.

use crate::swarm::neighbours::buckets::Buckets;
use glam::Vec2;

/// The column or row of a coordinate, at most `last`: one axis of [`Shape::cell_of`], bit for bit.
#[inline]
fn axis(at: f32, origin: f32, inverse_size: f32, last: f32) -> i32 {
    let scaled = (at - origin) * inverse_size;
    let scaled = if scaled > 0.0 { scaled } else { 0.0 };
    let scaled = if scaled < last { scaled } else { last };
    scaled as i32
}

/// The number of agents that [`Buckets::look_ahead`] processes together.
pub(in crate::swarm) const AHEAD: usize = 64;

/// The result of [`Buckets::look_ahead`].
pub(in crate::swarm) struct Ahead {
    pub(in crate::swarm) own_end: [u32; AHEAD],
    pub(in crate::swarm) next_start: [u32; AHEAD],
    pub(in crate::swarm) next_end: [u32; AHEAD],
}

impl Ahead {
    pub(in crate::swarm) fn new() -> Self {
        Self {
            own_end: [0; AHEAD],
            next_start: [0; AHEAD],
            next_end: [0; AHEAD],
        }
    }
}

impl Buckets {
    /// For agents from place `first` on, finds the runs of later agents in bucket order that may be nearer than
    /// `reach`, which is at most a bucket's width: the end of the run in the agent's own row, and the run in the next
    /// row. These are plain loops over arrays, which the compiler turns into vector instructions.
    #[inline]
    pub(in crate::swarm) fn look_ahead(&self, first: usize, reach: &[f32], ahead: &mut Ahead) {
        let count = reach.len().min(AHEAD);
        let shape = &self.shape;
        let last = Vec2::new((shape.columns - 1) as f32, (shape.rows - 1) as f32);
        let end = shape.bucket_count() as i32;
        let (reach, x, y) = (
            &reach[..count],
            &self.x[first..first + count],
            &self.y[first..first + count],
        );
        let Ahead {
            own_end,
            next_start,
            next_end,
        } = ahead;
        let (own_end, next_start, next_end) = (
            &mut own_end[..count],
            &mut next_start[..count],
            &mut next_end[..count],
        );
        for number in 0..count {
            let column = |x| axis(x, shape.origin.x, shape.inverse_size, last.x);
            let left = column(x[number] - reach[number]);
            let right = column(x[number] + reach[number]);
            let row = axis(y[number], shape.origin.y, shape.inverse_size, last.y);
            let (own_row, next_row) = (row * shape.columns, (row + 1) * shape.columns);
            own_end[number] = (own_row + right + 1) as u32;
            // There are no agents after the last row.
            next_start[number] = (next_row + left).min(end) as u32;
            next_end[number] = (next_row + right + 1).min(end) as u32;
        }
        for list in [own_end, next_start, next_end] {
            for place in list {
                *place = self.starts[*place as usize];
            }
        }
    }
}
