//! Pages: well-formed, the same bytes each time, and harmless whatever names and texts say. How they
//! behave is tested in a browser.

mod browser;
mod hostile;
mod long_run;
mod markup;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use markup::{Tag, tags};

/// The lock of the README with its bug.
const BROKEN: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
    action take(n: node) {\n  require free\n  holds(n) := true\n}\n\
    action give(n: node) {\n  require holds(n)\n  holds(n) := false\n  free := true\n}\n\
    safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n";

/// The same without it.
fn mended() -> String {
    BROKEN.replace("  holds(n) := true", "  free := false\n  holds(n) := true")
}

fn rmlcut(arguments: &[&str]) -> Output {
    let run = Command::new(env!("CARGO_BIN_EXE_rmlcut")).args(arguments).output();
    run.expect("the program runs")
}

/// A folder with a protocol in it.
struct Workplace {
    folder: tempfile::TempDir,
}

impl Workplace {
    fn new(protocol: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let work = Workplace { folder };
        std::fs::write(work.path("lock.rml"), protocol).expect("a file");
        work
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// The page of an exploration.
    fn explored(&self) -> String {
        let (lock, page) = (self.text("lock.rml"), self.text("page.html"));
        let run = rmlcut(&["explore", &lock, "--size", "node=3", "--report", &page]);
        assert!(String::from_utf8_lossy(&run.stderr).contains("the report is in"), "{run:?}");
        std::fs::read_to_string(page).expect("a page")
    }
}

fn corpus(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols").join(path).display().to_string()
}

/// Headings, anchors and the number of tags of each kind.
fn structure(page: &str) -> String {
    let mut out = String::new();
    let all = tags(page).expect("a well-formed page");
    for (index, tag) in all.iter().enumerate() {
        let Tag::Open { name, attributes } = tag else { continue };
        if let Some((_, id)) = attributes.iter().find(|(name, _)| name == "id") {
            out += &format!("{name} #{id}\n");
        } else if ["h1", "h2", "h3", "h4", "figcaption", "summary"].contains(&name.as_str()) {
            let text = all[index + 1..].iter().map_while(|inner| match inner {
                Tag::Text(text) => Some(text.as_str()),
                Tag::Open { .. } => Some(""),
                Tag::Close(close) => (close != name).then_some(""),
            });
            // A file is known by its name: the folder is another one each time.
            let text = text.collect::<String>();
            let text =
                if text.ends_with(".rml") { text.rsplit('/').next().unwrap_or("") } else { &text };
            out += &format!("{name} {text}\n");
        }
    }
    out
}

#[test]
fn the_page_of_a_violation_has_this_structure() {
    let page = Workplace::new(BROKEN).explored();
    insta::assert_snapshot!(structure(&page));
}

#[test]
fn the_page_of_a_proof_has_this_structure() {
    let work = Workplace::new(&mended());
    let (lock, cut, page) = (work.text("lock.rml"), work.text("lock.cut"), work.text("page.html"));
    let found = rmlcut(&["synth", &lock, "-o", &cut]);
    assert!(found.status.success(), "{found:?}");
    let run = rmlcut(&["report", &lock, "-o", &page]);
    assert!(run.status.success() && run.stdout.starts_with(b"safe\n"), "{run:?}");
    let page = std::fs::read_to_string(page).expect("a page");
    insta::assert_snapshot!(structure(&page));
    // Every cell of the matrix leads to an obligation that is there.
    let links = page.matches("href=\"#o").count();
    assert!(links > 12, "{links}");
    for part in page.split("href=\"#").skip(1) {
        let id = part.split('"').next().expect("a value");
        assert!(page.contains(&format!("id=\"{id}\"")), "{id} leads nowhere");
    }
}

#[test]
fn the_same_input_gives_the_same_page() {
    let work = Workplace::new(BROKEN);
    assert_eq!(work.explored(), work.explored());
    let (page, other) = (work.text("one.html"), work.text("other.html"));
    for file in [&page, &other] {
        rmlcut(&["report", &corpus("leader-election/ring.rml"), "-o", file]);
    }
    let read = |file: &str| std::fs::read_to_string(file).expect("a page");
    assert_eq!(read(&page), read(&other));
    assert!(read(&page).len() < 1_000_000);
}

#[test]
fn a_refuted_certificate_is_drawn_before_and_after() {
    let work = Workplace::new(BROKEN);
    let page = work.text("page.html");
    let certificate = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let certificate = certificate.join("basic_kv_keeps_message.cut").display().to_string();
    let run = rmlcut(&["report", &corpus("storage/basic_kv.rml"), &certificate, "-o", &page]);
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let page = std::fs::read_to_string(page).expect("a page");
    tags(&page).expect("a well-formed page");
    for caption in ["L before", "L after", "C before", "C after"] {
        assert!(page.contains(&format!("<figcaption>{caption}</figcaption>")), "{caption}");
    }
}

#[test]
fn large_states_are_tables() {
    let work = Workplace::new(BROKEN);
    let (lock, page) = (work.text("lock.rml"), work.text("page.html"));
    rmlcut(&["explore", &lock, "--size", "node=60", "--no-shrink", "--report", &page]);
    let page = std::fs::read_to_string(&page).expect("a page");
    tags(&page).expect("a well-formed page");
    assert!(page.contains("States are shown as tables: 60 elements are too many to draw"));
}

#[test]
fn that_nothing_qualifies_is_said_below_a_violated_exists() {
    let missing = "no N: node satisfies `holds(N)`; nearest: N = node0, where `holds(node0)` fails";
    let page = |property: &str| {
        Workplace::new(&format!("{BROKEN}safety [initially] {property}\n")).explored()
    };
    let (found, none) = (page("exists N. holds(N)"), page("~free"));
    assert!(found.contains(missing) && !none.contains("satisfies"), "{found}");
}

#[test]
fn a_page_never_replaces_its_input_and_an_unwritable_place_is_one_line() {
    let work = Workplace::new(BROKEN);
    let lock = work.text("lock.rml");
    let run = rmlcut(&["explore", &lock, "--report", &lock]);
    assert_eq!(run.status.code(), Some(64), "{run:?}");
    let nowhere = work.text("nowhere/page.html");
    let run = rmlcut(&["explore", &lock, "--report", &nowhere]);
    assert_eq!(run.status.code(), Some(3), "{run:?}");
    let error = String::from_utf8_lossy(&run.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("error: cannot write"), "{error}");
    assert_eq!(std::fs::read_to_string(lock).expect("the protocol"), BROKEN);
}

#[test]
fn processes_are_described_in_their_own_words() {
    let work = Workplace::new(BROKEN);
    let page = work.text("page.html");
    for (protocol, status, words) in [
        ("agreement/broken/bounce.mer", 1, "process0: Start → Target"),
        // Badges and tables have the names of locations too.
        ("agreement/broken/bounce.mer", 1, ">Target</text>"),
        ("agreement/broken/bounce.mer", 1, "process0: Target"),
        // The layout crate has methods that panic on the analysis of the first, or go on forever
        // with that of the second.
        ("agreement/lock_service.mer", 0, "elect(*)"),
        ("agreement/object_tracker.mer", 0, "crash(*)"),
    ] {
        let size = ["--size", "process=3", "--report", &page];
        let run = rmlcut(&[&["explore", &corpus(protocol)], &size[..]].concat());
        assert_eq!(run.status.code(), Some(status), "{run:?}");
        let page = std::fs::read_to_string(&page).expect("a page");
        tags(&page).expect("a well-formed page");
        assert!(page.contains(words), "{protocol}: {words}");
    }
}

#[test]
fn values_of_one_function_are_drawn_in_one_place() {
    let work = Workplace::new(BROKEN);
    let page = work.text("page.html");
    rmlcut(&["report", &corpus("broken/mesi_unsnooped_fill.rml"), "-o", &page]);
    let page = std::fs::read_to_string(page).expect("a page");
    let picture = page.split("id=\"picture-run\"").nth(1).expect("a picture");
    let picture = picture.split("</svg>").next().expect("its end");
    let badges = picture.split("data-s=\"").skip(1).map(|part| {
        let (slot, rest) = part.split_once('"').expect("a value");
        let label = rest.split("</text>").next().expect("a text");
        (slot, label.rsplit('>').next().expect("a text"))
    });
    let caches: Vec<_> = badges.filter(|(_, label)| label.starts_with("cache = ")).collect();
    let slots: std::collections::BTreeSet<_> = caches.iter().map(|(slot, _)| slot).collect();
    assert!(caches.len() > 2, "{caches:?}");
    assert_eq!(slots.len(), 2, "one for each node: {caches:?}");
}

#[test]
fn what_was_tried_is_shown_where_nothing_was_proved() {
    let work = Workplace::new(BROKEN);
    let page = work.text("page.html");
    let paxos = corpus("machines/paxos_simple.rml");
    let run = rmlcut(&["report", &paxos, "--timeout", "5", "-o", &page]);
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let page = std::fs::read_to_string(page).expect("a page");
    tags(&page).expect("a well-formed page");
    assert!(page.contains("What was tried"));
    assert!(page.contains("no invariant of the protocol was found"));
}
