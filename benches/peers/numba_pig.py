"""Pig in Numba: the loops of plain Python, compiled with `@njit`; on one thread, or with `prange` on all.

On one thread the dice come from a NumPy `Generator`. Numba cannot share one between threads, so with `--parallel` they
come from `np.random`, of which every thread has its own; there, `--seed` has no effect.
"""

import numba
import numpy as np
from numba import njit, prange

from measure import GOAL, HOLD, Tally, arguments, measure

CHUNK = 10_000


@njit
def draw(rng):
    """A face from a generator: faster in Numba than `rng.integers(1, 7)`."""
    return int(rng.random() * 6) + 1


@njit
def draw_of_thread(_):
    """A face from the thread's own stream: faster in Numba than from `np.random.random()`."""
    return np.random.randint(1, 7)


def compiled(draw):
    """Both workloads with dice from `draw`."""

    @njit
    def turn(score, rng):
        total = rolls = 0
        while total < HOLD and score + total < GOAL:
            face = draw(rng)
            rolls += 1
            if face == 1:
                return 0, rolls
            total += face
        return total, rolls

    @njit
    def solo(games, rng):
        rolls = turns = 0
        for _ in range(games):
            score = 0
            while score < GOAL:
                total, rolled = turn(score, rng)
                score += total
                rolls += rolled
                turns += 1
        return rolls, turns

    @njit
    def two(games, rng):
        rolls = first_wins = 0
        for _ in range(games):
            own = other = seat = 0
            while True:
                total, rolled = turn(own, rng)
                own += total
                rolls += rolled
                if own >= GOAL:
                    break
                own, other = other, own
                seat = 1 - seat
            if seat == 0:
                first_wins += 1
        return rolls, first_wins

    return {"solo": solo, "two": two}


def on_all_threads(one):
    """The workload in chunks, shared between the threads."""

    @njit(parallel=True)
    def play(games):
        rolls = others = 0
        for _ in prange(games // CHUNK):
            chunk_rolls, chunk_others = one(CHUNK, 0)
            rolls += chunk_rolls
            others += chunk_others
        return rolls, others

    return play


if __name__ == "__main__":
    args = arguments()
    if args.parallel:
        play = on_all_threads(compiled(draw_of_thread)[args.workload])
        batch = 100 * CHUNK
    else:
        one, rng = compiled(draw)[args.workload], np.random.default_rng(args.seed)
        play = lambda games: one(games, rng)
        batch = 100_000

    def tally(games: int) -> Tally:
        rolls, others = play(games)
        return Tally(games, rolls, others) if args.workload == "solo" else Tally(games, rolls, None, others)

    measure(tally, batch, args.seconds, numba.__version__)
