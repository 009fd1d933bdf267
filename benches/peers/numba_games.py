"""Farkle for two and Zombie Dice for four in Numba, with the policies `by-dice` and `by-shots`: one loop a game."""

import numba
import numpy as np
from numba import njit

from measure import Tally, arguments, measure

# Farkle: the points at which to bank, by the dice that are left.
STOP = np.array([1 << 30, 350, 250, 450, 1050, 3100, 1 << 30])
# Zombie Dice: the faces with a brain and with feet, of green, yellow and red dice.
BRAINS, FEET = np.array([3, 2, 1]), np.array([2, 2, 2])


@njit
def draw(rng, faces):
    """A number from 0 on: faster in Numba than `rng.integers(faces)`."""
    return int(rng.random() * faces)


@njit
def worth(counts):
    """What dice are worth if all of them score, by their counts; else 0, or 1500 for three pairs and the like."""
    twos = fours = ones = 0
    for face in range(6):
        ones += counts[face] == 1
        twos += counts[face] == 2
        fours += counts[face] == 4
    whole = 1500 if ones == 6 or twos == 3 or (fours == 1 and twos == 1) else 0
    points = 0
    for face in range(6):
        count = counts[face]
        if count >= 3:
            points += (1000 if face == 0 else 100 * (face + 1)) * (count - 2)
        elif face == 0:
            points += 100 * count
        elif face == 4:
            points += 50 * count
        elif count > 0:
            return whole
    return max(points, whole)


@njit
def kept(counts, left, part):
    """The points and the number of the dice to set aside: all, if they score, else the most points less 90 a die."""
    best, points, used = -(1 << 30), 0, 0
    part[:] = 0
    while True:
        face = 0
        while face < 6 and part[face] == counts[face]:
            part[face] = 0
            face += 1
        if face == 6:
            return points, used
        part[face] += 1
        own = worth(part)
        if own > 0:
            dice = part.sum()
            if dice == left:
                return own, dice
            value = own - 90 * dice
            if value > best or (value == best and dice < used):
                best, points, used = value, own, dice


@njit
def farkle(games, rng):
    """The throws of both players, and the turns of the first."""
    rolls = turns = 0
    counts, part = np.zeros(6, np.int64), np.zeros(6, np.int64)
    for _ in range(games):
        score = [0, 0]
        player = 0
        while score[player] < 10_000:
            turns += player == 0
            points, left = 0, 6
            while True:
                counts[:] = 0
                for _ in range(left):
                    counts[draw(rng, 6)] += 1
                rolls += 1
                own, used = kept(counts, left, part)
                if own == 0:
                    break
                points += own
                left = 6 if left == used else left - used
                if (score[player] > 0 or points >= 500) and (
                    score[player] + points >= 10_000 or points >= STOP[left]
                ):
                    score[player] += points
                    break
            player = 1 - player
    return rolls, turns


@njit
def zombie(games, rng):
    """The throws of all players, and the turns of the first."""
    rolls = turns = 0
    cup, hand, eaten = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    rolled, score = np.zeros(3, np.int64), np.zeros(4, np.int64)
    for _ in range(games):
        score[:] = 0
        while True:
            turns += 1
            for player in range(4):
                most = 0
                for other in range(4):
                    if other != player:
                        most = max(most, score[other])
                cup[0], cup[1], cup[2] = 6, 4, 3
                hand[:] = 0
                eaten[:] = 0
                brains = shots = 0
                while True:
                    if cup.sum() + hand.sum() < 3:
                        cup += eaten
                        eaten[:] = 0
                    while hand.sum() < 3:
                        place, kind = draw(rng, cup.sum()), 0
                        while place >= cup[kind]:
                            place -= cup[kind]
                            kind += 1
                        cup[kind] -= 1
                        hand[kind] += 1
                    rolls += 1
                    rolled[:] = hand
                    hand[:] = 0
                    for kind in range(3):
                        for _ in range(rolled[kind]):
                            face = draw(rng, 6)
                            if face < BRAINS[kind]:
                                brains += 1
                                eaten[kind] += 1
                            elif face < BRAINS[kind] + FEET[kind]:
                                hand[kind] += 1
                            else:
                                shots += 1
                    if shots >= 3:
                        break
                    own = score[player] + brains
                    is_enough = (shots == 2 and brains >= 1) or (shots == 1 and brains >= 4) or brains >= 10
                    if is_enough and (own > most or most < 13):
                        score[player] = own
                        break
            most = score.max()
            if most >= 13 and (score == most).sum() == 1:
                break
    return rolls, turns


if __name__ == "__main__":
    args = arguments()
    play, rng = {"farkle": farkle, "zombie": zombie}[args.workload], np.random.default_rng(args.seed)
    measure(lambda games: Tally(games, *play(games, rng)), 2_000, args.seconds, numba.__version__)
