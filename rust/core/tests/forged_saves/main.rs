//! Saves with a valid checksum and invalid content: they are refused, or their content is harmless.
//!
//! The formats are described here again, field by field, independently of the code that reads them. Every field gets
//! every extreme value of its width. Saves that are accepted are stepped, queried and saved again. The memory that
//! reading uses is measured.
//!
//! Order of reading: `fields`, then `swarms`, `tiles` and `worlds`. `memory` measures the memory of a call.

#![allow(
    unsafe_code,
    reason = "counting allocations takes a GlobalAlloc, whose methods are unsafe"
)]

#[path = "../common/mod.rs"]
mod common;

mod fields;
mod memory;
mod swarms;
mod tiles;
mod worlds;

/// The checksum of both formats.
fn checksum(bytes: &[u8]) -> u64 {
    let hash = bytes.chunks(8).fold(0, |hash, word| {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        flow_swarm::random::mix(hash ^ u64::from_le_bytes(padded))
            .wrapping_add(0x9E37_79B9_7F4A_7C15)
    });
    flow_swarm::random::mix(hash ^ bytes.len() as u64)
}

/// Adds the checksum to the bytes.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}
