"""Portability: what is right on one chip and not on another."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from kgb_core.models.base import FrozenModel
from kgb_core.scores.proportion import Proportion, proportion

Rights = Mapping[str, Mapping[str, bool]]
"""By chip, by kernel: whether it is right there. What was not judged on a chip is absent."""


class Pair(FrozenModel):
    """Two chips over the kernels that both have judged."""

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float
    """How likely a difference this large is where the chips are alike: McNemar's exact test."""


class Portability(FrozenModel):
    """Over the kernels that every chip has judged."""

    chips: tuple[str, ...]
    kernels: int
    somewhere: int
    """Right on one chip at least."""
    everywhere: Proportion
    """Right on all of them, of those that are right somewhere."""
    pairs: tuple[Pair, ...]


def portability(rights: Rights) -> Portability:
    """How much of what is right somewhere is right everywhere.

    Of kernels right on (A and B), (A), (B and A), (neither): 3 are right somewhere, 2 of them everywhere.

    Args:
        rights: by chip and kernel.
    """
    chips = tuple(sorted(rights))
    shared = sorted(set.intersection(*(set(rights[chip]) for chip in chips))) if chips else []
    counts = [sum(rights[chip][kernel] for chip in chips) for kernel in shared]
    somewhere = sum(count > 0 for count in counts)
    everywhere = sum(count == len(chips) for count in counts)
    return Portability(
        chips=chips,
        kernels=len(shared),
        somewhere=somewhere,
        everywhere=proportion(everywhere, somewhere),
        pairs=tuple(pair(first, second, rights) for first, second in combinations(chips, 2)),
    )


def pair(first: str, second: str, rights: Rights) -> Pair:
    """Compare two chips by McNemar's exact test (Q. McNemar, Psychometrika 12, 1947).

    It is a binomial test of the kernels that only one of the two gets right. With 1 right on the
    first only and 9 on the second only, p is 0.0215.
    """
    shared = rights[first].keys() & rights[second].keys()
    outcomes = [(rights[first][kernel], rights[second][kernel]) for kernel in shared]
    only_first, only_second = outcomes.count((True, False)), outcomes.count((False, True))
    return Pair(
        first=first,
        second=second,
        both=outcomes.count((True, True)),
        only_first=only_first,
        only_second=only_second,
        neither=outcomes.count((False, False)),
        p_value=_mcnemar(only_first, only_second),
    )


def _mcnemar(one: int, other: int) -> float:
    if one + other == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(one, one + other, 0.5).pvalue)
