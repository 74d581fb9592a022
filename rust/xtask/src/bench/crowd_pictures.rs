//! The pictures of docs/crowds.md: the same moment of a scene by three methods of avoidance.

use anyhow::Result;

use super::harness::Harness;
use crate::process;
use crate::repo::Repo;

/// The methods of avoidance that are shown.
const METHODS: [&str; 3] = ["separation", "orca", "contact"];

/// A picture's name, its scene, and the arguments of the harness `crowd` that select the part shown.
type Moment = (&'static str, &'static [&'static str]);

const MOMENTS: [Moment; 3] = [
    ("door", &["doorway", "--at", "90", "--across", "36"]),
    (
        "mob",
        &["mob", "--agents", "2000", "--at", "60", "--across", "440"],
    ),
    ("crossing", &["crossing", "--at", "60", "--across", "32"]),
];

/// Draws all pictures into docs/images.
pub(super) fn run(repo: &Repo) -> Result<()> {
    println!("\n=== bench crowd-pictures");
    let crowd = Harness::build(repo, "crowd")?;
    for (name, arguments) in MOMENTS {
        for method in METHODS {
            let file = format!("docs/images/crowd_{name}_{method}.png");
            let mut command = crowd.command();
            command
                .arg("--scene")
                .args(arguments)
                .args(["--dt", "1/60", "--threads", "2", "--avoidance", method])
                .arg("--picture")
                .arg(repo.root().join(&file));
            process::quietly(command)?;
            println!("{file}");
        }
    }
    Ok(())
}
