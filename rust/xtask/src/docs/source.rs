//! The source of the site: a copy of the pages and of what they link, in the same folders as in the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use crate::files;
use crate::process;
use crate::repo::Repo;

/// The pages outside of `docs`, and what the site shows without a link.
const OTHERS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "addons/flow_swarm/MIGRATION.md",
    "addons/flow_swarm/THIRD_PARTY.md",
    "addons/flow_swarm/icon.svg",
];
/// The folders of `docs` that are no part of the site.
const LEFT_OUT: &[&str] = &["docs/site", "docs/store"];
/// The page that lists the others of its folder.
const DECISIONS: &str = "docs/decisions/README.md";

/// Writes the source into `folder`. `animated` has the pictures, as paths in the repository, that are replaced by files
/// with the same path and the ending of [`super::animations::ENDING`], which the caller adds.
pub(super) fn write(repo: &Repo, folder: &Path, animated: &[&str]) -> Result<()> {
    files::fresh_folder(folder)?;
    let mut assets = BTreeSet::new();
    for page in pages(repo)? {
        let source = repo.root().join(&page);
        if page.extension().is_none_or(|ending| ending != "md") {
            assets.insert(page);
            continue;
        }
        let mut text = fs::read_to_string(&source)
            .with_context(|| format!("cannot read {}", source.display()))?;
        assets.extend(linked_files(repo, &page, &text));
        for picture in animated {
            text = with_animation(&text, picture);
        }
        if page == Path::new(DECISIONS) {
            text += &list_of_decisions(repo)?;
        }
        process::write_log(&folder.join(&page), &text)?;
    }
    for asset in assets {
        files::copy(&repo.root().join(&asset), &folder.join(&asset))?;
    }
    Ok(())
}

/// The pages, as paths in the repository.
fn pages(repo: &Repo) -> Result<Vec<PathBuf>> {
    let mut pages: Vec<PathBuf> = OTHERS.iter().map(PathBuf::from).collect();
    for file in files::walk(&repo.root().join("docs"))? {
        let page = file
            .strip_prefix(repo.root())
            .context("walking left the repository")?;
        let is_page = page.extension().is_some_and(|ending| ending == "md");
        if is_page && !LEFT_OUT.iter().any(|folder| page.starts_with(folder)) {
            pages.push(page.to_path_buf());
        }
    }
    Ok(pages)
}

/// The files that a page links, other than pages. Links that lead nowhere are left to the check of the site.
fn linked_files(repo: &Repo, page: &Path, text: &str) -> Vec<PathBuf> {
    let folder = page.parent().unwrap_or(Path::new(""));
    let is_asset = |path: &PathBuf| {
        path.extension().is_none_or(|ending| ending != "md") && repo.root().join(path).is_file()
    };
    links(text)
        .filter_map(|link| normal(&folder.join(link)))
        .filter(is_asset)
        .collect()
}

/// The targets of the links and pictures of a page, without anchors.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| {
        let link = rest.split(')').next()?;
        link.split('#')
            .next()
            .filter(|path| !path.is_empty() && !path.contains("://"))
    })
}

/// The path without `..`; `None` if it leaves the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => result.push(name),
            Component::ParentDir if result.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(result)
}

/// The text of a page with the animation of a picture instead of the picture itself.
fn with_animation(text: &str, picture: &str) -> String {
    // Pages link the same picture by different relative paths, all of which end with these two names.
    let path = Path::new(picture);
    let parts: Vec<_> = path
        .iter()
        .rev()
        .take(2)
        .map(|part| part.to_string_lossy())
        .collect();
    let [name, folder] = parts.as_slice() else {
        return text.to_owned();
    };
    let animation = Path::new(&**name).with_extension(super::animations::ENDING);
    text.replace(
        &format!("{folder}/{name})"),
        &format!("{folder}/{})", animation.display()),
    )
}

/// A line for each decision with its title.
fn list_of_decisions(repo: &Repo) -> Result<String> {
    let folder = repo.root().join("docs/decisions");
    let mut list = String::from("\n");
    for file in files::walk(&folder)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if let Some(title) = text.lines().next().and_then(|line| line.strip_prefix("# "))
            && name != "README.md"
        {
            list += &format!("- [{title}]({name})\n");
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_files_are_found() {
        let text = "[a](b/c.png) ![d](../e.gd#f) [g](#h) [i](https://j.k/l) `Array[int](m)`";
        assert_eq!(links(text).collect::<Vec<_>>(), ["b/c.png", "../e.gd", "m"]);
    }

    #[test]
    fn paths_stay_in_the_repository() {
        assert_eq!(
            normal(Path::new("docs/../a/./b")),
            Some(PathBuf::from("a/b"))
        );
        assert_eq!(normal(Path::new("docs/../../a")), None);
    }

    #[test]
    fn a_picture_is_replaced_wherever_a_page_links_it() {
        let picture = "docs/images/recipes/a.png";
        let text = "![x](../images/recipes/a.png) ![y](images/recipes/ba.png)";
        assert_eq!(
            with_animation(text, picture),
            "![x](../images/recipes/a.webp) ![y](images/recipes/ba.png)"
        );
    }
}
