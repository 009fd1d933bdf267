//! The syntax tree of a game. Its meaning is described in the language's reference; here is what was written.

use crate::problem::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// What may stand after a declaration: `UNIT MEANING`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The unit of a number.
    pub unit: Option<String>,
    /// A text for people.
    pub meaning: Option<String>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "each field has the declarations of its name, in the order of the text")]
pub struct File {
    pub name: String,
    pub meaning: String,
    pub options: Vec<Choice>,
    pub presets: Vec<Preset>,
    pub names: Vec<Names>,
    pub dice: Vec<Faces>,
    pub bags: Vec<Faces>,
    pub worth: Vec<Worth>,
    pub defines: Vec<Define>,
    pub shared: Vec<Variable>,
    pub player: Vec<Variable>,
    /// What is done before the first turn.
    pub setup: Option<Block>,
    /// The block of `turn` or `round`.
    pub play: Option<Play>,
    pub steps: Vec<(Name, Block)>,
    pub ends: Vec<End>,
    pub win: Vec<(Most, Expr)>,
    pub alone: Option<Alone>,
    pub tie: Option<Tie>,
    pub candidates: Vec<Candidate>,
    pub see: Vec<Seen>,
    pub reports: Vec<Report>,
    pub expects: Vec<Expect>,
}

/// `option NAME = VALUE in DOMAIN`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Choice {
    pub name: Name,
    pub value: Expr,
    pub domain: Option<Domain>,
    pub words: Words,
}

/// `preset NAME`: options with their values.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Preset {
    pub name: Name,
    pub meaning: Option<String>,
    pub values: Vec<(Name, Expr)>,
}

/// `names NAME = …`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Names {
    pub name: Name,
    pub form: NamesForm,
}

/// The two forms of `names`.
#[derive(Clone, Debug)]
pub enum NamesForm {
    /// `[first EXPR of] NAME, NAME, …`
    List(Option<Expr>, Vec<Name>),
    /// `NAME * NAME`: every pair.
    Product(Name, Name),
}

/// `die NAME = FACES` or `bag NAME = FACES`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Faces {
    pub name: Name,
    pub items: Vec<FaceItem>,
}

/// `[EXPR of] FACE` or `[EXPR of] FROM .. TO`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the item")]
pub struct FaceItem {
    pub times: Option<Expr>,
    pub face: Expr,
    pub to: Option<Expr>,
}

/// `worth DIE` with its lines.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The die.
    pub die: Name,
    /// The faces of each line, and what they are worth.
    pub lines: Vec<(Vec<Expr>, Expr)>,
}

/// `define NAME(NAME, …) = EXPR`; several lines are rows of a condition and a value, the last without condition.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Define {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub lines: Vec<(Option<Expr>, Expr)>,
}

/// A variable: `NAME [ "[" INDICES "]" ] = EXPR [in DOMAIN]`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Variable {
    pub name: Name,
    pub indices: Vec<(Option<Name>, Domain)>,
    pub value: Expr,
    pub range: Option<Domain>,
    pub words: Words,
}

/// `turn` or `round`.
#[derive(Clone, Debug)]
pub struct Play {
    /// Whether all players play it together.
    pub is_round: bool,
    /// `where CONDITION`: of a player for whom it does not hold, the turn is passed over.
    pub filter: Option<Expr>,
    /// What is done.
    pub block: Block,
    /// The place of the word.
    pub span: Span,
}

/// `end …` outside of a block.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct End {
    pub span: Span,
    pub early: bool,
    pub name: Option<Name>,
    pub form: EndForm,
    /// The condition as it is written, if there is one.
    pub said: String,
}

/// When a game ends.
#[derive(Clone, Debug)]
pub enum EndForm {
    /// `when CONDITION`, and what is still played.
    When(Expr, Still),
    /// `after EXPR turns`, or `rounds` if true.
    After(Expr, bool),
    /// `when one is left`, or `when nobody is left` if 0: at most so many have turns.
    Left(i64),
    /// Only the meaning of an ending that `end game` names.
    Means(String),
}

/// What is played after the condition of an end holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// Nothing.
    Nothing,
    /// `after equal turns`.
    EqualTurns,
    /// `after one more turn for the others`.
    OneMoreTurn,
}

/// `most` or `least`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words")]
pub enum Most {
    Most,
    Least,
}

/// `alone …`.
#[derive(Clone, Debug)]
pub enum Alone {
    /// `alone least turns`.
    Turns,
    /// `alone most EXPR`, `alone least EXPR`.
    Score(Most, Expr),
}

/// `tie …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words")]
pub enum Tie {
    Share,
    Nobody,
    ByLot,
    PlayOn,
}

/// `candidate QUESTION, …` with its lines.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The questions.
    pub questions: Vec<Name>,
    /// What policies can read of a candidate.
    pub lines: Vec<Seen>,
}

/// `NAME = EXPR UNIT MEANING`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Seen {
    pub name: Name,
    pub value: Expr,
    pub words: Words,
}

/// `report NAME [= EXPR]`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Report {
    pub name: Name,
    pub value: Option<Expr>,
    pub words: Words,
}

/// `expect METRIC = NUMBER within NUMBER with …`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the declaration")]
pub struct Expect {
    pub metric: Name,
    pub number: String,
    pub within: String,
    pub with: Vec<With>,
    pub meaning: Option<String>,
}

/// What an expected value is of.
#[derive(Clone, Debug)]
pub enum With {
    /// A preset.
    Preset(Name),
    /// An option with its value.
    Option(Name, Expr),
    /// A policy.
    Policy(Name),
}

/// Statements one after the other.
pub type Block = Vec<Statement>;

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The place of its first line.
    pub span: Span,
    /// What it says.
    pub form: Form,
}

/// The statements.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the statement")]
pub enum Form {
    Let(Variable),
    /// The sign is `=`, `+=` or `-=`.
    Assign(Expr, &'static str, Expr),
    Roll {
        parts: Vec<RollPart>,
        by: Option<Expr>,
    },
    Chance {
        name: Name,
        yes: Expr,
        of: Expr,
        by: Option<Expr>,
    },
    Draw {
        name: Name,
        many: Option<Expr>,
        bag: Expr,
        by: Option<Expr>,
        otherwise: Option<Block>,
    },
    Ask {
        name: Name,
        of: Option<Expr>,
        domain: Option<Domain>,
        filter: Option<Expr>,
        meaning: Option<String>,
        yes: Block,
        otherwise: Option<Block>,
    },
    AskAll {
        name: Name,
        player: Name,
        domain: Domain,
        filter: Option<Expr>,
        /// What each chooses from, and which of it; without it the answer is yes or no.
        choices: Option<(Domain, Option<Expr>)>,
        meaning: Option<String>,
    },
    If(Vec<(Expr, Block)>, Option<Block>),
    Repeat(Option<Expr>, Block),
    For(Loop, Block),
    Break,
    Again,
    Do(Name),
    Bust,
    /// `end turn`, and who plays next if it is not the next seat.
    EndTurn(Option<Expr>),
    EndRound,
    /// The ending, and who has won or lost with it.
    EndGame(Name, Option<(Verdict, Expr)>),
    Count {
        name: Name,
        of: Option<Expr>,
        by: Option<Expr>,
    },
}

/// `won by PLAYER` or `lost by PLAYER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words")]
pub enum Verdict {
    Won,
    Lost,
}

/// `NAME = [EXPR] DIE`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the roll")]
pub struct RollPart {
    pub name: Name,
    pub many: Option<Expr>,
    pub dice: Expr,
}

/// `NAME in DOMAIN [where CONDITION]`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are the parts of the loop")]
pub struct Loop {
    pub name: Name,
    pub domain: Box<Domain>,
    pub filter: Option<Box<Expr>>,
}

/// What is run through, or what a value may be.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `EXPR .. EXPR`.
    Range(Expr, Expr),
    /// One or more expressions; one may stand for many: names, a bag, `everyone`, `parts(…)`.
    List(Vec<Expr>),
}

impl Domain {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Self::Range(from, to) => from.span.start..to.span.end,
            Self::List(items) => match (items.first(), items.last()) {
                (Some(first), Some(last)) => first.span.start..last.span.end,
                _ => 0..0,
            },
        }
    }

    /// Whether it is one word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::List(items) if matches!(&items[..], [item] if item.word() == Some(word)))
    }
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The place.
    pub span: Span,
    /// What it says.
    pub term: Term,
}

impl Expr {
    /// The name, or word, that is all of it.
    pub fn word(&self) -> Option<&str> {
        match &self.term {
            Term::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the field's terms")]
pub enum Term {
    Number(i64),
    Word(String),
    Index(Box<Expr>, Vec<Expr>),
    Dot(Box<Expr>, Name),
    Call(Name, Vec<Expr>),
    Fold(Fold, Loop, Option<Box<Expr>>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Box<Domain>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// `sum(x in …)` and its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words")]
pub enum Fold {
    Sum,
    Count,
    Min,
    Max,
    Any,
    All,
    Those,
}

impl Fold {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "sum" => Self::Sum,
            "count" => Self::Count,
            "min" => Self::Min,
            "max" => Self::Max,
            "any" => Self::Any,
            "all" => Self::All,
            "those" => Self::Those,
            _ => return None,
        })
    }
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's terms")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}

impl Operator {
    pub(crate) fn of_sign(sign: &str) -> Option<(Self, u8)> {
        Some(match sign {
            "or" => (Self::Or, 1),
            "and" => (Self::And, 2),
            "==" => (Self::Equal, 3),
            "!=" => (Self::Unequal, 3),
            "<" => (Self::Less, 3),
            "<=" => (Self::LessEqual, 3),
            ">" => (Self::Greater, 3),
            ">=" => (Self::GreaterEqual, 3),
            "+" => (Self::Add, 4),
            "-" => (Self::Subtract, 4),
            "*" => (Self::Multiply, 5),
            "/" => (Self::Divide, 5),
            "%" => (Self::Remainder, 5),
            _ => return None,
        })
    }
}
