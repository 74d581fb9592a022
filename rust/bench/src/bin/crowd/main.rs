//! Crowds: how long their steps take, and how they behave.
//!
//! Without a scene it times the march of a crowd ([`march`]). With one it plays the scene ([`scenes`]) until all agents
//! have arrived, measures how they behave ([`measures`]), and prints that with the median time of a step.
//!
//! Order of reading: `args`, `scenes`, `play` with `measures` and `taken`, then `march`. `portrait` draws pictures, and
//! `exchange` writes scenes for other programs and reads their answers.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod args;
mod exchange;
mod march;
mod measures;
mod play;
mod portrait;
mod scenes;
mod taken;

use std::error::Error;

use clap::Parser;

use args::Arguments;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    match arguments.scene {
        None => march::run(&arguments),
        Some(name) => play::run(&arguments, name),
    }
}
