//! Calls about a game's entities, shapes and heights.

use flow_swarm::grid::CellRect;
use flow_swarm::import::storeys::{Bake, Geometry, StoreySettings, Storeys, Volume};
use flow_swarm::import::{Coverage, Slope, Solid, terrain_from_heights};
use flow_swarm::{Vec2, Vec3};

use crate::caller::Caller;

impl Caller {
    pub fn change_entities(&mut self) {
        let grid = *self.world.grid();
        let (id, at) = (self.integer(), self.place());
        let added = self.world.entities.register(&grid, id, at);
        assert!(added.is_err() || !self.entities.contains_key(&id));
        if added.is_ok() {
            self.entities.insert(id, at);
        }
        let (id, at) = (self.integer(), self.place());
        let moved = self.world.entities.relocate(&grid, id, at);
        assert!(moved.is_err() || self.entities.contains_key(&id));
        if moved.is_ok() {
            self.entities.insert(id, at);
        }
        let id = self.integer();
        let removed = self.world.entities.unregister(&grid, id);
        assert_eq!(removed.is_ok(), self.entities.remove(&id).is_some());
        if self.random.percent(5) {
            assert!(self.world.entities.rebucket(&grid).is_empty());
        }
        let (at, radius) = (self.vector(), self.number());
        let found = self.world.entities.near(&grid, at, radius);
        self.note((added, moved, removed, found));
        self.check_entities();
    }

    pub fn import_shapes(&mut self) {
        let grid = *self.world.grid();
        let _ = Coverage::new(&grid, flow_swarm::grid::CellRect::cell(self.cell()));
        let mut coverage = Coverage::new(&grid, grid.cells()).expect("all of the grid");
        let points: Vec<Vec2> = (0..self.random.below(6)).map(|_| self.vector()).collect();
        let drawn = (
            coverage.polygon(&points, 3),
            coverage.line(&points, 4),
            coverage.half_plane(self.place(), self.vector(), 5),
        );
        let solid = self.solid();
        let outline = solid.footprint(self.number(), self.number());
        let is_drawn = coverage.polygon(&outline, 6).is_ok();
        assert_eq!(coverage.ids().len(), grid.cell_count());
        self.note((drawn, is_drawn));
        let ids = coverage.into_ids();
        if self.random.percent(3) {
            let result = self.world.set_terrain_bytes(&ids);
            self.note(result);
        }
    }

    fn solid(&mut self) -> Solid {
        let count = self.random.below(9);
        let corners: Vec<Vec3> = (0..count)
            .map(|_| Vec3::new(self.number(), self.number(), self.number()))
            .collect();
        let solid = if self.random.percent(50) {
            Solid::hull(corners)
        } else {
            let around = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y];
            let rings: Vec<(Vec3, f32)> = corners.iter().map(|&at| (at, self.number())).collect();
            Solid::rings(&rings, &around[..self.random.below(5)])
        };
        let by = self.number();
        solid.placed(|corner| corner * by)
    }

    pub fn import_heights(&mut self) {
        let grid = *self.world.grid();
        let size = grid.size();
        let counts = [
            (size.x + 1) * (size.y + 1),
            size.x * size.y,
            self.random.below(9) as i32,
        ];
        let heights: Vec<f32> = (0..counts[self.random.below(3)])
            .map(|_| self.number())
            .collect();
        let Ok(slope) = Slope::new(self.number(), self.integer()) else {
            return;
        };
        let ids = terrain_from_heights(&grid, &heights, &slope);
        if let Ok(ids) = &ids {
            assert_eq!(ids.len(), grid.cell_count());
            assert!(ids.iter().all(|&id| id > 0), "a cost of 0");
        }
        self.note(ids);
        self.change_heights(&slope);
    }

    /// Heights of the ground, which often have holes.
    fn change_heights(&mut self, slope: &Slope) {
        let (size, layer) = (self.world.grid().layer_size(), self.integer());
        let counts = [(size.x + 1) * (size.y + 1), size.x * size.y, 3];
        let mut heights = Vec::new();
        for _ in 0..counts[self.random.below(3)] {
            let height = [0.0, 1.0, f32::NAN, self.random.unit() as f32];
            heights.push(height[self.random.below(4)]);
        }
        let set = match self.random.below(4) {
            0 if self.random.percent(20) => {
                let keeps = self.random.percent(80);
                self.world.load_heights(layer, &heights, slope, keeps)
            }
            1 => self.world.clear_heights(layer),
            2 => {
                let low = self.cell();
                let rect = flow_swarm::grid::CellRect {
                    low,
                    high: low.saturating_add(flow_swarm::IVec2::new(2, 3)),
                };
                let heights: Vec<f32> = (0..6).map(|_| self.number()).collect();
                self.world.set_heights_rect(layer, rect, &heights)
            }
            _ => self.world.set_heights(layer, &heights),
        };
        self.note(set);
        let at = self.vector();
        let height = self.world.height_at(at);
        assert!(height.is_none_or(f32::is_finite));
        let under = self.world.place_under(at, at.x);
        assert_eq!(under.is_ok(), at.is_finite());
        let normal = self.world.normal_at(at);
        assert!(normal.is_none_or(Vec3::is_finite) && normal.is_some() == height.is_some());
        let corners = self.world.corner_heights(layer);
        if let Ok(corners) = &corners {
            assert_eq!(corners.len(), counts[0] as usize);
        }
        let bits = corners.map(|all| all.iter().map(|it| it.to_bits()).collect::<Vec<_>>());
        self.note((height, normal, bits, self.world.ground().range()));
    }

    /// Solids and single triangles of any size, most of them over the grid.
    fn geometry(&mut self) -> Geometry {
        let mut geometry = Geometry::default();
        for _ in 0..self.random.below(6) {
            let count = geometry.body_count();
            let triangles = self.solid().triangles();
            let corners = [0, 1, 2].map(|_| {
                let at = self.place();
                Vec3::new(at.x, self.number(), at.y)
            });
            let volume = [Volume::Surface, Volume::Closed, Volume::Below][self.random.below(3)];
            let added = (
                geometry.add(triangles, volume),
                geometry.add_mesh(vec![corners]),
            );
            assert!(geometry.body_count() <= count + 2);
            self.note(added);
        }
        geometry
    }

    pub fn import_storeys(&mut self) {
        let settings = StoreySettings {
            agent_height: self.number(),
            agent_max_climb: self.number(),
            agent_max_slope: self.number(),
            cell_height: self.number(),
        };
        assert!(
            self.solid()
                .bounds()
                .is_none_or(|(low, high)| !low.cmpgt(high).any())
        );
        let (grid, geometry) = (*self.world.grid(), self.geometry());
        let bake = Bake::new(&grid, geometry, settings);
        assert_eq!(bake.is_ok(), settings.check().is_ok());
        let Ok(bake) = bake else {
            return;
        };
        for _ in 0..self.random.below(3) {
            bake.rasterise(self.random.below(bake.band_count() + 1));
        }
        assert!(bake.progress() <= 1.0);
        if self.random.percent(10) {
            bake.cancel();
        }
        let Ok(Some(storeys)) = bake.finish(self.world.workers()) else {
            return;
        };
        self.bake_again(storeys);
    }

    fn bake_again(&mut self, mut storeys: Storeys) {
        let floors = storeys.floors(self.cell());
        assert!(storeys.layer_count() as usize >= floors.len());
        let (low, high) = (self.cell(), self.cell());
        let result = storeys.rebake(CellRect { low, high }, &self.geometry());
        let all = storeys.grid().cells();
        let changed = *result.as_ref().unwrap_or(&all);
        let maps = storeys.maps(changed, self.world.workers());
        let own: Vec<_> = self.world.link_ids().take(3).collect();
        let set = self.world.set_storeys(&maps, &own, self.random.percent(50));
        let is_as_many = self.world.grid().layers().count() == storeys.layer_count();
        assert!(is_as_many || set.is_err());
        self.note((floors, result, set));
    }
}
