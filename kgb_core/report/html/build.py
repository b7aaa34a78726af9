"""From runs to the records of what the page shows. Nothing is written, and no clock is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgb_core.operators.registry import Registry
from kgb_core.report.html.cells import Placed, cells_of
from kgb_core.report.html.chips import columns_of
from kgb_core.report.html.gather import Gathered, Gatherer, Key, RunContent
from kgb_core.report.html.kernels import Line, details_of
from kgb_core.report.html.model import (
    NOTHING_COMPILED,
    Chip,
    Compiled,
    ExternalRow,
    OperatorRow,
    Overview,
    PlacedScore,
    Report,
)
from kgb_core.report.suites import installed_suites
from kgb_core.report.text import counted
from kgb_core.results.query import Results
from kgb_core.results.run import Run
from kgb_core.scores.board import Scoreboard, board_from
from kgb_core.scores.row import Row
from kgb_core.scores.summary import BundleSummary
from kgb_core.version import __version__


@dataclass(frozen=True)
class Extras:
    """What the page shows besides the bundles.

    Attributes:
        compiled: compile-only results.
        external: published figures.
    """

    compiled: Compiled = NOTHING_COMPILED
    external: tuple[ExternalRow, ...] = ()


def build_report(results: Results, registry: Registry, extras: Extras | None = None) -> Report:
    """Read every record once and say what the page shows of them.

    Args:
        results: the runs.
        registry: the operators that are installed here, for signatures and for what nobody submitted.
        extras: what else is shown.

    Raises:
        BundleError: a file of a bundle is malformed.
    """
    gatherer = Gatherer()
    contents = [gatherer.read(run) for run in results.runs]
    suites = installed_suites(results.runs, registry)
    board = board_from(results.runs, _together(contents), suites)
    chips = columns_of(contents, board.chips)
    names = _names(contents, results, suites)
    lines = list(_lines(contents, _Places(chips, names, [pack.name for pack in board.packs])))
    overview = _overview(results, contents, board, extras or Extras())
    placed = [line.placed for line in lines]
    return Report(
        overview=overview.model_copy(
            update={
                "chips": chips,
                "operators": tuple(_operators(names, placed, registry)),
                "cells": tuple(cells_of(placed, len(board.packs))),
            }
        ),
        details=tuple(details_of(names, lines, gatherer.cases, registry, results)),
    )


def _overview(
    results: Results, contents: Sequence[RunContent], board: Scoreboard, extras: Extras
) -> Overview:
    """All but the matrix."""
    return Overview(
        version=__version__,
        suites=tuple(dict.fromkeys(run.plan.suite.label for run in results.runs if run.plan)),
        notices=tuple(_notices(results, contents)),
        chips=(),
        packs=board.packs,
        operators=(),
        cells=(),
        scores=tuple(_scores(board)),
        portability=board.portability,
        compiled=extras.compiled,
        external=extras.external,
        records=sum(content.records for content in contents),
    )


def _scores(board: Scoreboard) -> Iterator[PlacedScore]:
    chips = {f"{chip.run} {chip.device}": number for number, chip in enumerate(board.chips)}
    packs = {pack.name: number for number, pack in enumerate(board.packs)}
    for score in board.scores:
        yield PlacedScore(pack=packs[score.pack], chip=chips[f"{score.run} {score.device}"], score=score)


def _together(contents: Sequence[RunContent]) -> BundleSummary:
    return BundleSummary(
        rows=tuple(row for content in contents for row in content.summary.rows),
        totals=tuple(total for content in contents for total in content.summary.totals),
    )


def _names(
    contents: Sequence[RunContent], results: Results, suites: Mapping[str, Collection[str]]
) -> list[str]:
    """Every operator of the records, and those of whole suites for which nobody submitted a kernel."""
    found = {row.operator for content in contents for row in content.summary.rows}
    for run in filter(_whole, results.runs):
        found.update(suites.get(run.plan.suite.label, ()) if run.plan else ())
    return sorted(found)


def _whole(run: Run) -> bool:
    return run.plan is not None and not run.plan.selection.operators


@dataclass(frozen=True)
class _Places:
    """Where things stand on the page."""

    chips: Sequence[Chip]
    operators: Sequence[str]
    packs: Sequence[str]


def _lines(contents: Sequence[RunContent], places: _Places) -> Iterator[Line]:
    operators = {name: number for number, name in enumerate(places.operators)}
    columns = {f"{chip.run} {chip.device}": number for number, chip in enumerate(places.chips)}
    packs = {name: number for number, name in enumerate(places.packs)}
    for content in contents:
        for row in content.summary.rows:
            placed = Placed(
                row=row,
                operator=operators[row.operator],
                chip=columns[f"{row.run} {row.device}"],
                pack=packs[row.candidate.pack],
            )
            yield Line(placed, content.rows.get(_key(row), Gathered()), content.run)


def _key(row: Row) -> Key:
    candidate = row.candidate
    return Key(row.device, row.operator, candidate.pack, candidate.name, candidate.sha256)


def _operators(names: Sequence[str], placed: Sequence[Placed], registry: Registry) -> Iterator[OperatorRow]:
    kinds = {each.operator: each.row.kind for each in placed if each.row.kind}
    kernels: dict[int, set[str]] = {}
    for each in placed:
        key = f"{each.row.candidate.pack} {each.row.candidate.name} {each.row.candidate.sha256}"
        kernels.setdefault(each.operator, set()).add(key)
    for number, name in enumerate(names):
        declared = registry.operators.get(name)
        yield OperatorRow(
            name=name,
            source=name.partition("::")[0],
            kind=kinds.get(number) or (declared.kind.value if declared else ""),
            kernels=len(kernels.get(number, ())),
        )


def _notices(results: Results, contents: Sequence[RunContent]) -> Iterator[str]:
    for content in contents:
        yield from _of_run(content)
    for difference in results.differences():
        kinds = counted(len(difference.values), f"different {difference.what}")
        yield f"Kept apart: {kinds} among the runs. Each run has columns of its own."


def _of_run(content: RunContent) -> Iterator[str]:
    run = content.run
    if not run.finished:
        missing = sum(row.missing for row in content.summary.rows)
        cases = counted(missing, "planned case")
        yield f"Run {run.id} was interrupted, or goes on: {cases} without a record."
    if run.manifest is not None and run.manifest.rejudged is not None:
        source = run.manifest.rejudged
        yield f"Run {run.id} was rejudged from the measurements of {source.run}: {source.reason}"
