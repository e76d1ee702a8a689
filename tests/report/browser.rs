//! Pages in a real browser: they open from disk, step, and ask nothing of anyone.

use std::path::Path;

use serde_json::json;

use super::{BROKEN, Workplace, corpus, rmlcut};
use crate::support::browser::Browser;

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// What must be true of every page.
fn is_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), json!(0));
}

#[test]
fn a_run_is_stepped_with_keys_buttons_and_slider() {
    let Some(browser) = Browser::start() else { return };
    let work = Workplace::new(BROKEN);
    work.explored();
    browser.open(&address(&work.path("page.html")));
    let at = "document.querySelector('.player').dataset.at";
    let new = "document.querySelectorAll('#picture-run .fact.new').length";
    assert_eq!(browser.value(at), json!("0"));
    assert_eq!(browser.value(new), json!(0));
    browser.click("button[data-by='1']");
    assert_eq!(browser.value(at), json!("1"));
    assert_eq!(browser.value(new), json!(1));
    browser.keys(".player", "\u{e014}");
    assert_eq!(browser.value(at), json!("2"), "the right arrow");
    let culprits = "[...document.querySelectorAll('#picture-run .culprit')].map(e => e.dataset.e)";
    assert_eq!(browser.value(culprits), json!(["node0", "node1"]));
    let changes = "document.querySelector('.changes').textContent";
    assert_eq!(browser.value(changes), json!("+ holds(node1)"));
    browser.keys("input[type=range]", "\u{e012}");
    assert_eq!(browser.value(at), json!("1"), "the slider");
    browser.click(".steps .row:last-child");
    assert_eq!(browser.value(at), json!("2"), "a row");
    browser.click("button[data-by='first']");
    assert_eq!(browser.value(at), json!("0"));
    browser.click("#state-graph .node:last-child");
    assert_eq!(browser.value("document.querySelectorAll('#state-graph .now').length"), json!(1));
    is_quiet(&browser);
}

#[test]
fn a_cell_of_the_matrix_opens_its_obligation() {
    let Some(browser) = Browser::start() else { return };
    let work = Workplace::new(BROKEN);
    let page = work.text("ring.html");
    rmlcut(&["report", &corpus("leader-election/ring.rml"), "-o", &page]);
    browser.open(&address(&work.path("ring.html")));
    let cell = "document.querySelector('table.matrix td a')";
    let target = format!("document.querySelector({cell}.getAttribute('href'))");
    assert_eq!(browser.value(&format!("{target}.open")), json!(false));
    browser.click("table.matrix td a");
    browser.wait_for(&format!("{target}.open"));
    // So many obligations are in groups, and the group is opened with it.
    browser.wait_for(&format!("{target}.closest('details.group').open"));
    is_quiet(&browser);
}

#[test]
fn a_hundred_thousand_steps_do_not_freeze_the_page() {
    let Some(browser) = Browser::start() else { return };
    let work = Workplace::new(BROKEN);
    let page = super::long_run::page(100_000);
    std::fs::write(work.path("long.html"), page).expect("a file");
    browser.open(&address(&work.path("long.html")));
    let jump = "(() => { const begin = performance.now(); \
        document.querySelector('button[data-by=last]').click(); return performance.now() - begin; })()";
    let milliseconds = browser.value(jump).as_f64().expect("a number");
    assert!(milliseconds < 2_000.0, "{milliseconds} ms to the last step");
    let step = jump.replace("=last", "=\"-1\"");
    let milliseconds = browser.value(&step).as_f64().expect("a number");
    assert!(milliseconds < 200.0, "{milliseconds} ms back by one");
    assert_eq!(browser.value("document.querySelector('.player').dataset.at"), json!("99999"));
    let rows = browser.value("document.querySelectorAll('.steps .row').length");
    assert!(rows.as_u64().expect("a number") < 100, "{rows} rows");
    is_quiet(&browser);
}

#[test]
fn labels_stand_beside_each_other_and_nothing_is_wider_than_the_window() {
    let Some(browser) = Browser::start() else { return };
    let work = Workplace::new(BROKEN);
    let page = work.text("page.html");
    for (protocol, sizes) in [
        ("broken/paxos_simple_late_votes.rml", "leader=2,acceptor=2,value=2,quorum=1"),
        ("broken/ring_bug.rml", "node=3,id=3"),
    ] {
        rmlcut(&["explore", &corpus(protocol), "--size", sizes, "--report", &page]);
        browser.open(&address(&work.path("page.html")));
        browser.click("button[data-by='last']");
        let overlaps = "(() => { \
            const all = [...document.querySelectorAll('#picture-run .fact:not(.off) text')]; \
            const areas = all.map(text => text.getBoundingClientRect()); \
            const common = (one, other) => \
                Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3 && \
                Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4; \
            return areas.filter((one, index) => \
                areas.slice(0, index).some(other => common(one, other))).length; })()";
        assert_eq!(browser.value(overlaps), json!(0), "{protocol}");
        let labels = browser.value("document.querySelectorAll('#picture-run .arrow text').length");
        assert!(labels.as_u64().expect("a number") > 8, "{protocol}: {labels}");
        let wide = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(browser.value(wide), json!(false), "{protocol}");
    }
    is_quiet(&browser);
}
