"""What every peer must come to: the exact means of Pig when each seat holds at 20, or when it wins. Of Farkle and Zombie
Dice those of three million games of the reference runner, rounded.

The policy does not look at the other seat, so one seat's course is a Markov chain over its banked points, and two seats
are two such chains that take turns. Run it to see the numbers.
"""

from math import sqrt
from typing import NamedTuple

from measure import GOAL, HOLD

TURNS = 1_000  # Nothing that a float can tell from zero is left after so many.


class Mean(NamedTuple):
    """A mean and the standard deviation of a single game."""

    mean: float
    deviation: float


def turn(score: int) -> tuple[dict[int, float], float]:
    """The chances of the points banked in a turn that begins at `score`, and its mean number of rolls."""
    hold = min(HOLD, GOAL - score)
    at = [1.0] + [0.0] * (hold + 5)
    banked = {0: 0.0}
    rolls = 0.0
    for total in range(hold):
        rolls += at[total]
        banked[0] += at[total] / 6
        for face in range(2, 7):
            at[total + face] += at[total] / 6
    for total in range(hold, hold + 6):
        banked[min(total, GOAL - score)] = banked.get(min(total, GOAL - score), 0.0) + at[total]
    return banked, rolls


def course() -> tuple[list[float], list[float]]:
    """By turn: the chance that a seat alone ends with it, and its mean rolls in it."""
    turns = [turn(score) for score in range(GOAL)]
    at = [1.0] + [0.0] * (GOAL - 1)
    ends, rolls = [], []
    for _ in range(TURNS):
        after = [0.0] * (GOAL + 1)
        rolls.append(sum(chance * turns[score][1] for score, chance in enumerate(at)))
        for score, chance in enumerate(at):
            for points, share in turns[score][0].items():
                after[score + points] += chance * share
        ends.append(after.pop())
        at = after
    return ends, rolls


def expected() -> dict[str, dict[str, Mean]]:
    """By workload: turns (alone) or the first seat's share of wins (two), with rolls.

    The deviation of the rolls is simulated and rounded up; it only serves to judge a mean.
    """
    ends, rolls = course()
    turns = sum(end * t for t, end in enumerate(ends, 1))
    squares = sum(end * t * t for t, end in enumerate(ends, 1))

    # The first seat plays its turn t if the second has not won in its turn t - 1; the second, if the first has not in t.
    wins = both = 0.0
    first_open = second_open = 1.0  # The chance that the seat has not reached the goal yet.
    for end, rolled in zip(ends, rolls):
        wins += end * second_open
        both += rolled * second_open
        first_open -= end
        both += rolled * first_open
        second_open -= end
    return {
        "solo": {"turns": Mean(turns, sqrt(squares - turns * turns)), "rolls": Mean(sum(rolls), 13.2)},
        "two": {"first_wins": Mean(wins, sqrt(wins * (1 - wins))), "rolls": Mean(both, 18.5)},
        "farkle": {"turns": Mean(16.756, 3.51), "rolls": Mean(82.98, 20.5)},
        "zombie": {"turns": Mean(4.493, 1.11), "rolls": Mean(44.40, 10.5)},
    }


if __name__ == "__main__":
    for workload, means in expected().items():
        for name, (mean, deviation) in means.items():
            print(f"{workload:5} {name:10} {mean:.6f}   standard deviation {deviation:.3f}")
