//! The look of agents: turns the node's properties into the core's instance layout.

use super::EnemySwarm;
use super::canvas::Canvas;
use super::seen_rect;
use crate::convert::{corners, f32_from, rgba};
use crate::report::OrRefuse;
use flow_swarm::swarm::{CustomData, InstanceLayout, Palette, Plane, Tracking, View};
use godot::prelude::*;

impl EnemySwarm {
    /// What an instance is made of.
    pub(super) fn layout(&self, plane: Plane, color: bool) -> InstanceLayout {
        InstanceLayout {
            plane,
            color,
            custom: match self.custom_data_preset {
                Self::CUSTOM_MOTION => CustomData::Motion,
                Self::CUSTOM_SPRITE => CustomData::Sprite,
                Self::CUSTOM_VERTICES => CustomData::Vertices,
                Self::CUSTOM_USER => CustomData::User,
                _ => CustomData::None,
            },
            face_movement: self.face_movement,
            size: f32_from(self.instance_size),
            height: f32_from(self.height),
        }
    }

    /// Whom to draw, in which order, and how far between two steps.
    pub(super) fn view(&self, plane: Plane, bounds: Rect2, fraction: f64) -> View {
        let rect = self.view_rect.has_area().then(|| corners(self.view_rect));
        let rect = if self.cull_to_view {
            self.visible_rect(bounds).or(rect)
        } else {
            rect
        };
        View {
            rect,
            margin: f32_from(self.view_margin),
            y_sort: self.y_sort && plane == Plane::Xy,
            fraction: f32_from(fraction),
        }
    }

    /// What the viewport shows of the agents' plane; `None` if that cannot be told.
    fn visible_rect(&self, bounds: Rect2) -> Option<(flow_swarm::Vec2, flow_swarm::Vec2)> {
        let rect = match Canvas::of(&self.get_output()?)? {
            Canvas::Flat(node) => seen_rect::in_2d(&node)?,
            Canvas::Solid(node) => seen_rect::in_3d(&node, bounds, f32_from(self.height))?,
        };
        Some(corners(rect))
    }

    /// What the core has to keep for drawing.
    pub(super) fn tracking(&self) -> Tracking {
        let walks = matches!(
            self.custom_data_preset,
            Self::CUSTOM_SPRITE | Self::CUSTOM_VERTICES
        );
        Tracking {
            between_steps: self.interpolate,
            walk_cycle: walks.then(|| f32_from(self.walk_cycle)),
        }
    }

    /// Takes colours over, or reports what is wrong with them.
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
