"""The details of each operator: its cases, its candidates, and what each did on each chip."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgb_core.models.timing import Samples, Summary
from kgb_core.models.verdict import Verdict
from kgb_core.operators.registry import Registry
from kgb_core.operators.signatures import signature_of
from kgb_core.report.html.cells import Placed
from kgb_core.report.html.detail import (
    LETTERS,
    Kernel,
    OnChip,
    OperatorDetail,
    Source,
    TimedCase,
    TimedSide,
)
from kgb_core.report.html.gather import Cases, Gathered, Timed
from kgb_core.report.html.short import short, short_interval, short_interval_or_none, short_or_none
from kgb_core.report.html.tokens import tokens_of
from kgb_core.report.text import plain
from kgb_core.results import layout
from kgb_core.results.documents import read_document
from kgb_core.results.query import Results
from kgb_core.results.run import Run
from kgb_core.results.samples import SAMPLES_SCHEMA, SamplePair

RAW_LIMIT = 3000
"""Timed cases of which the page keeps the raw times; of more, only those of the fastest right candidates."""


@dataclass(frozen=True)
class Line:
    """One candidate on one chip, with what was gathered of it.

    Attributes:
        placed: the row of the summary and its place.
        gathered: from its records.
        run: where the raw times lie.
    """

    placed: Placed
    gathered: Gathered
    run: Run


def details_of(
    names: Sequence[str],
    lines: Sequence[Line],
    cases: Mapping[str, Cases],
    registry: Registry,
    results: Results,
) -> Iterator[OperatorDetail]:
    """The details of each operator, in the order of the names.

    Raises:
        BundleError: a file of raw times is malformed.
    """
    raw = _with_raw(lines)
    by_operator: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        by_operator[line.placed.operator].append(line)
    for number, name in enumerate(names):
        declared = registry.operators.get(name)
        known = cases.get(name, Cases()).lines
        made = tuple(_kernels(by_operator[number], len(known), raw))
        yield OperatorDetail(
            name=name,
            signature=signature_of(declared) if declared else "",
            semantics=declared.semantics if declared else "",
            cases=tuple(known),
            kernels=made,
            sources=tuple(_source(kernel, results) for kernel in made),
        )


def _with_raw(lines: Sequence[Line]) -> frozenset[int]:
    """Identities of the gathered rows whose raw times are kept."""
    if sum(len(line.gathered.timed) for line in lines) <= RAW_LIMIT:
        return frozenset(id(line.gathered) for line in lines)
    best: dict[str, Line] = {}
    for line in lines:
        place = f"{line.placed.operator} {line.placed.chip}"
        if place not in best or _rank(line) > _rank(best[place]):
            best[place] = line
    return frozenset(id(line.gathered) for line in best.values())


def _rank(line: Line) -> float:
    row = line.placed.row
    return row.speedup.value if row.right and row.speedup else -1.0


def _kernels(lines: Sequence[Line], cases: int, raw: frozenset[int]) -> Iterator[Kernel]:
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        candidate = line.placed.row.candidate
        groups[f"{candidate.pack}\0{candidate.name}\0{candidate.sha256}"].append(line)
    for _, group in sorted(groups.items()):
        candidate = group[0].placed.row.candidate
        yield Kernel(
            pack=group[0].placed.pack,
            name=candidate.name,
            sha256=candidate.sha256,
            chips=tuple(_on_chip(line, cases, id(line.gathered) in raw) for line in group),
        )


def _source(kernel: Kernel, results: Results) -> Source:
    source = results.source(kernel.sha256)
    text = None if source is None else plain(source)
    return Source(text=text, tokens=tokens_of(text) if text else ())


def _on_chip(line: Line, cases: int, raw: bool) -> OnChip:
    row, gathered = line.placed.row, line.gathered
    return OnChip(
        chip=line.placed.chip,
        verdict=row.verdict,
        right=row.right,
        passed=row.passed,
        counted=row.counted,
        missing=row.missing,
        views=row.views,
        speedup=short(row.speedup.value) if row.speedup else None,
        interval=short_interval_or_none(row.speedup.interval) if row.speedup else None,
        verdicts="".join(_letter(gathered.verdicts.get(place)) for place in range(cases)),
        observations=tuple(gathered.observations.values()),
        remarks=tuple(gathered.remarks),
        unsaid=gathered.unsaid,
        timings=tuple(_timed(line.run, timed, raw) for timed in gathered.timed),
    )


def _letter(verdict: Verdict | None) -> str:
    return LETTERS[verdict] if verdict else "."


def _timed(run: Run, timed: Timed, raw: bool) -> TimedCase:
    timing = timed.timing
    pair = _pair(run, timed) if raw else None
    return TimedCase(
        case=timed.case,
        method=timing.method.value,
        candidate=_side(timing.candidate, pair.candidate if pair else None),
        baseline=_side(timing.baseline, pair.baseline if pair else None),
        speedup=short_or_none(timing.speedup),
        interval=short_interval_or_none(timing.speedup_interval),
        floor=short_or_none(timing.floor_ns),
        floor_source=timing.floor_source,
        overhead_bound=timing.overhead_bound,
        bimodal=timing.bimodal,
        invalid=timing.invalid,
    )


def _pair(run: Run, timed: Timed) -> SamplePair | None:
    """The raw times; none where the record names another file than its own."""
    inside = layout.samples_path(timed.uid)
    if timed.timing.samples != inside:
        return None
    return read_document(run.path / inside, SamplePair, SAMPLES_SCHEMA, run.upgrades)


def _side(summary: Summary, samples: Samples | None) -> TimedSide:
    return TimedSide(
        median=short(summary.median_ns),
        interval=short_interval(summary.interval_ns),
        count=summary.count,
        samples=samples.device_ns if samples else (),
    )
