//! From the syntax tree to a program, for one set of option values.
//!
//! Names, kinds and ranges are checked on the way: there is one reading of the text, and every mistake is recorded while
//! compiling goes on with a value that is no reason for further complaints.

mod ahead;
mod ask;
mod ask_all;
mod asked;
mod bags;
mod call;
mod candidates;
mod chance;
mod domain;
mod draw;
mod emit;
mod ends;
mod expression;
mod finish;
mod flow;
mod jumps;
mod kinds;
mod liveness;
mod metrics;
mod names;
mod next;
mod paid;
mod places;
mod planes;
mod positions;
mod readings;
mod statement;
mod tabulate;
mod thrown;
mod ties;
mod told;
mod value;
mod values;
mod variable;
mod winners;
mod world;
mod worth;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::op::{Cell, GameOption, Op, Program, Reg, Target};
use crate::problem::{Problem, Span, unknown};
use crate::syntax::{File, Form, Name};
pub(crate) use ask::NOTHING_FOR_ALL;
#[cfg(test)]
pub(crate) use call::FUNCTIONS;
use value::{At, Val};
use variable::Var;
use world::{Atom, Die, Universe};
pub(crate) use world::{Given, given};

/// The most instructions of a program, and turns of loops in loops that are run through at once.
const MOST_OPS: usize = 60_000;
const MOST_PASSES: i64 = 20_000;
/// The most statements and expressions in each other, through definitions and steps.
const DEEPEST: usize = 320;

/// What a name means, outside of blocks.
#[derive(Clone, Debug)]
enum Global {
    /// An option, or a number that depends on options only.
    Constant(Val),
    /// An option with named values: its value and all values.
    Named(String, Vec<String>),
    Names(usize),
    Atom(i64),
    Die(usize),
    Bag(Val),
    Define(usize),
    Variable(usize),
    Steps(usize),
}

/// What a local name means.
#[derive(Clone, Debug)]
enum Local {
    Value(Val),
    Variable(usize),
}

/// Where `break` and `again` lead.
#[derive(Clone, Copy, Debug)]
struct LoopLabels {
    again: Target,
    leave: Target,
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug)]
struct CellInfo {
    bits: u32,
    low: i64,
    /// The number of its values.
    values: i64,
    /// Whether it is a safety net that no position contains.
    is_memory: bool,
}

#[derive(Default)]
struct Compiler<'f> {
    file: &'f File,
    program: Program,
    problems: Vec<Problem>,
    ops: Vec<Op>,
    registers: Reg,
    labels: Target,
    globals: BTreeMap<String, Global>,
    atoms: Vec<Atom>,
    universes: Vec<Universe>,
    dice: Vec<Die>,
    /// Layouts by universe; the most of every face that a declared bag holds.
    layouts: BTreeMap<usize, u16>,
    declared: BTreeMap<usize, Vec<i64>>,
    pools: BTreeMap<(usize, u16, i64), (u32, u32)>,
    tables: BTreeMap<Vec<i64>, u16>,
    parts: BTreeMap<u16, (Vec<i64>, i64)>,
    worths: BTreeMap<u16, (Vec<i64>, i64)>,
    variables: Vec<Var>,
    /// Assignments: the variable, whether they may raise it, and whether they may lower it.
    moves: Vec<(usize, bool, bool)>,
    /// Numbers that are paid out as they are added to, each with its event; and whether one of them is lowered.
    paid: Vec<(String, u8)>,
    is_unpaid: bool,
    /// The names of rolls, draws and answers, by their variable and by their place; and by place the values that later
    /// lines give them, for another pass.
    given: BTreeMap<usize, usize>,
    wider: BTreeMap<usize, Val>,
    is_wider: bool,
    /// The dice for which bags of a universe have room; whether it was too little somewhere, so that the text is compiled again.
    room: BTreeMap<usize, i64>,
    is_crowded: bool,
    cells: Vec<CellInfo>,
    locals: Vec<(String, Local)>,
    /// The first local of the definition, or of the words for policies, that is compiled.
    scope: usize,
    /// The player looked at, where that is not whose turn it is.
    me: Option<Val>,
    loops: Vec<LoopLabels>,
    /// The calls of definitions and steps that are being put in place.
    calls: Vec<String>,
    /// The statements and expressions that are being compiled, one within the other.
    deep: usize,
    /// Above 0 in what options shut off.
    dead: usize,
    /// Whether some options have values that are given.
    is_varied: bool,
    /// Whether this is before the first turn.
    is_setup: bool,
    /// Whether `round` is the number of the next round.
    is_next_round: bool,
    /// Whether nothing that follows in a block is ever done.
    is_stuck: bool,
    /// The turns of the loops around.
    passes: i64,
    labels_of: ends::Labels,
    hidden: ends::Hidden,
    /// Calculations for policies, put after the program.
    readings: Vec<Op>,
    /// What names of the open blocks stand for.
    meant: Vec<asked::Meant>,
    is_reading: bool,
    ahead: ahead::Ahead,
    /// The words of `see`, with their problems while no question has been found at which they can be read.
    seen: BTreeMap<String, Option<Vec<Problem>>>,
    /// Cells of answers that are hidden at a site.
    veiled: BTreeMap<u32, Vec<Cell>>,
    /// Rolls before which positions have their events.
    untold: BTreeSet<u32>,
    measure: Target,
    /// Whether nothing is calculated for all at once.
    is_plain: bool,
}

/// Compiles a game for these values of its options.
///
/// # Errors
///
/// All mistakes that are found under these options.
pub(crate) fn compile(file: &File, given: &[Given]) -> Result<Program, Vec<Problem>> {
    compiled(file, given, false)
}

/// The same, with nothing calculated for all at once.
#[cfg(test)]
pub(crate) fn compile_plainly(file: &File, given: &[Given]) -> Result<Program, Vec<Problem>> {
    compiled(file, given, true)
}

fn compiled(file: &File, given: &[Given], is_plain: bool) -> Result<Program, Vec<Problem>> {
    let (mut may_pay, mut wider, mut room) = (true, BTreeMap::new(), BTreeMap::new());
    loop {
        let mut compiler = Compiler::new(file);
        (compiler.wider, compiler.room, compiler.is_plain) = (wider, room, is_plain);
        compiler.program.name.clone_from(&file.name);
        compiler.program.meaning.clone_from(&file.meaning);
        compiler.is_varied = !given.is_empty();
        compiler.world(given);
        if may_pay {
            compiler.paid_out();
        }
        compiler.questions();
        compiler.game();
        if !compiler.problems.is_empty() {
            return Err(compiler.problems);
        }
        if !compiler.is_unpaid && !compiler.is_wider && !compiler.is_crowded {
            return compiler.finish();
        }
        may_pay &= !compiler.is_unpaid;
        (wider, room) = (compiler.wider, compiler.room);
    }
}

/// The options of a game, with these values.
///
/// # Errors
///
/// The mistakes of the options.
pub(crate) fn options(file: &File, given: &[Given]) -> Result<Vec<GameOption>, Vec<Problem>> {
    let mut compiler = Compiler::new(file);
    compiler.declare_options(given);
    if compiler.problems.is_empty() { Ok(compiler.program.options) } else { Err(compiler.problems) }
}

/// A text with nothing in it.
impl Default for &File {
    fn default() -> Self {
        static NOTHING: LazyLock<File> = LazyLock::new(File::default);
        &NOTHING
    }
}

impl<'f> Compiler<'f> {
    fn new(file: &'f File) -> Self {
        Self { file, passes: 1, ..Self::default() }
    }
}

impl Compiler<'_> {
    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn wrong(&mut self, span: &Span, message: impl Into<String>) {
        self.problem(Problem::new(span.clone(), message));
    }

    /// Compiles what stands in what is compiled; nothing where that is too deep for any stack.
    fn deeper<T>(&mut self, span: &Span, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.deep >= DEEPEST {
            if self.problems.is_empty() {
                let message =
                    format!("this is more than {DEEPEST} deep, with the definitions and steps it is in");
                self.advise(span, message, "let fewer definitions use one another");
            }
            return None;
        }
        self.deep += 1;
        let value = inner(self);
        self.deep -= 1;
        Some(value)
    }

    /// What is wrong, and what to write instead.
    fn advise(&mut self, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.problem(Problem::new(span.clone(), message).help(help));
    }

    /// A name is none of those that are known.
    fn none_of<'n>(&mut self, span: &Span, what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) {
        self.problem(unknown(span.clone(), what, name, known));
    }

    /// What is wrong, and no value.
    fn broken(&mut self, span: &Span, message: impl Into<String>) -> Val {
        self.wrong(span, message);
        Val::broken()
    }

    /// The names that can be seen, for the advice of a problem.
    fn visible(&self) -> Vec<String> {
        let locals = self.locals.iter().map(|(name, _)| name.clone());
        locals.chain(self.globals.keys().cloned()).collect()
    }

    fn unknown(&mut self, span: &Span, what: &str, name: &str) {
        if let "everyone" | "others" = name {
            let help = format!("write a loop, and the name of its player here: `for p in {name}: …`");
            return self.advise(span, format!("`{name}` are several players, and one is needed here"), help);
        }
        let visible = self.visible();
        let known = visible
            .iter()
            .map(String::as_str)
            .chain(["yes", "no", "none", "me", "everyone", "others", "round"]);
        let mut problem = unknown(span.clone(), what, name, known);
        let candidates = self.file.candidates.iter().flat_map(|candidate| &candidate.lines);
        if self.file.see.iter().chain(candidates).any(|seen| seen.name.text == name) {
            problem = Problem::new(span.clone(), format!("`{name}` is known to policies only"));
            problem = problem.help(format!("write `define NAME = …` with a name of its own, and use that in both places: `see {name} = NAME`"));
        }
        let mut is_let = false;
        self.file.each_statement(&mut |statement| {
            is_let |= matches!(&statement.form, Form::Let(variable) if variable.name.text == name);
        });
        if is_let {
            problem = Problem::new(
                span.clone(),
                format!("`{name}` is a `let`, which is not there outside of its block"),
            );
            problem = problem.help(
                "what lasts for the whole game is declared by `player` or `shared`; what happens in a turn or round is counted \
                 for results by `count`",
            );
        }
        self.problem(problem);
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|(local, _)| local == name).map(|(_, local)| local)
    }

    /// Makes a local name known.
    fn bind(&mut self, name: &str, span: &Span, local: Local) {
        self.check_word(name, span);
        let is_local = self.locals[self.scope..].iter().any(|(local, _)| local == name);
        if is_local || self.globals.contains_key(name) {
            self.wrong(span, format!("`{name}` is the name of something else already"));
        }
        self.locals.push((name.to_owned(), local));
    }

    /// The same in one of several passes: only in the first is the name looked at.
    fn bind_nth(&mut self, pass: usize, name: &Name, local: Local) {
        match pass {
            0 => self.bind(&name.text, &name.span, local),
            _ => self.locals.push((name.text.clone(), local)),
        }
    }

    fn check_word(&mut self, name: &str, span: &Span) {
        if RESERVED.contains(&name) {
            self.wrong(span, format!("`{name}` is a word of the language, and no name"));
        }
    }

    /// A number that must depend on options only.
    fn constant(&mut self, expr: &crate::syntax::Expr) -> i64 {
        let value = self.number(expr);
        match value.at {
            At::Const(number) => number,
            At::Reg(_) => {
                self.wrong(&expr.span, "this must depend on options only");
                value.lo
            }
        }
    }

    /// Compiles what options shut off: only for its mistakes, and those that may be due to the options are left out.
    fn shut_off(&mut self, compile: impl FnOnce(&mut Self)) {
        let ops = std::mem::take(&mut self.ops);
        let (cells, variables) = (self.cells.len(), self.variables.len());
        let sites = self.program.sites.len();
        let locals = self.locals.len();
        let passes = self.passes;
        self.dead += 1;
        compile(self);
        self.dead -= 1;
        self.passes = passes;
        self.locals.truncate(locals);
        self.cells.truncate(cells);
        self.variables.truncate(variables);
        self.program.sites.truncate(sites);
        self.ops = ops;
    }
}

/// Words of the grammar and the given words.
pub(crate) const RESERVED: [&str; 31] = [
    "let", "roll", "draw", "ask", "if", "repeat", "for", "break", "again", "do", "bust", "end", "count",
    "and", "or", "not", "in", "where", "of", "by", "from", "else", "yes", "no", "none", "me", "everyone",
    "others", "round", "it", "game",
];
