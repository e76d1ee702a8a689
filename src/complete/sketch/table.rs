//! Truth tables as short formulas: a greedy cover by conjunctions of as few conditions as possible.

use crate::frontend::syntax::surface::{Expression, ExpressionKind};
use crate::source::Span;

/// The formula of a table; row `r` has condition `i` true where bit `i` of `r` is set.
pub(super) fn expression(conditions: &[Expression], rows: &[bool], span: Span) -> Expression {
    let truth = |value| Expression::new(ExpressionKind::Truth(value), span);
    if rows.iter().all(|row| *row) {
        return truth(true);
    }
    let mut open: Vec<usize> = (0..rows.len()).filter(|row| rows[*row]).collect();
    let mut cubes = Vec::new();
    while !open.is_empty() {
        let Some(cube) = best(conditions.len(), rows, &open) else { break };
        open.retain(|row| row & cube.0 != cube.1);
        cubes.push(cube);
    }
    let parts: Vec<Expression> =
        cubes.iter().map(|cube| conjunction(conditions, *cube, span)).collect();
    joined(parts, span, ExpressionKind::Or).unwrap_or_else(|| truth(false))
}

/// The conjunction that is true of no false row and of the most open ones; the shortest of these.
/// The first number has the conditions that are mentioned, the second those that are true.
fn best(conditions: usize, rows: &[bool], open: &[usize]) -> Option<(usize, usize)> {
    let all = 0..1_usize << conditions;
    let cubes = all.clone().flat_map(|mask| {
        let values = (0..1_usize << conditions).filter(move |value| value & !mask == 0);
        values.map(move |value| (mask, value))
    });
    let is_sound = |(mask, value): &(usize, usize)| {
        rows.iter().enumerate().all(|(row, truth)| *truth || row & mask != *value)
    };
    let key = |(mask, value): &(usize, usize)| {
        let covered = open.iter().filter(|row| **row & mask == *value).count();
        (std::cmp::Reverse(covered), mask.count_ones(), *mask, *value)
    };
    cubes.filter(is_sound).min_by_key(key)
}

fn conjunction(conditions: &[Expression], (mask, value): (usize, usize), span: Span) -> Expression {
    let literals = conditions.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
    let literals = literals.map(|(index, condition)| match value >> index & 1 == 1 {
        true => condition.clone(),
        false => Expression::new(ExpressionKind::Not(condition.clone()), condition.span),
    });
    let truth = Expression::new(ExpressionKind::Truth(true), span);
    joined(literals.collect(), span, ExpressionKind::And).unwrap_or(truth)
}

fn joined(
    mut parts: Vec<Expression>,
    span: Span,
    join: fn(Vec<Expression>) -> ExpressionKind,
) -> Option<Expression> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Expression::new(join(parts), span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::print_expression;

    fn shown(rows: &[bool]) -> String {
        let name = |name: &str| Expression::new(ExpressionKind::Name(name.into()), Span::default());
        let conditions = ["a", "b", "c"].map(name);
        let count = rows.len().trailing_zeros() as usize;
        print_expression(&expression(&conditions[..count], rows, Span::default()))
    }

    #[test]
    fn tables_are_short_formulas() {
        assert_eq!(shown(&[true, true]), "true");
        assert_eq!(shown(&[false, false]), "false");
        assert_eq!(shown(&[false, true]), "a");
        assert_eq!(shown(&[true, false, true, false]), "~a");
        assert_eq!(shown(&[false, true, true, true]), "a | b");
        assert_eq!(shown(&[false, true, true, false]), "(a & ~b) | (~a & b)");
    }

    #[test]
    fn every_table_of_three_conditions_is_meant() {
        for table in 0..256_usize {
            let rows: Vec<bool> = (0..8).map(|row| table >> row & 1 == 1).collect();
            let text = shown(&rows);
            for (row, wanted) in rows.iter().enumerate() {
                let value = |name: char| row >> (name as usize - 'a' as usize) & 1 == 1;
                let clause = |clause: &str| {
                    clause.split('&').map(|own| own.trim_matches([' ', '(', ')'])).all(|literal| {
                        match literal {
                            "true" => true,
                            "false" => false,
                            _ => {
                                let negated = literal.starts_with('~');
                                let name = literal.trim_start_matches('~').chars().next();
                                value(name.expect("a condition")) != negated
                            }
                        }
                    })
                };
                assert_eq!(text.split('|').any(clause), *wanted, "{text} in row {row}");
            }
        }
    }
}
