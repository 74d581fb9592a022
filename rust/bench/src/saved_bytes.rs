//! The frame of saves: a head, a body in compressed pieces, and a checksum. It is described here again, independently
//! of the core, so that altered bytes can get a valid frame.

use crate::maps::mix;

/// The greatest number of bytes that are compressed at a time.
pub const PIECE: usize = 1 << 18;
/// The length of the checksum at the end.
pub const CHECKSUM: usize = 8;

fn checksum(bytes: &[u8]) -> u64 {
    let hash = bytes.chunks(8).fold(0, |hash, word| {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        mix(hash ^ u64::from_le_bytes(padded)).wrapping_add(0x9E37_79B9_7F4A_7C15)
    });
    mix(hash ^ bytes.len() as u64)
}

/// Adds the checksum to the bytes.
#[must_use]
pub fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// A save with a body that is decompressed.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// What comes before the compressed part.
    pub head: Vec<u8>,
    /// The decompressed rest.
    pub body: Vec<u8>,
}

impl Unpacked {
    /// Decompresses a valid save, whose head has this length.
    ///
    /// # Panics
    /// If the save is not valid.
    #[must_use]
    pub fn from_saved(bytes: &[u8], head: usize) -> Self {
        let (head, mut rest) = bytes[..bytes.len() - CHECKSUM].split_at(head);
        let mut body = Vec::new();
        let word = |rest: &mut &[u8]| {
            let (word, after) = rest.split_at(4);
            *rest = after;
            u32::from_le_bytes(word.try_into().expect("four")) as usize
        };
        while !rest.is_empty() {
            let (length, packed) = (word(&mut rest), word(&mut rest));
            let (piece, after) = rest.split_at(packed);
            body.extend(lz4_flex::block::decompress(piece, length).expect("a valid save"));
            rest = after;
        }
        Self {
            head: head.to_vec(),
            body,
        }
    }

    /// The save with this body instead, without its checksum.
    #[must_use]
    pub fn packed(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.head.clone();
        for piece in body.chunks(PIECE) {
            let packed = lz4_flex::block::compress(piece);
            bytes.extend((piece.len() as u32).to_le_bytes());
            bytes.extend((packed.len() as u32).to_le_bytes());
            bytes.extend(packed);
        }
        bytes
    }
}
