//! `play`: a person at the terminal, alone or against policies. The game is a trial like others, in which one seat's answers
//! are typed.

mod drawing;
mod judged;
mod kept;
mod luck;
mod prompt;
mod review;
mod table;

use std::time::{SystemTime, UNIX_EPOCH};

use stopwise_erased::NamedRules;
use stopwise_narration::{about_under, grouped};

use super::advise::{lineup, wanted};
use crate::advice::{Advised, Advisor};
use crate::args::Play;
use crate::failure::Failure;
use crate::output::{Directory, Place, note, tell};
use crate::session::Session;
use crate::setup::{against, rules};
use crate::signals;
use crate::threads::Threads;

use kept::KEPT;
use prompt::{Said, Terminal};
pub(crate) use review::review;
pub(crate) use table::{Next, PlayedGame};

const INTERRUPTED: &str = "interrupted: the game is not over";
const NOT_REVIEWED: &str = "interrupted: the game is not reviewed to its end";
/// Trials for people have numbers below this, which are easily typed again.
const NUMBERS: u64 = 1_000_000;

pub(crate) fn play(session: &Session, args: &Play) -> Result<(), Failure> {
    if session.caller().is_some() {
        return Err(Failure::Input("play: a person plays at a terminal".into()));
    }
    let NamedRules { name, rules } = rules(session, &args.game)?;
    let (seat, others) = against(&*rules, args.seat, &args.against)?;
    let metric = wanted(&*rules, args.metric.as_deref())?;
    let others = lineup(session, &*rules, &others, None, args.seed)?;
    if others.is_empty() && rules.seats() > 1 {
        return Err(Failure::Input(
            "--against: no policy comes with this game; name a file that is one (docs/policies.md), or play alone where the \
             rules allow it: --set players=1"
                .into(),
        ));
    }
    let place =
        |path| Place { path, command: "play", force: args.force, run: None, is_ours: Some(kept::is_ours) };
    let directory = args.out.as_deref().map(|path| Directory::open(session, place(path), &[KEPT]));
    let directory = directory.transpose()?;
    signals::catch_for(session, INTERRUPTED)?;
    let trial = args.trial.unwrap_or_else(another);
    let mut table = PlayedGame::new(rules, others, seat, (args.seed, trial));
    let mut terminal = Terminal::new(session);
    terminal.show(&beginning(&table, &name))?;
    // The game is solved only once advice is asked for.
    let pool = Threads::new(args.threads, u64::MAX)?;
    let mut known: Option<Advisor> = None;
    let outcome = loop {
        let (news, next) = table.go_on()?;
        terminal.show(&news)?;
        let asked = match next {
            Next::Over(outcome) => break Some(outcome),
            Next::Asked(asked) => *asked,
        };
        let kind = table.kind(&asked);
        terminal.ask(&asked, &kind)?;
        match terminal.answer(&asked, &kind)? {
            Said::Choice(action) => table.answer(action),
            Said::Undo => match table.undo()? {
                true => terminal.say("Taken back; the dice fall as they did.")?,
                false => terminal.say("There is nothing to take back.")?,
            },
            Said::Advice => {
                let advisor = match &mut known {
                    Some(advisor) => advisor,
                    none => none.insert(pool.within(|| advisor_of(session, args, metric, (&table, &name)))?),
                };
                match pool.within(|| advisor.advise(session, asked)) {
                    Ok(found) => terminal.show_choices(&found)?,
                    Err(Failure::Input(why)) => terminal.say(&why)?,
                    Err(failure) => return Err(failure),
                }
            }
            Said::Rules => {
                let about = about_under(table.rules().entry(), [table.rules()]);
                terminal.say(&format!("{}\n\n{}", about.title, about.paragraphs.join("\n\n")))?;
            }
            Said::Quit => break None,
        }
    };
    let mut interrupted = None;
    if !args.no_review && table.has_decided() {
        let reviewed = pool.within(|| {
            let advisor = known.map_or_else(|| advisor_of(session, args, metric, (&table, &name)), Ok)?;
            review(session, &table, &advisor, outcome.as_ref())
        });
        match reviewed {
            Ok(review) => terminal.say(&review)?,
            // The game itself is kept.
            Err(Failure::Interrupted(_)) => interrupted = Some(Failure::Interrupted(NOT_REVIEWED.into())),
            Err(failure) => return Err(failure),
        }
    }
    let kept = kept::Kept { table: &table, args, others: &args.against };
    if let (Some(directory), Some(path)) = (directory, &args.out) {
        let text = kept.text(path);
        let written = directory.finish(true, &mut |_, file| file.write(text.as_bytes()).map(|()| true))?;
        note(session, &written.to_string());
        note(session, &format!("see it again: {}", kept.replay(path)));
    }
    if outcome.is_none() {
        tell(session, "The game is not over.\n")?;
        if args.out.is_some() {
            tell(session, "What is kept of it is told up to there.\n")?;
        }
    }
    interrupted.map_or(Ok(()), Err)
}

/// Another number each time: it decides which game a person plays, not a result.
fn another() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    u64::try_from(since % u128::from(NUMBERS)).unwrap_or(0)
}

fn advisor_of(
    session: &Session,
    args: &Play,
    metric: Option<usize>,
    (table, name): (&PlayedGame, &str),
) -> Result<Advisor, Failure> {
    // A policy that is named takes the person's seat; the others play on as before.
    let lineup = match (&args.advice, table.others()) {
        (None, others @ [_, ..]) => others.to_vec(),
        (advice, _) => lineup(session, table.rules(), advice.as_slice(), metric, args.seed)?
            .pop()
            .map_or_else(Vec::new, |own| table.with_own(own)),
    };
    let of = Advised {
        rules: table.shared_rules(),
        name: name.to_owned(),
        lineup,
        metric,
        trials: args.trials.map(|trials| trials.max(2)),
        seed: args.seed,
        by: args.by,
        memory: usize::MAX,
        quiet: false,
    };
    Advisor::new(session, of)
}

fn beginning(table: &PlayedGame, rules: &str) -> String {
    let game = table.rules().entry();
    let against = match table.labels().as_slice() {
        [] => String::new(),
        [one, more @ ..] if !more.is_empty() && more.iter().all(|label| label == one) => {
            format!("You are seat {}, against {one} in every other seat. ", table.seat() + 1)
        }
        labels => format!("You are seat {}, against {}. ", table.seat() + 1, labels.join(" / ")),
    };
    let how = match table.rules().kinds() {
        [] => "Nobody decides anything in this game: it is told to its end.",
        _ => {
            "Answer with a number or a word. ? says what each choice is worth,\n\
             undo takes an answer back, rules tells the rules, quit ends."
        }
    };
    format!(
        "{} · rules {rules}\n{}.\n{against}This is trial {} of seed {}.\n{how}\n",
        game.name,
        game.summary.trim_end_matches('.'),
        grouped(table.trial()),
        table.seed()
    )
}
