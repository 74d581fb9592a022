//! Memory that is no longer used, and is given back in parts.
//!
//! Giving back 100 MB takes the system 10 ms, and freeing tens of thousands of tiles or portals as long.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::mem::{needs_drop, size_of};

/// The bytes that are given back at once, at least.
const PART: usize = 1 << 21;
/// The share of what waits that is given back at once.
const SHARE: usize = 64;
/// The elements with memory of their own that are freed at once.
const ELEMENTS: usize = 128;
/// The most bytes that wait. Beyond that the oldest are given back at once.
const MOST_BYTES: usize = 1 << 29;

/// A size at which allocators look through what was freed.
const LOOKED_FOR: usize = 1 << 16;

/// Has the allocator sort what was freed lately. The one of the GNU C library keeps freed memory in a list, and sorts
/// up to 10,000 pieces of it when something larger than a kilobyte is asked for: 20 to 30 ms at once after tiles were
/// freed over many updates.
pub(crate) fn sort_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LOOKED_FOR)));
}

/// The size up to which lists may lie in the heap of the GNU C library.
const HEAP: usize = 1 << 25;

/// Empties a list and has it room for `count` elements, without copying what it had.
///
/// The GNU C library takes lists of up to 32 MB from its heap, depending on what was freed before, and gives the end of
/// the heap back as a whole once that is twice as much: 3 to 6 ms. A list that reserves more is memory of its own. What
/// it does not use takes no memory.
pub(crate) fn make_room<T>(list: &mut Vec<T>, count: usize) {
    list.clear();
    if list.capacity() < count {
        let size = size_of::<T>().max(1);
        let is_reserved = cfg!(all(
            target_os = "linux",
            target_env = "gnu",
            target_pointer_width = "64"
        ));
        let least = match is_reserved && count * size > PART {
            true => HEAP / size + 1,
            false => 0,
        };
        *list = Vec::with_capacity(count.max(least));
    }
}

/// Lists that are no longer used, and are freed in parts. A clone has none.
#[derive(Debug, Default)]
pub struct Retired(VecDeque<Box<dyn FreeInParts>>);

trait FreeInParts: Debug + Send + Sync {
    fn bytes(&self) -> usize;

    /// Frees a part of so many bytes, or of some elements with memory of their own. Returns true if nothing is left.
    fn free_part(&mut self, bytes: usize) -> bool;
}

/// A list, and how many pieces of memory each of its elements has, about.
#[derive(Debug)]
struct List<T>(Vec<T>, usize);

impl<T: Debug + Send + Sync> FreeInParts for List<T> {
    fn bytes(&self) -> usize {
        self.0.len() * size_of::<T>()
    }

    fn free_part(&mut self, bytes: usize) -> bool {
        let Self(list, pieces) = self;
        if needs_drop::<T>() {
            // The list itself, of some megabytes at most, is freed with its last elements: where these are aligned to
            // lines of the cache, it is copied when it shrinks.
            list.truncate(list.len().saturating_sub(ELEMENTS / *pieces));
        } else {
            let part = bytes / size_of::<T>().max(1);
            list.truncate(list.len().saturating_sub(part));
            list.shrink_to_fit();
        }
        list.is_empty()
    }
}

impl Retired {
    /// Takes a list that is no longer used.
    pub(crate) fn add<T: Debug + Send + Sync + 'static>(&mut self, list: Vec<T>) {
        self.add_large(list, 1);
    }

    /// Takes a list whose elements have so many pieces of memory each, at most 128.
    pub(crate) fn add_large<T: Debug + Send + Sync + 'static>(
        &mut self,
        list: Vec<T>,
        pieces: usize,
    ) {
        if list.capacity() == 0 {
            return;
        }
        self.0.push_back(Box::new(List(list, pieces)));
        let mut bytes = self.bytes();
        while bytes > MOST_BYTES
            && let Some(oldest) = self.0.pop_front()
        {
            bytes -= oldest.bytes();
        }
    }

    /// The memory that waits, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|list| list.bytes()).sum()
    }

    /// Frees a part of the oldest list, a larger one if much waits: two fields of 170 MB may be replaced soon after
    /// each other.
    pub(crate) fn free_part(&mut self) {
        let part = PART.max(self.bytes() / SHARE);
        if let Some(oldest) = self.0.front_mut()
            && oldest.free_part(part)
        {
            self.0.pop_front();
        }
    }
}

impl Clone for Retired {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_freed_from_the_first_on_and_in_parts() {
        let mut retired = Retired::default();
        retired.add(vec![1_u32; PART / 4 + 1]);
        retired.add(vec![Box::new(7_u8); ELEMENTS]);
        let mut lists = Vec::new();
        for _ in 0..4 {
            lists.push(retired.0.len());
            retired.free_part();
        }
        assert_eq!(lists, [2, 2, 1, 0]);
    }

    /// A list whose elements are aligned to lines of the cache is copied when it shrinks.
    #[test]
    fn lists_of_elements_with_memory_do_not_shrink() {
        for pieces in [1, 4] {
            let at_once = ELEMENTS / pieces;
            let mut list = List(vec![Box::new(7_u8); at_once + 1], pieces);
            let room = list.0.capacity();
            assert!(!list.free_part(PART));
            assert_eq!((list.0.len(), list.0.capacity()), (1, room));
        }
    }

    #[test]
    fn room_is_made_once() {
        let mut list = vec![1_u32; 5];
        make_room(&mut list, 9);
        assert!(list.is_empty() && (9..PART).contains(&list.capacity()));
        let cells = 1 + PART / size_of::<u32>();
        make_room(&mut list, cells);
        let (place, room) = (list.as_ptr(), list.capacity());
        assert!(room >= cells);
        if cfg!(all(
            target_os = "linux",
            target_env = "gnu",
            target_pointer_width = "64"
        )) {
            assert!(room * size_of::<u32>() > HEAP, "it may lie in the heap");
        }
        list.resize(cells, 3);
        assert_eq!(
            List(list.clone(), 1).bytes(),
            cells * size_of::<u32>(),
            "what is not used takes no memory"
        );
        make_room(&mut list, cells);
        assert_eq!(
            (list.as_ptr(), list.len(), list.capacity()),
            (place, 0, room)
        );
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut retired = Retired::default();
        for _ in 0..100 {
            retired.add(vec![0_u8; MOST_BYTES / 10]);
            assert!(retired.bytes() <= MOST_BYTES);
        }
        assert_eq!(
            retired.0.len(),
            10,
            "no more than needed is given back at once"
        );
    }
}
