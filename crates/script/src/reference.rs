//! Every word of the language with its form and its meaning: the reference of `docs/games.md`, and what editors colour, are
//! made from this table.

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It begins a line that is not indented.
    Declaration,
    /// It begins an indented line, of what is done.
    Statement,
    /// What `in` may be followed by.
    Domain,
    /// It works out something of what follows in brackets.
    Function,
    /// It stands for a value.
    Given,
    /// It joins expressions.
    Operator,
}

impl Place {
    /// All places, in the order of the reference.
    pub const ALL: [Self; 6] =
        [Self::Declaration, Self::Statement, Self::Domain, Self::Function, Self::Given, Self::Operator];

    /// The heading of its words.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Declaration => "Declarations: lines that are not indented",
            Self::Statement => "Statements: indented lines, of what is done",
            Self::Domain => "Domains: what follows `in`",
            Self::Function => "Functions",
            Self::Given => "Words that are given",
            Self::Operator => "Operators, from the weakest",
        }
    }
}

/// A word of the language in one of its forms.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The word.
    pub word: &'static str,
    /// What may stand with it: capitals are parts, `[ ]` may be left out.
    pub form: &'static str,
    /// What it does, in a line.
    pub meaning: &'static str,
    /// A line, or an expression, that uses it.
    pub example: &'static str,
}

const fn entry(
    place: Place,
    word: &'static str,
    form: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Entry {
    Entry { place, word, form, meaning, example }
}

use Place::{Declaration, Domain, Function, Given, Operator, Statement};

/// Every word, in the order of the reference.
#[rustfmt::skip]
pub const ENTRIES: &[Entry] = &[
    entry(Declaration, "game", "game NAME MEANING", "the name of the game, and what it is in a sentence; the first line", "game pig \"Roll as often as you like\""),
    entry(Declaration, "option", "option NAME = VALUE [in DOMAIN] [UNIT] [MEANING]", "a rule that can be changed from outside; yes or no without `in`", "option goal = 100 in 10..500 points \"points that win\""),
    entry(Declaration, "preset", "preset NAME [MEANING]", "options that belong together, each on an indented line", "preset solo \"Alone\""),
    entry(Declaration, "names", "names NAME = NAME, NAME, …", "names that things can have; `first 3 of …` takes some of them, or of those of another line, `colour * height` makes all pairs", "names colour = red, green, blue"),
    entry(Declaration, "die", "die NAME = FACES", "a die: numbers, names, or both; `3 of brain` is three faces of this name", "die cube = 3 of brain, 2 of feet, 1 of shot"),
    entry(Declaration, "bag", "bag NAME = ITEMS", "what can be drawn from: dice, cards, numbers or names", "bag deck = 4 of ace, 2..9"),
    entry(Declaration, "worth", "worth DIE", "what combinations of dice pay, each on an indented line `FACES: POINTS`; `a`, `b`, `c` are any faces; `FACE: wild` is a face that stands for any other", "worth d"),
    entry(Declaration, "define", "define NAME[(NAME, …)] = EXPR", "a name for an expression; or without `= EXPR`, and below it indented lines `CONDITION: EXPR`, the last `else: EXPR`", "define height(c) = 3 + 2 * min(c - 2, 12 - c)"),
    entry(Declaration, "shared", "shared NAME = VALUE in DOMAIN [UNIT] [MEANING]", "a value of the table that lasts for the whole game", "shared pot = 0 in 0..500 points \"points in the pot\""),
    entry(Declaration, "player", "player NAME = VALUE in DOMAIN [UNIT] [MEANING]", "a value that every player has, for the whole game", "player score = 0 in 0..100 points \"banked points\""),
    entry(Declaration, "setup", "setup", "what is done once, before the first turn or round; as in a `round` there is no `me`, and there are no `others`", "setup: roll first = d"),
    entry(Declaration, "turn", "turn [where CONDITION]", "what one player does; then it is the turn of the next player for whom the condition holds, the others are passed over", "turn where chips > 0: chips -= 1"),
    entry(Declaration, "round", "round [where CONDITION]", "what all do together, instead of `turn`; a player for whom the condition does not hold has no turn in it", "round: end round"),
    entry(Declaration, "steps", "steps NAME", "lines that are written once, and put in place by `do NAME`", "steps fail: bust"),
    entry(Declaration, "end", "end [early] NAME when CONDITION", "the game ends once this holds after a turn; `early` for an end that cuts it short, so that nobody wins", "end goal when score >= goal"),
    entry(Declaration, "end", "end … when CONDITION, after equal turns", "the same, once the last player's turn is over", "end goal when score >= goal, after equal turns"),
    entry(Declaration, "end", "end … when CONDITION, after one more turn for the others", "the same, after every other player has had one more turn", "end goal when score >= goal, after one more turn for the others"),
    entry(Declaration, "end", "end … when one is left", "the game ends once at most one player has turns, or `when nobody is left`: where `turn where` passes players over, or `round where`", "end last when one is left"),
    entry(Declaration, "end", "end [early] [NAME] after NUMBER rounds", "the game ends after so many rounds, or `turns` of all together", "end after 10 rounds"),
    entry(Declaration, "end", "end [early] NAME MEANING", "says what an ending is that `end game NAME` brings about; with `early` nobody wins", "end empty \"the bag was empty\""),
    entry(Declaration, "win", "win most EXPR[, most EXPR]", "who wins: who has the `most` or the `least`; what follows a comma decides among equals", "win most score, least failed"),
    entry(Declaration, "alone", "alone most EXPR", "what a game for one is played for: the `most` or the `least` of something, or `least turns`: where the rules end it after one, what comes first in `win`", "alone least turns"),
    entry(Declaration, "tie", "tie share", "those who are equal share the win: the metric `win` counts who wins alone, and `share` the parts; without this line as well", "tie share"),
    entry(Declaration, "tie", "tie nobody", "those who are equal have not won", "tie nobody"),
    entry(Declaration, "tie", "tie by lot", "one of those who are equal is drawn", "tie by lot"),
    entry(Declaration, "tie", "tie play on", "those who are equal play further rounds until one is ahead", "tie play on"),
    entry(Declaration, "candidate", "candidate QUESTION, …", "words for policies about what can be chosen, each on an indented line; `it` is the candidate. The first number with a unit stands behind each choice", "candidate keep"),
    entry(Declaration, "see", "see NAME = EXPR [UNIT] [MEANING]", "one more word for policies", "see missing = goal - score points \"points missing to the goal\""),
    entry(Declaration, "report", "report NAME [= EXPR] [UNIT] [MEANING]", "one more column of results: at the end of the game, or, without `=`, what `count NAME` has counted", "report points = score points \"points at the end\""),
    entry(Declaration, "expect", "expect METRIC = NUMBER within NUMBER [with …] [MEANING]", "a mean that is known, to be tried by `games check`; after `with`: presets, `OPTION = VALUE`, `policy NAME`", "expect turns = 12.545232 within 0.000001 with solo, policy best \"Neller and Presser, 2004\""),

    entry(Statement, "let", "let NAME = VALUE [in DOMAIN] [UNIT] [MEANING]", "a value of this turn, gone at the end of its block; with `in` it may change", "let points = 0 in 0..100 points \"points of this turn\""),
    entry(Statement, "=", "NAME = EXPR", "gives a variable a value; `+=` adds to it, `-=` takes from it", "score += points"),
    entry(Statement, "roll", "roll NAME = [NUMBER] DIE [by PLAYER]", "rolls one die, that many dice, a bag of dice, or a die that was drawn or chosen; several things at once after commas, all `by` the same player, who is named last", "roll dice = 2 d"),
    entry(Statement, "roll", "roll NAME = chance(NUMBER, OF)", "yes in so many of so many cases, which may change during play; 65,536 at most", "roll rain = chance(1, 6)"),
    entry(Statement, "draw", "draw NAME [= NUMBER] from BAG [by PLAYER]", "takes one out of a bag that is a variable by itself, or up to so many; `else` below it if there is none", "draw card from deck"),
    entry(Statement, "ask", "ask NAME [of PLAYER] [where CONDITION] [MEANING]", "a question for yes or no; below it what is done after yes, below `else` after no", "ask stop where points > 0 \"stop\": end turn"),
    entry(Statement, "ask", "ask NAME [of PLAYER] in DOMAIN [where CONDITION] [MEANING]", "a question for one of several; below `else` what is done where there is none", "ask keep in parts(rolled) where worth(keep) > 0 \"set aside\""),
    entry(Statement, "ask", "ask all NAME of NAME in everyone [where CONDITION] [MEANING]", "asks several players for yes or no at once; `p.NAME` is what p has answered", "ask all leave of p in everyone where p.inside \"leave\""),
    entry(Statement, "ask", "ask all NAME of NAME in everyone [where CONDITION] from DOMAIN [where CONDITION] [MEANING]", "lets several players choose a number, a name or a player at once; `p.NAME` is what p has chosen: 0 or `none` if p was not asked", "ask all bid of p in everyone from 0..p.coins \"bid\""),
    entry(Statement, "if", "if CONDITION", "does what is below it if this holds, else what is below `else if` or `else`", "if face == 6: bust"),
    entry(Statement, "repeat", "repeat [while CONDITION]", "does what is below it again and again; every pass rolls, draws or asks", "repeat while left > 0: roll face = d"),
    entry(Statement, "for", "for NAME in DOMAIN [where CONDITION]", "does what is below it for each in turn", "for p in others where p.score > 0: p.score -= 1"),
    entry(Statement, "break", "break", "leaves the innermost `repeat` or `for`", "break"),
    entry(Statement, "again", "again", "begins the next pass of the innermost `repeat` or `for`", "again"),
    entry(Statement, "do", "do NAME", "does the `steps` of this name", "do fail"),
    entry(Statement, "bust", "bust", "ends the turn and counts a bust; what was only in a `let` is lost", "bust"),
    entry(Statement, "end", "end turn", "ends the turn at once", "end turn"),
    entry(Statement, "end", "end turn, then PLAYER", "the same, and it is this player's turn next, in place of the next seat's; after it go on from there", "end turn, then me"),
    entry(Statement, "end", "end round", "ends the round at once", "end round"),
    entry(Statement, "end", "end game NAME", "ends the game at once, with this ending", "end game empty"),
    entry(Statement, "end", "end game NAME won by PLAYER", "the same, and this player has won, whatever `win` says; with `lost by` one of the others has", "end game sixes won by me"),
    entry(Statement, "count", "count NAME [of PLAYER] [by NUMBER]", "counts for a `report` of this name, or for `busts`", "count busts of p"),

    entry(Domain, "..", "FROM .. TO", "whole numbers, both ends included", "1..6"),
    entry(Domain, ",", "EXPR, EXPR, …", "these", "pairs.one, pairs.two"),
    entry(Domain, "NAMES", "NAMES", "every name of a `names` line", "colour"),
    entry(Domain, "BAG", "BAG", "everything in a bag, each kind once; as the range of a bag: all that it may hold, such as faces: `bag faces = 5 of 1..6`", "rolled"),
    entry(Domain, "everyone", "everyone", "every player, from the one whose turn it is; in a `round` from seat 1", "everyone"),
    entry(Domain, "others", "others", "every player but the one whose turn it is, the next seat first", "others"),
    entry(Domain, "parts", "parts(BAG)", "every part of a roll but the empty one", "parts(rolled)"),
    entry(Domain, "pairings", "pairings(BAG)", "the ways to make two pairs of four dice; `x.one` and `x.two` are their sums", "pairings(dice)"),

    entry(Function, "min", "min(EXPR, EXPR, …)", "the least of these; `min(NAME in DOMAIN [where CONDITION]: EXPR)` the least over a domain, 0 of none", "min(points + face, goal)"),
    entry(Function, "max", "max(EXPR, EXPR, …)", "the greatest of these; with `NAME in DOMAIN` the greatest over a domain, 0 of none", "max(p in others: p.score)"),
    entry(Function, "sum", "sum(BAG)", "the sum of the numbers in a bag; with `NAME in DOMAIN` the sum over a domain", "sum(dice)"),
    entry(Function, "count", "count(BAG, FACE)", "how many of this there are; `count(NAME in DOMAIN where CONDITION)` for how many it holds, of dice each face once", "count(dice, 6)"),
    entry(Function, "any", "any(NAME in DOMAIN where CONDITION)", "whether it holds for any", "any(p in others where p.score > 50)"),
    entry(Function, "all", "all(NAME in DOMAIN: CONDITION)", "whether it holds for all", "all(f in dice: f > 2)"),
    entry(Function, "those", "those(NAME in DOMAIN where CONDITION)", "a bag of those for which it holds", "those(n in 1..9 where open[n])"),
    entry(Function, "size", "size(BAG)", "how many there are in a bag", "size(keep)"),
    entry(Function, "highest", "highest(BAG)", "the greatest number in a bag; 0 if it is empty", "highest(dice)"),
    entry(Function, "lowest", "lowest(BAG)", "the least number in a bag; 0 if it is empty", "lowest(dice)"),
    entry(Function, "alike", "alike(BAG)", "how many there are of the face that there is most of", "alike(dice)"),
    entry(Function, "distinct", "distinct(BAG)", "how many different faces there are", "distinct(dice)"),
    entry(Function, "run", "run(BAG)", "the length of the longest row of faces that follow each other", "run(dice)"),
    entry(Function, "worth", "worth(BAG)", "what the dice are worth by the table `worth`, all of them used; 0 if that cannot be", "worth(keep)"),
    entry(Function, "dice", "dice(BAG[, FACE])", "of dice that were rolled from a bag of dice: those that show this face, or all of them", "dice(shown, brain)"),
    entry(Function, "number", "number(FACE)", "the number of a face; 0 of a name", "number(card)"),
    entry(Function, "place", "place(NAME)", "where a name stands in its `names` line, from 1; of a player the number of the seat", "place(colour_of_card)"),
    entry(Function, "nth", "nth(NAMES, NUMBER)", "the name at this place; `nth(everyone, 1)` is the player of seat 1", "nth(colour, 2)"),
    entry(Function, "abs", "abs(EXPR)", "the number without its sign", "abs(face - 7)"),
    entry(Function, "power", "power(EXPR, NUMBER)", "the number multiplied by itself so many times", "power(2, doubles)"),
    entry(Function, "chance", "chance(bust)", "in `see`: the chance that the next roll or draw is a bust, whatever is answered after it, where no other one comes before `me` is asked again; 0 where `me` is asked before it", "chance(bust)"),
    entry(Function, "chance", "chance(NUMBER, OF)", "alone in `see`: so many of so many cases, which the text counts itself; of how many, options alone decide", "chance(6 * held, 36)"),
    entry(Function, "mean", "mean(EXPR)", "in `see`: the average of this after the next roll, as it is before the next answer, or when the turn is over; a question with one possible answer counts as well; a bust counts 0", "mean(points)"),

    entry(Given, "yes", "yes", "it holds", "yes"),
    entry(Given, "no", "no", "it does not hold", "no"),
    entry(Given, "none", "none", "the empty bag, no name, or no player", "none"),
    entry(Given, "me", "me", "the player whose turn it is, or who is asked", "me"),
    entry(Given, "it", "it", "in `candidate`: the candidate that is looked at", "it"),
    entry(Given, "round", "round", "the number of the round, from 1; policies read it in a game of `round`, or with `end after … rounds`", "round"),
    entry(Given, ".", "p.NAME", "the value that player p has", "p.score"),
    entry(Given, ".", "NAME.NAMES", "of a name of pairs, as of `names card = suit * rank`, one of both", "card.suit"),
    entry(Given, "[", "NAME[EXPR]", "one of the values of a variable that has many: `player box[n in 1..9] = no`", "box[face]"),

    entry(Operator, "?", "CONDITION ? EXPR : EXPR", "the first if the condition holds, else the second", "face == 1 ? 10 : face"),
    entry(Operator, "or", "or", "one of the two holds, or both", "face == 1 or face == 6"),
    entry(Operator, "and", "and", "both hold", "points > 0 and left == 0"),
    entry(Operator, "not", "not", "it does not hold", "not open[face]"),
    entry(Operator, "==", "==", "equal; two signs, as one sets a value", "face == 6"),
    entry(Operator, "!=", "!=", "not equal", "face != 6"),
    entry(Operator, "<", "<", "less; `<=` less or equal, `>` more, `>=` more or equal", "left <= 2"),
    entry(Operator, "in", "in DOMAIN", "is one of these; several stand in brackets", "card in (red, blue)"),
    entry(Operator, "+", "+", "plus; of bags: both together. `-` minus; of bags: never below none", "points + face"),
    entry(Operator, "*", "*", "times, and of two names the name of both: `suit * rank`; `/` divided, rounded towards zero, and `%` what is left over", "sum(dice) / 2"),
];

#[cfg(test)]
mod tests {
    use super::{ENTRIES, Place};
    use crate::compile::{FUNCTIONS, RESERVED};
    use crate::parse::{DECLARATIONS, STATEMENTS};
    use crate::syntax::{Fold, Operator};

    fn words(place: Place) -> Vec<&'static str> {
        let mut words: Vec<_> =
            ENTRIES.iter().filter(|entry| entry.place == place).map(|entry| entry.word).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    fn sorted<const N: usize>(mut words: [&'static str; N]) -> Vec<&'static str> {
        words.sort_unstable();
        words.to_vec()
    }

    #[test]
    fn it_has_the_words_of_the_parser() {
        assert_eq!(words(Place::Declaration), sorted(DECLARATIONS));
        let mut statements = words(Place::Statement);
        statements.retain(|word| *word != "=");
        assert_eq!(statements, sorted(STATEMENTS));
    }

    #[test]
    fn it_has_the_words_of_the_compiler() {
        let functions = words(Place::Function);
        for function in FUNCTIONS {
            assert!(functions.contains(&function), "{function}");
        }
        for function in functions {
            let is_known = FUNCTIONS.contains(&function) || Fold::of(function).is_some();
            assert!(is_known || ["chance", "mean"].contains(&function), "{function}");
        }
        for word in RESERVED {
            let mut forms =
                ENTRIES.iter().flat_map(|entry| entry.form.split(|sign: char| !sign.is_alphanumeric()));
            assert!(word == "else" || forms.any(|form| form == word), "{word}");
        }
        for operator in words(Place::Operator) {
            assert!(
                ["?", "not", "in"].contains(&operator) || Operator::of_sign(operator).is_some(),
                "{operator}"
            );
        }
    }
}
