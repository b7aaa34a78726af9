"""Every score of some runs together: the scoreboard that reports show and `kgb report --json` prints.

    board = board_of(open_results("bundle").runs)
    for score in board.scores: ...

Each score is a function of its own, in a module of its own; here they are applied to what was judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgb_core.models.base import FrozenModel
from kgb_core.models.pack import PackInfo
from kgb_core.results.run import Run
from kgb_core.scores.accuracy import Accuracy, accuracy_of
from kgb_core.scores.attempts import Attempts, PassAtK, pass_at_k
from kgb_core.scores.chip import ChipOfRun, chips_of
from kgb_core.scores.cost import PerSuccess, per_success
from kgb_core.scores.fast import FastPoint, fast_curve
from kgb_core.scores.mean import MeanSpeedup, mean_speedup
from kgb_core.scores.portability import Portability, portability
from kgb_core.scores.row import Row
from kgb_core.scores.summary import BundleSummary, summarise_runs

KS = (1, 2, 3, 5, 10, 20, 50, 100)
"""The k of pass@k that are given, as far as there are samples."""

Suites = Mapping[str, Collection[str]]
"""By label, `name hash`, the names of a suite's operators."""


class Score(FrozenModel):
    """One pack on one device of one run."""

    pack: str
    device: str
    run: str
    accuracy: Accuracy
    speedup: MeanSpeedup
    """Over operators: of each the fastest right kernel."""
    overhead_free: MeanSpeedup
    """The same without operators of which a case is close to an empty launch."""
    fast: tuple[FastPoint, ...]
    """Empty where no time was asked of anything."""
    attempts: tuple[PassAtK, ...]
    """pass@k; empty where each operator has one sample."""
    tokens: PerSuccess | None
    """For each operator with a right kernel, like cost and seconds; `None` where the pack does not tell,
    or only a part of it was judged."""
    cost: PerSuccess | None
    """US dollars."""
    seconds: PerSuccess | None
    """Time to solution."""


class PackPortability(FrozenModel):
    """One pack over the chips that judged it by the same suite."""

    pack: str
    suite: str
    seeds: int
    """Different ones; above 1 the chips saw different inputs of the same cases."""
    portability: Portability


class Scoreboard(FrozenModel):
    """All scores of some runs."""

    chips: tuple[ChipOfRun, ...]
    packs: tuple[PackInfo, ...]
    scores: tuple[Score, ...]
    portability: tuple[PackPortability, ...]


def board_of(runs: Sequence[Run], suites: Suites | None = None) -> Scoreboard:
    """Every score of some runs; see `board_from`.

    Raises:
        BundleError: a line is malformed, naming file and line.
    """
    return board_from(runs, summarise_runs(runs), suites)


def board_from(runs: Sequence[Run], summary: BundleSummary, suites: Suites | None = None) -> Scoreboard:
    """Every score of some runs that are already condensed.

    Nothing is pooled over runs. Portability compares the devices of runs that agree in suite, tier and core.

    Args:
        runs: to say which suite, seed and packs they had.
        summary: of the same runs.
        suites: those that are installed here, so that operators without a kernel can be counted.
    """
    chips = tuple(chips_of(runs, summary))
    infos = {run.id: _packs(run) for run in runs}
    whole = {run.id: _suite(run, suites or {}) for run in runs}
    paid = {run.id: {} if _narrowed(run) else infos[run.id] for run in runs}
    scores = [
        _score(place, rows, whole[place.run], paid[place.run].get(place.pack, PackInfo(name=place.pack)))
        for place, rows in _placed(summary.rows).items()
    ]
    return Scoreboard(
        chips=chips,
        packs=tuple(_told(infos.values(), {score.pack for score in scores})),
        scores=tuple(scores),
        portability=tuple(_portability(chips, summary.rows)),
    )


@dataclass(frozen=True)
class _Place:
    run: str
    device: str
    pack: str


def _placed(rows: Iterable[Row]) -> dict[_Place, list[Row]]:
    found: dict[_Place, list[Row]] = defaultdict(list)
    for row in rows:
        found[_Place(row.run, row.device, row.candidate.pack)].append(row)
    return found


def _packs(run: Run) -> dict[str, PackInfo]:
    return {info.name: info for info in (run.manifest.packs if run.manifest else ())}


def _narrowed(run: Run) -> bool:
    """Only a part of the suite was to be judged."""
    return run.plan is None or bool(run.plan.selection.operators)


def _told(infos: Iterable[Mapping[str, PackInfo]], names: Collection[str]) -> Iterator[PackInfo]:
    """Of each pack what is said of it, by the first run that says more than its name."""
    told = [each for found in infos for each in found.values()]
    for name in sorted(names):
        plain = PackInfo(name=name)
        yield next((each for each in told if each.name == name and each != plain), plain)


def _suite(run: Run, suites: Suites) -> Collection[str] | None:
    return None if run.plan is None or _narrowed(run) else suites.get(run.plan.suite.label)


def _score(place: _Place, rows: Sequence[Row], suite: Collection[str] | None, info: PackInfo) -> Score:
    accuracy = accuracy_of(rows, suite)
    fastest = fastest_of(rows)
    bound = {row.operator for row in rows if row.speedup and row.speedup.overhead_bound}
    return Score(
        pack=place.pack,
        device=place.device,
        run=place.run,
        accuracy=accuracy,
        speedup=mean_speedup(list(fastest.values())),
        overhead_free=mean_speedup([value for name, value in fastest.items() if name not in bound]),
        fast=fast_curve(list(fastest.values())) if fastest else (),
        attempts=tuple(_attempts(rows)),
        tokens=_per(info.tokens, accuracy),
        cost=_per(info.cost, accuracy),
        seconds=_per(info.seconds, accuracy),
    )


def fastest_of(rows: Iterable[Row]) -> dict[str, float | None]:
    """By operator that a time is asked of, the speedup of its fastest right kernel; `None` without one.

    Args:
        rows: of one pack on one device.
    """
    found: dict[str, list[float]] = {}
    for row in sorted(rows, key=lambda row: row.operator):
        if row.wanted:
            speedups = found.setdefault(row.operator, [])
            speedups += [row.speedup.value] if row.right and row.speedup else []
    return {name: max(speedups, default=None) for name, speedups in found.items()}


def _attempts(rows: Iterable[Row]) -> Iterator[PassAtK]:
    decided = [row for row in rows if row.decided]
    drawn = Counter(row.operator for row in decided)
    right = Counter(row.operator for row in decided if row.right)
    most = max(drawn.values(), default=0)
    problems = [Attempts(drawn=count, right=right[name]) for name, count in drawn.items()]
    for k in KS if most > 1 else ():
        if k <= most:
            yield pass_at_k(problems, k)


def _per(amount: float | None, accuracy: Accuracy) -> PerSuccess | None:
    """An amount for each operator with a right kernel; of an unfinished run nothing is said."""
    if amount is None or amount < 0 or accuracy.unfinished:
        return None
    return per_success(amount, accuracy.operators.count, accuracy.operators.total)


def _portability(chips: Sequence[ChipOfRun], rows: Sequence[Row]) -> Iterator[PackPortability]:
    alike: dict[str, list[ChipOfRun]] = defaultdict(list)
    for chip in chips:
        if chip.suite and chip.core:
            alike[f"{chip.suite}\0{chip.tier}\0{chip.core}"].append(chip)
    for group in alike.values():
        for pack in sorted({row.candidate.pack for row in rows}):
            rights = _rights(group, [row for row in rows if row.candidate.pack == pack])
            if len(rights) > 1:
                yield PackPortability(
                    pack=pack,
                    suite=group[0].suite,
                    seeds=len({chip.seed for chip in group}),
                    portability=portability(rights),
                )


def _rights(chips: Sequence[ChipOfRun], rows: Iterable[Row]) -> dict[str, dict[str, bool]]:
    """By chip, named with its run where several runs have it, and by kernel: whether it is right there."""
    several = Counter(chip.device for chip in chips)
    names = {
        f"{chip.run}\0{chip.device}": chip.device
        if several[chip.device] == 1
        else f"{chip.device} {chip.run}"
        for chip in chips
    }
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in rows:
        name = names.get(f"{row.run}\0{row.device}")
        if name is not None and row.decided:
            kernel = f"{row.operator} {row.candidate.name} {row.candidate.sha256}"
            found[name][kernel] = row.right
    return found
