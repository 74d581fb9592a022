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

/// Baked tiles whose sectors are decompressed.
#[derive(Clone, Debug)]
pub struct BakedFile {
    /// What comes before the places of sectors.
    pub head: Vec<u8>,
    /// The compressed portal graphs.
    pub graphs: Vec<u8>,
    /// The decompressed bytes of each sector, empty if it has no tiles.
    pub sectors: Vec<Vec<u8>>,
}

/// The length of a place of a sector: where it is, its length, its checksum.
const PLACE: usize = 8 + 4 + 8;

impl BakedFile {
    /// The length of what comes before the places: magic number, version, what the tiles were made for, the length of
    /// the graphs, the number of tiles.
    pub const HEAD: usize = 8 + 4 + 7 * 8 + 8 + 8;

    /// Decompresses a valid file with this number of sectors, over all movement types.
    ///
    /// # Panics
    /// If the file is not valid.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], sectors: usize) -> Self {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let sector = |at: usize| {
            let (from, length) = (number(at) as usize, length(at + 8) as usize);
            let frame = signed(bytes[from..from + length].to_vec());
            Unpacked::from_saved(&frame, 0).body
        };
        let graphs = Self::HEAD + sectors * PLACE;
        let end = graphs + number(Self::HEAD - 16) as usize;
        Self {
            head: bytes[..Self::HEAD].to_vec(),
            graphs: bytes[graphs..end].to_vec(),
            sectors: (0..sectors)
                .map(|at| sector(Self::HEAD + at * PLACE))
                .collect(),
        }
    }

    /// The length of what comes before the sectors.
    #[must_use]
    pub fn head_length(&self) -> usize {
        self.head.len() + self.sectors.len() * PLACE + self.graphs.len() + CHECKSUM
    }

    /// The file, with right checksums.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut places, mut chunks) = (self.head.clone(), Vec::new());
        for sector in &self.sectors {
            let frame = Unpacked {
                head: Vec::new(),
                body: Vec::new(),
            };
            let packed = frame.packed(sector);
            let is_there = !packed.is_empty();
            let from = if is_there {
                self.head_length() + chunks.len()
            } else {
                0
            };
            places.extend((from as u64).to_le_bytes());
            places.extend((packed.len() as u32).to_le_bytes());
            let sum = if is_there { checksum(&packed) } else { 0 };
            places.extend(sum.to_le_bytes());
            chunks.extend(packed);
        }
        places.extend(&self.graphs);
        let mut bytes = signed(places);
        bytes.extend(chunks);
        bytes
    }
}
