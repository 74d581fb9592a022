//! Puts baked storeys into a world: terrain, heights and links of all layers.

use crate::error::{Error, Result};
use crate::grid::CellRect;
use crate::grid::links::{Link, LinkId};
use crate::grid::travel::Travel;
use crate::import::storeys::{StoreyLink, StoreyMaps};
use crate::terrain::WALL;
use crate::world::FlowWorld;
use glam::IVec2;
use std::collections::BTreeSet;

impl FlowWorld {
    /// Sets terrain and heights of a rectangle on all layers, and its links. `own` are the links of earlier calls;
    /// those that begin in the rectangle are removed if the storeys no longer have them. Returns the links of this and
    /// earlier calls. With `keep_terrain`, walkable cells that are no walls yet keep their terrain ids.
    ///
    /// # Errors
    /// Storeys of another number of layers or outside the grid, or too many links; nothing is changed then.
    pub fn set_storeys(
        &mut self,
        maps: &StoreyMaps,
        own: &[LinkId],
        keep_terrain: bool,
    ) -> Result<Vec<LinkId>> {
        let layers = self.grid().layers().count();
        if maps.layers.len() != layers as usize {
            return Err(Error::Length {
                name: "layers of storeys",
                expected: layers as usize,
                actual: maps.layers.len(),
            });
        }
        if maps.cells.is_empty() {
            return Ok(own.to_vec());
        }
        let flat = self.grid().one_layer();
        flat.check_cell(maps.cells.low)?;
        flat.check_cell(maps.cells.high - IVec2::ONE)?;
        let links = self.set_storey_links(maps, own)?;
        for (layer, map) in (0..).zip(&maps.layers) {
            let offset = self.grid().layers().cells(layer, 0).low;
            let places = CellRect {
                low: maps.cells.low + offset,
                high: maps.cells.high + offset,
            };
            let mut terrain = map.terrain.clone();
            if keep_terrain {
                let before = self.base_terrain_block(places)?;
                for (id, before) in terrain.iter_mut().zip(before) {
                    if *id != WALL && before != WALL {
                        *id = before;
                    }
                }
            }
            self.set_terrain_block(places, &terrain)?;
            let corners = CellRect {
                high: maps.cells.high + 1,
                ..maps.cells
            };
            self.set_heights_rect(i64::from(layer), corners, &map.heights)?;
        }
        Ok(links)
    }

    /// Changes only the links that differ, because agents on a link that is removed are called back.
    fn set_storey_links(&mut self, maps: &StoreyMaps, own: &[LinkId]) -> Result<Vec<LinkId>> {
        let mut wanted: BTreeSet<StoreyLink> = maps.links.iter().copied().collect();
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for &id in own {
            // A game may have removed the link.
            let Ok(link) = self.link(id) else {
                continue;
            };
            let link = self.storey_link(link);
            let begins_outside = !maps.cells.contains(IVec2::from(link.from));
            if begins_outside || wanted.remove(&link) {
                kept.push(id);
            } else {
                lost.push(id);
            }
        }
        let place = |cell: (i32, i32), layer: u32| self.grid().place_of(cell.into(), layer.into());
        let mut added = Vec::with_capacity(wanted.len());
        for link in wanted {
            added.push(Link {
                from: place(link.from, link.from_layer)?,
                to: place(link.to, link.to_layer)?,
                cost: 1.0,
                both_ways: true,
                travel: Travel::Walk,
            });
        }
        if !(lost.is_empty() && added.is_empty()) {
            kept.extend(self.replace_links(&lost, &added)?);
        }
        Ok(kept)
    }

    fn storey_link(&self, link: &Link) -> StoreyLink {
        let layers = self.grid().layers();
        let parts = |place: IVec2| {
            let layer = layers.nearest_of_row(place.y);
            let cell = place - layers.cells(layer, 0).low;
            ((cell.x, cell.y), layer)
        };
        let ((from, from_layer), (to, to_layer)) = (parts(link.from), parts(link.to));
        StoreyLink {
            from,
            from_layer,
            to,
            to_layer,
        }
    }
}
