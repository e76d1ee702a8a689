//! Certificates as JSON: written for other programs, refused as input.

use rmlcut::certificate::outline_certificate;
use rmlcut::report::json::certificate;

use super::program::{Answer, Desk};
use super::verdicts::{HEADER, LOCK, TWO};
use super::{certificate, protocol};

#[test]
fn a_json_certificate_is_refused_with_a_hint() {
    let user = protocol(LOCK);
    let certificate = certificate(&user, &format!("{HEADER}{TWO}"));
    let json = certificate::certificate(&outline_certificate(&user, &certificate)).to_string();
    let desk = Desk::new(LOCK, TWO);
    desk.write("lock.json", &json);
    let check = |file| {
        let output = desk.command().args(["check", "lock.rml", file]).output();
        Answer::of(&output.expect("the program starts"))
    };
    let refused = check("lock.json");
    assert_eq!((refused.out.as_str(), refused.code), ("", Some(64)), "{}", refused.err);
    assert!(refused.err.contains("not as JSON"), "{}", refused.err);
    assert!(refused.err.contains("lock.json:1:1"), "{}", refused.err);
    assert!(refused.err.contains("rmlcut show certificate"), "{}", refused.err);
    let accepted = check("lock.cut");
    assert_eq!((accepted.first_line(), accepted.code), ("safe", Some(0)), "{}", accepted.err);
}
