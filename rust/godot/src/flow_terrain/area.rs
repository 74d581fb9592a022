//! Connected cells of one terrain id: what a fill tool fills.

use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;

/// Consecutive cells of a row, from `first` to `last`.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) y: i32,
    pub(super) first: i32,
    pub(super) last: i32,
}

/// Painted cells, row by row, and the rectangle of them that is searched.
pub(super) struct Search<'a> {
    pub(super) cells: &'a [u8],
    pub(super) width: usize,
    pub(super) within: CellRect,
}

impl Search<'_> {
    /// The cells that are connected to `start` by straight steps over cells of the same id, as spans.
    ///
    /// `start` must be in the rectangle. Takes one bit of memory for each cell of it.
    pub(super) fn area(&self, start: IVec2) -> Vec<Span> {
        let id = self.id(start.x, start.y);
        let columns = (self.within.high.x - self.within.low.x) as usize;
        let rows = (self.within.high.y - self.within.low.y) as usize;
        let mut found = Bits::new(columns * rows);
        let bit = |x: i32, y: i32| {
            (y - self.within.low.y) as usize * columns + (x - self.within.low.x) as usize
        };
        let mut spans = Vec::new();
        let mut seeds = vec![start];
        while let Some(IVec2 { x, y }) = seeds.pop() {
            if found.get(bit(x, y)) {
                continue;
            }
            let first = (self.within.low.x..x)
                .rev()
                .take_while(|&left| self.id(left, y) == id)
                .last();
            let last = (x + 1..self.within.high.x)
                .take_while(|&right| self.id(right, y) == id)
                .last();
            let (first, last) = (first.unwrap_or(x), last.unwrap_or(x));
            (first..=last).for_each(|x| found.set(bit(x, y)));
            spans.push(Span { y, first, last });
            for beside in [y - 1, y + 1] {
                if beside < self.within.low.y || beside >= self.within.high.y {
                    continue;
                }
                let mut is_open = false;
                for x in first..=last {
                    let was_open = is_open;
                    is_open = self.id(x, beside) == id && !found.get(bit(x, beside));
                    if is_open && !was_open {
                        seeds.push(IVec2::new(x, beside));
                    }
                }
            }
        }
        spans
    }

    fn id(&self, x: i32, y: i32) -> u8 {
        self.cells[y as usize * self.width + x as usize]
    }
}

/// The bounding rectangle of spans.
pub(super) fn bounds(spans: &[Span]) -> Option<CellRect> {
    let rects = spans.iter().map(|span| CellRect {
        low: IVec2::new(span.first, span.y),
        high: IVec2::new(span.last + 1, span.y + 1),
    });
    rects.reduce(|one, other| one.union(&other))
}

struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn get(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
}
