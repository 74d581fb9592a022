//! Export of scenes for other programs, and import of their answers.
//!
//! A scene is one JSON object: `cell` (the cell size), `rows` (a string per row of cells, in which `#` is a wall),
//! `bodies` (`radius` and `speed`), `starts` (`[x, y, group, body]`), `goals` (the targets of each group), `dt` and
//! `steps` (the most steps that it may take).
//!
//! An answer has one JSON value per line. The first is an object with `method`, `ms_per_simulated_second` and `own_dt`
//! (the length of the other program's steps in seconds). After it comes one line per step with the agents that are
//! still there, `[agent, x, y, agent, x, y, ...]`, where `agent` is an index into `starts`.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flow_swarm::Vec2;
use serde_json::{Value, json};

use crate::measures::Seen;
use crate::scenes::Scene;

/// Writes a scene to a file.
pub(crate) fn write(scene: &Scene, path: &Path) -> Result<(), Box<dyn Error>> {
    let map = &scene.map;
    let row = |y: usize| -> String {
        (0..map.width)
            .map(|x| {
                if map.is_passable(map.index(x, y)) {
                    '.'
                } else {
                    '#'
                }
            })
            .collect()
    };
    let body = |index: usize| scene.kinds.get(index).copied().unwrap_or(0);
    let starts = scene.starts.iter().enumerate();
    let scene = json!({
        "cell": scene.cell,
        "rows": (0..map.height).map(row).collect::<Vec<_>>(),
        "bodies": scene.bodies.iter()
            .map(|body| json!({ "radius": body.radius, "speed": body.speed }))
            .collect::<Vec<_>>(),
        "starts": starts
            .map(|(index, (at, group))| json!([at.x, at.y, group, body(index)]))
            .collect::<Vec<_>>(),
        "goals": scene.goals.iter()
            .map(|targets| targets.iter().map(|at| [at.x, at.y]).collect::<Vec<_>>())
            .collect::<Vec<_>>(),
        "dt": scene.dt,
        "steps": scene.step_limit(),
    });
    std::fs::write(path, scene.to_string())?;
    Ok(())
}

/// The answer of another program to a scene.
pub(crate) struct Answer {
    /// The object with `method`, `ms_per_simulated_second` and `own_dt`.
    pub(crate) header: Value,
    /// The agents after each step.
    pub(crate) steps: Vec<Vec<Seen>>,
}

/// Reads an answer to a scene of `agents` agents, all of which have the first body.
pub(crate) fn read(path: &Path, agents: usize) -> Result<Answer, Box<dyn Error>> {
    let mut lines = BufReader::new(File::open(path)?).lines();
    let header: Value = match lines.next() {
        Some(line) => serde_json::from_str(&line?)?,
        None => return Err(format!("{} is empty", path.display()).into()),
    };
    let mut steps = Vec::new();
    for line in lines {
        let numbers: Vec<f64> = serde_json::from_str(&line?)?;
        let step: Vec<Seen> = numbers.chunks_exact(3).map(seen).collect();
        if let Some(wrong) = step.iter().find(|agent| agent.slot >= agents) {
            let place = format!("{}, step {}", path.display(), steps.len() + 1);
            return Err(format!("{place}: agent {} of {agents}", wrong.slot).into());
        }
        steps.push(step);
    }
    Ok(Answer { header, steps })
}

fn seen(numbers: &[f64]) -> Seen {
    Seen {
        slot: numbers[0] as usize,
        at: Vec2::new(numbers[1] as f32, numbers[2] as f32),
        kind: 0,
        direction: Vec2::ZERO,
    }
}
