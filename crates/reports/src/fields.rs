//! The data dictionary of fields outside datasets: rows of trials, the manifest, and facts in JSON.

use serde_json::{Value, json};
use stopwise_engine::game::Metric;
use stopwise_erased::{METRIC_COLUMN, TRIAL_COLUMNS};

use crate::numbers::as_read;

/// Names and meanings of fields.
type Fields = Vec<(&'static str, &'static str)>;

/// The fields of each; `trials` are written by --trials-out, and `json` is printed by --format json.
pub fn documents() -> [(&'static str, Fields); 3] {
    let trials = TRIAL_COLUMNS.iter().chain([&METRIC_COLUMN]).map(|column| (column.name, column.meaning));
    [("trials", trials.collect()), ("json", JSON.to_vec()), ("manifest.json", MANIFEST.to_vec())]
}

/// What is in the columns of rows of trials with these metrics, in order: `name`, `unit` and `meaning` of each.
pub fn trial_columns(metrics: &[Metric]) -> Value {
    let of_all = TRIAL_COLUMNS.iter().map(|column| (column.name, "", column.meaning));
    let measured = metrics.iter().map(|metric| (metric.name, as_read(metric).1, metric.meaning));
    let column = |(name, unit, meaning)| json!({ "name": name, "unit": unit, "meaning": meaning });
    of_all.chain(measured).map(column).collect()
}

/// Fields of `--format json`, of one command or another.
const JSON: &[(&str, &str)] = &[
    ("command", "the command, such as `simulate`"),
    ("game", "the game"),
    (
        "rules",
        "the preset or file, with every option that was changed; of a comparison of rules all, joined by ` / `, of `balance` the base",
    ),
    ("base", "balance: the rules that all variants are compared with"),
    ("variants", "balance: how many variants there are"),
    (
        "policy",
        "who played, with parameters; where seats differ one for each, joined by ` / `; not where several are compared",
    ),
    (
        "policies",
        "compare, rank, balance: how many policies are compared; replay: who plays, a list by seats",
    ),
    ("naive", "balance: the policy that stands for naive play"),
    (
        "seats",
        "how many play at a table, of `balance` under the base; null where settings differ in it; replay: how the trial ended for \
         each, a list",
    ),
    ("shared_turns", "whether all seats begin each turn together"),
    ("rotated", "whether policies move on by a seat from trial to trial"),
    (
        "trials",
        "the trials played, of each policy, variant or setting; of a race, by the one that played most",
    ),
    ("pilot_trials", "balance: the other trials that chose the best policy of every variant"),
    ("seed", "the seed of all dice; with the number of a trial it gives the trial again"),
    (
        "stream_scheme",
        "the version of how seed and trial become dice: the same version gives the same trials",
    ),
    ("stopped", "why a run that stops by looking ended"),
    ("reached", "whether what such a run was asked to know was known in the end"),
    ("metric", "what decides: the metric that is ranked, swept or solved for"),
    ("unit", "what one of that metric is"),
    ("method", "how intervals are made"),
    ("alpha", "rank: the chance that anything in the ranking is wrong, at most"),
    ("resolution", "rank: differences that are too small to matter, in the unit of the metric"),
    ("against", "sweep: the policy that plays in the other seats"),
    ("points", "sweep: the settings of the grid"),
    ("finished_points", "sweep: how many of them were played to the end"),
    ("trials_a_point", "sweep: the same as `trials`"),
    (
        "most",
        "sweep, of rules alone: the setting with the most of the metric, the first of those that may have it",
    ),
    ("least", "sweep, of rules alone: the one with the least"),
    ("pairing", "sweep: from which differences settings are compared"),
    ("combinations", "balance --search: the combinations of options; null without a search"),
    ("screened", "balance --search: how many of them were looked at; null without a search"),
    (
        "first_seat_edge",
        "the first seat's share of the games with a winner, of a win where those who tie share it, less a fair share",
    ),
    ("first_seat_edge_low", "lower limit of its 95 % interval"),
    ("first_seat_edge_high", "upper limit"),
    ("ties", "the share of the games that several seats win together, where those who tie share a win"),
    ("ties_low", "lower limit of its 95 % interval"),
    ("ties_high", "upper limit"),
    ("mean_length", "the mean number of turns of a game, of all seats together"),
    ("mean_length_low", "lower limit of its 95 % interval"),
    ("mean_length_high", "upper limit"),
    ("position", "advise: the position as text, which --state reads"),
    ("seat", "advise: who decides, from 1"),
    ("decision", "advise: what is decided"),
    ("best", "advise: the choice that is worth most; of a sweep it is a table"),
    ("value", "solve: the value of best play"),
    ("low", "solve: its certified lower bound"),
    ("high", "solve: its certified upper bound"),
    ("error", "solve: half the distance of the bounds, rounding included"),
    ("states", "solve: the positions that were walked"),
    ("cyclic_stages", "solve: parts of the game in which positions return"),
    ("architecture", "bench: the kind of processor"),
    ("instructions", "bench: the instructions that lanes use here"),
    ("complete", "whether all that was asked for was played and written"),
    ("answer", "what was found, in sentences"),
    ("warnings", "what may mislead, and what to do about it"),
    (
        "notes",
        "what is said on stderr after `note: ` of what is played, such as a table that these rules do not use",
    ),
    ("remarks", "the words of `--remark`, a text for each paragraph"),
    ("repeat", "a command that gives the same result again"),
    (
        "divergent",
        "compare --divergent: the trials that are listed, which no file has: `policy_a`, `policy_b`, `trial`, the `seat` that \
         decides and its `turn`, from 1, `decisions_before`, the `decision`, the actions `a` and `b`, and before these the state \
         of the game, in `state_PLACE` for each of its places",
    ),
    ("unsettled", "rank, of a race: the `policy` of each whose place is not settled, as a list"),
    (
        "cycles",
        "rank, of a round robin: the steps of all cycles, as a list: the `cycle` from 1, the `policy`, the next one, which it \
         `beats`, and its `share` of the games with a winner against that one",
    ),
    (
        "TABLE",
        "every table under the name of its file without `.csv`: a list with an object for each row; null if left out",
    ),
];

/// Fields of `manifest.json`.
const MANIFEST: &[(&str, &str)] = &[
    ("program", "stopwise"),
    ("version", "the version of the program"),
    ("command_line", "what was typed, word by word"),
    ("game", "the game"),
    ("game_text", "of a game as text its `file`, its `sha256` and its `text`"),
    (
        "rules",
        "`name`: the preset or file, with every option that was changed; `options`: all of them, and where several sets of \
         rules were played those of each by its name",
    ),
    (
        "policies",
        "for each policy its `lineup` and its `seat`, both from 1; `policy`: its name with parameters; the `file`, its \
         `sha256` and its `text`",
    ),
    ("rotation", "of rotated policies: the `rule`, and the `trials` of each rotation"),
    ("seed", "the seed of all dice"),
    ("stream_scheme", "the version of how seed and trial become dice"),
    (
        "shard",
        "of a part of a run: which, of how many; it has only this, `program`, `version`, `command_line`, `plan`, `run` and `complete`",
    ),
    ("plan", "of a part of a run: the command of the whole, word by word"),
    ("first_trial", "the number of the first trial"),
    ("trials", "the trials played"),
    (
        "requested_trials",
        "the trials asked for; those that were played, of a run that stops by looking and was not cut short",
    ),
    ("stopping", "of a run that stops by looking: its rule, and how it ended"),
    ("complete", "whether all that was asked for was played and written"),
    (
        "run",
        "digits of all that the results depend on; null where a policy is a function in Python. Where they are those of its own \
         run, and `complete` is true, --resume plays nothing; but with --trials-out it plays the run again for the rows, and in \
         Python for the result",
    ),
    ("left_out", "the files of large tables that an interrupted run had no time for"),
    ("runner", "what played: `lanes`, `trial` or `exact`; all give the same results"),
    ("instructions", "the instructions that lanes used"),
    ("threads", "how many threads played"),
    ("wall_seconds", "how long it took"),
    ("cpu_seconds", "the time of all threads together"),
    ("sweep", "of a sweep: its axes, and how many settings were played with how many trials"),
];
