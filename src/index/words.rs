//! What the index says of a thing: its declaration, its sort, the comments about it.

use super::entity::{Entity, EntityId, EntityKind, Place, Role};
use super::{Index, IndexedText};
use crate::source::Span;

/// The most lines of a declaration that are shown.
const SHOWN_LINES: usize = 12;

impl Index {
    /// The rank of a thing, such as `holds(node)`, `epoch(node): int` or `n: node`.
    pub fn rank(&self, id: EntityId) -> String {
        let Entity { name, sort, .. } = self.entity(id);
        let params = self.params(id);
        let params = params.iter().map(|(name, sort)| match (name, sort) {
            (Some(name), Some(sort)) => format!("{name}: {sort}"),
            (Some(only), None) | (None, Some(only)) => only.to_string(),
            (None, None) => "?".to_owned(),
        });
        let params: Vec<String> = params.collect();
        let params =
            if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let sort = sort.as_ref().map_or_else(String::new, |sort| format!(": {sort}"));
        format!("{name}{params}{sort}")
    }

    /// The declaration of a thing, as it was written; for an action its first line.
    pub fn declaration(&self, id: EntityId) -> String {
        let entity = self.entity(id);
        match entity.kind {
            EntityKind::Parameter | EntityKind::Variable | EntityKind::CutoffElement => {
                return self.rank(id);
            }
            EntityKind::Action => return format!("action {}", self.rank(id)),
            EntityKind::Case => {
                let written = self.written(entity);
                let heading = written.split('{').next().unwrap_or_default();
                return heading.trim_end().to_owned();
            }
            _ => {}
        }
        let written = self.written(entity);
        let mut lines: Vec<&str> = written.lines().take(SHOWN_LINES).collect();
        if written.lines().count() > SHOWN_LINES {
            lines.push("…");
        }
        lines.join("\n")
    }

    fn written<'a>(&'a self, entity: &'a Entity) -> &'a str {
        let Span { start, end } = entity.declaration;
        self.text(entity.text).get(start..end).unwrap_or(&entity.name)
    }

    /// The comment about a thing: the lines directly above its declaration, or what follows it.
    pub fn comment(&self, id: EntityId) -> Option<String> {
        let entity = self.entity(id);
        if matches!(entity.kind, EntityKind::Parameter | EntityKind::Variable) {
            return None;
        }
        comment(self.text(entity.text), entity.declaration)
    }

    /// What is worth knowing of a thing at one of its places, in a sentence.
    pub fn remark(&self, place: &Place) -> Option<String> {
        let entity = self.entity(place.entity);
        let word = self.text(place.text).get(place.word.start..place.word.end)?;
        let (name, owner) = (&entity.name, entity.owner.map(|owner| self.entity(owner)));
        let suffix = word.get(place.name.end - place.word.start..)?;
        let system = match suffix {
            "_L" => Some(format!("`{word}` is `{name}` in the large instance `L`.")),
            "_L'" => {
                Some(format!("`{word}` is `{name}` in the large instance `L` after the step."))
            }
            "_C" => Some(format!("`{word}` is `{name}` in the cutoff instance `C`.")),
            _ if word.starts_with("any_") && !name.starts_with("any_") => {
                Some(format!("`{word}` is what the action of `L` picked for `{name}`."))
            }
            _ => None,
        };
        let kind = match (entity.kind, owner) {
            (EntityKind::Parameter, Some(owner)) => {
                Some(format!("A parameter of `{}`.", owner.name))
            }
            (EntityKind::Element, Some(owner)) => Some(format!("An element of `{}`.", owner.name)),
            (EntityKind::CutoffElement, _) => Some("An element of the cutoff instance.".to_owned()),
            (EntityKind::Variable, _) => Some(match &entity.sort {
                Some(_) => "A variable.".to_owned(),
                None => "A variable; its sort is not known here.".to_owned(),
            }),
            _ => self.assignments(place.entity),
        };
        let remarks: Vec<String> = system.into_iter().chain(kind).collect();
        (!remarks.is_empty()).then(|| remarks.join(" "))
    }

    /// Which actions assign a symbol.
    fn assignments(&self, id: EntityId) -> Option<String> {
        if !self.entity(id).kind.is_assignable() {
            return None;
        }
        let writes = self
            .places_of(id)
            .filter(|place| place.role == Role::Writes && place.text == IndexedText::Protocol);
        let mut actions: Vec<String> = writes
            .filter_map(|place| Some(format!("`{}`", self.entity(place.within?).name)))
            .collect();
        actions.dedup();
        Some(match actions.as_slice() {
            [] => "No action assigns it.".to_owned(),
            _ => format!("Assigned by {}.", actions.join(", ")),
        })
    }
}

/// The comment lines directly above a declaration, and the comment behind it on its last line.
fn comment(text: &str, declaration: Span) -> Option<String> {
    let before = text.get(..declaration.start)?;
    let above = before.rfind('\n').map_or("", |end| &before[..end]);
    let mut lines: Vec<&str> =
        above.lines().rev().map_while(|line| line.trim().strip_prefix('#')).collect();
    lines.reverse();
    let behind = text.get(declaration.end..)?.lines().next().unwrap_or_default();
    lines.extend(behind.trim().strip_prefix('#'));
    let lines: Vec<&str> = lines.into_iter().map(str::trim).collect();
    let words = lines.join("\n").trim().to_owned();
    (!words.is_empty()).then_some(words)
}
