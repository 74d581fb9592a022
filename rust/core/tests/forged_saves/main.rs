//! Saves with a valid checksum and invalid content: they are refused, or their content is harmless.
//!
//! The formats are described here again, field by field, independently of the code that reads them. Every field gets
//! every extreme value of its width. Saves that are accepted are stepped, queried and saved again. The memory that
//! reading uses is measured.
//!
//! Order of reading: `fields`, then `swarms`, `tiles`, `baked`, `worlds` and `contradictions`. The harness `fuzz` alters millions of
//! saves at random.

#[path = "../common/mod.rs"]
mod common;

mod baked;
mod contradictions;
mod fields;
mod swarms;
mod tiles;
mod worlds;

use flow_swarm_bench::peak_memory::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
