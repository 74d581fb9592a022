//! `cargo xtask bench`: measures the figures of docs/performance.md.

mod crowd_pictures;
mod crowd_validation;
mod harness;
mod movingai;

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::{EngineArgs, engine_log, extension, godot, project};

const LIMIT: Duration = Duration::from_secs(3600);

/// The solvers that the harnesses offer.
const SOLVERS: [&str; 2] = ["octile", "eikonal"];

/// The scenes of the crowd benchmark, with the number of agents.
const SCENES: [(&str, &str); 6] = [
    ("open", "100000"),
    ("circle", "1000"),
    ("blocks", "1000"),
    ("doorway", "2000"),
    ("crossing", "1000"),
    ("headon", "1000"),
];

/// Further cases of cost overlays, besides single ones: the name of each, and its options.
const OVERLAYS: [(&str, &[&str]); 1] = [("moving", &["--moving", "100", "--radius", "5"])];

/// Further cases of goals that walk, besides one hero: the name of each, and its options.
const WALKS: [(&str, &[&str]); 8] = [
    (
        "flee",
        &["--flee", "20", "--speed", "60", "--ticks", "1000"],
    ),
    ("range", &["--range", "4,12", "--ticks", "1000"]),
    (
        "range_river",
        &[
            "--range",
            "10,30",
            "--ticks",
            "1000",
            "--maps",
            "open,river",
        ],
    ),
    ("heroes", &["--heroes", "4", "--sizes", "512,1024"]),
    ("goals", &["--goals", "8", "--sizes", "512,1024"]),
    ("tiled", &["--tiled", "--sizes", "4096"]),
    ("chase", &["--chase", "5000", "--sizes", "256,512,1024"]),
    (
        "chase_tiled",
        &["--chase", "5000", "--sizes", "256,512,1024", "--tiled"],
    ),
];

#[derive(Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Run these only [default: all]
    #[arg(value_enum)]
    only: Vec<Benchmark>,
}

#[derive(Clone, Copy, Eq, PartialEq, clap::ValueEnum)]
enum Benchmark {
    /// Building fields, against the baselines.
    Fields,
    /// Repairing fields after edits, against full solves.
    Repair,
    /// Cost overlays that come, go and move.
    Overlays,
    /// Fields to goals that walk, and agents that chase them.
    WalkingGoal,
    /// Stepping crowds.
    Crowd,
    /// Crowds by published measures: RiMEA cases and bottlenecks, beside JuPedSim and RVO2 if Python is available.
    CrowdValidation,
    /// The pictures of docs/crowds.md.
    CrowdPictures,
    /// Exactness, walks and speed on the Moving AI maps, if they are available.
    Movingai,
    /// Portal graphs and the routes over them.
    Routes,
    /// Flow tiles: building, walks and edits.
    Tiles,
    /// Orders to a crowd over large maps.
    Orders,
    /// The longest update after large orders and edits.
    Stalls,
    /// A crowd with random orders, stamps and edits, for many ticks.
    Soak,
    /// Altered saves, tiles and arrays, which must be refused or work.
    Fuzz,
    /// System C's experiment: fields against searches per agent.
    SystemC,
    /// A tick inside the engine.
    Tick,
    /// One field against the engine's own path queries.
    AstarGrid,
    /// Ticks of the RTS demo, with orders and walls that change.
    RtsTick,
    /// Avoidance against the engine's avoidance.
    Avoidance,
}

/// Runs the benchmarks one after another, because simultaneous ones would slow each other down.
pub(crate) fn run(repo: &Repo, args: &BenchArgs) -> Result<()> {
    let wanted = |benchmark| args.only.is_empty() || args.only.contains(&benchmark);
    if wanted(Benchmark::Fields) {
        core_benchmark(repo, "fields")?;
    }
    if wanted(Benchmark::Repair) {
        for solver in SOLVERS {
            let mut command = core_command(repo, "repair");
            command.args(["--", "--solver", solver]);
            measure(repo, &format!("repair_{solver}"), command)?;
        }
    }
    if wanted(Benchmark::Overlays) {
        core_benchmark(repo, "overlays")?;
        for (name, options) in OVERLAYS {
            let mut command = core_command(repo, "overlays");
            command.arg("--").args(options);
            measure(repo, &format!("overlays_{name}"), command)?;
        }
    }
    if wanted(Benchmark::WalkingGoal) {
        core_benchmark(repo, "walking_goal")?;
        for (name, options) in WALKS {
            let mut command = core_command(repo, "walking_goal");
            command.arg("--").args(options);
            measure(repo, &format!("walking_goal_{name}"), command)?;
        }
    }
    if wanted(Benchmark::Crowd) {
        core_benchmark(repo, "crowd")?;
        for (scene, agents) in SCENES {
            let mut command = core_command(repo, "crowd");
            command.args(["--", "--scene", scene, "--agents", agents, "--json"]);
            command.args(["--avoidance", "orca", "--threads", "1,2"]);
            measure(repo, &format!("crowd_{scene}"), command)?;
        }
    }
    if wanted(Benchmark::CrowdValidation) {
        crowd_validation::run(repo)?;
    }
    if wanted(Benchmark::CrowdPictures) {
        crowd_pictures::run(repo)?;
    }
    if wanted(Benchmark::Movingai) {
        movingai::run(repo)?;
    }
    for (benchmark, name) in [
        (Benchmark::Routes, "routes"),
        (Benchmark::Tiles, "tiles"),
        (Benchmark::Orders, "orders"),
        (Benchmark::Stalls, "stalls"),
        (Benchmark::Soak, "soak"),
    ] {
        if wanted(benchmark) {
            core_benchmark(repo, name)?;
        }
    }
    if wanted(Benchmark::Fuzz) {
        // In the profile for tests, which has overflow checks.
        let mut command = repo.cargo("run");
        command.args(["--package", "flow_swarm_bench", "--bin", "fuzz"]);
        measure(repo, "fuzz", command)?;
    }
    if wanted(Benchmark::SystemC) {
        core_benchmark(repo, "system_c")?;
    }
    if wanted(Benchmark::Tick) {
        engine_benchmark(repo, &args.engine, "tick", &[])?;
    }
    if wanted(Benchmark::AstarGrid) {
        engine_benchmark(repo, &args.engine, "astar_grid", &[])?;
    }
    if wanted(Benchmark::Avoidance) {
        let json = repo.artifacts().join("bench_avoidance.json");
        let json = format!("--json={}", json.display());
        engine_benchmark(repo, &args.engine, "avoidance", &[json])?;
    }
    if wanted(Benchmark::RtsTick) {
        engine_benchmark(repo, &args.engine, "rts_tick", &[])?;
    }
    Ok(())
}

fn core_benchmark(repo: &Repo, name: &str) -> Result<()> {
    measure(repo, name, core_command(repo, name)).map(drop)
}

/// Returns the command that runs a harness of the bench crate. Its arguments follow a `--`.
fn core_command(repo: &Repo, name: &str) -> Command {
    let mut command = repo.cargo("run");
    command.args(["--release", "--package", "flow_swarm_bench", "--bin", name]);
    command
}

/// Runs a script of the project's benchmarks in the engine, without a window.
fn engine_benchmark(repo: &Repo, args: &EngineArgs, name: &str, options: &[String]) -> Result<()> {
    let godot = godot::find_or_fetch(repo, args.godot.as_deref())?;
    extension::build_all(repo, false)?;
    project::prepare(repo, &godot)?;
    let mut command = godot.isolated(&repo.cache());
    command
        .arg("--headless")
        .arg("--path")
        .arg(repo.project())
        .arg("--script")
        .arg(format!("res://benchmarks/{name}.gd"))
        .arg("--")
        .args(options);
    let log = measure(repo, name, command)?;
    let problems = engine_log::problems(&log);
    anyhow::ensure!(
        problems.is_empty(),
        "the benchmark {name} printed errors:\n{}",
        problems.join("\n")
    );
    Ok(())
}

fn measure(repo: &Repo, name: &str, command: Command) -> Result<String> {
    println!("\n=== bench {name}");
    let output = process::capture(command, Echo::Lines, LIMIT)
        .with_context(|| format!("benchmark {name}"))?;
    process::write_log(
        &repo.artifacts().join(format!("bench_{name}.txt")),
        &output.text,
    )?;
    if let Some(failure) = output.failure {
        bail!("the benchmark {name} failed: {failure}");
    }
    Ok(output.text)
}
