//! `cargo xtask run`: opens a demo, or takes a screenshot of it.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::godot::{self, Godot};
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::{EngineArgs, display, engine_log, extension, project};

/// The duration of the demo, in seconds, without a display.
const SECONDS: u32 = 8;

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// A folder of godot_project/demos, which holds a scene of the same name
    #[arg(long, value_name = "NAME", default_value = "lab")]
    demo: String,
}

/// Builds the extension, imports the project and shows the demo.
pub(crate) fn run(repo: &Repo, args: &RunArgs) -> Result<()> {
    // This comes first, so that a wrong name or path is reported before a long build.
    let demo = Demo::find(repo, &args.demo)?;
    let godot = godot::find_or_fetch(repo, args.engine.godot.as_deref())?;
    extension::build_all(repo, false)?;
    project::prepare(repo, &godot)?;
    if display::is_present() {
        open(repo, &godot, &demo)
    } else {
        photograph(repo, &godot, &demo)
    }
}

/// A demo of the project: `demos/NAME/NAME.tscn`.
struct Demo {
    name: String,
}

impl Demo {
    fn find(repo: &Repo, name: &str) -> Result<Self> {
        let demos = Self::all(repo)?;
        ensure!(
            demos.iter().any(|demo| demo == name),
            "there is no demo {name}: the demos are {}",
            demos.join(", ")
        );
        Ok(Self {
            name: name.to_owned(),
        })
    }

    /// The names of all demos, sorted.
    fn all(repo: &Repo) -> Result<Vec<String>> {
        let folder = repo.project().join("demos");
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if folder.join(&name).join(format!("{name}.tscn")).is_file() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn scene(&self) -> String {
        format!("res://demos/{0}/{0}.tscn", self.name)
    }
}

fn open(repo: &Repo, godot: &Godot, demo: &Demo) -> Result<()> {
    let status = godot
        .command()
        .arg("--path")
        .arg(repo.project())
        .arg(demo.scene())
        .status()
        .context("cannot start Godot")?;
    ensure!(status.success(), "the demo ended with {status}");
    Ok(())
}

fn photograph(repo: &Repo, godot: &Godot, demo: &Demo) -> Result<()> {
    println!("no display: running the demo for {SECONDS} s on a virtual one");
    let artifacts = repo.artifacts();
    let screenshot = artifacts.join(format!("{}.png", demo.name));
    fs::create_dir_all(&artifacts)
        .with_context(|| format!("cannot make {}", artifacts.display()))?;
    if screenshot.exists() {
        // Otherwise an old screenshot could be taken for a new one.
        fs::remove_file(&screenshot)
            .with_context(|| format!("cannot remove {}", screenshot.display()))?;
    }
    let mut command = godot.isolated(&repo.cache());
    let display = display::attach(&mut command, godot)?;
    command
        .arg("--path")
        .arg(repo.project())
        .arg(demo.scene())
        .arg("--")
        .arg(format!("--demo-seconds={SECONDS}"))
        .arg(format!("--screenshot={}", screenshot.display()));
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(180))?;
    drop(display);
    process::write_log(&artifacts.join(format!("{}.log", demo.name)), &output.text)?;

    let problems = engine_log::problems(&output.text);
    if let Some(failure) = &output.failure {
        anyhow::bail!("the demo failed: {failure}\n{}", output.tail());
    }
    ensure!(
        problems.is_empty(),
        "the demo printed errors:\n{}",
        problems.join("\n")
    );
    let start = format!("{}:", demo.name);
    let report = output
        .text
        .lines()
        .rev()
        .find(|line| line.starts_with(&start))
        .with_context(|| format!("the demo printed no line `{start} …`\n{}", output.tail()))?;
    let size = fs::metadata(&screenshot).map_or(0, |file| file.len());
    ensure!(
        size > 0,
        "the demo wrote no screenshot to {}",
        screenshot.display()
    );
    println!("{report}");
    println!("screenshot: {}", screenshot.display());
    Ok(())
}
