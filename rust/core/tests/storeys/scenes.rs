//! Scenes of boxes and ramps, and what a bake makes of them.

use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::import::Solid;
use flow_swarm::import::storeys::{Bake, Geometry, StoreyMaps, StoreySettings, Storeys, Volume};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, QueryStatus};
use flow_swarm::{IVec2, Vec2, Vec3};

pub const SETTINGS: StoreySettings = StoreySettings {
    agent_height: 1.5,
    agent_max_climb: 0.25,
    agent_max_slope: 1.0,
    cell_height: 0.25,
};

/// A scene over a grid of cells of half a metre, with a corner at the origin.
#[derive(Debug, Default, Clone)]
pub struct Scene {
    pub solids: Vec<Vec<Vec3>>,
    pub size: IVec2,
}

impl Scene {
    /// Ground of some metres, with its top at 0.
    pub fn ground(width: f32, depth: f32) -> Self {
        let mut scene = Self {
            solids: Vec::new(),
            size: (Vec2::new(width, depth) * 2.0).as_ivec2(),
        };
        scene.block([0.0, -1.0, 0.0], [width, 0.0, depth]);
        scene
    }

    pub fn block(&mut self, low: [f32; 3], high: [f32; 3]) {
        self.wedge(low, high, [high[1]; 4]);
    }

    /// A block with a top height for each corner: (low x, low z), (high x, low z), (low x, high z), (high x, high z).
    pub fn wedge(&mut self, low: [f32; 3], high: [f32; 3], tops: [f32; 4]) {
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().zip(tops);
        let ends = [low, high];
        let points = corners.flat_map(|((x, z), top)| {
            let (x, z) = (ends[x][0], ends[z][2]);
            [Vec3::new(x, low[1], z), Vec3::new(x, top, z)]
        });
        self.solids.push(points.collect());
    }

    pub fn grid(&self) -> Grid {
        Grid::new(self.size, 0.5, Vec2::ZERO).expect("valid")
    }

    pub fn geometry(&self) -> Geometry {
        let mut geometry = Geometry::default();
        for solid in &self.solids {
            let triangles = Solid::hull(solid.clone()).triangles();
            geometry.add(triangles, Volume::Closed).expect("finite");
        }
        geometry
    }

    pub fn bake(&self) -> Storeys {
        self.bake_with(&SETTINGS, &Workers::serial())
    }

    pub fn bake_with(&self, settings: &StoreySettings, workers: &Workers) -> Storeys {
        let bake = Bake::new(&self.grid(), self.geometry(), *settings).expect("valid");
        bake.finish(workers)
            .expect("few layers")
            .expect("not cancelled")
    }
}

pub fn maps(storeys: &Storeys) -> StoreyMaps {
    storeys.maps(storeys.grid().cells(), &Workers::serial())
}

/// A world with the layers and links of a bake.
pub struct Town {
    pub world: FlowWorld,
    pub maps: StoreyMaps,
}

impl Town {
    pub fn new(storeys: &Storeys) -> Self {
        let maps = maps(storeys);
        let flat = storeys.grid();
        let (size, cell_size) = (flat.size(), flat.cell_size());
        let grid = Grid::layered(size, cell_size, flat.origin(), storeys.layer_count());
        let mut world = FlowWorld::new(grid.expect("few layers"), Workers::serial());
        for (layer, map) in maps.layers.iter().enumerate() {
            world
                .set_layer_bytes(layer as i64, &map.terrain)
                .expect("fits");
        }
        let grid = *world.grid();
        let place = |cell: (i32, i32), layer: u32| grid.place_of(cell.into(), layer.into());
        let links = maps.links.iter().map(|link| Link {
            from: place(link.from, link.from_layer).expect("inside"),
            to: place(link.to, link.to_layer).expect("inside"),
            cost: 1.0,
            both_ways: true,
            travel: Travel::Walk,
        });
        world.add_links(&links.collect::<Vec<_>>()).expect("valid");
        Self { world, maps }
    }

    /// The layer of the floor at a point in space.
    pub fn layer_at(&self, [x, y, z]: [f32; 3]) -> Option<usize> {
        let cell = (Vec2::new(x, z) * 2.0).floor().as_ivec2();
        let near = |layer: &usize| (self.height(*layer, cell) - y).abs() < 0.3;
        let mut layers = (0..self.maps.layers.len()).filter(near);
        layers.find(|&layer| self.is_walkable(layer, cell))
    }

    pub fn is_walkable(&self, layer: usize, cell: IVec2) -> bool {
        let width = self.maps.cells.high.x;
        self.maps.layers[layer].terrain[(cell.y * width + cell.x) as usize] == 1
    }

    /// The mean of the corners of a cell.
    pub fn height(&self, layer: usize, cell: IVec2) -> f32 {
        let row = self.maps.cells.high.x + 1;
        let at = |x: i32, y: i32| {
            self.maps.layers[layer].heights[((cell.y + y) * row + cell.x + x) as usize]
        };
        (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4.0
    }

    fn place(&self, at: [f32; 3]) -> Vec2 {
        let layer = self
            .layer_at(at)
            .unwrap_or_else(|| panic!("no floor at {at:?}"));
        let grid = self.world.grid();
        grid.place_at("at", Vec2::new(at[0], at[2]), layer as i64)
            .expect("inside")
    }

    /// Whether a path leads from one floor to another.
    pub fn leads(&mut self, from: [f32; 3], to: [f32; 3]) -> bool {
        let (from, to) = (self.place(from), self.place(to));
        let goal = self.world.create_goal(&[to]).expect("valid");
        self.world.update();
        self.world.query_status(goal, from, 0).expect("valid") == QueryStatus::Ok
    }
}

pub fn rect(low: (i32, i32), high: (i32, i32)) -> CellRect {
    CellRect {
        low: low.into(),
        high: high.into(),
    }
}
