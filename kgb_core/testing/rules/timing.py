"""With a chip: the timer measures what the host's clock confirms, from nothing to several kernels."""

from __future__ import annotations

from itertools import pairwise

from kgb_core.testing.bench import Times

_TRUE_WITHIN = 0.25
"""Around the host's clock, whose own error over ten calls of milliseconds is a few percent."""
_TWICE = (1.6, 2.4)
_EMPTY_SHARE = 0.1
_RESOLUTION_NS = 10_000


def test_known_length_measures_right(times: Times) -> None:
    """A call of known length measures as long as the host's clock says over many of them."""
    for work in times.works:
        measured = min(work.one)
        assert abs(measured / work.truth_ns - 1) < _TRUE_WITHIN, (
            f"{work.work}: {times.timer} says {measured} ns, the host's clock {work.truth_ns:.0f} ns a call"
        )


def test_two_kernels_measure_twice(times: Times) -> None:
    """Two kernels in one reading measure twice as long as one: none of several is left out."""
    low, high = _TWICE
    for work in times.works:
        ratio = min(work.two) / max(1, min(work.one))
        assert low < ratio < high, f"{work.work}: two kernels measure {ratio:.2f} times as long as one"


def test_zero_kernels_are_flagged(times: Times) -> None:
    """A reading without a kernel is next to nothing, and never negative: it can be told from any kernel."""
    empty, one = sorted(times.empty)[len(times.empty) // 2], min(min(work.one) for work in times.works)
    assert min(times.empty) >= 0, f"{times.timer} says {min(times.empty)} ns"
    assert empty < _EMPTY_SHARE * one, f"nothing measures {empty} ns, a kernel {one} ns"


def test_timer_is_monotonic(times: Times) -> None:
    """More work never measures less."""
    for work in times.works:
        grows = all(less < more for less, more in pairwise(work.growing))
        assert grows, f"{work.work}: one, two and four units measure {work.growing} ns"


def test_timer_resolves_ten_microseconds(times: Times) -> None:
    """Readings differ by less than 10 µs: a timer that ticks in coarser steps can't time a short kernel."""
    readings = sorted({*times.empty, *times.short, *(ns for work in times.works for ns in work.one)})
    steps = [later - earlier for earlier, later in pairwise(readings)]
    assert steps, f"every reading is {readings[0]} ns"
    assert min(steps) < _RESOLUTION_NS, f"the smallest step between two readings is {min(steps)} ns"
