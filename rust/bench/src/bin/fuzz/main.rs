//! Reads altered bytes in all formats that the core reads: worlds, swarms, tiles, baked tiles, and arrays such as
//! terrain. Each input must be refused with an error and change nothing, or give a world or swarm that works: it goes
//! on, answers queries, and is the same after it was saved and loaded. No input may panic, take more memory than its
//! length allows, or take long.
//!
//! An input follows from its seed alone. A fault prints it: `--seed N --count 1` repeats it. The last line is one JSON
//! object; a fault makes the run fail.
//!
//! Order of reading: `game` (small games), `sample` and `mutate` (inputs from their saves), `read_world` and its like
//! (what must hold), `watch` (panics and time), then this file.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod game;
mod mutate;
mod read_arrays;
mod read_baked;
mod read_swarm;
mod read_tiles;
mod read_world;
mod sample;
mod verdict;
mod watch;

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::peak_memory::CountingAllocator;
use serde_json::json;

use game::Game;
use sample::{Format, Sample};
use verdict::{Fate, Verdict};
use watch::Watch;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Seeds are taken in pieces of this many.
const PIECE: u64 = 64;
/// After so many faults a run ends.
const MOST_FAULTS: u64 = 20;

/// Read altered saves, tiles and arrays.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of inputs
    #[arg(long, default_value_t = 1_000_000)]
    count: u64,
    /// Seed of the first input; the others have the numbers after it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Only inputs of this format
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The longest time for one input, in seconds
    #[arg(long, default_value_t = 20)]
    limit: u64,
}

/// The numbers of accepted and refused inputs, by format.
type Counts = [[u64; 2]; Format::ALL.len()];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let samples: Vec<Sample> = Game::all().map(Sample::of).collect::<Result<_, _>>()?;
    let threads = match arguments.threads {
        0 => thread::available_parallelism()?.get(),
        threads => threads,
    };
    let watch = Watch::new(threads, arguments.limit);
    let (next, faults) = (AtomicU64::new(0), AtomicU64::new(0));
    let begin = Instant::now();
    let mut counts = Counts::default();
    thread::scope(|scope| {
        let run = |number| {
            let (arguments, samples, watch, next, faults) =
                (&arguments, &samples, &watch, &next, &faults);
            move || run(arguments, samples, (watch, number), next, faults)
        };
        let workers: Vec<_> = (0..threads)
            .map(|number| scope.spawn(run(number)))
            .collect();
        let mut seconds = 0;
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(100));
            watch.check();
            if begin.elapsed().as_secs() >= seconds + 60 {
                seconds += 60;
                let done = next.load(Ordering::Relaxed).min(arguments.count);
                eprintln!("{done} inputs in {seconds} s");
            }
        }
        for worker in workers {
            let found = worker.join().unwrap_or_default();
            for (sum, found) in counts.iter_mut().flatten().zip(found.into_iter().flatten()) {
                *sum += found;
            }
        }
    });
    let seconds = begin.elapsed().as_secs_f64();
    let done: u64 = counts.iter().flatten().sum();
    for (format, [accepted, refused]) in Format::ALL.into_iter().zip(counts) {
        println!("{format:?}: {accepted} accepted, {refused} refused");
    }
    let faults = faults.into_inner();
    let figures = Format::ALL.into_iter().zip(counts).map(|(format, counts)| {
        let figures = json!({ "accepted": counts[0], "refused": counts[1] });
        (format!("{format:?}").to_lowercase(), figures)
    });
    let formats: serde_json::Map<String, serde_json::Value> = figures.collect();
    println!(
        "{}",
        json!({
            "inputs": done + faults,
            "first_seed": arguments.seed,
            "seconds": seconds,
            "inputs_per_second": (done as f64 / seconds).round(),
            "formats": formats,
            "faults": faults,
        })
    );
    if faults > 0 {
        return Err(format!("{faults} faults").into());
    }
    Ok(())
}

/// Reads inputs until all have been taken.
fn run(
    arguments: &Arguments,
    samples: &[Sample],
    (watch, worker): (&Watch, usize),
    next: &AtomicU64,
    faults: &AtomicU64,
) -> Counts {
    let mut counts = Counts::default();
    loop {
        let first = next.fetch_add(PIECE, Ordering::Relaxed);
        for number in first..arguments.count.min(first + PIECE) {
            let seed = arguments.seed.wrapping_add(number);
            let mut format = Format::World;
            let call = || read(samples, arguments.format, seed, &mut format);
            match watch.run(worker, seed, call) {
                Ok(fate) => counts[format as usize][usize::from(fate == Fate::Refused)] += 1,
                Err(reason) => {
                    println!("--seed {seed} --count 1 ({format:?}): {reason}");
                    faults.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        let is_over = faults.load(Ordering::Relaxed) >= MOST_FAULTS;
        if is_over || first.saturating_add(PIECE) >= arguments.count {
            return counts;
        }
    }
}

/// Makes the input of a seed, and reads it.
fn read(samples: &[Sample], only: Option<Format>, seed: u64, format: &mut Format) -> Verdict {
    let mut random = SplitMix64::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let drawn = Format::any(&mut random);
    *format = only.unwrap_or(drawn);
    let sample = &samples[random.below(samples.len())];
    let other = &samples[random.below(samples.len())];
    let input = sample.input(*format, other, &mut random);
    match format {
        Format::World => read_world::read(sample, &input, &mut random),
        Format::Swarm => read_swarm::read(sample, &input),
        Format::Tiles => read_tiles::read(sample, &input),
        Format::Baked => read_baked::read(sample, &input),
        Format::Arrays => read_arrays::read(sample, &input, &mut random),
    }
}
