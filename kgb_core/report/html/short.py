"""Numbers as short as the page shows them: the digits that nobody sees would be most of the file."""

from __future__ import annotations

from kgb_core.models.record import Errors
from kgb_core.models.timing import Interval

DIGITS = 4
"""Significant ones that are kept; the page shows three, the bundle has all."""


def short(value: float) -> float:
    """A number with `DIGITS` significant digits; infinity and NaN as they are."""
    return float(f"{value:.{DIGITS}g}")


def short_or_none(value: float | None) -> float | None:
    """The same, where there may be none."""
    return None if value is None else short(value)


def short_interval(interval: Interval) -> Interval:
    """An interval of such numbers."""
    return Interval(low=short(interval.low), high=short(interval.high))


def short_interval_or_none(interval: Interval | None) -> Interval | None:
    """The same, where there may be none."""
    return None if interval is None else short_interval(interval)


def short_errors(errors: Errors | None) -> Errors | None:
    """Measured errors in such numbers; the values themselves are text, and stay."""
    if errors is None:
        return None
    numbers = {name: short(value) for name, value in errors if isinstance(value, float)}
    return errors.model_copy(update=numbers)
