//! Names that nothing reads.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::syntax::{Expr, File, Form, Name, NamesForm, Report, Term};

/// Variables and definitions that nothing reads.
pub(super) fn unread(file: &File) -> Vec<Problem> {
    let mut read: BTreeSet<String> = BTreeSet::new();
    let mut note = |expr: &Expr| match &expr.term {
        Term::Word(word) => drop(read.insert(word.clone())),
        Term::Dot(_, name) | Term::Call(name, _) => drop(read.insert(name.text.clone())),
        _ => {}
    };
    file.each_declared(&mut note);
    file.options.iter().filter_map(|option| option.domain.as_ref()).for_each(|domain| domain.each(&mut note));
    for item in file.dice.iter().chain(&file.bags).flat_map(|faces| &faces.items) {
        let parts = item.times.iter().chain([&item.face]).chain(&item.to);
        parts.for_each(|part| part.each(&mut note));
    }
    for names in &file.names {
        if let NamesForm::List(Some(first), _) = &names.form {
            first.each(&mut note);
        }
    }
    let seen = file.see.iter().chain(file.candidates.iter().flat_map(|candidate| &candidate.lines));
    seen.for_each(|seen| seen.value.each(&mut note));
    let mut declared: Vec<(&Name, &str)> = Vec::new();
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    file.each_statement(&mut |statement| match &statement.form {
        Form::Assign(target, _, value) => {
            value.each(&mut note);
            // What is set is not read; its indices are.
            let mut target = target;
            loop {
                target = match &target.term {
                    Term::Index(array, indices) => {
                        indices.iter().for_each(|index| index.each(&mut note));
                        array
                    }
                    Term::Dot(player, _) => {
                        player.each(&mut note);
                        break;
                    }
                    _ => break,
                };
            }
        }
        Form::Count { name, of, by } => {
            counted.insert(&name.text);
            of.iter().chain(by).for_each(|expr| expr.each(&mut note));
        }
        Form::Do(name) => note(&Expr { span: 0..0, term: Term::Word(name.text.clone()) }),
        form => {
            statement.each_own(&mut note);
            match form {
                Form::Let(variable) => declared.push((&variable.name, "variable")),
                Form::Roll { parts, .. } => declared.extend(parts.iter().map(|part| (&part.name, "roll"))),
                Form::Chance { name, .. } => declared.push((name, "roll")),
                _ => {}
            }
        }
    });
    declared.extend(file.shared.iter().chain(&file.player).map(|variable| (&variable.name, "variable")));
    // How many play is read by all that is done in turn.
    let options = file.options.iter().filter(|option| option.name.text != "players");
    declared.extend(options.map(|option| (&option.name, "option")));
    declared.extend(file.defines.iter().map(|define| (&define.name, "definition")));
    declared.extend(file.steps.iter().map(|(name, _)| (name, "steps")));
    // An option `points.solid` is read as `solid` of `points`.
    let last = |name: &Name| name.text.rsplit('.').next().is_some_and(|last| read.contains(last));
    let unread = declared.into_iter().filter(|(name, _)| !last(name));
    let warning = |(name, what): (&Name, &str)| {
        let message = match what {
            "variable" | "roll" | "option" => format!("nothing reads `{}`", name.text),
            _ => format!("nothing uses `{}`", name.text),
        };
        Problem::new(name.span.clone(), message)
    };
    let uncounted = file.reports.iter().filter(|report| report.value.is_none());
    let uncounted = uncounted.filter(|report| !counted.contains(&*report.name.text));
    let never = |report: &Report| {
        let name = &report.name.text;
        Problem::new(report.name.span.clone(), format!("nothing counts `{name}`, which stays 0"))
            .help(format!("write `count {name}` where it happens, or `report {name} = VALUE`"))
    };
    unread.map(warning).chain(uncounted.map(never)).collect()
}
