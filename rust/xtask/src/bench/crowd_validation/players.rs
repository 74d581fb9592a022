//! The players of a case: the core's own methods of avoidance, and other libraries if Python is available.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::cases::Case;
use crate::bench::harness::Harness;
use crate::process::{self, Echo, write_log};
use crate::python::{self, Packages};
use crate::repo::Repo;

/// The core's methods of avoidance that are compared.
const METHODS: [&str; 2] = ["contact", "orca"];
/// Steps per second of the core: a physics tick.
const TICKS: u32 = 60;
/// The limit on simulated seconds of a case. Agents that have not arrived by then are reported as left.
pub(super) const SIMULATED: u32 = 300;
/// The limit on a player's seconds of computing for a case, after which the case ends early.
const LIMIT: u32 = 120;
/// Seconds without an arrival that count as a jam, after which the case ends early.
pub(super) const JAM: u32 = 60;
/// The time after which a player that exceeds these limits is killed. It is long, because on a busy machine a process
/// gets only a share of each second.
const PATIENCE: Duration = Duration::from_secs(5 * LIMIT as u64);

/// The limits that the libraries' scripts receive.
const BOUNDS: [u32; 3] = [SIMULATED, LIMIT, JAM];

/// Libraries that play the same scenes, with the script for each.
const LIBRARIES: [(&str, &str); 2] = [("jupedsim", "play_jupedsim.py"), ("rvo2", "play_pyrvo.py")];

/// RVO2's package depends on a whole robot simulator and a GUI toolkit, which the module itself does not import.
const PACKAGES: Packages = Packages {
    environment: "crowd-validation",
    complete: &["jupedsim==1.4.2", "matplotlib==3.11.2"],
    bare: &["pyrvo==0.4.3"],
};

/// All players.
pub(super) struct Players {
    crowd: Harness,
    libraries: Option<Libraries>,
}

impl Players {
    /// Builds the harness and, if Python is available, installs the libraries.
    pub(super) fn prepare(repo: &Repo) -> Result<Self> {
        let crowd = Harness::build(repo, "crowd")?;
        let libraries = match python::programs(&repo.cache(), &PACKAGES) {
            Ok(programs) => Some(Libraries::new(repo, &programs)),
            Err(error) => {
                println!("\nno JuPedSim, RVO2 and plots: {error:#}");
                None
            }
        };
        Ok(Self { crowd, libraries })
    }

    /// Returns the results of all players in a case. A player that fails is left out with a message, because its
    /// failure says nothing about the others.
    pub(super) fn play(&self, case: &Case) -> Vec<Value> {
        let own = METHODS
            .iter()
            .map(|&method| (method, self.play_core(case, method)));
        let libraries = self.libraries.iter().flat_map(|libraries| {
            LIBRARIES
                .iter()
                .map(|&(name, script)| (name, libraries.play(&self.crowd, case, script)))
        });
        let mut reports = Vec::new();
        for (name, outcome) in own.chain(libraries) {
            match outcome {
                Ok(report) => {
                    println!("{}, {name}: {}", case.name, summary(&report));
                    reports.push(labelled(case, report));
                }
                Err(error) => println!("{}, {name}: {error:#}", case.name),
            }
        }
        reports
    }

    fn play_core(&self, case: &Case, method: &str) -> Result<Value> {
        let mut command = scene(&self.crowd, case);
        command
            .args(["--avoidance", method, "--threads", "1"])
            .args(["--dt", &format!("1/{TICKS}")])
            .args(["--steps", &(SIMULATED * TICKS).to_string()])
            .args(["--limit", &LIMIT.to_string()])
            .args(["--jam", &JAM.to_string()]);
        report(command)
    }

    /// Draws the plots of a report into a folder, if Python is available.
    pub(super) fn plot(&self, report: &Path, images: &Path) -> Result<()> {
        let Some(libraries) = &self.libraries else {
            return Ok(());
        };
        let mut command = libraries.script("plot.py");
        command.args([report, images]);
        process::quietly(command)?;
        println!("plots: {}", images.display());
        Ok(())
    }
}

/// Returns the harness's command for a case. The caller adds what to do with the scene.
fn scene(crowd: &Harness, case: &Case) -> Command {
    let mut command = crowd.command();
    command.args(["--json", "--scene"]).args(case.arguments);
    command
}

/// Runs the harness and parses the figures on its last line.
fn report(command: Command) -> Result<Value> {
    let text = within_patience(command)?;
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("it ended with {last:?}"))
}

fn within_patience(command: Command) -> Result<String> {
    let output = process::capture(command, Echo::Nothing, PATIENCE)?;
    match &output.failure {
        None => Ok(output.text),
        Some(failure) => bail!("{failure}\n{}", output.tail()),
    }
}

fn summary(report: &Value) -> String {
    format!(
        "{} of {} agents in {} s",
        report["arrived"], report["agents"], report["simulated_seconds"]
    )
}

/// Adds the case and derived figures to a report.
fn labelled(case: &Case, mut report: Value) -> Value {
    let count = |key: &str| report[key].as_u64().unwrap_or(0);
    let left = count("agents").saturating_sub(count("arrived"));
    // The harness's own steps. A library may make other steps in between, and then states their length.
    let step = report["own_dt"].as_f64().or(report["dt"].as_f64());
    let per_second = report["ms_per_simulated_second"].as_f64();
    let per_step = step.zip(per_second).map(|(step, cost)| step * cost);
    report["case"] = json!(case.name);
    report["left"] = json!(left);
    report["ms_per_step"] = json!(per_step);
    report["expected_seconds"] = json!(case.expected);
    report
}

/// Other libraries, in a Python environment.
struct Libraries {
    python: PathBuf,
    scripts: PathBuf,
    folder: PathBuf,
}

impl Libraries {
    fn new(repo: &Repo, programs: &Path) -> Self {
        Self {
            python: python::program(programs, "python"),
            scripts: repo.root().join("rust/bench/peers"),
            folder: repo.artifacts().join("crowd_validation"),
        }
    }

    fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.python);
        // Prevents bytecode files beside the scripts, which are part of the repository.
        command.arg("-B").arg(self.scripts.join(name));
        command
    }

    /// Lets a library play a case: the harness exports the scene and measures the answer. An answer under the same
    /// conditions is reused.
    fn play(&self, crowd: &Harness, case: &Case, script: &str) -> Result<Value> {
        let name = format!("{}_{script}", case.arguments.join("_"));
        let file = |end: &str| self.folder.join(format!("{name}{end}"));
        let (place, answer, played) = (file(".json"), file(".answer"), file(".played"));
        write_log(&place, "")?;
        let mut export = scene(crowd, case);
        export.arg("--export").arg(&place);
        process::quietly(export)?;
        let conditions = self.conditions(&place, script)?;
        if !fs::read_to_string(&played).is_ok_and(|before| before == conditions) {
            write_log(&played, "")?;
            let mut play = self.script(script);
            play.args([&place, &answer])
                .args(BOUNDS.map(|seconds| seconds.to_string()));
            within_patience(play)?;
            write_log(&played, &conditions)?;
        }
        let mut replay = scene(crowd, case);
        replay.arg("--replay").arg(&answer);
        report(replay)
    }

    /// Everything that determines a library's answer, except for the machine.
    fn conditions(&self, place: &Path, script: &str) -> Result<String> {
        let mut conditions = format!("{BOUNDS:?} {PACKAGES:?}\n");
        for file in [
            place,
            &self.scripts.join(script),
            &self.scripts.join("scene.py"),
        ] {
            conditions += &fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
        }
        Ok(conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::labelled;
    use crate::bench::crowd_validation::cases::timed;
    use serde_json::json;

    #[test]
    fn a_report_says_how_many_are_left_and_what_a_step_costs() {
        let case = timed("room", &["rimea9"], (108.0, 132.0));
        let report = json!({
            "agents": 1000, "arrived": 990, "dt": 0.05, "ms_per_simulated_second": 40.0,
        });
        let found = labelled(&case, report.clone());
        assert_eq!(
            (&found["case"], &found["left"]),
            (&json!("room"), &json!(10))
        );
        assert_eq!(found["ms_per_step"], 2.0);
        assert_eq!(found["expected_seconds"], json!([108.0, 132.0]));
        let mut finer = report;
        finer["own_dt"] = json!(0.01);
        assert_eq!(labelled(&case, finer)["ms_per_step"], 0.4);
    }
}
