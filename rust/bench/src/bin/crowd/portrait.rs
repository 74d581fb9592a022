//! Pictures of a scene: walls, and agents as discs coloured by their deepest overlap.

use flow_swarm::Vec2;
use flow_swarm::swarm::Swarm;
use flow_swarm_bench::measures::deepest;
use flow_swarm_bench::picture::{Colour, Disc, Picture, mix};

use crate::scenes::Scene;

/// Longer side of a picture, in pixels.
const SIDE: f32 = 480.0;
const GROUND: Colour = [244, 244, 240];
const WALL: Colour = [72, 76, 84];
/// The colours of agents without overlap, by group. Further groups begin again with the first colour.
const CALM: [Colour; 4] = [
    [92, 142, 188],
    [112, 176, 128],
    [148, 128, 188],
    [150, 150, 140],
];
/// The colours of overlaps, by depth in radii.
const OVERLAPPING: [(f32, Colour); 4] = [
    (0.1, [246, 210, 84]),
    (0.5, [240, 140, 50]),
    (1.0, [206, 40, 40]),
    (2.0, [96, 0, 40]),
];
/// The number of shades between two of these colours. Few colours make small files.
const SHADES: f32 = 4.0;
/// Overlaps below this, in radii, are not shown.
const UNSEEN: f32 = 0.05;

/// The part of a scene that is shown: a rectangle in units of the scene.
#[derive(Clone, Copy)]
pub(crate) struct View {
    corner: Vec2,
    size: Vec2,
}

impl View {
    /// Creates a view: a square of side `across` around the watched place, or the whole map.
    pub(crate) fn new(scene: &Scene, across: Option<f32>, seconds: f64) -> Self {
        let map = Vec2::new(scene.map.width as f32, scene.map.height as f32) * scene.cell;
        let Some(side) = across else {
            return Self {
                corner: Vec2::ZERO,
                size: map,
            };
        };
        let watched = scene.door.map(|(at, _)| at);
        let middle = watched.or(scene.centre_at(seconds)).unwrap_or(0.5 * map);
        Self {
            corner: middle - 0.5 * side,
            size: Vec2::splat(side),
        }
    }

    /// Pixels per unit of the scene.
    fn scale(self) -> f32 {
        SIDE / self.size.max_element()
    }

    fn pixel(self, at: Vec2) -> Vec2 {
        (at - self.corner) * self.scale()
    }
}

/// Draws a swarm in a scene.
pub(crate) fn draw(scene: &Scene, view: View, swarm: &Swarm) -> Picture {
    let size = (view.size * view.scale()).ceil();
    let mut picture = Picture::new(size.x as usize, size.y as usize, GROUND);
    draw_walls(scene, view, &mut picture);
    draw_agents(scene, view, swarm, &mut picture);
    picture
}

fn draw_walls(scene: &Scene, view: View, picture: &mut Picture) {
    // The outside of the map is drawn as walls.
    let map = Vec2::new(scene.map.width as f32, scene.map.height as f32) * scene.cell;
    let far = view.corner + view.size;
    let beyond = [
        (view.corner, Vec2::new(0.0, far.y)),
        (view.corner, Vec2::new(far.x, 0.0)),
        (Vec2::new(map.x, view.corner.y), far),
        (Vec2::new(view.corner.x, map.y), far),
    ];
    for (low, high) in beyond {
        picture.rectangle(view.pixel(low), view.pixel(high), WALL);
    }
    for y in 0..scene.map.height {
        for x in 0..scene.map.width {
            if !scene.map.is_passable(scene.map.index(x, y)) {
                let low = Vec2::new(x as f32, y as f32) * scene.cell;
                let high = low + scene.cell;
                picture.rectangle(view.pixel(low), view.pixel(high), WALL);
            }
        }
    }
}

fn draw_agents(scene: &Scene, view: View, swarm: &Swarm, picture: &mut Picture) {
    let radius = |&kind: &_| scene.body(usize::from(kind)).radius;
    let radii: Vec<f32> = swarm.kinds().iter().map(radius).collect();
    let overlaps = deepest(swarm.positions(), &radii);
    let agents = swarm.positions().iter().zip(&radii);
    let looks = swarm.groups().iter().zip(&overlaps);
    for ((&at, &radius), (&group, &overlap)) in agents.zip(looks) {
        picture.disc(Disc {
            at: view.pixel(at),
            radius: radius * view.scale(),
            colour: colour(usize::from(group), overlap),
        });
    }
}

/// The colour of an agent of a group with an overlap in radii.
fn colour(group: usize, overlap: f32) -> Colour {
    let mut below = (UNSEEN, CALM[group % CALM.len()]);
    for above in OVERLAPPING {
        if overlap < above.0 {
            let share = (overlap - below.0) / (above.0 - below.0);
            let share = (share.clamp(0.0, 1.0) * SHADES).round() / SHADES;
            return mix(below.1, above.1, share);
        }
        below = above;
    }
    below.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_overlaps_are_told_from_slight_ones_and_those_from_none() {
        assert_eq!(colour(0, 0.0), colour(0, 0.04));
        assert_ne!(colour(0, 0.0), colour(1, 0.0));
        assert_eq!(colour(0, 0.5), OVERLAPPING[1].1);
        assert_eq!(colour(0, 2.0), OVERLAPPING[3].1);
        assert_eq!(colour(1, 0.1), OVERLAPPING[0].1);
    }
}
