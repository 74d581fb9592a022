//! A virtual X server for windows on machines without a display.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::apt;
use crate::godot::Godot;

/// The libraries that the official engine loads to open a window, with the package of each on Debian and Ubuntu.
const WINDOW_LIBRARIES: &[(&str, &str)] = &[
    ("libX11.so.6", "libx11-6"),
    ("libXcursor.so.1", "libxcursor1"),
    ("libXi.so.6", "libxi6"),
    ("libXinerama.so.1", "libxinerama1"),
    ("libXrandr.so.2", "libxrandr2"),
    ("libXext.so.6", "libxext6"),
    ("libXrender.so.1", "libxrender1"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
    ("libGL.so.1", "libgl1"),
    ("libGLX_mesa.so.0", "libglx-mesa0"),
];

/// Returns `true` if this process can open a window on a real display.
pub(crate) fn is_present() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Gives `command` a window to draw in: on Linux that of a virtual X server, on other systems the real one.
///
/// Tests use this even if there is a display, because the virtual window has a known size, no window manager and no
/// user input.
pub(crate) fn attach(command: &mut Command, godot: &Godot) -> Result<Option<VirtualDisplay>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    install_missing(godot)?;
    let display = VirtualDisplay::start()?;
    command
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY");
    command.args(["--display-driver", "x11"]);
    Ok(Some(display))
}

/// A running X server, which is stopped on drop.
pub(crate) struct VirtualDisplay {
    server: Child,
    name: String,
}

impl VirtualDisplay {
    fn start() -> Result<Self> {
        let mut server = Command::new("Xvfb")
            // The server picks a free number, and writes it to this descriptor once it accepts clients.
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1920x1080x24",
                "-nolisten",
                "tcp",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Xvfb")?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output)
                .read_line(&mut number)
                .context("cannot read from Xvfb")?;
        }
        let display = Self {
            server,
            name: format!(":{}", number.trim()),
        };
        ensure!(
            display.name.len() > 1,
            "Xvfb ended without opening a display"
        );
        Ok(display)
    }
}

impl Drop for VirtualDisplay {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn install_missing(godot: &Godot) -> Result<()> {
    let mut packages = Vec::new();
    if which::which("Xvfb").is_err() {
        packages.push("xvfb");
    }
    if !godot.has_own_libraries() {
        let known = known_libraries();
        packages.extend(
            WINDOW_LIBRARIES
                .iter()
                .filter(|(library, _)| known.as_ref().is_some_and(|known| !known.contains(library)))
                .map(|(_, package)| *package),
        );
    }
    if packages.is_empty() {
        return Ok(());
    }
    apt::install("a virtual display", &packages)
}

/// The libraries that the system's loader knows; `None` if it cannot be queried.
fn known_libraries() -> Option<String> {
    ["ldconfig", "/sbin/ldconfig"]
        .into_iter()
        .find_map(|program| {
            let mut command = Command::new(program);
            command.arg("-p");
            crate::process::quietly(command).ok()
        })
}
