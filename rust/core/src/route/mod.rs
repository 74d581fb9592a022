//! Ways across maps that are too large for whole fields.

pub mod tiles;
