//! Terrain from images.

use super::FlowFieldManager;
use super::enums::Channel;
use crate::class_enum::ClassEnum as _;
use crate::report::{OrRefuse, code, refuse};
use godot::classes::Image;
use godot::classes::image::Format;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Reads the terrain from an image with one pixel for each cell. The value of a channel, 0 to 255, is the terrain id. If `ids` is given, it has 256 entries, and the value is the index of the terrain id in it.
    ///
    /// All image formats that the engine can convert are allowed, including compressed ones. Floating-point values of 0 to 1 become 0 to 255. CHANNEL_LUMINANCE weights red, green and blue as Color.get_luminance() does. `cells` limits the import to a rectangle, which must be in the grid and have the size of the image; the default stands for the whole grid. `layer` is the layer of the grid that is filled. After an error nothing is changed.
    #[func]
    fn load_image(
        &mut self,
        image: Option<Gd<Image>>,
        #[opt(default = Channel::CHANNEL_RED)] channel: Channel,
        #[opt(default = &PackedByteArray::new())] ids: PackedByteArray,
        #[opt(default = Rect2i::default())] cells: Rect2i,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_image";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let part = super::terrain::part_of_layer(METHOD, world.grid(), cells, layer);
        let Some(part) = part else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let channel = channel.index_for("channel");
        let Some(channel) = channel.or_refuse(METHOD) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        if !ids.is_empty() && ids.len() != 256 {
            let reason = format_args!("ids must have 256 entries or none, not {}", ids.len());
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        }
        let Some(image) = image.filter(|image| !image.is_empty()) else {
            refuse(METHOD, "image must not be null or empty");
            return Error::ERR_INVALID_PARAMETER;
        };
        let (size, wanted) = (image.get_size(), crate::convert::rect2i(part.cells).size);
        if size != wanted {
            let reason = format_args!("image must have one pixel per cell, {wanted}, not {size}");
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        }
        let Some(image) = in_format(&image, Format::RGBA8) else {
            let format = image.get_format();
            refuse(
                METHOD,
                format_args!("image cannot be read in format {format:?}"),
            );
            return Error::ERR_INVALID_DATA;
        };
        let pixels = image.get_data();
        // Mipmaps follow after the pixels.
        let count = size.x as usize * size.y as usize;
        let pixels = pixels.as_slice().chunks_exact(4).take(count);
        let ids = ids.as_slice();
        let terrain: Vec<u8> = pixels
            .map(|pixel| {
                let value = channel_value(pixel, channel);
                ids.get(usize::from(value)).copied().unwrap_or(value)
            })
            .collect();
        code(METHOD, world.set_terrain_block(part.places, &terrain))
    }
}

/// A copy of an image in another format; `None` if the engine cannot convert it.
pub(super) fn in_format(image: &Gd<Image>, format: Format) -> Option<Gd<Image>> {
    let mut copy = image.duplicate_resource();
    if copy.is_compressed() && copy.decompress() != Error::OK {
        return None;
    }
    copy.convert(format);
    (copy.get_format() == format).then_some(copy)
}

fn channel_value(pixel: &[u8], channel: usize) -> u8 {
    match pixel.get(channel) {
        Some(&value) => value,
        None => luminance(pixel),
    }
}

/// The luminance of a pixel of red, green and blue, as `Color.get_luminance()` weights them.
pub(super) fn luminance(pixel: &[u8]) -> u8 {
    let weighted = |index: usize, weight: u32| u32::from(pixel[index]) * weight;
    let sum = weighted(0, 2126) + weighted(1, 7152) + weighted(2, 722);
    ((sum + 5000) / 10_000) as u8
}
