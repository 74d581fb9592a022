//! Pictures of discs and rectangles, written as PNG.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use glam::Vec2;

/// Red, green and blue, 0 to 255 each.
pub type Colour = [u8; 3];

/// The width of a disc's rim as a share of its radius.
const RIM: f32 = 0.22;
/// The brightness of a rim as a share of the disc's colour.
const RIM_LIGHT: f32 = 0.62;

/// A disc in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// The centre, from the picture's upper left corner.
    pub at: Vec2,
    /// The radius.
    pub radius: f32,
    /// The colour of the inside. The rim is darker.
    pub colour: Colour,
}

/// A picture being drawn.
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
}

impl Picture {
    /// Creates a picture of one colour, with sides in pixels.
    #[must_use]
    pub fn new(width: usize, height: usize, ground: Colour) -> Self {
        Self {
            width,
            height,
            pixels: vec![ground; width * height],
        }
    }

    /// The colour of a pixel.
    ///
    /// # Panics
    /// If the pixel is outside the picture.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Colour {
        self.pixels[y * self.width + x]
    }

    /// Fills a rectangle between two corners in pixels. Parts outside the picture are ignored.
    pub fn rectangle(&mut self, low: Vec2, high: Vec2, colour: Colour) {
        let (columns, rows) = self.pixels_between(low.round(), high.round());
        for y in rows {
            for x in columns.clone() {
                self.pixels[y * self.width + x] = colour;
            }
        }
    }

    /// Draws a disc with smooth edges. Parts outside the picture are ignored.
    pub fn disc(&mut self, disc: Disc) {
        let reach = Vec2::splat(disc.radius + 1.0);
        let (columns, rows) = self.pixels_between(disc.at - reach, disc.at + reach);
        let rim = disc.colour.map(|part| (f32::from(part) * RIM_LIGHT) as u8);
        for y in rows {
            for x in columns.clone() {
                let middle = Vec2::new(x as f32, y as f32) + 0.5;
                let distance = middle.distance(disc.at);
                let pixel = &mut self.pixels[y * self.width + x];
                *pixel = blend(*pixel, rim, disc.radius - distance);
                *pixel = blend(*pixel, disc.colour, disc.radius * (1.0 - RIM) - distance);
            }
        }
    }

    /// The columns and rows of pixels of the picture between two corners.
    fn pixels_between(
        &self,
        low: Vec2,
        high: Vec2,
    ) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        // The conversion to `usize` turns negative numbers into 0.
        let columns = low.x.floor() as usize..(high.x.ceil() as usize).min(self.width);
        let rows = low.y.floor() as usize..(high.y.ceil() as usize).min(self.height);
        (columns, rows)
    }

    /// Writes the picture as PNG with at most 256 colours, whose parts are one of 16 levels each. The file is a quarter
    /// as large as with all colours.
    ///
    /// # Errors
    /// If the file cannot be written, or if the picture has no pixels.
    pub fn write(&self, path: &Path) -> Result<(), png::EncodingError> {
        let (palette, indices) = self.indexed();
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette.into_flattened());
        encoder.set_compression(png::Compression::High);
        // Filters use differences between pixels, which are meaningless for indices.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.write_header()?.write_image_data(&indices)
    }

    /// The colours after rounding, and for each pixel the index of its colour.
    fn indexed(&self) -> (Vec<Colour>, Vec<u8>) {
        let rounded = || self.pixels.iter().copied().map(rounded);
        let mut counts = BTreeMap::new();
        for colour in rounded() {
            *counts.entry(colour).or_insert(0_usize) += 1;
        }
        let mut palette: Vec<Colour> = counts.keys().copied().collect();
        palette.sort_by_key(|colour| std::cmp::Reverse(counts[colour]));
        palette.truncate(256);
        let indices: BTreeMap<Colour, u8> = palette.iter().copied().zip(0..=255).collect();
        let index = |colour| {
            indices
                .get(&colour)
                .copied()
                .unwrap_or_else(|| nearest(&palette, colour))
        };
        let pixels = rounded().map(index).collect();
        (palette, pixels)
    }
}

/// Rounds the parts of a colour to multiples of 17: 0, 17, ... 255.
fn rounded(colour: Colour) -> Colour {
    colour.map(|part| ((u16::from(part) + 8) / 17 * 17) as u8)
}

/// The index of the palette's colour that is most similar to another.
fn nearest(palette: &[Colour], colour: Colour) -> u8 {
    let distance = |other: &Colour| -> u32 {
        let parts = other.iter().zip(&colour);
        parts.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
    };
    let numbered = palette.iter().zip(0..=255);
    numbered
        .min_by_key(|(other, _)| distance(other))
        .map_or(0, |(_, index)| index)
}

/// Blends a colour over another for a pixel `inside` pixels within the edge; on the edge itself, half of it.
fn blend(below: Colour, above: Colour, inside: f32) -> Colour {
    mix(below, above, (inside + 0.5).clamp(0.0, 1.0))
}

/// Interpolates between two colours; `share` is in 0..=1.
#[must_use]
pub fn mix(from: Colour, to: Colour, share: f32) -> Colour {
    std::array::from_fn(|part| {
        let (from, to) = (f32::from(from[part]), f32::from(to[part]));
        (from + (to - from) * share).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    const WHITE: Colour = [255; 3];
    const RED: Colour = [200, 0, 0];

    fn drawn(at: Vec2, radius: f32) -> Picture {
        let mut picture = Picture::new(40, 20, WHITE);
        picture.disc(Disc {
            at,
            radius,
            colour: RED,
        });
        picture
    }

    #[test]
    fn a_disc_covers_its_radius_and_has_a_darker_rim() {
        let picture = drawn(Vec2::new(20.5, 10.5), 8.0);
        assert_eq!(picture.pixel(20, 10), RED);
        assert_eq!(picture.pixel(27, 10), [124, 0, 0]);
        assert_eq!(picture.pixel(29, 10), WHITE);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut picture = drawn(Vec2::new(-1.0, 22.0), 8.0);
        assert_eq!(picture.pixel(0, 19), RED);
        picture.rectangle(Vec2::new(-5.0, -5.0), Vec2::new(2.0, 1.0), RED);
        picture.rectangle(Vec2::new(38.0, 18.0), Vec2::new(99.0, 99.0), RED);
        let is_red = [(0, 0), (1, 0), (2, 0), (0, 1), (38, 18), (37, 18), (39, 19)]
            .map(|(x, y)| picture.pixel(x, y) == RED);
        assert_eq!(is_red, [true, true, false, false, true, false, true]);
    }

    #[test]
    fn a_written_picture_is_read_back_in_few_colours() {
        let path = std::env::temp_dir().join("flow_swarm_picture.png");
        let picture = drawn(Vec2::new(20.0, 10.0), 8.0);
        picture.write(&path).expect("the file can be written");
        let file = BufReader::new(File::open(&path).expect("the file is there"));
        let mut decoder = png::Decoder::new(file);
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("pixels");
        assert_eq!((info.width, info.height), (40, 20));
        let expected: Vec<Colour> = picture.pixels.iter().copied().map(rounded).collect();
        assert_eq!(bytes, expected.as_flattened());
    }

    #[test]
    fn colours_beyond_256_become_the_nearest_common_ones() {
        let mut picture = Picture::new(40, 16, [0; 3]);
        for (index, pixel) in picture.pixels[..400].iter_mut().enumerate() {
            *pixel = [index / 16 % 16, index % 16, index / 256].map(|part| part as u8 * 17);
        }
        let (palette, indices) = picture.indexed();
        assert_eq!((palette.len(), palette[0]), (256, [0; 3]));
        assert_eq!(palette[usize::from(indices[639])], [0; 3]);
        // Its own colour, or a neighbouring one.
        let found = palette[usize::from(indices[399])];
        let off = found.iter().zip(&picture.pixels[399]);
        assert!(off.clone().all(|(a, b)| a.abs_diff(*b) <= 34), "{found:?}");
    }
}
