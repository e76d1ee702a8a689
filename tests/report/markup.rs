//! A reader of pages that accepts only what is well-formed: every tag closed in order, every value
//! quoted, nothing unescaped.

/// A part of a page.
#[derive(Debug)]
pub(super) enum Tag {
    /// `<name a="b">`; an element without contents is opened and closed.
    Open {
        /// The name.
        name: String,
        /// The attributes, as written.
        attributes: Vec<(String, String)>,
    },
    /// `</name>`
    Close(String),
    /// What is between tags.
    Text(String),
}

/// The parts of a page, or what is wrong with it.
pub(super) fn tags(page: &str) -> Result<Vec<Tag>, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").ok_or("no document type")?;
    let (mut all, mut open) = (Vec::new(), Vec::<String>::new());
    while let Some(start) = rest.find('<') {
        text(&rest[..start], &mut all)?;
        rest = &rest[start + 1..];
        let end = rest.find('>').ok_or("an open tag")?;
        let (inner, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = inner.strip_prefix('/') {
            let expected = open.pop().ok_or("closed too often")?;
            if expected != name {
                return Err(format!("</{name}> closes <{expected}>"));
            }
            all.push(Tag::Close(name.to_owned()));
            continue;
        }
        let (inner, is_closed) = inner.strip_suffix('/').map_or((inner, false), |it| (it, true));
        let (name, attributes) = attributes(inner)?;
        all.push(Tag::Open { name: name.clone(), attributes });
        if is_closed {
            all.push(Tag::Close(name));
        } else if name == "script" || name == "style" {
            // The contents are not markup, and end with their own closing tag.
            let close = format!("</{name}>");
            let end = rest.find(&close).ok_or("no end of a script")?;
            rest = &rest[end + close.len()..];
            all.push(Tag::Close(name));
        } else {
            open.push(name);
        }
    }
    text(rest, &mut all)?;
    if open.is_empty() { Ok(all) } else { Err(format!("{open:?} are open")) }
}

fn text(text: &str, all: &mut Vec<Tag>) -> Result<(), String> {
    if text.contains('>') || text.contains('"') {
        return Err(format!("unescaped: {text}"));
    }
    for part in text.split('&').skip(1) {
        let entity = part.split(';').next().unwrap_or_default();
        if !["lt", "gt", "amp", "quot", "#39"].contains(&entity) {
            return Err(format!("unescaped &: {part}"));
        }
    }
    if !text.is_empty() {
        all.push(Tag::Text(text.to_owned()));
    }
    Ok(())
}

fn attributes(inner: &str) -> Result<(String, Vec<(String, String)>), String> {
    let (name, mut rest) = inner.split_once(' ').unwrap_or((inner, ""));
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or_else(|| format!("bad: {rest}"))?;
        let (value, after) = value.split_once('"').ok_or_else(|| format!("open: {rest}"))?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(format!("an odd attribute: {name}"));
        }
        attributes.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(format!("an odd tag: {name}"));
    }
    Ok((name.to_owned(), attributes))
}
