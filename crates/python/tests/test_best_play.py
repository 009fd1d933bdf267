"""Best play that was kept is a policy like others, and has what it was said to have."""

from pathlib import Path

import stopwise


def test_best_play_that_was_kept(tmp_path: Path) -> None:
    goal = {"goal": 30}
    exact = stopwise.solve("pig", rules="solo", set=goal, out=tmp_path / "best").solution[0].value
    best = tmp_path / "best" / "policy.toml"
    played = stopwise.simulate("pig", best, rules="solo", set=goal, trials=50_000).means[0]
    assert abs(played.mean - exact) < 2 * (played.high - played.low)
    compared = stopwise.compare("pig", [best, "hold"], rules="solo", set=goal, trials=20_000).comparison[0]
    assert compared.mean_difference < 0
    ranked = stopwise.rank("pig", [best, "hold", "hold-at-25"], rules="solo", set=goal, trials=20_000)
    assert "best-play" in ranked.answer
    told = stopwise.replay("pig", best, rules="solo", set=goal, trial=3)
    assert "best-play" in told
