"""Farkle for two and Zombie Dice for four in NumPy, with the policies `by-dice` and `by-shots`: many games side by side, a
throw of each at a time; finished games are taken out of the arrays.
"""

from itertools import product

import numpy as np

from measure import Tally, arguments, measure

# Farkle: the points at which to bank, by the dice that are left.
STOP = np.array([1 << 30, 350, 250, 450, 1050, 3100, 1 << 30])
# A throw as a number: so many of each face, to base 7.
POWERS = 7 ** np.arange(6)
# Zombie Dice: the faces with a brain and with feet, of green, yellow and red dice; the cup.
BRAINS, FEET, CUP = np.array([3, 2, 1]), np.array([2, 2, 2]), np.array([6, 4, 3])


def worth(counts: tuple[int, ...]) -> int:
    """What dice are worth if all of them score, by their counts; else 0, or 1500 for three pairs and the like."""
    has = sorted(count for count in counts if count)
    whole = 1500 if has in ([1] * 6, [2, 2, 2], [2, 4]) else 0
    points = 0
    for face, count in enumerate(counts):
        if count >= 3:
            points += (1000 if face == 0 else 100 * (face + 1)) * (count - 2)
        elif face in (0, 4):
            points += (100 if face == 0 else 50) * count
        elif count:
            return whole
    return max(points, whole)


def kept(counts: tuple[int, ...]) -> tuple[int, int]:
    """The points and the number of the dice to set aside: all, if they score, else the most points less 90 a die."""
    if own := worth(counts):
        return own, sum(counts)
    parts = product(*(range(count + 1) for count in counts))
    scoring = ((worth(part), sum(part)) for part in parts)
    best = max(((own - 90 * dice, -dice, own) for own, dice in scoring if own), default=(0, 0, 0))
    return best[2], -best[1]


def tables() -> tuple[np.ndarray, np.ndarray]:
    """What is set aside of every throw, and its dice."""
    points, used = np.zeros(7**6, np.int64), np.zeros(7**6, np.int64)
    for counts in product(range(7), repeat=6):
        if 1 <= sum(counts) <= 6:
            points[counts @ POWERS], used[counts @ POWERS] = kept(counts)
    return points, used


def farkle(games: int, rng: np.random.Generator) -> Tally:
    """The throws of both players, and the turns of the first; `own` is the score of who plays."""
    own, other, points = (np.zeros(games, np.int64) for _ in range(3))
    left, first = np.full(games, 6), np.ones(games, bool)
    rolls, turns, places = 0, games, np.arange(6)
    while own.size:
        rolls += own.size
        faces = POWERS[rng.integers(0, 6, (own.size, 6), np.int8)]
        throw = np.where(places < left[:, None], faces, 0).sum(axis=1)
        bust = POINTS[throw] == 0
        points += POINTS[throw]
        left = np.where(left == USED[throw], 6, left - USED[throw])
        bank = ~bust & ((own > 0) | (points >= 500)) & ((own + points >= 10_000) | (points >= STOP[left]))
        own = np.where(bank, own + points, own)
        passed = bust | bank
        own, other = np.where(passed, other, own), np.where(passed, own, other)
        points, left = np.where(passed, 0, points), np.where(passed, 6, left)
        first ^= passed
        going_on = own < 10_000  # Who has not reached the goal has a last turn.
        turns += np.count_nonzero(passed & first & going_on)
        if not going_on.all():
            own, other, points = own[going_on], other[going_on], points[going_on]
            left, first = left[going_on], first[going_on]
    return Tally(games, rolls, turns)


def zombie(games: int, rng: np.random.Generator) -> Tally:
    """The throws of all players, and the turns of the first."""
    score = np.zeros((games, 4), np.int64)
    rolls = turns = 0
    while score.size:
        turns += len(score)
        for player in range(4):
            most = np.delete(score, player, axis=1).max(axis=1)
            turn, cup = np.arange(len(score)), np.tile(CUP, (len(score), 1))
            hand, eaten = np.zeros_like(cup), np.zeros_like(cup)
            brains, shots = np.zeros_like(turn), np.zeros_like(turn)
            while turn.size:
                rolls += turn.size
                few = cup.sum(axis=1) + hand.sum(axis=1) < 3
                cup[few] += eaten[few]
                eaten[few] = 0
                for _ in range(3):
                    drawing = np.flatnonzero(hand.sum(axis=1) < 3)
                    place = rng.random(drawing.size) * cup[drawing].sum(axis=1)
                    kind = (place[:, None] >= cup[drawing].cumsum(axis=1)).sum(axis=1)
                    cup[drawing, kind] -= 1
                    hand[drawing, kind] += 1
                dice = (np.arange(3) >= hand.cumsum(axis=1)[:, :, None]).sum(axis=1)
                face = rng.integers(0, 6, dice.shape, np.int8)
                brain = face < BRAINS[dice]
                feet = ~brain & (face < BRAINS[dice] + FEET[dice])
                for kind in range(3):
                    eaten[:, kind] += (brain & (dice == kind)).sum(axis=1)
                    hand[:, kind] = (feet & (dice == kind)).sum(axis=1)
                brains += brain.sum(axis=1)
                shots += 3 - (brain | feet).sum(axis=1)
                total = score[turn, player] + brains
                is_enough = ((shots == 2) & (brains >= 1)) | ((shots == 1) & (brains >= 4)) | (brains >= 10)
                bust, ahead = shots >= 3, (total > most[turn]) | (most[turn] < 13)
                stop = ~bust & is_enough & ahead
                score[turn[stop], player] += brains[stop]
                on = ~(bust | stop)
                turn, brains, shots = turn[on], brains[on], shots[on]
                cup, hand, eaten = cup[on], hand[on], eaten[on]
        most = score.max(axis=1)
        score = score[(most < 13) | ((score == most[:, None]).sum(axis=1) > 1)]
    return Tally(games, rolls, turns)


if __name__ == "__main__":
    args = arguments()
    POINTS, USED = tables()
    play, rng = {"farkle": farkle, "zombie": zombie}[args.workload], np.random.default_rng(args.seed)
    measure(lambda games: play(games, rng), 20_000, args.seconds, np.__version__)
