//! Reads Rust source just far enough to see which paths it uses.
//!
//! It knows comments, literals, paths and braced groups; it does not resolve names.

/// What becomes of the text inside literals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literals {
    Keep,
    Blank,
}

/// The part of a file that is not a test module at its end.
pub(crate) fn shipped(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text)
}

/// Every path of two or more segments, with groups in braces multiplied out.
pub(crate) fn paths(code: &str) -> Vec<String> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = read_path(&tokens, at, String::new(), &mut found).max(at + 1);
    }
    found
}

/// The words of a text: runs of letters, digits and underscores.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|character| !is_word(character)).unwrap_or(text.len())
}

fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length =
            if rest.starts_with("::") { 2 } else { word_length(rest).max(first.len_utf8()) };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Reads one path, or one member of a group, and says where it ends.
fn read_path(tokens: &[&str], start: usize, prefix: String, found: &mut Vec<String>) -> usize {
    let mut path = prefix;
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        let wants_word = path.is_empty() || path.ends_with("::");
        if (*token == "::" && !path.ends_with("::")) || (wants_word && token.starts_with(is_word)) {
            path.push_str(token);
            at += 1;
        } else if *token == "{" && path.ends_with("::") {
            return read_group(tokens, at + 1, &path, found);
        } else {
            break;
        }
    }
    if path.contains("::") {
        found.push(path);
    }
    at
}

fn read_group(tokens: &[&str], start: usize, prefix: &str, found: &mut Vec<String>) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match *token {
            "}" => return at + 1,
            _ if token.starts_with(is_word) => {
                at = read_path(tokens, at, prefix.to_owned(), found);
            }
            _ => at += 1,
        }
    }
    at
}

/// The code with every comment replaced by a blank, and every literal too if so wished.
pub(crate) fn without_comments(code: &str, literals: Literals) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (length, keep) = match (comment_length(rest), literal_length(rest)) {
            (Some(length), _) => (length, false),
            (None, Some(length)) => (length, literals == Literals::Keep),
            (None, None) => (word_length(rest).max(first.len_utf8()), true),
        };
        kept.push_str(if keep { &rest[..length] } else { " " });
        rest = &rest[length..];
    }
    kept
}

fn comment_length(code: &str) -> Option<usize> {
    if code.starts_with("//") {
        return Some(code.find('\n').unwrap_or(code.len()));
    }
    if !code.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        let (step, change) = match rest.chars().next() {
            _ if rest.starts_with("/*") => (2, 1),
            _ if rest.starts_with("*/") => (2, -1),
            other => (other.map_or(1, char::len_utf8), 0),
        };
        at += step;
        depth += change;
        if depth == 0 {
            break;
        }
    }
    Some(at)
}

/// The length of a string or character literal at the start; a lifetime is not a literal.
fn literal_length(code: &str) -> Option<usize> {
    let body = code.trim_start_matches(['b', 'c', 'r']);
    let prefix = code.len() - body.len();
    if prefix > 2 {
        return None;
    }
    let hashes = body.len() - body.trim_start_matches('#').len();
    let raw = code[..prefix].contains('r');
    if body[hashes..].starts_with('"') && (raw || hashes == 0) {
        let opening = prefix + hashes + 1;
        let closing = format!("\"{}", "#".repeat(hashes));
        let escapes = if raw { None } else { Some('\\') };
        return Some(opening + literal_end(&code[opening..], &closing, escapes));
    }
    let inside = body.strip_prefix('\'').filter(|_| prefix <= 1)?;
    let one = inside.chars().next()?;
    let closes = one == '\\' || inside[one.len_utf8()..].starts_with('\'');
    closes.then(|| prefix + 1 + literal_end(inside, "'", Some('\\')))
}

/// How far a literal reaches beyond its opening quote, closing quote included.
fn literal_end(inside: &str, closing: &str, escape: Option<char>) -> usize {
    let mut at = 0;
    while at < inside.len() {
        let rest = &inside[at..];
        if rest.starts_with(closing) {
            return at + closing.len();
        }
        let characters = if rest.chars().next() == escape { 2 } else { 1 };
        at += rest.chars().take(characters).map(char::len_utf8).sum::<usize>();
    }
    inside.len()
}

#[test]
fn comments_and_literals_are_told_apart() {
    let code = "a /* b /* c */ d */ 'x' '\"' '\\'' b'y' \"e // \\\" f\" r#\"g \" h\"# &'i j // k";
    let bare = without_comments(code, Literals::Blank);
    assert_eq!(bare.split_whitespace().collect::<Vec<_>>(), ["a", "&'i", "j"]);
    let kept = without_comments(code, Literals::Keep);
    assert!(kept.contains("g \" h") && kept.contains("e //") && kept.contains("&'i j"));
    assert!(!kept.contains('k') && !kept.contains('d'));
}

#[test]
fn groups_are_multiplied_out() {
    let found = paths("use a::{b, c::{d, e}, self}; let x = f :: g(h);");
    assert_eq!(found, ["a::b", "a::c::d", "a::c::e", "a::self", "f::g"]);
}
