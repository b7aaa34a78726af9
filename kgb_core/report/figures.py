"""Numbers as a reader sees them: shares, speedups, times and amounts, with their intervals."""

from __future__ import annotations

from kgb_core.models.timing import Interval
from kgb_core.scores.cost import PerSuccess
from kgb_core.scores.mean import MeanSpeedup
from kgb_core.scores.proportion import Proportion

UNKNOWN = "-"
"""Where nothing was measured."""
_UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
_TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))


def percent(share: float | None, digits: int = 1) -> str:
    """`96.6 %`."""
    return UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def share_text(found: Proportion) -> str:
    """`28/29  96.6 % (82.8 to 99.4)`."""
    if found.share is None or found.interval is None:
        return UNKNOWN
    low, high = 100 * found.interval.low, 100 * found.interval.high
    return f"{found.count}/{found.total}  {percent(found.share)} ({low:.1f} to {high:.1f})"


def times_text(value: float | None) -> str:
    """`1.32x`."""
    return UNKNOWN if value is None else f"{value:.3g}x"


def interval_text(interval: Interval | None) -> str:
    """`(1.29 to 1.35)`, with a space before it; empty without one."""
    return "" if interval is None else f" ({interval.low:.3g} to {interval.high:.3g})"


def mean_text(found: MeanSpeedup) -> str:
    """`1.20x (0.94 to 1.56) over 26/26`."""
    if not found.wanted:
        return UNKNOWN
    return f"{times_text(found.value)}{interval_text(found.interval)} over {found.matched}/{found.wanted}"


def amount(value: float) -> str:
    """`1.45 M`, three digits."""
    for size, unit in _UNITS:
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def per_success_text(found: PerSuccess | None) -> str:
    """`25 k (22.5 k to 29.9 k)`."""
    if found is None or found.value is None:
        return UNKNOWN
    if found.interval is None:
        return amount(found.value)
    return f"{amount(found.value)} ({amount(found.interval.low)} to {amount(found.interval.high)})"


def duration(nanoseconds: float) -> str:
    """`12.3 µs`."""
    for size, unit in _TIMES:
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"
