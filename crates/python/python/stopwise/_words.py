"""From values of Python to the words of a command line."""

from __future__ import annotations

import json
import math
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

from stopwise import _errors, _policies

#: A policy, or rules: a name, a path, or a text. A `str` with a line break is a text, any other `str` is what it is on the command
#: line, a name, a path or a policy as typed; a mapping is the text that has these keys.
Text = Union[str, "os.PathLike[str]", Mapping[str, Any]]
#: A number, as it is or as the command line has it: `"10k"`, `"2M"`.
Number = Union[int, float, str]
#: A setting of an option: a value, or settings of the options in it.
Setting = Union[str, int, float, Sequence[Any], Mapping[str, Any]]
#: What is varied: `range(1, 6)`, `[2, 4, 8]`, `"1..5"`.
Levels = Union[str, Iterable[Any]]

#: The decimals that texts know, and how far what binary numbers make of one may be from it.
_DECIMALS, _NEAR = 6, 1e-9


class Words:
    """A command line that grows, and the texts that it names."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)
        self.texts: dict[str, str] = {}
        self.operands: list[str] = []
        #: Functions that are policies, by the words that name them, and what they are called.
        self.functions: dict[str, tuple[str, Callable[[Any], Any]]] = {}
        #: Actions that were taken, by the words that name them, and who took them.
        self.given: dict[str, tuple[str, list[int]]] = {}
        #: The game, its rules and what is changed in them, of a command that has policies.
        self.game: tuple[str, str | None, list[str]] | None = None
        #: The arguments from which they came, with their defaults; none if somebody has typed them.
        self.arguments: Mapping[str, object] = {}

    def whole(self) -> list[str]:
        """All words."""
        return [*self.words, "--", *self.operands] if self.operands else self.words

    def operand(self, word: object) -> Words:
        """A word that is no option, whatever it begins with."""
        self.operands.append(str(word))
        return self

    def option(self, name: str, value: object) -> Words:
        """An option with its value, unless that is `None`; one that is true or false is there or not."""
        argument = name.replace("-", "_")
        if isinstance(value, bool) and not isinstance(self.arguments.get(argument, value), bool):
            raise _errors.InputError(f"{argument}={value}: write a value, or leave it out")
        if isinstance(value, Iterable) and not isinstance(value, str) and getattr(value, "shape", True):
            raise _errors.InputError(f"{argument}={value!r}: write one value in place of several")
        if value is True:
            self.words.append(f"--{name}")
        elif value is not None and value is not False:
            self.words.append(f"--{name}={plain(value)}")
        return self

    def each(self, name: str, values: object) -> Words:
        """An option once for every value, or for the one that there is."""
        for value in several(values):
            self.option(name, value)
        return self

    def path(self, name: str, path: str | os.PathLike[str] | None) -> Words:
        """An option whose value is a path."""
        return self.option(name, None if path is None else os.fspath(path))

    def text(self, name: str, text: Text | None, kind: str) -> Words:
        """An option whose value is a name, a path or a text."""
        return self.option(name, None if text is None else self.named(text, kind))

    def named(self, text: object, kind: str) -> str:
        """The word for a name, a path or a text; `kind` is what texts are called, such as `policy`."""
        if kind == "policy" and callable(text):
            return self.function(_policies.called(text), text)
        if isinstance(text, Mapping):
            return self._add(toml(text), kind)
        if isinstance(text, os.PathLike):
            path = os.fspath(text)
            if not isinstance(path, str):
                raise TypeError(f"{kind}: write a path as str, not {path!r}")
            # Without a folder and an ending it would be a name.
            return path if path.endswith(_ending(kind)) or os.sep in path else os.path.join(os.curdir, path)
        if not isinstance(text, str):
            raise TypeError(f"{kind}: expected a name, a path or a text, not {text!r}")
        return self._add(text, kind) if "\n" in text else text

    def function(self, name: str, function: Callable[[Any], Any]) -> str:
        """The word for a function that is a policy."""
        word = f"python:{name}"
        if self.functions.setdefault(word, (name, function))[1] is not function:
            raise _errors.InputError(
                f"two functions are called `{name}`; give them names: {{'this': function, 'that': other_function}}"
            )
        return word

    def _add(self, text: str, kind: str) -> str:
        for name, known in self.texts.items():
            if known == text and name.startswith(kind):
                return name
        count = sum(name.startswith(kind) for name in self.texts)
        name = (f"{kind}-{count + 1}" if count else kind) + _ending(kind)
        self.texts[name] = text
        return name

    def policies(self, policies: object, *, lineups: bool = False) -> Words:
        """`--policy` once for each; with `lineups` a sequence among them is a policy for every seat."""
        if isinstance(policies, Mapping) and any(map(callable, policies.values())):
            # Functions by their names, and others among them by whatever names them.
            named = policies.items()
            policies = [self.function(_policies.clean(str(name)), one) if callable(one) else one for name, one in named]
        elif isinstance(policies, Mapping) and "game" not in policies and policies and all(map(_is_policy, policies.values())):
            # As whoever wrote it would: long texts by what they are called here.
            names = ", ".join(repr(one) if _is_name(one) else str(name) for name, one in policies.items())
            raise _errors.InputError(f"functions are given with names, policies as a list, which have their own: [{names}]")
        for policy in several(policies, Mapping):
            seats = several(policy, Mapping) if lineups else [policy]
            self.option("policy", "+".join(self.named(seat, "policy") for seat in seats))
        return self

    def settings(self, name: str, settings: object) -> Words:
        """Options of rules: `{"turns": 5, "points": {"solid": 9}}`, or as the command line has them: `"turns=5"`."""
        if isinstance(settings, Mapping):
            for key, value in flat(settings):
                self.option(name, f"{key}={setting(value)}")
            return self
        return self.each(name, settings)

    def levels(self, name: str, levels: object) -> Words:
        """What is varied: `{"k": range(1, 6)}`, or as the command line has it: `"k=1..5"`."""
        if isinstance(levels, Mapping):
            for key, given in levels.items():
                # What is given once is gone through twice.
                values = given if isinstance(given, (str, range)) else several(given)
                if name == "vary":
                    check_decimals(f"vary: {key}", values)
                self.option(name, f"{key}={listed(values)}")
            return self
        return self.each(name, levels)


def _ending(kind: str) -> str:
    return ".game" if kind == "game" else ".toml"


def seconds(time: object) -> object:
    """A time: a number of seconds, or as the command line has it, `"5m"`."""
    return time if time is None or isinstance(time, str) else f"{plain(time)}s"


def seed(seed: object) -> object:
    """A seed; one that nobody has chosen for `None`, as NumPy has it. Results tell it."""
    return secrets.randbits(32) if seed is None else seed


def shard(part: object) -> object:
    """A part of a run: its number, from 1, and of how many, or as the command line has it, `"2/8"`."""
    if part is None or isinstance(part, str):
        return part
    if not isinstance(part, Sequence) or len(part) != 2:
        raise _errors.InputError(f"shard {part!r}: write its number and of how many, such as (2, 8), or \"2/8\"")
    return "/".join(map(plain, part))


def span(numbers: object) -> object:
    """Numbers from one to another: a range without steps, or as the command line has it, `"3..5"`."""
    if isinstance(numbers, range):
        if numbers.step != 1 or not numbers:
            raise ValueError(f"{numbers!r}: write a range that is not empty, and has no steps")
        return f"{numbers.start}..{numbers.stop - 1}"
    return numbers


def listed(values: Any) -> str:
    """Values as the command line has them: `2,4,8`, `1..5`, `1..21:5`."""
    if isinstance(values, str):
        return values
    if isinstance(values, range) and len(values) > 1 and values.step > 0:
        step = "" if values.step == 1 else f":{values.step}"
        return f"{values.start}..{values[-1]}{step}"
    return ",".join(map(setting, several(values)))


def check_decimals(what: str, values: Any) -> None:
    """Refuses numbers with more decimals than policies know."""
    for value in map(native, several(values)):
        if isinstance(value, float) and math.isfinite(value) and near(value) is None:
            raise _errors.InputError(f"{what}={value!r} has more than six decimals; write {round(value, 6)}")


def near(value: float) -> float | None:
    """The number of six decimals that a sum such as 0.1 + 0.2 stands for, if it is one."""
    # No -0.0.
    rounded = round(value, _DECIMALS) + 0.0
    return rounded if abs(rounded - value) <= _NEAR else None


def several(values: Any, *single: type) -> list[Any]:
    """The values of a list or another iterable, or the one that there is; none of `None`."""
    if values is None:
        return []
    is_single = isinstance(values, (str, os.PathLike, *single)) or not isinstance(values, Iterable)
    return [values] if is_single else list(values)


def word(value: object) -> str:
    """A word of a command line: a text, a path or a number."""
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, str) or isinstance(native(value), (int, float)) and not isinstance(value, bool):
        return plain(value)
    raise TypeError(f"expected a word, a path or a number, not {value!r}")


def plain(value: object) -> str:
    """A value as the command line has it."""
    value = native(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(plain, value))
    if isinstance(value, float):
        # 1e6 is a number of trials.
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def native(value: object) -> object:
    """A number of Python in place of one of NumPy."""
    item: Callable[[], object] | None = getattr(value, "item", None)
    return item() if item and not getattr(value, "shape", ()) else value


def _is_policy(text: object) -> bool:
    """Whether it is a policy, and no part of one."""
    is_text = "game" in text if isinstance(text, Mapping) else isinstance(text, str) and "\n" in text
    return is_text or isinstance(text, os.PathLike) or _is_name(text)


def _is_name(text: object) -> bool:
    """Whether it is a word such as names policies: in a policy, what is written there has spaces, or is no text."""
    return isinstance(text, str) and re.fullmatch(r"[\w.-]+(:[\w=.,-]+)?", text) is not None


def flat(settings: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    """Settings by their dotted names."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def setting(value: object) -> str:
    """A value of an option: texts as they are, all else as TOML has it."""
    return value if isinstance(value, str) else literal(value)


def literal(value: object) -> str:
    """A value as TOML has it."""
    value = native(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key_of(key)} = {literal(value)}" for key, value in value.items()) + " }"
    if isinstance(value, float):
        value = value if (rounded := near(value)) is None else rounded
        return f"{value:.{_DECIMALS}f}" if 0 < abs(value) < 1e-4 and near(value) == value else repr(value)
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(literal, value)) + "]"
    raise TypeError(f"expected a number, a text, true or false, or a list of them, not {value!r}")


def key_of(key: object) -> str:
    """A key as TOML has it."""
    return json.dumps(str(key))


def toml(text: Mapping[str, Any]) -> str:
    """The text that has these keys."""
    return "".join(f"{key_of(key)} = {literal(value)}\n" for key, value in text.items())
