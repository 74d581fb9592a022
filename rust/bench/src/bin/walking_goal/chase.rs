//! Agents that chase a hero through rooms.

use std::error::Error;

use crate::Arguments;

pub(crate) fn run(_agents: usize, _arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    Ok(())
}
