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
    listed: Box<[Root]>,
    /// Seen from each cell, with border, if they are too many.
    own: Box<[Root]>,
}

impl RootList {
    /// Writes numbers into the cells of a tile of `size` cells, with border, that lead to a root.
    pub(super) fn take_over(
        cells: &mut [FlowCell],
        size: IVec2,
        root: impl Fn(IVec2) -> Root,
    ) -> Self {
        let places = (-1..=size.y).flat_map(|y| (-1..=size.x).map(move |x| IVec2::new(x, y)));
        let mut numbered = Vec::new();
        let mut numbers = [None; ANGLES as usize];
        let mut codes = Vec::with_capacity(cells.len());
        let mut last = 0;
        for (cell, place) in cells.iter().zip(places.clone()) {
            let direction = cell.direction;
            let found = if direction == Direction::STRAIGHT {
                root(place).moved(-place).and_then(|root| {
                    if numbered.get(last) != Some(&root) {
                        last = find(&mut numbered, root)?;
                    }
                    Some(last as u8)
                })
            } else if direction.is_angle() {
                let number = &mut numbers[usize::from(direction.code())];
                if number.is_none() && numbered.len() < usize::from(ANGLES) {
                    *number = Some(numbered.len() as u8);
                    numbered.push(Root::turning(direction));
                }
                *number
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
            listed: numbered.into(),
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

/// The number of a straight root, a new one if there are any left.
fn find(listed: &mut Vec<Root>, root: Root) -> Option<usize> {
    // Near cells have near numbers.
    let known = listed.iter().rposition(|&other| other == root);
    known.or_else(|| {
        let is_room = listed.len() < usize::from(ANGLES);
        is_room.then(|| {
            listed.push(root);
            listed.len() - 1
        })
    })
}
