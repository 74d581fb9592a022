//! The view and the colours of a crowd, from the node's properties.

use super::EnemySwarm;
use super::canvas::Canvas;
use super::{mesh_extent, seen_rect, seen_space};
use crate::convert::{corners, f32_from, rgba};
use crate::report::OrRefuse;
use flow_swarm::swarm::{Extent, Palette, Plane, View};
use godot::prelude::*;

impl EnemySwarm {
    /// The agents that are drawn, their order, and the point in time between two steps.
    pub(super) fn view(&self, view: View, canvas: &Canvas, extent: Extent, fraction: f64) -> View {
        let mut view = View {
            y_sort: view.y_sort && canvas.plane() == Plane::Xy,
            fraction: f32_from(fraction),
            ..view
        };
        if !self.cull_to_view {
            return view;
        }
        match canvas {
            Canvas::Flat(node) => view.rect = seen_rect::of(node).map(corners).or(view.rect),
            Canvas::Solid(node) => {
                view.frustum = seen_space::of(node, extent);
                view.rect = view.rect.filter(|_| view.frustum.is_none());
            }
        }
        view
    }

    /// The space that instances take, in their widths.
    pub(super) fn extent(&self) -> Extent {
        let meshes = self.drawn.meshes.iter();
        let extent = mesh_extent::of(meshes.filter_map(|mesh| mesh.canvas.mesh()));
        extent.unwrap_or(Extent {
            radius: 0.0,
            low: 0.0,
            high: 0.0,
        })
    }

    /// What the last drawing has drawn, by MultiMesh.
    pub(super) fn drawn_counts(&self) -> Array<VarDictionary> {
        let meshes = self
            .drawn
            .meshes
            .iter()
            .filter(|mesh| mesh.current().is_some());
        let counts = meshes.map(|mesh| {
            let dress = mesh.dress();
            vdict! {
                "look" => &dress.map(|dress| dress.look.clone()).to_variant(),
                "level" => dress.map_or(0, |dress| dress.level as i64),
                "casts_shadow" => dress.is_none_or(|dress| dress.casts_shadow),
                "mesh" => &mesh.canvas.mesh().to_variant(),
                "count" => mesh.shown() as i64,
                "node" => &mesh.canvas.node().to_variant(),
            }
        });
        counts.collect()
    }

    /// Sets the colours of states and groups. Returns false, after a report, if the core refuses them.
    pub(super) fn take_colors(
        &mut self,
        property: &str,
        states: &PackedColorArray,
        groups: &PackedColorArray,
    ) -> bool {
        let [states, groups] = [states, groups].map(|colors| {
            let colors = colors.as_slice().iter().copied().map(rgba);
            colors.collect::<Vec<_>>()
        });
        let palette = Palette::new(&states, &groups).or_refuse(property);
        let is_good = palette.is_some();
        if let Some(palette) = palette {
            self.swarm.set_palette(palette);
        }
        is_good
    }
}
