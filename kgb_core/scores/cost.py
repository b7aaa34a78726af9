"""What a right kernel cost: tokens, money and time over successes."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.timing import Interval
from kgb_core.scores.proportion import proportion


class PerSuccess(FrozenModel):
    """An amount spent on a whole pack over the right kernels that came of it."""

    spent: float
    successes: int
    value: float | None
    """`None` where nothing succeeded: no amount bought a success."""
    interval: Interval | None
    """95 %: the amount over what Wilson's interval of the success rate expects; open ends are `None`."""


def per_success(spent: float, successes: int, tried: int) -> PerSuccess:
    """An amount for each success.

    1,000,000 tokens for 40 right of 50 are 25,000 a success; the success rate lies between 0.670 and 0.888
    (Wilson), so the cost lies between 22,530 and 29,870.

    Args:
        spent: tokens, US dollars or seconds, over all that was tried, failures too.
        successes: how many were right.
        tried: how many there were.

    Raises:
        ValueError: more succeeded than were tried, or the amount is below zero.
    """
    if not 0 <= successes <= tried or spent < 0:
        raise ValueError(f"{successes} of {tried} for {spent}")
    rate = proportion(successes, tried)
    return PerSuccess(
        spent=spent,
        successes=successes,
        value=spent / successes if successes else None,
        interval=_interval(spent, tried, rate.interval) if successes else None,
    )


def _interval(spent: float, tried: int, rate: Interval | None) -> Interval | None:
    if rate is None or rate.low <= 0:
        return None
    return Interval(low=spent / (tried * rate.high), high=spent / (tried * rate.low))
