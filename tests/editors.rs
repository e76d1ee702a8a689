//! The files for editors know the words of the languages, and the editors read them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rmlcut::keywords;
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new("editors").join(path)).expect(path)
}

/// The reserved words of Mercury, from its grammar.
fn of_mercury() -> BTreeSet<String> {
    let grammar = fs::read_to_string("grammar/mercury.pest").expect("the grammar");
    let rule = grammar.split("reserved = @{").nth(1).and_then(|rest| rest.split('}').next());
    let words = rule.expect("the rule").split('"').skip(1).step_by(2).map(str::to_owned);
    words.filter(|word| word != "_").collect()
}

/// The words of every language, by the name that editors have for it.
fn words() -> [(&'static str, BTreeSet<String>); 3] {
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    [
        ("rml", owned(keywords::of_rml())),
        ("rmlcert", owned(keywords::of_certificates())),
        ("rmlmercury", of_mercury()),
    ]
}

#[test]
fn the_words_of_vs_code_are_ours() {
    for (language, words) in words() {
        let text = read(&format!("vscode/syntaxes/{language}.tmLanguage.json"));
        let grammar: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(grammar["scopeName"], format!("source.{language}"));
        let name = format!("keyword.control.{language}");
        let patterns = grammar["patterns"].as_array().expect("patterns");
        let pattern = patterns.iter().find(|pattern| pattern["name"] == name.as_str());
        let pattern = pattern.and_then(|found| found["match"].as_str()).expect("keywords");
        let listed = pattern.strip_prefix("\\b(").and_then(|rest| rest.split(')').next());
        let listed: BTreeSet<String> =
            listed.expect("a list of words").split('|').map(str::to_owned).collect();
        assert_eq!(listed, words, "{language}");
    }
}

#[test]
fn the_words_of_vim_are_ours() {
    for (language, words) in words() {
        let text = read(&format!("vim/syntax/{language}.vim"));
        let prefix = format!("syntax keyword {language}Keyword ");
        let lines = text.lines().filter_map(|line| line.strip_prefix(&prefix));
        let listed: BTreeSet<String> =
            lines.flat_map(str::split_whitespace).map(str::to_owned).collect();
        assert_eq!(listed, words, "{language}");
    }
}

#[test]
fn the_words_of_emacs_are_ours() {
    let text = read("emacs/rmlcut-mode.el");
    for ((_, words), name) in words().into_iter().zip(["rml", "certificate", "mercury"]) {
        let start = format!("(defconst rmlcut-{name}-keywords\n  '(");
        let list = text.split(&start).nth(1).and_then(|rest| rest.split(')').next());
        let listed: BTreeSet<String> =
            list.expect(name).split('"').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(listed, words, "{name}");
    }
}

#[test]
fn the_extension_is_whole_and_names_no_host() {
    let package: Value = serde_json::from_str(&read("vscode/package.json")).expect("JSON");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let contributes = &package["contributes"];
    let parts = [("grammars", "path"), ("languages", "configuration")];
    for (part, field) in parts {
        for entry in contributes[part].as_array().expect("a list") {
            let path = entry[field].as_str().and_then(|path| path.strip_prefix("./"));
            let text = read(&format!("vscode/{}", path.expect("a relative path")));
            let _: Value = serde_json::from_str(&text).expect("JSON");
        }
    }
    let ends: Vec<&Value> = contributes["languages"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|language| language["extensions"].as_array().into_iter().flatten())
        .collect();
    assert_eq!(ends, [".rml", ".cut", ".mer", ".ch"]);
    for entry in fs::read_dir("editors/vscode").expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(!text.contains("\"resolved\""), "{}", path.display());
    }
}

#[test]
fn emacs_compiles_the_mode_and_colours_a_protocol() {
    if Command::new("emacs").arg("--version").output().is_err() {
        eprintln!("skipped: Emacs is not installed (Debian: apt-get install emacs-nox)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("the folder is writable");
    };
    write("rmlcut-mode.el", &read("emacs/rmlcut-mode.el"));
    write("lock.rml", "sort node # who\nrelation p(node)\nsafety [one] p(N)\n");
    let script = "(progn (setq byte-compile-error-on-warn t)
        (unless (byte-compile-file \"rmlcut-mode.el\") (kill-emacs 1))
        (setq rmlcut-program \"/nowhere/rmlcut\")
        (load (expand-file-name \"rmlcut-mode.el\") nil t)
        (find-file \"lock.rml\")
        (font-lock-ensure)
        (dolist (word '(\"sort\" \"# who\" \"one\" \"N)\"))
          (goto-char (point-min))
          (search-forward word)
          (princ (format \"%s \" (get-text-property (match-beginning 0) 'face))))
        (princ major-mode))";
    let output = Command::new("emacs")
        .args(["--batch", "-Q", "--eval", script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("Emacs runs");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "font-lock-keyword-face font-lock-comment-delimiter-face font-lock-constant-face \
         font-lock-variable-name-face rmlcut-mode",
        "{complaints}"
    );
}

#[test]
fn node_reads_the_extension() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: Node.js is not installed (Debian: apt-get install nodejs)");
        return;
    }
    let checked = Command::new("node").args(["--check", "editors/vscode/extension.js"]).output();
    let checked = checked.expect("Node.js runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
