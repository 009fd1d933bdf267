"""The positions that `solve` lists."""

from pathlib import Path

from test_envs import OVER

import stopwise
from stopwise import envs


def test_all_positions_whether_they_are_written_or_not(tmp_path: Path) -> None:
    game = {"rules": "solo", "set": {"goal": 20}}
    alone = stopwise.solve("pig", **game, positions="all")
    written = stopwise.solve("pig", **game, positions="all", out=tmp_path / "csv")
    packed = stopwise.solve("pig", **game, positions="all", out=tmp_path / "parquet", positions_format="parquet")
    file = (tmp_path / "csv" / "solution_positions.csv").read_bytes()
    assert len(alone.solution_positions) > 100
    for result in (alone, written, packed):
        assert result.csv("solution_positions") == file
    assert len(stopwise.solve("pig", **game, positions=7, out=tmp_path / "csv").solution_positions) == 7


def test_a_number_that_is_chosen_is_called_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "over.game"
    path.write_text(OVER)
    assert envs.make(path).action_names == ("many: 1", "many: 2", "many: 3", "stop: no", "stop: yes")


def test_positions_tell_nothing_of_what_was_forgotten() -> None:
    """The rules read how many dice were chosen before they are rolled, and not behind it."""
    game = stopwise.Game(OVER.replace("points + sum(rolled)", "min(points + sum(rolled), goal - score)"))
    positions = stopwise.solve(game, positions="all").solution_positions
    assert len(positions) > 1000
    assert not any("many" in row.position for row in positions)
    assert not any("many=" in row.state for row in positions if row.decision)
