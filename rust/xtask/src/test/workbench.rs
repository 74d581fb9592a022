//! Values that the suites share: an engine that runs the project with the current extension, and the packed addon.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Result, anyhow};

use crate::apt::MissingTool;
use crate::godot::{self, Godot};
use crate::repo::Repo;
use crate::{EngineArgs, extension, package, project};

pub(super) struct Workbench<'a> {
    pub(super) repo: &'a Repo,
    args: &'a EngineArgs,
    engine: Shared<Godot>,
    package: Shared<PathBuf>,
}

impl<'a> Workbench<'a> {
    pub(super) fn new(repo: &'a Repo, args: &'a EngineArgs) -> Self {
        Self {
            repo,
            args,
            engine: Shared::new("there is no engine with the extension"),
            package: Shared::new("there is no packed addon"),
        }
    }

    /// Returns an engine that can run the demo project with the current extension.
    pub(super) fn engine(&self) -> Result<&Godot> {
        self.engine.get(|| {
            let godot = godot::find_or_fetch(self.repo, self.args.godot.as_deref())?;
            extension::build_for_this_machine(self.repo)?;
            project::prepare(self.repo, &godot)?;
            Ok(godot)
        })
    }

    /// Returns the path of the zip that a user installs.
    pub(super) fn package(&self) -> Result<&Path> {
        self.engine()?;
        self.package
            .get(|| package::write(self.repo))
            .map(PathBuf::as_path)
    }
}

/// A value made by the first suite that needs it; other suites wait for it. A failure is reported once.
struct Shared<T> {
    value: OnceLock<Result<T, Failure>>,
    without: &'static str,
}

struct Failure {
    /// The missing tool, if only a tool that the user may install is missing.
    missing: Option<MissingTool>,
}

impl<T> Shared<T> {
    fn new(without: &'static str) -> Self {
        Self {
            value: OnceLock::new(),
            without,
        }
    }

    fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let mut reason = None;
        let value = self.value.get_or_init(|| {
            make().map_err(|error| {
                let missing = error.downcast_ref::<MissingTool>().cloned();
                reason = Some(error);
                Failure { missing }
            })
        });
        match value {
            Ok(value) => Ok(value),
            Err(failure) => Err(match (reason, &failure.missing) {
                (Some(error), _) => error,
                (None, Some(missing)) => missing.clone().into(),
                (None, None) => anyhow!("not run, because {}", self.without),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once() {
        let shared = Shared::new("there is none");
        assert_eq!(shared.get(|| Ok(1)).ok(), Some(&1));
        assert_eq!(shared.get(|| Ok(2)).ok(), Some(&1));
    }

    #[test]
    fn why_it_could_not_be_made_is_told_once() {
        let shared: Shared<()> = Shared::new("there is none");
        let first = shared.get(|| Err(anyhow!("it broke")));
        assert_eq!(first.expect_err("it failed").to_string(), "it broke");
        let second = shared.get(|| Ok(()));
        assert_eq!(
            second.expect_err("it stays failed").to_string(),
            "not run, because there is none"
        );
    }

    #[test]
    fn a_missing_tool_is_an_error_for_each_caller() {
        let shared: Shared<()> = Shared::new("there is none");
        for _ in 0..2 {
            let result = shared.get(|| {
                Err(MissingTool {
                    what: "a tool".into(),
                    remedy: "install it".into(),
                }
                .into())
            });
            let error = result.expect_err("it is missing");
            assert!(error.is::<MissingTool>(), "{error}");
        }
    }
}
