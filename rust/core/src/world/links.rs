//! Adds links to a world and removes them.

use crate::error::{Error, Result, in_range};
use crate::grid::Grid;
use crate::grid::link_travels::LinkTravels;
use crate::grid::links::{Link, LinkEdge, LinkId, Links, MAX_LINKS};
use crate::grid::seams::Seams;
use crate::grid::travel::Travel;
use crate::world::FlowWorld;
use crate::world::movement_layer::{EditBy, MovementLayer};
use glam::IVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

impl FlowWorld {
    /// Joins two cells by a link. Cells are places: see [`crate::grid::layers::Layers`]. A link counts for every
    /// movement type that may enter both cells. It may begin or end in a wall, and is usable when the wall is gone.
    ///
    /// O(links), and a repair of each field.
    ///
    /// # Errors
    /// As for [`Self::add_links`].
    pub fn add_link(&mut self, link: Link) -> Result<LinkId> {
        self.add_links(&[link]).map(|ids| ids[0])
    }

    /// Adds links as one edit; all of them or, on an error, none. Returns their ids in the same order.
    ///
    /// # Errors
    /// A link that [`Link::check`] refuses, a cell outside the grid, or more than [`MAX_LINKS`].
    pub fn add_links(&mut self, links: &[Link]) -> Result<Vec<LinkId>> {
        self.replace_links(&[], links)
    }

    /// Removes links and adds others as one edit; all of them or, on an error, none. Returns the ids of those that were
    /// added, in the same order.
    ///
    /// # Errors
    /// A link that does not exist, or as for [`Self::add_links`].
    pub fn replace_links(&mut self, removed: &[LinkId], added: &[Link]) -> Result<Vec<LinkId>> {
        for link in added {
            link.check()?;
            self.check_place(link.from)?;
            self.check_place(link.to)?;
        }
        let edges = |link: &Link| 1 + usize::from(link.both_ways);
        let mut count = self.links.edge_count() + added.iter().map(edges).sum::<usize>();
        let removed: BTreeSet<LinkId> = removed.iter().copied().collect();
        for &id in &removed {
            count -= edges(self.links.get(id)?);
        }
        in_range("number of links", count, 0, MAX_LINKS)?;
        for &id in &removed {
            self.links.remove(id)?;
        }
        let ids = added.iter().map(|&link| self.links.add(link)).collect();
        self.update_links();
        Ok(ids)
    }

    /// Removes a link.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn remove_link(&mut self, id: LinkId) -> Result<()> {
        self.links.remove(id)?;
        self.update_links();
        Ok(())
    }

    /// All links, in the order in which they were added.
    pub fn link_ids(&self) -> impl Iterator<Item = LinkId> {
        self.links.iter().map(|(id, _)| id)
    }

    /// A link.
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn link(&self, id: LinkId) -> Result<&Link> {
        self.links.get(id)
    }

    /// Whether there are links.
    pub(crate) fn has_links(&self) -> bool {
        !self.link_edges.is_empty()
    }

    /// Whether some links take time.
    pub(crate) fn has_travels(&self) -> bool {
        !self.travels.is_empty()
    }

    /// How far above the straight line between their ends agents may be on links, in world units.
    pub(crate) fn greatest_arc(&self) -> f32 {
        self.travels.greatest_arc()
    }

    /// How agents get over the link between two cells.
    pub(crate) fn travel_between(&self, from: IVec2, to: IVec2) -> Travel {
        self.travels.between(from, to)
    }

    /// Whether agents of a movement type can get from one cell to another by a link: there is one, and its last cell is
    /// open.
    pub(crate) fn leads(&self, from: IVec2, to: IVec2, movement: usize) -> bool {
        if !self.grid.is_on_layer(from) || !self.grid.is_on_layer(to) {
            return false;
        }
        let costs = self.costs(movement);
        let end = costs.index(to);
        let leads_there = |edge: &LinkEdge| edge.to == end;
        costs.is_open(to)
            && self
                .link_edges
                .from(costs.index(from))
                .iter()
                .any(leads_there)
    }

    fn check_place(&self, cell: IVec2) -> Result<()> {
        if self.grid.is_on_layer(cell) {
            return Ok(());
        }
        Err(Error::CellOutside {
            cell,
            width: self.grid.width(),
            height: self.grid.height(),
        })
    }

    /// Sets the links of all costs.
    fn update_links(&mut self) {
        let costs = &self.layers[0].costs;
        let links = self.links.iter().map(|(_, link)| link);
        self.link_edges = Arc::new(Links::new(links, costs.stride()));
        self.travels = LinkTravels::new(self.links.iter().map(|(_, link)| link));
        let seams = Arc::new(self.find_seams());
        let before = std::mem::replace(&mut self.seams, Arc::clone(&seams));
        let kinds = self.layers.iter().flat_map(MovementLayer::kinds);
        let reaches = kinds.map(|kind| kind.clearance().reach());
        let reach = Seams::reach(reaches.max().unwrap_or(0));
        for rect in before.changes(&seams, reach) {
            self.mark_edit(rect);
        }
        let (refresh, keeps_past) = (self.simulation(), self.is_sliced());
        let former = [&self.former.in_use, &self.former.in_work];
        let [in_use, in_work] = former.map(|it| it.as_ref().map_or(&seams, |it| &it.seams));
        for layer in &mut self.layers {
            let by = EditBy {
                refresh,
                keeps_past,
                last_revision: &mut self.last_revision,
            };
            layer.edit_links(by, (&self.link_edges, in_use));
            if let Some(next) = &mut layer.next {
                next.set_links(&self.link_edges, in_work);
            }
        }
        self.note_links();
    }

    /// Moves links from the grid `before` to the present one. Returns the links that have no place there. New costs
    /// include the links.
    pub(super) fn lay_links_out(&mut self, before: &Grid) -> Vec<LinkId> {
        let grid = self.grid;
        let place = |cell: IVec2| {
            let place = super::moved_cell(before, &grid, cell);
            grid.is_on_layer(place).then_some(place)
        };
        let lost = self.links.map(|link| {
            Some(Link {
                from: place(link.from)?,
                to: place(link.to)?,
                ..*link
            })
        });
        let links = self.links.iter().map(|(_, link)| link);
        self.link_edges = Arc::new(Links::new(links, grid.width() as usize + 2));
        self.travels = LinkTravels::new(self.links.iter().map(|(_, link)| link));
        self.seams = Arc::new(self.find_seams());
        lost
    }

    fn find_seams(&self) -> Seams {
        let links = self.links.iter().map(|(_, link)| link);
        Seams::new(links, self.grid.layers(), self.grid.width())
    }
}
