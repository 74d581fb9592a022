//! Fields of a save format: their positions and widths, and the values to write into them.

/// A field, by its name and its bytes.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: &'static str,
    pub at: usize,
    pub width: usize,
}

/// Walks through bytes and records their fields.
pub struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    pub fields: Vec<Field>,
}

impl<'a> Walk<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            fields: Vec::new(),
        }
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Records a field and returns its value, as far as it fits into 64 bits.
    pub fn field(&mut self, name: &'static str, width: usize) -> u64 {
        let at = self.at;
        self.at += width;
        self.fields.push(Field { name, at, width });
        let mut value = [0; 8];
        let shown = width.min(8);
        value[..shown].copy_from_slice(&self.bytes[at..at + shown]);
        u64::from_le_bytes(value)
    }

    pub fn array(&mut self, name: &'static str, width: usize, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.field(name, width)).collect()
    }

    /// Records an array, but only the entries selected by `keep`, because thousands are alike.
    pub fn some(
        &mut self,
        name: &'static str,
        width: usize,
        count: usize,
        keep: impl Fn(usize) -> bool,
    ) -> Vec<u64> {
        let before = self.fields.len();
        let values = self.array(name, width, count);
        let fields = self.fields.split_off(before);
        let kept = fields.into_iter().enumerate().filter(|(at, _)| keep(*at));
        self.fields.extend(kept.map(|(_, field)| field));
        values
    }
}

/// Selects both ends and the middle.
pub fn ends(count: usize) -> impl Fn(usize) -> bool {
    move |at| at < 2 || at + 2 > count || at == count / 2
}

/// Returns copies of the bytes with each extreme value in a field.
pub fn forged(bytes: &[u8], field: &Field) -> Vec<Vec<u8>> {
    let old = &bytes[field.at..field.at + field.width];
    let mut number = [0; 8];
    let shown = field.width.min(8);
    number[..shown].copy_from_slice(&old[..shown]);
    let number = u64::from_le_bytes(number);
    let float = |value: f32| u64::from(value.to_bits());
    let mut values = vec![
        0,
        1,
        2,
        u64::MAX,
        number ^ 1,
        number.wrapping_add(1),
        number.wrapping_sub(1),
    ];
    values.extend(
        (0..8 * shown)
            .step_by(if shown < 4 { 1 } else { 5 })
            .map(|bit| number ^ 1 << bit),
    );
    values.extend([
        0x7F,
        0x80,
        0xFE,
        0x7FFF,
        0x8000,
        4096,
        4097,
        1 << 16,
        1 << 20,
        1 << 24,
        1 << 26,
    ]);
    values.extend([
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFE,
        1 << 32,
        1 << 62,
        1 << 63,
        i64::MAX as u64,
    ]);
    values.extend(
        [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN,
        ]
        .map(float),
    );
    values.extend(
        [
            -0.0,
            -1.0,
            1.0e-45,
            f32::MIN_POSITIVE,
            1.0e10,
            -1.0e10,
            1.0e30,
            1.0e6,
        ]
        .map(float),
    );
    let mut all: Vec<Vec<u8>> = values
        .into_iter()
        .map(|value| {
            let mut altered = bytes.to_vec();
            let value = value.to_le_bytes();
            for (at, byte) in altered[field.at..field.at + field.width]
                .iter_mut()
                .enumerate()
            {
                *byte = value[at.min(7)];
            }
            altered
        })
        .collect();
    all.sort();
    all.dedup();
    all.retain(|altered| altered != bytes);
    all
}
