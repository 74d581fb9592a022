//! `cargo xtask run`: opens a demo, or takes a screenshot of it; or opens a recipe.

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
    /// A folder of godot_project/demos or godot_project/examples, which holds a scene of the same name
    #[arg(long, value_name = "NAME", default_value = "lab")]
    demo: String,
}

/// Builds the extension, imports the project and shows the demo.
pub(crate) fn run(repo: &Repo, args: &RunArgs) -> Result<()> {
    // This comes first, so that a wrong name or path is reported before a long build.
    let demo = Demo::find(repo, &args.demo)?;
    ensure!(
        display::is_present() || demo.folder == DEMOS,
        "{} needs a display; its picture is docs/images/recipes/{0}.png",
        demo.name
    );
    let godot = godot::find_or_fetch(repo, args.engine.godot.as_deref())?;
    extension::build_all(repo, false)?;
    project::prepare(repo, &godot)?;
    if display::is_present() {
        open(repo, &godot, &demo)
    } else {
        photograph(repo, &godot, &demo)
    }
}

/// The folder of the demos, which take their own pictures.
const DEMOS: &str = "demos";
/// The folder of the recipes, which do not.
const RECIPES: &str = "examples";

/// A demo or recipe of the project: `FOLDER/NAME/NAME.tscn`.
#[derive(Clone)]
struct Demo {
    folder: &'static str,
    name: String,
}

impl Demo {
    fn find(repo: &Repo, name: &str) -> Result<Self> {
        let demos = Self::all_in(repo, DEMOS)?;
        let recipes = Self::all_in(repo, RECIPES)?;
        let has_name = |demo: &&Self| demo.name == name;
        let found = demos.iter().chain(&recipes).find(has_name);
        found.cloned().with_context(|| {
            let (demos, recipes) = (Self::list(&demos), Self::list(&recipes));
            format!("there is no demo {name}: the demos are {demos}, the recipes {recipes}")
        })
    }

    /// All demos in a folder of the project, sorted.
    fn all_in(repo: &Repo, folder: &'static str) -> Result<Vec<Self>> {
        let path = repo.project().join(folder);
        let entries =
            fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut demos = Vec::new();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if path.join(&name).join(format!("{name}.tscn")).is_file() {
                demos.push(Self { folder, name });
            }
        }
        demos.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(demos)
    }

    fn list(demos: &[Self]) -> String {
        let names: Vec<&str> = demos.iter().map(|demo| demo.name.as_str()).collect();
        names.join(", ")
    }

    fn scene(&self) -> String {
        format!("res://{0}/{1}/{1}.tscn", self.folder, self.name)
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
