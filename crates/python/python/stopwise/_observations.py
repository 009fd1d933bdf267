"""What agents observe: the parts of an observation, and the spaces that these are in."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from stopwise._tables import Tables


def parts_of(tables: Tables, masked: bool) -> dict[str, Any]:
    """The parts, as they lie at the tables, a row a table."""
    parts = {"observation": tables.observed}
    if tables.candidate_names:
        parts["candidates"] = tables.candidates
    if masked:
        parts["action_mask"] = tables.mask
    return parts


def spaces_of(tables: Tables, mask: spaces.Space[Any] | None) -> dict[str, spaces.Space[Any]]:
    """The spaces of the parts at one table; `mask` is that of the mask, if there is one."""
    parts: dict[str, spaces.Space[Any]] = {"observation": _box(tables.bounds)}
    if tables.candidate_names:
        parts["candidates"] = _box(tables.candidate_bounds, tables.action_count)
    if mask is not None:
        parts["action_mask"] = mask
    return parts


def whole(parts: dict[str, Any]) -> Any:
    """The observation that has these parts: a dictionary, or the features themselves if there is nothing else."""
    return parts if len(parts) > 1 else parts["observation"]


def _box(bounds: tuple[list[float], list[float]], *rows: int) -> spaces.Box:
    """Arrays with these least and greatest values in their last axis."""
    low, high = (np.broadcast_to(np.asarray(bound, np.float32), (*rows, len(bound))) for bound in bounds)
    return spaces.Box(low, high, dtype=np.float32)
