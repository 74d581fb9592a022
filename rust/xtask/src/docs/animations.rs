//! Short animations of demos and recipes, which the engine's movie maker records. They are part of the site alone: in
//! the repository the pages show stills.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::godot::Godot;
use crate::process::{self, Echo};
use crate::repo::Repo;
use crate::{display, engine_log, python};

/// The ending of the files. Every browser plays them as pictures.
pub(super) const ENDING: &str = "webp";

/// Frames a second.
const RATE: u32 = 12;
/// The duration of each animation, in seconds.
const LENGTH: u32 = 4;
/// The width of each animation, in pixels.
const WIDTH: u32 = 560;

/// A scene of the demo project and the picture that its animation replaces.
struct Subject {
    scene: &'static str,
    picture: &'static str,
    /// The time before the animation, in seconds.
    start: u32,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        scene: "examples/tower_defence/tower_defence.tscn",
        picture: "docs/images/recipes/tower_defence.png",
        start: 20,
    },
    Subject {
        scene: "examples/mazing/mazing.tscn",
        picture: "docs/images/recipes/mazing.png",
        start: 20,
    },
    Subject {
        scene: "examples/survivors/survivors.tscn",
        picture: "docs/images/recipes/survivors.png",
        start: 12,
    },
    Subject {
        scene: "examples/orders/orders.tscn",
        picture: "docs/images/recipes/orders.png",
        start: 7,
    },
    Subject {
        scene: "examples/armies/armies.tscn",
        picture: "docs/images/recipes/armies.png",
        start: 7,
    },
    Subject {
        scene: "examples/hills_3d/hills_3d.tscn",
        picture: "docs/images/recipes/hills_3d.png",
        start: 4,
    },
];

/// The pictures that animations replace.
pub(super) fn pictures() -> Vec<&'static str> {
    SUBJECTS.iter().map(|subject| subject.picture).collect()
}

/// Records all animations into the site's source. `programs` are those of the site's Python environment.
pub(super) fn record(repo: &Repo, godot: &Godot, programs: &Path, source: &Path) -> Result<()> {
    let encoder = encoder(programs)?;
    for subject in SUBJECTS {
        println!("recording {}", subject.scene);
        let film = film(repo, godot, subject)?;
        let animation = source.join(subject.picture).with_extension(ENDING);
        encode(&encoder, &film, subject.start, &animation)?;
        fs::remove_file(&film).with_context(|| format!("cannot remove {}", film.display()))?;
    }
    Ok(())
}

/// Runs a scene in a window and returns the film of it.
fn film(repo: &Repo, godot: &Godot, subject: &Subject) -> Result<PathBuf> {
    let film = repo.artifacts().join("animation.avi");
    let frames = (subject.start + LENGTH) * RATE;
    let mut command = godot.isolated(&repo.cache());
    let display = display::attach(&mut command, godot)?;
    command
        .arg("--path")
        .arg(repo.project())
        .args(["--fixed-fps", &RATE.to_string()])
        .args(["--quit-after", &frames.to_string()])
        .arg("--write-movie")
        .arg(&film)
        .arg(format!("res://{}", subject.scene));
    let output = process::capture(command, Echo::Nothing, Duration::from_secs(600))?;
    drop(display);
    process::write_log(&repo.artifacts().join("animation.log"), &output.text)?;
    let problems = engine_log::problems(&output.text);
    ensure!(
        output.is_success() && problems.is_empty() && film.is_file(),
        "recording {} failed: {}\n{}",
        subject.scene,
        problems.join("\n"),
        output.tail()
    );
    Ok(film)
}

/// The program that makes animations of films.
fn encoder(programs: &Path) -> Result<PathBuf> {
    let mut command = Command::new(python::program(programs, "python"));
    command.args([
        "-c",
        "import imageio_ffmpeg as f; print(f.get_ffmpeg_exe())",
    ]);
    Ok(PathBuf::from(process::quietly(command)?.trim()))
}

fn encode(encoder: &Path, film: &Path, start: u32, animation: &Path) -> Result<()> {
    let mut command = Command::new(encoder);
    command
        .args(["-y", "-loglevel", "error", "-ss", &start.to_string(), "-i"])
        .arg(film)
        .args(["-an", "-vf", &format!("scale={WIDTH}:-2:flags=area")])
        .args(["-c:v", "libwebp_anim", "-quality", "45", "-loop", "0"])
        .arg(animation);
    process::quietly(command)?;
    let size = fs::metadata(animation).map_or(0, |file| file.len());
    ensure!(size > 0, "{} was not written", animation.display());
    println!("{}: {} kB", animation.display(), size / 1000);
    Ok(())
}
