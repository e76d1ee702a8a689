//! What `rmlcut synth` found, kept: every protocol that is called safe has a certificate that
//! the judge accepts without any search.

use std::path::Path;

use rmlcut::elaborate::certificate::Origin;
use rmlcut::judge::Verdict;

use super::{accepted::ACCEPTED, certificate, files, judged, path, protocol, verdict_in_words};

/// The protocols with a certificate in a folder, as `family/name`.
fn names(folder: &str) -> Vec<String> {
    let folder = path(folder);
    let below = |file: &Path| {
        let below = file.strip_prefix(&folder).expect("it is below").with_extension("");
        below.to_string_lossy().replace('\\', "/")
    };
    files(&folder, "cut").iter().map(|file| below(file)).collect()
}

#[test]
fn what_was_found_is_still_a_proof() {
    let found = names("tests/found");
    assert!(!found.is_empty(), "there are certificates");
    for name in found {
        let user = protocol(&path(&format!("protocols/{name}.rml")));
        let file = path(&format!("tests/found/{name}.cut"));
        let certificate = certificate(&user, &file, Origin::ThisText)
            .unwrap_or_else(|messages| panic!("{name}: {}", messages.join("; ")));
        let judgement = judged(&user, &certificate, &|_| true);
        let words = verdict_in_words(&user, &judgement.verdict);
        assert!(matches!(judgement.verdict, Verdict::Safe), "{name}: {words}");
    }
}

#[test]
fn every_protocol_called_safe_has_a_proof() {
    let mut proved = names("tests/found");
    let by_hand = ACCEPTED.iter().filter(|(_, verdict, _)| *verdict == "safe");
    proved.extend(by_hand.map(|(name, ..)| (*name).to_owned()));
    let folder = path("protocols");
    let mut said = 0;
    for file in files(&folder, "rml") {
        let text = std::fs::read_to_string(&file).expect("the text is readable");
        if !text.starts_with("# expect: safe") {
            continue;
        }
        said += 1;
        let below = file.strip_prefix(&folder).expect("it is below").with_extension("");
        let name = below.to_string_lossy().replace('\\', "/");
        assert!(proved.contains(&name), "{name} is listed as safe: tests/found has no proof");
    }
    assert!(said >= 10, "headers were found: {said}");
}
