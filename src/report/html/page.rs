//! The frame of a page: the policy, the style, the verdict, and our one script.

use super::{Section, Story, Tone};
use crate::picture::Markup;

pub(super) const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing is loaded from anywhere, and no script runs but ours, which is known by its digest.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
     script-src 'sha256-r1FQQMZXb+EDzoofNwWgj1Njavs6oXt0bEqMmMFQG00='; base-uri 'none'; form-action 'none'";

/// The whole document.
pub(super) fn document(story: &Story<'_>, sections: &[Section]) -> String {
    let mut out = Markup::new();
    out.element("html", &[("lang", &"en")], |html| {
        html.element("head", &[], |head| {
            head.empty("meta", &[("charset", &"utf-8")]);
            let policy: &[(&'static str, &dyn std::fmt::Display)] =
                &[("http-equiv", &"Content-Security-Policy"), ("content", &POLICY)];
            head.empty("meta", policy);
            let view = "width=device-width, initial-scale=1";
            head.empty("meta", &[("name", &"viewport"), ("content", &view)]);
            head.empty("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
            head.leaf("title", &[], format!("{}: {}", story.protocol.name, story.verdict));
            head.verbatim("style", STYLE);
        });
        html.element("body", &[], |body| {
            header(body, story, sections);
            body.element("main", &[], |main| {
                for section in sections {
                    main.element("section", &[("id", &section.id)], |inner| {
                        inner.leaf("h2", &[], section.title);
                        inner.append(&section.body);
                    });
                }
            });
            let version = env!("CARGO_PKG_VERSION");
            body.leaf("footer", &[], format!("rmlcut {version}"));
            body.verbatim("script", SCRIPT);
        });
    });
    format!("<!DOCTYPE html>\n{}\n", out.into_string())
}

fn header(body: &mut Markup, story: &Story<'_>, sections: &[Section]) {
    let (class, mark) = match story.tone {
        Tone::Safe => ("verdict good", "✓"),
        Tone::Open => ("verdict open", "?"),
        Tone::Unsafe => ("verdict bad", "✗"),
    };
    body.element("header", &[], |header| {
        header.element("nav", &[], |nav| {
            for section in sections {
                nav.leaf("a", &[("href", &format!("#{}", section.id))], section.title);
            }
        });
        header.leaf("h1", &[], &story.protocol.name);
        header.element("p", &[("class", &class)], |verdict| {
            verdict.leaf("span", &[("class", &"mark")], mark);
            verdict.leaf("strong", &[], &story.verdict);
        });
        for line in &story.basis {
            header.leaf("p", &[("class", &"basis")], line);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn base64(bytes: &[u8]) -> String {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for part in bytes.chunks(3) {
            let mut word = [0_u8; 3];
            word[..part.len()].copy_from_slice(part);
            let bits = u32::from_be_bytes([0, word[0], word[1], word[2]]);
            for place in 0..4 {
                let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
                out.push(if place <= part.len() { char::from(letter) } else { '=' });
            }
        }
        out
    }

    #[test]
    fn the_policy_knows_the_script() {
        let digest = base64(&Sha256::digest(SCRIPT.as_bytes()));
        assert!(POLICY.contains(&format!("'sha256-{digest}'")), "the digest is {digest}");
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        for word in ["http:", "https:", "//fonts", "@import", "url(", "fetch(", "XMLHttpRequest"] {
            assert!(!STYLE.contains(word) && !SCRIPT.contains(word), "{word}");
        }
    }
}
