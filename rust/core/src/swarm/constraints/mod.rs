//! The limits of agents' movement: acceleration, walls, and links between layers.
//!
//! Read `ground` (speed factors of terrain), `inertia` (acceleration and turning), then `travel` with `velocity`
//! (moving an agent by a displacement) and `walls` (the slide that it uses), then `links` (which agents want one),
//! `boarding` (which of them take it), `travelling` (links that take time) and `link_users` (the agents of a step that
//! want a link or are on one).
//!
//! - With [`Settings::wall_correction`](crate::swarm::Settings::wall_correction) no slide moves an agent's centre
//!   through a wall, and none moves its disc deeper into one.
//! - Walls and bodies never add speed to an agent, but impulses, forces and contacts can.

pub(in crate::swarm) mod boarding;
pub(in crate::swarm) mod inertia;
pub(in crate::swarm) mod link_users;
pub(in crate::swarm) mod links;
pub(in crate::swarm) mod speed_factors;
pub(in crate::swarm) mod travel;
pub(in crate::swarm) mod travelling;
pub(in crate::swarm) mod velocity;
pub(in crate::swarm) mod walls;
