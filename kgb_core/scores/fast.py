"""fast_p: the share of problems that are right and more than p times as fast as the native operator."""

from __future__ import annotations

from collections.abc import Sequence

from kgb_core.models.base import FrozenModel
from kgb_core.scores.proportion import Proportion, proportion

STEPS = (0.0, 0.5, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)
"""The values of p of a curve; at 0 it is the share that is right and was timed."""


class FastPoint(FrozenModel):
    """One point of the curve."""

    p: float
    problems: Proportion


def fast_p(speedups: Sequence[float | None], p: float) -> Proportion:
    """KernelBench's fast_p (arXiv 2502.10517, section 3.3), with Wilson's interval.

    Of speedups 0.9, 1.2 and 3.0 and one failure, fast_1 is 2 of 4.

    Args:
        speedups: one a problem that a time is asked of; `None` where it is not right or has no valid time.
        p: a speedup; only what is faster counts.
    """
    return proportion(sum(value is not None and value > p for value in speedups), len(speedups))


def fast_curve(speedups: Sequence[float | None], steps: Sequence[float] = STEPS) -> tuple[FastPoint, ...]:
    """fast_p at each step; it never rises."""
    return tuple(FastPoint(p=p, problems=fast_p(speedups, p)) for p in steps)
