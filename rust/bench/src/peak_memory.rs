//! The peak memory of a thread, for programs whose global allocator is [`CountingAllocator`].

#![allow(
    unsafe_code,
    reason = "counting allocations takes a GlobalAlloc, whose methods are unsafe"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts the bytes that each thread holds.
#[derive(Debug)]
pub struct CountingAllocator;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // While the thread ends the counter no longer exists, and nothing is counted.
    let now = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        now.get()
    });
    if let Ok(now) = now {
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now)));
    }
}

// SAFETY: every call is passed on unchanged to the system's allocator, which upholds the contract.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the pointer came from `System` through this allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old and the new block may exist at the same time.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: the pointer came from `System` through this allocator, with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns the result of a call, and by how many bytes this thread's memory rose at most during it.
pub fn peak_of<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = call();
    (result, usize::try_from(PEAK.get() - before).unwrap_or(0))
}
