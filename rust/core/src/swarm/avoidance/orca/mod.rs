//! Optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, Reciprocal n-body
//! collision avoidance, ISRR 2009).
//!
//! For each neighbour an agent computes a half-plane of velocities that avoid a collision, under the assumption that
//! the neighbour makes its share of the change. The shares of two agents add up, so they need no communication. Of the
//! permitted velocities the agent takes the one closest to its preferred velocity.
//!
//! Unlike in the paper, shares depend on weights: the heavier of two agents gives way less, and an agent without
//! avoidance leaves the whole change to the other one. Equal agents that meet head-on would only slow down together. So
//! an agent whose preferred velocity is forbidden prefers one turned a little to the right.
//!
//! Read [`prepare`] first, which collects the data and calls the rest; then [`bodies`] and [`scene`] for the data,
//! [`velocity`] for one agent's half-planes in order, [`lines`], [`walls`] and [`solids`] for how each is made, and
//! [`program`] for the solver. The search is in [`neighbours`], [`candidates`], [`pieces`] and [`network`].
//!
//! - All agents read the state before the step. An agent's velocity does not depend on the order of agents or on
//!   threads.
//! - Half-planes of walls always permit standing still.

mod bodies;
mod candidates;
mod lines;
mod neighbours;
mod network;
mod pieces;
mod prepare;
mod program;
mod scene;
mod solids;
mod velocity;
mod walls;

pub(in crate::swarm) use bodies::{OrcaAgent, PreferredVelocity};
pub(in crate::swarm) use prepare::bucket_width;
pub(in crate::swarm) use scene::{Avoider, Orca, Solids};
pub(in crate::swarm) use velocity::Workspace;
