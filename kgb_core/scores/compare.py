"""Two sets of runs compared: what got better or worse, and whether it is more than noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.results.run import Run
from kgb_core.scores.change import MeanChange, mean_change
from kgb_core.scores.chip import chips_of
from kgb_core.scores.kernels import KernelChange, kernel_changes, rows_by_kernel
from kgb_core.scores.pairing import Apart, Matched, Side, pair_up
from kgb_core.scores.portability import Pair, pair
from kgb_core.scores.row import Row
from kgb_core.scores.summary import BundleSummary, summarise_runs
from kgb_core.scores.times import TimeChange, TimedPair, kernel_ratios, time_changes, timed_of

BEFORE, AFTER = "before", "after"


class Comparison(FrozenModel):
    """What `kgb compare` shows."""

    matched: tuple[Matched, ...]
    apart: tuple[Apart, ...]
    """Devices of either side that were not compared, and why."""
    synthetic: bool
    """A program made records of a side up."""
    kernels: tuple[KernelChange, ...]
    """Every kernel of the matched devices."""
    accuracy: Pair
    """Right before and after, over the kernels that both decide; with McNemar's test."""
    times: tuple[TimeChange, ...]
    mean: MeanChange
    """Over kernels: how much slower they became, the machine's own change taken out."""


def compare_runs(before: Sequence[Run], after: Sequence[Run]) -> Comparison:
    """Compare two sets of runs, device by device.

    A kernel is recognised by its operator and its name, and by its pack where a side has several, so that
    a changed source is compared with what it was.

    Raises:
        BundleError: a line is malformed, naming file and line.
    """
    one, other = _read(before), _read(after)
    packed = max(_packs(one), _packs(other)) > 1
    pairing = pair_up(one.side, other.side)
    judged = [_judged(match, one, other, packed) for match in pairing.matched]
    timed = [_timed(match, one, other, packed) for match in pairing.matched]
    times = time_changes(timed)
    return Comparison(
        matched=pairing.matched,
        apart=pairing.apart,
        synthetic=any(run.synthetic for run in (*before, *after)),
        kernels=tuple(change for each in judged for change in kernel_changes(each.before, each.after)),
        accuracy=_accuracy(judged),
        times=tuple(times),
        mean=mean_change(kernel_ratios(times)),
    )


@dataclass(frozen=True)
class _Read:
    side: Side
    summary: BundleSummary

    def rows(self, run: str, device: str) -> list[Row]:
        return [row for row in self.summary.rows if (row.run, row.device) == (run, device)]


@dataclass(frozen=True)
class _Judged:
    device: str
    before: Mapping[str, Row]
    after: Mapping[str, Row]


def _read(runs: Sequence[Run]) -> _Read:
    summary = summarise_runs(runs)
    side = Side({run.id: run for run in runs}, tuple(chips_of(runs, summary)))
    return _Read(side, summary)


def _packs(read: _Read) -> int:
    return len({row.candidate.pack for row in read.summary.rows})


def _judged(match: Matched, one: _Read, other: _Read, packed: bool) -> _Judged:
    return _Judged(
        match.device,
        rows_by_kernel(one.rows(match.before, match.device), packed),
        rows_by_kernel(other.rows(match.after, match.device_after), packed),
    )


def _timed(match: Matched, one: _Read, other: _Read, packed: bool) -> TimedPair:
    return TimedPair(
        timed_of(one.side.runs[match.before], match.device, packed),
        timed_of(other.side.runs[match.after], match.device_after, packed),
    )


def _accuracy(judged: Sequence[_Judged]) -> Pair:
    rights: dict[str, dict[str, bool]] = {BEFORE: {}, AFTER: {}}
    for each in judged:
        for name, rows in ((BEFORE, each.before), (AFTER, each.after)):
            found = {f"{each.device}\0{key}": row.right for key, row in rows.items() if row.decided}
            rights[name].update(found)
    return pair(BEFORE, AFTER, rights)
