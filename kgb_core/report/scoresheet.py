"""The scoreboard in a few lines: a row for each pack on each device, then portability and what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgb_core.report.figures import UNKNOWN, mean_text, per_success_text, percent, share_text, times_text
from kgb_core.report.sheet import Sheet
from kgb_core.report.text import counted
from kgb_core.scores.accuracy import Accuracy
from kgb_core.scores.board import PackPortability, Score, Scoreboard
from kgb_core.scores.chip import ChipOfRun
from kgb_core.scores.portability import Pair

_FAST = (0.8, 1.0, 1.5, 2.0)
"""Of the curve the points that a line has room for; --json has them all."""
_MOST = 8


def score_sheets(board: Scoreboard) -> Iterator[Sheet]:
    """The scores of every pack on every device, in short; the whole is in `kgb report --json`."""
    place = _Place(len({score.run for score in board.scores}) > 1)
    yield from _accuracy(board, place)
    timed = [score for score in board.scores if score.speedup.wanted]
    if timed:
        yield _speed(timed, place)
    if any(score.attempts for score in board.scores):
        yield _attempts(board.scores, place)
    paid = [score for score in board.scores if score.tokens or score.cost or score.seconds]
    if paid:
        yield _cost(paid, place)
    yield from map(_portability, board.portability)
    yield from _taxonomy(board.chips)


@dataclass(frozen=True)
class _Place:
    """The columns that say whose a score is.

    Attributes:
        several: there are several runs, so the run is one of them.
    """

    several: bool

    @property
    def headers(self) -> list[str]:
        return ["pack", "device", *(["run"] if self.several else [])]

    def of(self, score: Score) -> list[str]:
        return [score.pack, score.device, *([score.run] if self.several else [])]


def _accuracy(board: Scoreboard, place: _Place) -> Iterator[Sheet]:
    sources = list(dict.fromkeys(share.name for score in board.scores for share in score.accuracy.sources))
    columns = sources if len(sources) > 1 else []
    suite = any(score.accuracy.suite for score in board.scores)
    notes = tuple(_left_out(board.scores))
    if len(board.scores) > 1 or columns or suite or notes:
        headers = [*place.headers, "operators right", *(["of the suite"] if suite else []), *columns]
        rows = [[*place.of(score), *_shares(score.accuracy, suite, columns)] for score in board.scores]
        yield Sheet("Accuracy", headers, rows, notes)


def _shares(accuracy: Accuracy, suite: bool, columns: Sequence[str]) -> Iterator[str]:
    yield share_text(accuracy.operators)
    if suite:
        yield share_text(accuracy.suite) if accuracy.suite else UNKNOWN
    by_name = {share.name: share.operators for share in accuracy.sources}
    yield from (share_text(by_name[name]) if name in by_name else UNKNOWN for name in columns)


def _left_out(scores: Sequence[Score]) -> Iterator[str]:
    """What is not in a denominator, and what is in it but unfinished."""
    for score in scores:
        names = [f"{each.operator} ({each.verdict.value})" for each in score.accuracy.left_out]
        if names:
            yield f"Left out on {score.device}: {_listed(names)}."
        if score.accuracy.unfinished:
            names = list(score.accuracy.unfinished)
            yield f"Not finished on {score.device}, and counted as not right: {_listed(names)}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _speed(scores: Sequence[Score], place: _Place) -> Sheet:
    headers = [*place.headers, "mean speedup", "failures as 1.0", *(f"> {p:g}x" for p in _FAST)]
    rows = []
    for score in scores:
        curve = {point.p: point.problems for point in score.fast}
        fast = [percent(curve[p].share, 0) for p in _FAST]
        rows.append([*place.of(score), mean_text(score.speedup), times_text(score.speedup.penalised), *fast])
    return Sheet("Speedup", headers, rows, tuple(_overhead(scores)))


def _overhead(scores: Sequence[Score]) -> Iterator[str]:
    for score in scores:
        left = score.speedup.matched - score.overhead_free.matched
        if left:
            without = mean_text(score.overhead_free)
            yield (
                f"{score.pack} on {score.device}: {counted(left, 'operator')} near an empty launch; "
                f"without them {without}."
            )


def _attempts(scores: Sequence[Score], place: _Place) -> Sheet:
    ks = sorted({found.k for score in scores for found in score.attempts})
    rows = []
    for score in scores:
        values = {found.k: found.value for found in score.attempts}
        rows.append([*place.of(score), *(percent(values.get(k)) for k in ks)])
    return Sheet("Samples", [*place.headers, *(f"pass@{k}" for k in ks)], rows)


def _cost(scores: Sequence[Score], place: _Place) -> Sheet:
    headers = [*place.headers, "tokens", "US dollars", "seconds"]
    rows = [
        [*place.of(score), *map(per_success_text, (score.tokens, score.cost, score.seconds))]
        for score in scores
    ]
    return Sheet("For each operator with a right kernel", headers, rows)


def _portability(found: PackPortability) -> Sheet:
    held = found.portability
    seeds = "" if found.seeds == 1 else f" The chips saw inputs of {found.seeds} different seeds."
    note = (
        f"Right everywhere: {share_text(held.everywhere)} of those right somewhere, "
        f"over {counted(held.kernels, 'kernel')} that every chip decided.{seeds}"
    )
    headers = ["", "both", "first only", "second only", "neither", "p (McNemar)"]
    return Sheet(f"Portability of {found.pack}", headers, [_pair(pair) for pair in held.pairs], (note,))


def _pair(pair: Pair) -> list[str]:
    counts = map(str, (pair.both, pair.only_first, pair.only_second, pair.neither))
    return [f"{pair.first} and {pair.second}", *counts, f"{pair.p_value:.2g}"]


def _taxonomy(chips: Sequence[ChipOfRun]) -> Iterator[Sheet]:
    rows = [
        [chip.device, chip.run, taxon.family.value, taxon.verdict.value, str(taxon.kernels), str(taxon.cases)]
        for chip in chips
        for taxon in chip.taxonomy
        if taxon.verdict.counts and taxon.kernels and taxon.verdict.value != taxon.family.PASSED.value
    ]
    if rows:
        yield Sheet("Failures", ["device", "run", "family", "verdict", "kernels", "cases"], rows)
