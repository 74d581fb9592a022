//! Rectangles of random scenes that are baked again, against whole bakes.

use crate::oracle::any_solids;
use crate::scenes::{SETTINGS, Scene, maps};
use flow_swarm::Vec3;
use flow_swarm::grid::links::LinkId;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::import::storeys::Storeys;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use proptest::prelude::*;

/// A change of a scene, and how far beyond the changed solid the rectangle reaches on each side.
#[derive(Debug, Clone)]
struct Edit {
    /// The low corner and the size of a new block; `None` to remove a solid.
    block: Option<(Vec3, Vec3)>,
    removed: prop::sample::Index,
    margin: [i32; 4],
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let block = (
        (0.0..9.0_f32, -0.5..4.0_f32, 0.0..9.0_f32),
        (0.3..4.0_f32, 0.2..2.0_f32, 0.3..4.0_f32),
    );
    let block = block.prop_map(|(low, size)| (Vec3::from(low), Vec3::from(size)));
    let margin = prop_oneof![Just([0; 4]), prop::array::uniform4(0..24)];
    let edit = (
        prop::option::weighted(0.6, block),
        any::<prop::sample::Index>(),
        margin,
    );
    let edit = edit.prop_map(|(block, removed, margin)| Edit {
        block,
        removed,
        margin,
    });
    prop::collection::vec(edit, 1..7)
}

impl Edit {
    /// Changes a scene. Returns the cells that must be baked again.
    fn apply(&self, scene: &mut Scene) -> CellRect {
        let solid = match self.block {
            Some((low, size)) => {
                scene.block(low.to_array(), (low + size).to_array());
                scene.solids[scene.solids.len() - 1].clone()
            }
            // The ground stays.
            None if scene.solids.len() > 1 => {
                let number = 1 + self.removed.index(scene.solids.len() - 1);
                scene.solids.remove(number)
            }
            None => scene.solids[0].clone(),
        };
        let low = solid.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = solid.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let cell = |at: Vec3| (Vec2::new(at.x, at.z) * 2.0).floor().as_ivec2();
        let [left, before, right, behind] = self.margin;
        CellRect {
            low: cell(low) - IVec2::new(left, before),
            high: cell(high) + 1 + IVec2::new(right, behind),
        }
    }
}

/// A world, the links that bakes have added, and all that bakes set, as text.
struct Baked {
    world: FlowWorld,
    links: Vec<LinkId>,
}

impl Baked {
    fn new(storeys: &Storeys) -> Self {
        let flat = storeys.grid();
        let grid = Grid::layered(
            flat.size(),
            flat.cell_size(),
            flat.origin(),
            storeys.layer_count(),
        );
        let mut world = FlowWorld::new(grid.expect("few layers"), Workers::serial());
        let links = world.set_storeys(&maps(storeys), &[], false).expect("fits");
        Self { world, links }
    }

    fn update(&mut self, storeys: &Storeys, changed: CellRect) {
        let maps = storeys.maps(changed, &Workers::serial());
        self.links = self
            .world
            .set_storeys(&maps, &self.links, false)
            .expect("fits");
    }

    fn text(&self) -> String {
        let grid = self.world.grid();
        let layers = (0..grid.layers().count()).map(|layer| {
            let cells = grid.layers().cells(layer, grid.width());
            let terrain = self.world.base_terrain_block(cells).expect("inside");
            let heights = self.world.corner_heights(layer.into()).expect("a layer");
            format!("{terrain:?} {heights:?}")
        });
        let mut links: Vec<String> = self
            .links
            .iter()
            .map(|&id| format!("{:?}", self.world.link(id).expect("kept")))
            .collect();
        links.sort();
        format!("{:?} {links:?}", layers.collect::<Vec<_>>())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn rectangles_give_what_whole_bakes_give(mut scene in any_solids(), edits in edits()) {
        let mut storeys = scene.bake_with(&SETTINGS, &Workers::serial());
        let mut baked = Baked::new(&storeys);
        for edit in edits {
            let before = (storeys.clone(), scene.clone());
            let cells = edit.apply(&mut scene);
            let Ok(changed) = storeys.rebake(cells, &scene.geometry()) else {
                // It needs another layer. Nothing has changed, and the next edit is tried without this one.
                prop_assert!(storeys == before.0);
                scene = before.1;
                continue;
            };
            let whole = scene.bake();
            for index in 0..storeys.grid().cell_count() {
                let cell = storeys.grid().cell(index);
                prop_assert_eq!(storeys.floors(cell), whole.floors(cell), "floors of {}", cell);
            }
            baked.update(&storeys, changed);
            // The same floors and layers, all set anew.
            prop_assert!(baked.text() == Baked::new(&storeys).text(), "terrain, heights or links differ");
        }
    }
}
