//! Finds import cycles between the files of a folder.
//!
//! A re-export (`pub use`) is no import: a path through it leads to the file that it names.

use std::collections::{BTreeMap, BTreeSet};

use super::every_file;
use super::scan::{self, Literals, shipped, without_comments};

/// One file as a module: what it uses, and what it passes on under its own name.
struct Module {
    uses: Vec<String>,
    exports: BTreeMap<String, String>,
}

/// Files that import each other, directly or through others, one line for each such group.
pub(crate) fn cycles<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let modules: BTreeMap<String, Module> =
        files.map(|(path, text)| (module_path(path), read(shipped(text)))).collect();
    let imports = |name: &String, module: &Module| -> BTreeSet<String> {
        let used = module.uses.iter().filter_map(|used| absolute(&modules, name, used));
        used.filter_map(|used| file_of(&modules, &used)).filter(|file| file != name).collect()
    };
    let mut graph: BTreeMap<String, BTreeSet<String>> =
        modules.iter().map(|(name, module)| (name.clone(), imports(name, module))).collect();
    // What imports nothing that is left, or is imported by nothing that is left, is on no cycle.
    loop {
        let imported: BTreeSet<String> = graph.values().flatten().cloned().collect();
        let known: BTreeSet<String> = graph.keys().cloned().collect();
        let before = graph.len();
        graph.retain(|name, imports| {
            imports.retain(|import| known.contains(import));
            !imports.is_empty() && imported.contains(name)
        });
        if graph.len() == before {
            return graph.iter().map(|(name, imports)| format!("{name} -> {imports:?}")).collect();
        }
    }
}

/// `a/b/mod.rs` and `a/b.rs` are both `a::b`.
fn module_path(path: &str) -> String {
    path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::")
}

fn read(code: &str) -> Module {
    let code = without_comments(code, Literals::Blank);
    let (mut uses, mut exports) = (Vec::new(), BTreeMap::new());
    for statement in code.split_inclusive(';') {
        let line = statement.trim_start();
        let is_export = line.starts_with("pub")
            && line.split_once("use ").is_some_and(|(of, _)| {
                of.trim_end() == "pub" || of.starts_with("pub(") && of.trim_end().ends_with(')')
            });
        if is_export {
            let (_, used) = line.split_once("use ").unwrap_or_default();
            let named = |path: String| Some((path.rsplit("::").next()?.to_owned(), path));
            exports.extend(scan::paths(used).into_iter().filter_map(named));
        } else {
            uses.extend(scan::paths(statement));
        }
    }
    Module { uses, exports }
}

/// A path from the root, if it leads into one of the modules.
fn absolute(modules: &BTreeMap<String, Module>, from: &str, used: &str) -> Option<String> {
    let parent = from.rsplit_once("::").map_or("", |(parent, _)| parent);
    if let Some(rest) = used.strip_prefix("crate::") {
        return Some(rest.to_owned());
    }
    if let Some(rest) = used.strip_prefix("super::") {
        return Some(format!("{parent}::{rest}"));
    }
    let inner = format!("{from}::{}", used.trim_start_matches("self::"));
    let child = used.trim_start_matches("self::").split("::").next()?;
    modules.contains_key(&format!("{from}::{child}")).then_some(inner)
}

/// The module whose file has what a path names.
fn file_of(modules: &BTreeMap<String, Module>, path: &str) -> Option<String> {
    let mut end = path.len();
    loop {
        let (name, rest) = (&path[..end], path[end..].trim_start_matches("::"));
        if let Some(module) = modules.get(name) {
            let export = rest.split("::").next().and_then(|first| module.exports.get(first));
            let through = export.and_then(|export| absolute(modules, name, export));
            return match through {
                Some(through) => file_of(modules, &through),
                None => Some(name.to_owned()),
            };
        }
        end = path[..end].rfind("::")?;
    }
}

/// A file that no module declares is never compiled.
#[test]
fn every_file_is_a_module() {
    let files = every_file("src");
    let text = |path: String| files.iter().find(|file| file.path == path).map(|file| &*file.text);
    let undeclared: Vec<&str> = files
        .iter()
        .map(|file| &*file.path)
        .filter(|path| {
            let inside = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs"));
            let Some(module) = inside.filter(|own| !matches!(*own, "lib" | "main")) else {
                return false;
            };
            let (folder, name) = module.rsplit_once('/').unwrap_or(("", module));
            let parent =
                if folder.is_empty() { "lib.rs".to_owned() } else { format!("{folder}/mod.rs") };
            !text(parent).is_some_and(|text| text.contains(&format!("mod {name};")))
        })
        .collect();
    assert!(undeclared.is_empty(), "{undeclared:?}");
}
