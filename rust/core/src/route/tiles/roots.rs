//! The list of the roots of a tile's cells.

use crate::flow::{ANGLES, Direction, FlowCell};
use crate::integrate::Root;
use glam::IVec2;

/// Roots by the number that a cell stores in place of an angle.
///
/// Many cells of a tile share a root. The directions of paths that turn are in the list too, encoded as roots. In a
/// tile with more than 240 entries every cell has its own root.
#[derive(Debug, Default)]
pub(super) struct RootList {
    /// Relative to the tile's first cell.
    pub(super) listed: Box<[Root]>,
    /// Relative to each cell, with the cells around the tile; only if there are too many for a list.
    pub(super) own: Box<[Root]>,
}

impl RootList {
    /// Replaces the directions of cells that lead to a root by numbers of the list. `cells` are those of a tile of
    /// `size` cells and the cells around it.
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

    /// The direction of a cell with this stored value, [`Direction::STRAIGHT`] for a root.
    #[inline]
    pub(super) fn direction(&self, stored: Direction) -> Direction {
        match self.listed.get(usize::from(stored.code())) {
            Some(root) if root.is_straight() => Direction::STRAIGHT,
            Some(root) => root.direction(),
            None => stored,
        }
    }

    /// The root of a cell whose direction is [`Direction::STRAIGHT`].
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

/// The slots of the hash table: four times the greatest number of entries.
const SLOTS: usize = 1024;

/// Assigns numbers to roots in the order of their first use.
struct Numbers {
    roots: Vec<Root>,
    last: usize,
    /// The number of the root in each slot plus 1, or 0.
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
    /// The number of a root, a new one if it has none; `None` if no number is left.
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
