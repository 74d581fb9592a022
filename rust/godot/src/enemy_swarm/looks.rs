//! The view and the colours of a crowd, from the node's properties.

use super::EnemySwarm;
use super::canvas::Canvas;
use super::seen_rect;
use crate::convert::{corners, f32_from, rgba};
use crate::report::OrRefuse;
use flow_swarm::swarm::{Palette, Plane, View};
use godot::prelude::*;

impl EnemySwarm {
    /// The agents that are drawn, their order, and the point in time between two steps.
    pub(super) fn view(&self, view: View, plane: Plane, bounds: Rect2, fraction: f64) -> View {
        let visible = self.cull_to_view.then(|| self.visible_rect(bounds));
        View {
            rect: visible.flatten().or(view.rect),
            y_sort: view.y_sort && plane == Plane::Xy,
            fraction: f32_from(fraction),
            ..view
        }
    }

    /// The part of the agents' plane that the viewport shows; `None` if it is not known.
    fn visible_rect(&self, bounds: Rect2) -> Option<(flow_swarm::Vec2, flow_swarm::Vec2)> {
        let rect = match Canvas::of(&self.get_output()?)? {
            Canvas::Flat(node) => seen_rect::in_2d(&node)?,
            Canvas::Solid(node) => {
                let heights = self.swarm.drawn_heights(f32_from(self.height));
                seen_rect::in_3d(&node, bounds, heights)?
            }
        };
        Some(corners(rect))
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
