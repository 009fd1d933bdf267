"""Two-seat Pig through OpenSpiel's Python API, both seats holding at 20.

The dice come from the chance outcomes that the state names. They are drawn with `random.choices`, which is several
times as fast here as the `np.random.choice` of OpenSpiel's examples. The Python API tells scores and turn total only in
text or as a tensor, so they are kept here: reading them from `str(state)` makes it about half as fast.
OpenSpiel declares Pig a game for two to ten players, so there is no solo workload.
"""

import random
import sys
from importlib.metadata import version

import pyspiel

from measure import GOAL, HOLD, Tally, arguments, measure

ROLL, STOP = 0, 1


def two(games: int, game: pyspiel.Game) -> Tally:
    """Two seats, both of the same policy."""
    rolls = first_wins = 0
    for _ in range(games):
        state = game.new_initial_state()
        scores = [0, 0]
        total = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                outcome = random.choices(outcomes, chances)[0]
                state.apply_action(outcome)
                rolls += 1
                total = 0 if outcome == 0 else total + outcome + 1
                continue
            seat = state.current_player()
            if total >= HOLD or scores[seat] + total >= GOAL:
                state.apply_action(STOP)
                scores[seat] += total
                total = 0
            else:
                state.apply_action(ROLL)
        first_wins += state.returns()[0] > 0
    return Tally(games, rolls, first_wins=first_wins)


if __name__ == "__main__":
    args = arguments()
    if args.workload == "solo":
        sys.exit("OpenSpiel's Pig is for two to ten players")
    random.seed(args.seed)
    pig = pyspiel.load_game("pig", {"players": 2, "winscore": GOAL})
    measure(lambda games: two(games, pig), 100, args.seconds, version("open_spiel"))
