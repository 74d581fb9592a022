//! The candidates of cells with curved paths: triangles, many at a time.
//!
//! On ground of varying cost nearly all paths are curved, and there is no root to hand on. The candidates of such a
//! cell follow from few rules:
//!
//! - A candidate through a triangle exceeds both corners, of which the axis neighbour costs more. So a triangle is
//!   complete when its axis neighbour is settled, and need not be considered when the diagonal one is.
//! - A cell's two neighbours across a step are the diagonal neighbours of the step's end.
//! - The straight step is the triangle through which the front does not rise.

use super::front::OnGround;
use super::triangles::{CHUNK, Triangle, Triangles};
use crate::direction::{ANGLES, Direction};
use crate::integrate::candidate::Candidate;
use crate::integrate::moves::{Move, STEP_SHIFT};
use crate::integrate::root::Root;
use crate::integrate::scale::StepScale;

/// The least cost of a triangle, in 256ths of a straight step: half of the square root of two.
const LEAST_RISE: u32 = 181;
/// If a cell beside a diagonal step costs at most this many 256ths of a straight step more than the step's beginning,
/// the path through the triangle of both, or straight from that cell, is shorter than the diagonal step by at least a
/// hundredth: at 0.6 it costs 0.6 + 0.8.
const BESIDE: u32 = 153;

impl<const EVEN: bool, const WINDOW: bool> OnGround<'_, EVEN, WINDOW> {
    /// Takes the candidates of the first `count` gathered cells with curved paths. Their values are final and less than
    /// `below`.
    pub(super) fn spread_turning(&mut self, count: usize, below: u32) {
        let cells = std::mem::take(&mut self.front.lists.turning);
        let mut triangles = std::mem::take(&mut self.front.lists.triangles);
        for cells in cells[..count].chunks(CHUNK) {
            let (straight, diagonal) = self.list_steps(cells, below, &mut triangles);
            self.step_diagonally(&triangles.diagonal[..diagonal]);
            let count = self.list_triangles(straight, &mut triangles);
            triangles.weigh(count);
            self.cross_listed(count, &mut triangles);
        }
        self.front.lists.triangles = triangles;
        self.front.lists.turning = cells;
    }

    /// Lists the useful steps out of some cells; returns the numbers of axis steps and of diagonal steps. It has no
    /// unpredictable branches.
    #[inline(never)]
    fn list_steps(
        &mut self,
        cells: &[u32],
        below: u32,
        triangles: &mut Triangles,
    ) -> (usize, usize) {
        let local = self.front.local;
        let StepScale { straight, diagonal } = local.scale();
        let (mut axes, mut diagonals) = (0, 0);
        for &cell in cells {
            let at = cell as usize;
            let near = self.front.cost[at];
            // Sums of open cells stay in the number range. Those of walls may wrap, and are not used.
            let from_near = |by: u32| near.wrapping_add(by);
            let around = local.around(self.front.cost, at);
            let entries = local.entries_around(at);
            let legal = local.legal(at);
            let on_axis = &mut triangles.straight[axes..axes + 4];
            let mut count = 0;
            for step in [0, 2, 4, 6] {
                let (known, entry) = (around[step], u32::from(entries[step]));
                let least = from_near(straight * entry * LEAST_RISE / 256);
                let is_open = legal >> step & 1 == 1;
                on_axis[count] = Move::new(cell, (step as u32) << STEP_SHIFT);
                count += usize::from(is_open & (known >= below) & (least <= known));
            }
            axes += count;
            let aside = &mut triangles.diagonal[diagonals..diagonals + 4];
            let mut count = 0;
            for step in [1, 3, 5, 7] {
                let (known, entry) = (around[step], u32::from(entries[step]));
                let is_open = legal >> step & 1 == 1;
                aside[count] = Move::new(cell, (step as u32) << STEP_SHIFT);
                let cost = from_near(diagonal * entry);
                let beside = around[step - 1].min(around[(step + 1) % 8]);
                let is_alone = beside > from_near(straight * entry * BESIDE / 256);
                let is_worth_it = (known >= below) & (cost <= known);
                count += usize::from(is_open & is_alone & is_worth_it);
            }
            diagonals += count;
        }
        (axes, diagonals)
    }

    #[inline(never)]
    fn step_diagonally(&mut self, moves: &[Move]) {
        let local = self.front.local;
        let diagonal = local.scale().diagonal;
        for made in moves {
            let to = local.neighbour(made.cell(), made.step());
            let cost = self.front.cost[made.cell()] + diagonal * u32::from(local.cost_of(to));
            let root = Root::turning(Direction::from_step((made.step() + 4) % 8));
            self.front.take::<WINDOW>(to, Candidate { cost, root });
        }
    }

    /// Lists the triangles that steps along an axis complete; returns how many there are.
    #[inline(never)]
    fn list_triangles(&mut self, steps: usize, triangles: &mut Triangles) -> usize {
        let local = self.front.local;
        let straight = local.scale().straight;
        let Triangles {
            straight: moves,
            listed,
            near: into_near,
            full: into_full,
            fall: into_fall,
            ..
        } = triangles;
        let cost = &*self.front.cost;
        let mut count = 0;
        for made in &moves[..steps] {
            let (cell, step) = (made.cell(), made.step());
            let near = cost[cell];
            let to = local.neighbour(cell, step);
            let full = (straight * u32::from(local.cost_of(to))) as f32;
            let most = full * std::f32::consts::FRAC_1_SQRT_2;
            let fall_to = |side: usize| {
                let other = local.neighbour(cell, side);
                let fall = near.saturating_sub(cost[other]);
                // The border of a window does not count as cheaper ground.
                let is_open = !WINDOW || !local.is_wall(other);
                let fall = fall as f32;
                if is_open & (fall < most) { fall } else { 0.0 }
            };
            let (more, less) = (fall_to((step + 6) % 8), fall_to((step + 2) % 8));
            let axis = Direction::from_step((step + 4) % 8).code();
            let to = to as u32;
            let is_less = less > more;
            let best = Triangle { to, axis, is_less };
            (listed[count], into_near[count], into_full[count]) = (best, near, full);
            into_fall[count] = more.max(less);
            count += 1;
            // The second triangle counts only if rounding makes both equal.
            let other = Triangle {
                to,
                axis,
                is_less: !is_less,
            };
            (listed[count], into_near[count], into_full[count]) = (other, near, full);
            into_fall[count] = more.min(less);
            count += usize::from(more.min(less) > 0.0);
        }
        count
    }

    /// Takes the candidates through the listed triangles that are better than the known values.
    #[inline(never)]
    fn cross_listed(&mut self, count: usize, triangles: &mut Triangles) {
        let mut kept = 0;
        for at in 0..count {
            let Triangle { to, axis, is_less } = triangles.listed[at];
            let cost = triangles.cost[at];
            let angle = triangles.angle[at] as i32;
            let turned = i32::from(axis) + if is_less { -angle } else { angle };
            let angles = i32::from(ANGLES);
            let turned = turned + if turned < 0 { angles } else { 0 };
            let code = (turned - if turned >= angles { angles } else { 0 }) as u8;
            // By rounding the straight step may cost the same.
            let is_straight = cost == triangles.near[at] + triangles.full[at] as u32;
            let code = if is_straight { code.min(axis) } else { code };
            let root = Root::turning(Direction::from_code(code));
            self.front.lists.candidates[kept] = (to, Candidate { cost, root });
            kept += usize::from(cost <= self.front.cost[to as usize]);
        }
        for at in 0..kept {
            let (to, candidate) = self.front.lists.candidates[at];
            self.front.take::<WINDOW>(to as usize, candidate);
        }
    }
}
