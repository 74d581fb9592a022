//! Plays the exported demo in a browser, and checks what it reports.

use std::fs;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::browser::{self, Browser};
use super::export;
use super::figures::Figures;
use super::server::Server;
use crate::repo::Repo;
use crate::{engine_log, process};

/// They appear in the first nine seconds. The hero kills some, so that more than 10,000 are left at the end.
const ENEMIES: u32 = 13_000;
const SECONDS: u32 = 22;
/// What the extension's bindings print when they are loaded.
const LOADED: &str = "Initialize godot-rust";
/// Loading takes some of it.
const LIMIT: Duration = Duration::from_secs(240);

/// What a game has reported until it ended.
#[derive(Default)]
struct Played {
    /// All that it printed.
    log: String,
    /// What the page itself reported: the game did not start, or did not go on.
    failures: Vec<String>,
    image: Vec<u8>,
    exit_code: Option<String>,
}

pub(super) fn check(repo: &Repo) -> Result<()> {
    let folder = export::folder(repo);
    ensure!(
        folder.join("index.html").is_file(),
        "there is no game in {}: run `cargo xtask web` without --play-only",
        folder.display()
    );
    let program = browser::find_or_fetch(&repo.cache())?;
    println!("playing the horde demo in {}", program.display());
    let played = play(repo, &folder, &program)?;

    let artifacts = repo.artifacts();
    let log = artifacts.join("web.log");
    process::write_log(&log, &played.log)?;
    let screenshot = artifacts.join("web.png");
    fs::write(&screenshot, &played.image)
        .with_context(|| format!("cannot write {}", screenshot.display()))?;

    let mut problems = played.failures;
    problems.extend(engine_log::problems(&played.log));
    ensure!(
        problems.is_empty(),
        "the game reported errors; all that it printed: {}\n{}",
        log.display(),
        problems.join("\n")
    );
    ensure!(
        played.exit_code.as_deref() == Some("0") && !played.image.is_empty(),
        "the game ended with code {:?} and an image of {} bytes",
        played.exit_code,
        played.image.len()
    );
    let (figures, line) = Figures::find(&played.log)?;
    ensure!(
        played.log.contains(LOADED),
        "the game did not load the extension; all that it printed: {}",
        log.display()
    );
    println!("{line}");
    println!("its last image: {}", screenshot.display());
    let faults = figures.faults();
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

fn play(repo: &Repo, folder: &Path, program: &Path) -> Result<Played> {
    let server = Server::start(folder)?;
    let address = format!(
        "http://{}/index.html?report&argument=--&argument=--enemies={ENEMIES}&argument=--demo-seconds={SECONDS}",
        server.address()
    );
    let browser_log = repo.artifacts().join("web_browser.log");
    process::write_log(&browser_log, "")?;
    let home = repo.cache().join("web/browser-home");
    let mut browser = Browser::open(program, &address, &home, &browser_log)?;
    let deadline = Instant::now() + LIMIT;
    let mut played = Played::default();
    while played.exit_code.is_none() && played.failures.is_empty() {
        match server.reports().recv_timeout(Duration::from_millis(200)) {
            Ok(report) => played.add(&report.kind, report.body)?,
            Err(RecvTimeoutError::Disconnected) => bail!("the server ended"),
            Err(RecvTimeoutError::Timeout) => {
                let ended = browser.ended()?;
                let late = Instant::now() > deadline;
                ensure!(
                    ended.is_none() && !late,
                    "the game did not end: {}; the browser's log: {}; the game had printed:\n{}",
                    ended.map_or_else(
                        || format!("stopped after {} s", LIMIT.as_secs()),
                        |status| format!("the browser ended with {status}")
                    ),
                    browser_log.display(),
                    played.log
                );
            }
        }
    }
    Ok(played)
}

impl Played {
    fn add(&mut self, kind: &str, body: Vec<u8>) -> Result<()> {
        if kind == "image" {
            self.image = body;
            return Ok(());
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        match kind {
            "line" | "error" => self.log += &format!("{text}\n"),
            "failure" => self.failures.push(text),
            "exit" => self.exit_code = Some(text),
            other => bail!("the page sent a report of an unknown kind: {other}"),
        }
        Ok(())
    }
}
