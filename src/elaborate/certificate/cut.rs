//! The cut sorts of a case, their elements, and the maps into them.

use crate::certificate::{CutSort, ProductSort, ProductSymbol};
use crate::elaborate::codes;
use crate::frontend::certificate::surface::Section;
use crate::logic::{Definition, Name, Term, Var};

use super::case::CaseBuilder;
use super::names::ReadableSystems;

/// The most elements of a cut sort.
const MAX_ELEMENTS: usize = 1000;

impl CaseBuilder<'_> {
    /// Cut sorts in two steps: the elements first, since a map may name those of another sort.
    pub(super) fn cut(&mut self) {
        for section in &self.item.sections {
            let Section::Cut { sort, elements } = &section.value else { continue };
            let Some(id) = self.names.signature.find_sort(&sort.value) else {
                self.nothing_named(codes::UNKNOWN_SORT, "there is no sort", sort);
                continue;
            };
            if self.names.cut.iter().any(|cut| cut.sort == id) {
                self.error(format!("`{}` is cut twice", sort.value), sort.span);
                continue;
            }
            if self.names.signature.elements(id).is_some() {
                let message = format!("`{}` is an enumeration and cannot be cut", sort.value);
                let hint = "its elements are the same in L and in C: leave this line out";
                self.error_with_hint(message, sort.span, hint.to_owned());
                continue;
            }
            let count = elements.len();
            if count > MAX_ELEMENTS {
                let name = &sort.value;
                let message = format!("`{name}` has {count} elements; {MAX_ELEMENTS} is the limit");
                self.error(message, sort.span);
                continue;
            }
            if count == 0 {
                self.error(format!("`{}` needs at least one element", sort.value), sort.span);
                continue;
            }
            let mut own: Vec<Name> = Vec::new();
            for element in elements {
                self.fresh(element);
                if own.contains(&element.value) {
                    self.error(format!("`{}` is listed twice", element.value), element.span);
                }
                own.push(element.value.clone());
            }
            let param = Var::new("n", ProductSort::Large(id));
            let first =
                Term::apply(ProductSymbol::Element(id, 0), Vec::new(), ProductSort::Cutoff(id));
            let sim = Definition::function(vec![param], first);
            self.names.cut.push(CutSort { sort: id, elements: own, sim });
        }
        for index in 0..self.names.cut.len() {
            self.sim(index);
        }
        self.stray_maps();
    }

    fn sim(&mut self, index: usize) {
        let sort = self.names.cut[index].sort;
        let name = self.names.signature.sort_name(sort).clone();
        let mut maps = self.item.sections.iter().filter_map(|section| match &section.value {
            Section::Sim(definition) if definition.name.value == name => Some(definition),
            _ => None,
        });
        let Some(map) = maps.next() else {
            let elements = &self.names.cut[index].elements;
            if elements.len() > 1 {
                let message = format!("`{name}` is cut but has no map");
                let hint = format!("add `sim {name}(n) := …`");
                self.error_with_hint(message, self.item.name.span, hint);
            }
            return;
        };
        let [param] = map.params.as_slice() else {
            return self.error("a map has one parameter", map.name.span);
        };
        self.fresh(&param.name);
        let param = Var::new(param.name.value.clone(), ProductSort::Large(sort));
        let vars = [param.clone()];
        let value = self.term(&map.value, ProductSort::Cutoff(sort), ReadableSystems::Rigid, &vars);
        if let Some(value) = value {
            if value.symbols().iter().any(|symbol| matches!(symbol, ProductSymbol::Sim(_))) {
                self.error("a map may not be defined by a map", map.value.span);
            }
            self.names.cut[index].sim = Definition::function(vec![param], value);
        }
    }

    fn stray_maps(&mut self) {
        for section in &self.item.sections {
            if let Section::Sim(map) = &section.value {
                let cut = self.names.signature.find_sort(&map.name.value);
                let cut = cut.and_then(|sort| self.names.cut_sort(sort));
                if cut.is_none() {
                    self.error(format!("`{}` is not cut", map.name.value), map.name.span);
                }
            }
        }
    }
}
