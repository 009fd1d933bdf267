"""Pig in plain CPython: one game after the other, with the standard library's `random`.

A die is `int(random() * 6) + 1`, which is more than twice as fast as `randint(1, 6)`.
"""

import platform
import random

from measure import GOAL, HOLD, Tally, arguments, measure


def solo(games: int) -> Tally:
    """Alone to the goal."""
    roll_die = random.random
    rolls = turns = 0
    for _ in range(games):
        score = 0
        while score < GOAL:
            turns += 1
            hold = min(HOLD, GOAL - score)
            total = 0
            while total < hold:
                rolls += 1
                face = int(roll_die() * 6) + 1
                if face == 1:
                    total = 0
                    break
                total += face
            score += total
    return Tally(games, rolls, turns)


def two(games: int) -> Tally:
    """Two seats, both of the same policy."""
    roll_die = random.random
    rolls = first_wins = 0
    for _ in range(games):
        scores = [0, 0]
        seat = 1
        while scores[seat] < GOAL:
            seat = 1 - seat
            hold = min(HOLD, GOAL - scores[seat])
            total = 0
            while total < hold:
                rolls += 1
                face = int(roll_die() * 6) + 1
                if face == 1:
                    total = 0
                    break
                total += face
            scores[seat] += total
        first_wins += seat == 0
    return Tally(games, rolls, first_wins=first_wins)


if __name__ == "__main__":
    args = arguments()
    random.seed(args.seed)
    measure({"solo": solo, "two": two}[args.workload], 1_000, args.seconds, platform.python_version())
