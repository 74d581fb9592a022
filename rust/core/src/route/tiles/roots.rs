//! The roots of a tile's cells as a list.

use crate::flow::{ANGLES, Direction, FlowCell};
use crate::integrate::Root;
use glam::IVec2;

/// Roots by the number that stands in a cell instead of an angle.
///
/// Many cells of a tile share a root. Directions of paths that turn are in the list too, as roots can be.
/// Where there are more than 240 of them, every cell has its own.
#[derive(Debug, Default)]
pub(super) struct RootList {
    /// Seen from the tile's first cell.
    pub(super) listed: Box<[Root]>,
    /// Seen from each cell, with border, if they are too many.
    pub(super) own: Box<[Root]>,
}

impl RootList {
    /// Writes numbers into the cells of a tile of `size` cells, with border, that lead to a root.
    pub(super) fn take_over(
        cells: &mut [FlowCell],
        size: IVec2,
        root: impl Fn(IVec2) -> Root,
    ) -> Self {
        let places = (-1..=size.y).flat_map(|y| (-1..=size.x).map(move |x| IVec2::new(x, y)));
        let mut numbered = Numbers::default();
        let mut codes = Vec::with_capacity(cells.len());
        for (cell, place) in cells.iter().zip(places.clone()) {
            let direction = cell.direction;
            let found = if direction == Direction::STRAIGHT {
                root(place).moved(-place).and_then(|root| numbered.of(root))
            } else if direction.is_angle() {
                numbered.of(Root::turning(direction))
            } else {
                Some(direction.code())
            };
            let Some(code) = found else {
                let own = places.map(root);
                return Self {
                    listed: Box::default(),
                    own: own.collect(),
                };
            };
            codes.push(code);
        }
        for (cell, code) in cells.iter_mut().zip(codes) {
            cell.direction = Direction::from_code(code);
        }
        Self {
            listed: numbered.roots.into(),
            own: Box::default(),
        }
    }

    /// The direction that stands in a cell, [`Direction::STRAIGHT`] for a root.
    #[inline]
    pub(super) fn direction(&self, stored: Direction) -> Direction {
        match self.listed.get(usize::from(stored.code())) {
            Some(root) if root.is_straight() => Direction::STRAIGHT,
            Some(root) => root.direction(),
            None => stored,
        }
    }

    /// The root of a cell that leads to one.
    #[inline]
    pub(super) fn root(&self, stored: Direction, index: usize, cell: IVec2) -> Root {
        match self.listed.get(usize::from(stored.code())) {
            Some(root) => root.moved(cell).unwrap_or(*root),
            None => self.own[index],
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.listed) + size_of_val(&*self.own)
    }
}

/// Slots of the table: four times as many as there can be numbers.
const SLOTS: usize = 1024;

/// Numbers for roots, in the order in which they are met.
struct Numbers {
    roots: Vec<Root>,
    last: usize,
    /// One more than the number of the root there, or 0.
    slots: [u8; SLOTS],
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            last: 0,
            slots: [0; SLOTS],
        }
    }
}

impl Numbers {
    /// The number of a root, a new one if there are any left.
    #[inline]
    fn of(&mut self, root: Root) -> Option<u8> {
        if self.roots.get(self.last) != Some(&root) {
            self.last = self.find(root)?;
        }
        Some(self.last as u8)
    }

    fn find(&mut self, root: Root) -> Option<usize> {
        let mut slot = (root.code().wrapping_mul(0x9E37_79B1) >> 22) as usize;
        while let Some(number) = usize::from(self.slots[slot]).checked_sub(1) {
            if self.roots[number] == root {
                return Some(number);
            }
            slot = (slot + 1) % SLOTS;
        }
        let number = self.roots.len();
        if number == usize::from(ANGLES) {
            return None;
        }
        self.roots.push(root);
        self.slots[slot] = number as u8 + 1;
        Some(number)
    }
}
