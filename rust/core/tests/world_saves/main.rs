//! A world that was loaded goes on as the one that was saved, to the bit: games with all kinds of orders are saved and
//! loaded at random moments, and compared with the same games without saves in every tick.
//!
//! Order of reading: `games` (the comparison), `rollbacks` (the same with snapshots in memory), `queries`, `storeys`,
//! `walking`, `whole_fields`, `other_worlds` and `large_maps`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../pure_queries/game.rs"]
mod game;

mod games;
mod large_maps;
mod other_worlds;
mod queries;
mod rollbacks;
mod storeys;
mod walking;
mod whole_fields;
