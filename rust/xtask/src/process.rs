//! Runs a program and records its whole output in order.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The result of a finished program.
pub(crate) struct Output {
    /// Standard output and standard error, in the order in which they were written.
    pub(crate) text: String,
    /// The reason for a failure, if the run failed: an exit code, a signal, or the time limit.
    pub(crate) failure: Option<String>,
}

impl Output {
    /// Returns `true` if the program ended by itself with exit code 0.
    pub(crate) fn is_success(&self) -> bool {
        self.failure.is_none()
    }

    /// The last few lines, for an error message.
    pub(crate) fn tail(&self) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        lines[lines.len().saturating_sub(15)..].join("\n")
    }
}

/// What happens to the output while the program runs.
#[derive(Clone, Copy)]
pub(crate) enum Echo {
    /// It is printed line by line.
    Lines,
    /// It is only recorded.
    Nothing,
}

/// Runs `command` to its end, or kills it after `limit`.
///
/// Both output streams use one pipe, because only their common order shows to which line an error belongs.
pub(crate) fn capture(mut command: Command, echo: Echo, limit: Duration) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (reader, writer) = std::io::pipe().context("cannot make a pipe")?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone().context("cannot share a pipe")?)
        .stderr(writer);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {name}"))?;
    // The command holds this process's writing ends. The reader sees the end only once the child's are the last ones.
    drop(command);

    let collector = thread::spawn(move || collect(reader, echo));
    let deadline = Instant::now() + limit;
    let failure = loop {
        if let Some(status) = child
            .try_wait()
            .with_context(|| format!("cannot wait for {name}"))?
        {
            break (!status.success()).then(|| status.to_string());
        }
        if Instant::now() > deadline {
            child.kill().with_context(|| format!("cannot end {name}"))?;
            child
                .wait()
                .with_context(|| format!("cannot wait for {name}"))?;
            break Some(format!(
                "ended after {} s without finishing",
                limit.as_secs()
            ));
        }
        thread::sleep(Duration::from_millis(10));
    };
    let Ok(text) = collector.join() else {
        bail!("reading the output of {name} failed");
    };
    Ok(Output { text, failure })
}

/// Runs a program without printing its output. If it fails, the output is part of the error.
pub(crate) fn quietly(command: Command) -> Result<String> {
    let line = format!("{command:?}");
    let output = capture(command, Echo::Nothing, Duration::from_secs(1800))?;
    match &output.failure {
        None => Ok(output.text),
        Some(failure) => bail!("{line}: {failure}\n{}", output.tail()),
    }
}

/// Writes a log file and creates its folder.
pub(crate) fn write_log(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    File::create(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn collect(reader: impl Read, echo: Echo) -> String {
    let mut reader = BufReader::new(reader);
    let mut text = String::new();
    let mut line = Vec::new();
    // Neither bytes that are not UTF-8 nor the end of the pipe, when the child exits, are errors.
    while matches!(reader.read_until(b'\n', &mut line), Ok(length) if length > 0) {
        let decoded = String::from_utf8_lossy(&line);
        if let Echo::Lines = echo {
            print!("{decoded}");
        }
        text.push_str(&decoded);
        line.clear();
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_keep_their_order() {
        let script = "echo a; echo b >&2; echo c; echo d >&2";
        let output =
            capture(shell(script), Echo::Nothing, Duration::from_secs(10)).expect("sh runs");
        assert_eq!(output.text, "a\nb\nc\nd\n");
        assert!(output.is_success());
    }

    #[test]
    fn an_exit_code_is_a_failure() {
        let output =
            capture(shell("exit 3"), Echo::Nothing, Duration::from_secs(10)).expect("sh runs");
        assert_eq!(output.failure.as_deref(), Some("exit status: 3"));
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let output = capture(
            shell("echo begun; exec sleep 60"),
            Echo::Nothing,
            Duration::from_millis(300),
        )
        .expect("sh runs");
        assert_eq!(output.text, "begun\n");
        assert!(!output.is_success());
    }
}
