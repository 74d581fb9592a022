//! Optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, Reciprocal n-body
//! collision avoidance, ISRR 2009).
//!
//! Each agent forbids itself the velocities that would lead to a collision if its
//! neighbours kept theirs, and leaves a share of the work to them, as they do the
//! same. What two agents forbid themselves adds up, so nothing has to be agreed
//! upon. Of what is left it takes the velocity nearest to the one it wants.
//!
//! The paper shares equally. Here the heavier of two gives way less, and an agent
//! that avoids none leaves all the work to the other. Equals that meet head-on
//! would only slow down together; so an agent that cannot go as it wants prefers
//! to go a little to the right of that.

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
