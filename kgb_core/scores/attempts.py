"""pass@k: how likely one of k samples is right, from n samples of each problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Interval
from kgb_core.scores.resample import mean_interval


@dataclass(frozen=True)
class Attempts:
    """The samples of one problem.

    Attributes:
        drawn: how many were judged.
        right: how many of them were right.
    """

    drawn: int
    right: int


class PassAtK(FrozenModel):
    """The mean over problems."""

    k: int
    value: float | None
    """`None` where no problem has k samples."""
    interval: Interval | None
    """95 %, over problems drawn anew; `None` for fewer than two problems."""
    problems: int
    """Problems with k samples or more: those of fewer say nothing of k."""


def pass_at_k(problems: Sequence[Attempts], k: int) -> PassAtK:
    """The unbiased estimate of M. Chen et al. (arXiv 2107.03374, equation 1), averaged over problems.

    Of n samples with c right, it is the share of the subsets of size k that hold a right one. With 4 samples
    of which 1 is right, pass@2 is 1 - C(3, 2) / C(4, 2) = 0.5.

    Args:
        problems: the samples of each problem.
        k: 1 or more.

    Raises:
        ValueError: k is below 1, or more samples are right than were drawn.
    """
    if k < 1:
        raise ValueError(f"k is {k}; it counts samples, so 1 or more")
    values = [_of_one(problem, k) for problem in problems if problem.drawn >= k]
    return PassAtK(
        k=k,
        value=math.fsum(values) / len(values) if values else None,
        interval=mean_interval(values),
        problems=len(values),
    )


def _of_one(problem: Attempts, k: int) -> float:
    if not 0 <= problem.right <= problem.drawn:
        raise ValueError(f"{problem.right} right of {problem.drawn} drawn")
    wrong = problem.drawn - problem.right
    return 1.0 - math.comb(wrong, k) / math.comb(problem.drawn, k)
