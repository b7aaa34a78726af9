"""A comparison drawn: what became worse or better first, then the times that changed by more than noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kgb_core.models.verdict import Verdict
from kgb_core.report.figures import duration
from kgb_core.report.sheet import Sheet
from kgb_core.report.text import counted, first_line
from kgb_core.scores.compare import Comparison
from kgb_core.scores.kernels import Fate, KernelChange
from kgb_core.scores.times import TimeChange

_ORDER = (Fate.WORSE, Fate.BETTER, Fate.OTHER, Fate.UNDECIDED, Fate.GONE, Fate.NEW)
_MOST = 40


def comparison_sheets(comparison: Comparison) -> Iterator[Sheet]:
    """What a person reads of a comparison."""
    yield Sheet("", (), (), tuple(_heading(comparison)))
    changed = [change for fate in _ORDER for change in comparison.kernels if change.fate is fate]
    if changed:
        headers = ["kernel", "device", "", "before", "after", "why"]
        rows = [_kernel(change) for change in changed[:_MOST]]
        yield Sheet("Verdicts", headers, rows, _more(changed))
    real = sorted((each for each in comparison.times if each.real), key=lambda each: -each.relative)
    if real:
        headers = ["kernel", "device", "case", "before", "after", "change", "machine"]
        yield Sheet("Times", headers, [_time(each) for each in real[:_MOST]], _more(real))
    yield Sheet("", (), (), tuple(_closing(comparison, real)))


def _heading(comparison: Comparison) -> Iterator[str]:
    if comparison.synthetic:
        yield "SYNTHETIC: a program made these records up. Nothing was measured."
    for match in comparison.matched:
        model = f" ({match.model})" if match.model else ""
        yield f"{match.device}{model}: {match.before} and {match.after}"
        if match.differences:
            yield f"  differs: {', '.join(match.differences)}"
    for each in comparison.apart:
        yield f"Not compared: {each.device} of {each.run}: {each.why}."


def _more(listed: Sequence[object]) -> tuple[str, ...]:
    left = len(listed) - _MOST
    return (f"and {left} more; --json has them all",) if left > 0 else ()


def _kernel(change: KernelChange) -> list[str]:
    fate = change.fate.value if change.same_source or change.fate in (Fate.GONE, Fate.NEW) else _new(change)
    return [_name(change), change.device, fate, *_verdicts(change), first_line(change.message)]


def _new(change: KernelChange) -> str:
    return f"{change.fate.value}, new source"


def _verdicts(change: KernelChange) -> list[str]:
    return [found.value if isinstance(found, Verdict) else "" for found in (change.before, change.after)]


def _name(change: KernelChange | TimeChange) -> str:
    own = change.candidate != change.operator.replace("::", "__")
    return f"{change.operator} {change.candidate}" if own else change.operator


def _time(change: TimeChange) -> list[str]:
    ratio = 1 / change.baseline
    low, high = change.change.interval.low * ratio, change.change.interval.high * ratio
    return [
        _name(change),
        change.device,
        change.case,
        duration(change.before_ns),
        duration(change.after_ns),
        f"{_signed(change.relative)} ({_signed(low)} to {_signed(high)})",
        _signed(change.baseline),
    ]


def _signed(ratio: float) -> str:
    """`+5.2 %` is slower."""
    return f"{100 * (ratio - 1):+.1f} %"


def _closing(comparison: Comparison, real: Sequence[TimeChange]) -> Iterator[str]:
    counts = Counter(change.fate for change in comparison.kernels)
    pair = comparison.accuracy
    yield (
        f"{counted(len(comparison.kernels), 'kernel')}: {counts[Fate.WORSE]} worse, "
        f"{counts[Fate.BETTER]} better, {counts[Fate.OTHER]} wrong in another way, "
        f"{counts[Fate.SAME]} the same."
    )
    yield (
        f"Right before {pair.both + pair.only_first}, after {pair.both + pair.only_second}, of "
        f"{pair.both + pair.only_first + pair.only_second + pair.neither} that both decide; "
        f"p = {pair.p_value:.2g} (McNemar)."
    )
    if not comparison.times:
        yield "No case was timed in both."
        return
    slower = sum(each.relative > 1 for each in real)
    yield (
        f"{counted(len(comparison.times), 'timed case')}: {slower} slower and {len(real) - slower} faster by "
        "more than noise. The change is the kernel's, with that of the native operator taken out."
    )
    yield from _mean(comparison)


def _mean(comparison: Comparison) -> Iterator[str]:
    mean = comparison.mean
    if mean.ratio is not None:
        interval = ""
        if mean.interval is not None:
            interval = f" ({_signed(mean.interval.low)} to {_signed(mean.interval.high)})"
        yield f"Mean over {counted(mean.cases, 'kernel')}: {_signed(mean.ratio)}{interval}."
