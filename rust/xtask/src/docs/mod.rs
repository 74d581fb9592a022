//! `cargo xtask docs`: builds the documentation site from the repository's pages.
//!
//! Order of reading: `source`, which copies the pages, then `animations`, which replace some of their pictures.

mod animations;
mod source;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;

use crate::process::{self, Echo};
use crate::python::Packages;
use crate::repo::Repo;
use crate::{EngineArgs, extension, godot, project, python};

/// The generator of the site, and the encoder of its animations.
const MKDOCS: Packages = Packages {
    environment: "mkdocs",
    complete: &[
        "mkdocs==1.6.1",
        "mkdocs-material==9.8.1",
        "imageio-ffmpeg==0.8.1",
    ],
    bare: &[],
};

#[derive(Args)]
pub(crate) struct DocsArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Keep the still pictures: neither the engine nor the extension is needed
    #[arg(long)]
    stills: bool,
}

/// Builds the site with animations, unless stills are enough.
pub(crate) fn run(repo: &Repo, args: &DocsArgs) -> Result<()> {
    let site = if args.stills {
        build_with_stills(repo)?
    } else {
        let programs = python::programs(&repo.cache(), &MKDOCS)?;
        let godot = godot::find_or_fetch(repo, args.engine.godot.as_deref())?;
        extension::build_for_this_machine(repo)?;
        project::prepare(repo, &godot)?;
        source::write(repo, &source_folder(repo), &animations::pictures())?;
        animations::record(repo, &godot, &programs, &source_folder(repo))?;
        generate(repo)?
    };
    println!("{}", site.join("index.html").display());
    Ok(())
}

/// Builds the site without an engine. Returns its folder.
pub(crate) fn build_with_stills(repo: &Repo) -> Result<PathBuf> {
    source::write(repo, &source_folder(repo), &[])?;
    generate(repo)
}

/// Where the settings of the site look for its source.
fn source_folder(repo: &Repo) -> PathBuf {
    repo.artifacts().join("site_source")
}

/// Generates the site and checks all of its links; those to other sites are not followed.
fn generate(repo: &Repo) -> Result<PathBuf> {
    let programs = python::programs(&repo.cache(), &MKDOCS)?;
    let site = repo.root().join("dist/site");
    let mut command = Command::new(python::program(&programs, "mkdocs"));
    command
        .current_dir(repo.root())
        .env("NO_MKDOCS_2_WARNING", "1")
        .args(["build", "--strict", "--clean"])
        .args(["--config-file", "docs/site/mkdocs.yml", "--site-dir"])
        .arg(&site);
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(300))?;
    process::write_log(&repo.artifacts().join("docs.log"), &output.text)?;
    let faults: Vec<&str> = output
        .text
        .lines()
        .filter(|line| line.starts_with("WARNING") || line.starts_with("ERROR"))
        .collect();
    ensure!(
        output.is_success() && faults.is_empty(),
        "the site is not built: {}\n{}",
        output.failure.as_deref().unwrap_or("there were warnings"),
        if faults.is_empty() {
            output.tail()
        } else {
            faults.join("\n")
        }
    );
    Ok(site)
}
