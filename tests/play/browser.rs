//! The served player in a real browser.

use serde_json::json;

use super::Workplace;
use crate::support::browser::Browser;

#[test]
fn a_run_is_made_by_clicking() {
    let Some(browser) = Browser::start() else { return };
    let work = Workplace::new();
    let (_server, address) = work.serve(&["--size", "node=2"]);
    browser.open(&address);
    let title = "document.querySelector('figcaption').textContent";
    assert_eq!(browser.value(title), json!("initial state"));
    browser.click(".offers button");
    browser.wait_for(&format!("{title} === '1. take(node0)'"));
    assert_eq!(browser.value("document.querySelectorAll('.fact.new').length"), json!(1));
    browser.click("button[value='2']");
    browser.wait_for("document.querySelector('.verdict.bad')");
    let failure = browser.value("document.querySelector('.verdict.bad code').textContent");
    assert!(failure.as_str().expect("a text").starts_with("[one_holder]"), "{failure}");
    browser.click("button[value='back']");
    browser.wait_for(&format!("{title} === '1. take(node0)'"));
    browser.click("button[value='restart']");
    browser.wait_for(&format!("{title} === 'initial state'"));
    let reason = browser.value("document.querySelector('details.idle pre').textContent");
    assert!(reason.as_str().expect("a text").contains("`require holds(n)` fails"), "{reason}");
    let complaints = browser.complaints();
    let others = complaints.iter().filter(|own| !own.contains("favicon"));
    assert_eq!(others.count(), 0, "{complaints:?}");
}
