"""What the program says of its options, said of the arguments that stand for them."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping

#: Command lines, and lines of texts that are shown: they are as they are.
_AS_IT_IS = r"`stopwise [^`]*`|^ *\d* \|.*$"
_PAIR = r"[\w.]+=(?:[^\s;:,)]|[,:](?=\w))*"
#: A word in capitals that stands for what is to be written, a file, a number, a text in quotes.
_VALUE = r"[A-Z]+(?:\.toml)?(?![\w=/|])|\d[\w.]*(?!\w)|\"[^\"]*\""
#: How several are named: one after the other there, in a list here.
_AGAIN = re.compile(r"\bgive --policy again(?=, or two --rules\b)")
_OPTION = re.compile(
    rf"{_AS_IT_IS}"
    rf"|--(?P<of_pairs>[a-z][a-z-]+) (?P<pairs>{_PAIR}(?: --(?P=of_pairs) {_PAIR})*)"
    rf"|--(?P<of_value>[a-z][a-z-]+) (?P<value>{_VALUE})"
    rf"|'--(?P<quoted>[a-z][a-z-]+)(?: <[^>']*>)?(?:\.\.\.)?'"
    rf"|(?P<added>(?<=add ))?--(?P<name>[a-z][a-z-]+)",
    re.MULTILINE,
)


#: What the program says if an option needs another one that is not there.
_MISSING = re.compile(r"^the following required arguments were not provided:\n((?:  .+\n?)+)(?:\nUsage: .*)?\Z", re.DOTALL)
_MISSING_ONE = re.compile(r"^  --(?P<name>[a-z-]+) <(?P<value>[^>]+)>", re.MULTILINE)

#: The command line that tells a game.
_REPLAY = re.compile(r"\bstopwise replay \S.* --seed (\d+) --trial (\d+)$", re.MULTILINE)


def of_arguments(message: str, arguments: Mapping[str, object]) -> str:
    """A message in which options that have one of these arguments, which are given with their defaults, are named as these.

    >>> of_arguments("--until-width 0: write a number above 0", {"until_width": None})
    'until_width=0: write a number above 0'
    >>> of_arguments("one option at a time; write --set goal=50 --set sides=8", {"set": None})
    'one option at a time; write set={"goal": 50, "sides": 8}'
    >>> of_arguments("see `stopwise rank --policy all`; give --policy again, or add --force", {"policies": None, "force": False})
    'see `stopwise rank --policy all`; give policies again, or add force=True'
    >>> of_arguments("the following required arguments were not provided:\\n  --out <DIR>", {"out": None, "force": False})
    'out=DIR is missing: write it, too'
    >>> of_arguments("to see it: stopwise replay pig --policy hold --seed 1 --trial 3", {"policy": None})
    'to see it: stopwise.replay(…, seed=1, trial=3), with the same game, rules and policies'
    >>> of_arguments("\\n  played by: a / b, each seat in turn\\n  to see it: stopwise replay pig --policy a --policy b --rotate --seed 1 --trial 3", {"x": 1})
    '\\n  played by: a / b, each seat in turn\\n  to see it: stopwise.replay(…, rotate=True, seed=1, trial=3), with these players, under these rules'
    """

    def said(found: re.Match[str]) -> str:
        parts = found.groupdict()
        option = next((name for key in ("of_pairs", "of_value", "quoted", "name") if (name := parts[key])), None)
        argument = None if option is None else _argument(option, arguments)
        if option is None or argument is None:
            return found[0]
        if pairs := parts["pairs"]:
            split = (pair.split("=", 1) for pair in pairs.split(f" --{option} "))
            return f"{argument}={{{', '.join(f'{_key(key)}: {_value(value)}' for key, value in split)}}}"
        if value := parts["value"]:
            return f"{argument}={_value(value)}"
        is_flag = parts["added"] is not None and arguments[argument] is False
        return f"{argument}=True" if is_flag else argument

    if missing := _MISSING.match(message):
        options = _MISSING_ONE.findall(missing[1])
        named = [f"{_argument(name, arguments) or name}={value}" for name, value in options]
        if named:
            is_one = len(named) == 1
            return f"{' and '.join(named)} {'is' if is_one else 'are'} missing: write {'it' if is_one else 'them'}, too"
    if arguments:
        message = _REPLAY.sub(_replayed, message)
        message = _AGAIN.sub("name more policies, in a list", message)
    return _OPTION.sub(said, message)


def _replayed(line: re.Match[str]) -> str:
    """The call that tells a game: with what the call had that failed, or where that had several, with what is said before it."""
    seed, trial = line.groups()
    if "\n  played by: " not in line.string[: line.start()]:
        return f"stopwise.replay(…, seed={seed}, trial={trial}), with the same game, rules and policies"
    rotate = "rotate=True, " if " --rotate " in line[0] else ""
    return f"stopwise.replay(…, {rotate}seed={seed}, trial={trial}), with these players, under these rules"


def arguments_of(function: Callable[..., object]) -> Mapping[str, object]:
    """The arguments of a function with their defaults."""
    return {name: one.default for name, one in inspect.signature(function).parameters.items()}


def _argument(option: str, arguments: Mapping[str, object]) -> str | None:
    """What an option is called in Python, where there may be one or several."""
    name = option.replace("-", "_")
    several = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return next((argument for argument in (name, several) if argument in arguments), None)


def _key(word: str) -> str:
    return word if word.isupper() else json.dumps(word)


def _value(word: str) -> str:
    """A value as it is written in Python; what stands for one as it is."""
    stands_for_one = word.isupper() and word.isidentifier() or word in ("…", "")
    if stands_for_one or word.startswith('"') or re.fullmatch(r"\d+(\.\d+)?", word):
        return word or "…"
    return json.dumps(word, ensure_ascii=False)
