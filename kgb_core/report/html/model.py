"""What the page shows at once: chips, packs, the matrix and every score. Details are in `detail`."""

from __future__ import annotations

from kgb_core.models.base import FrozenModel
from kgb_core.models.conformance import ConformanceRef, RuleResult
from kgb_core.models.pack import PackInfo
from kgb_core.models.verdict import Verdict
from kgb_core.report.html.detail import OperatorDetail
from kgb_core.scores.board import PackPortability, Score
from kgb_core.scores.taxonomy import Taxon


class Fact(FrozenModel):
    """A name and what is known under it."""

    name: str
    value: str


class Restriction(FrozenModel):
    """A dtype or feature that a device supports in part or not at all."""

    name: str
    support: str
    reason: str


class Override(FrozenModel):
    """A tolerance that is not the core's, and the cases that were judged under it."""

    operator: str
    source: str
    reason: str
    cases: int
    passed: int
    nearest: float | None
    """The largest share of the bound that a passed case needed; near 1 it decided."""


class Chip(FrozenModel):
    """One device of one run: a column of the matrix."""

    id: str
    label: str
    device: str
    """`vendor:index`."""
    run: str
    synthetic: bool
    finished: bool
    facts: tuple[Fact, ...]
    versions: tuple[Fact, ...]
    restrictions: tuple[Restriction, ...]
    conformance: ConformanceRef | None
    rules: tuple[RuleResult, ...]
    """Rules of the conformance suite that did not pass."""
    overrides: tuple[Override, ...]
    untimed: str
    """Why times on it mean nothing; empty where they do."""
    taxonomy: tuple[Taxon, ...]


class OperatorRow(FrozenModel):
    """A row of the matrix."""

    name: str
    source: str
    kind: str
    kernels: int
    """Candidates, on whatever chip; 0: it is in the suite, and nobody submitted one."""


class Cell(FrozenModel):
    """One operator on one chip, over the candidates of one pack or of all."""

    operator: int
    chip: int
    pack: int
    """-1 for all packs together."""
    verdict: Verdict | None
    """Of the best candidate: passed if any is right; `None` where no case was judged."""
    verdicts: tuple[Verdict, ...]
    """Every verdict that any case of any candidate has."""
    right: int
    judged: int
    """Candidates that are decided."""
    missing: int
    """Planned cases without a record."""
    speedup: float | None
    """Of the fastest right candidate."""


class PlacedScore(FrozenModel):
    """The scores of one pack on one chip, by their numbers."""

    pack: int
    chip: int
    score: Score


class CompiledCell(FrozenModel):
    """One candidate compiled for one target."""

    operator: str
    kernel: str
    target: int
    status: str
    ok: bool
    stage: str
    message: str


class Compiled(FrozenModel):
    """Compile-only results: nothing was launched, so nothing is said of right or wrong."""

    targets: tuple[str, ...]
    cells: tuple[CompiledCell, ...]


NOTHING_COMPILED = Compiled(targets=(), cells=())
"""No compile-only results were given."""


class ExternalRow(FrozenModel):
    """A figure that somebody else published: shown beside our own, never mixed with them."""

    source: str
    """Where it was published."""
    method: str
    chip: str
    accuracy: float | None = None
    """Between 0 and 1."""
    speedup: float | None = None
    note: str = ""


class Overview(FrozenModel):
    """Everything but the details of operators."""

    version: str
    suites: tuple[str, ...]
    notices: tuple[str, ...]
    """What must be known before a number is read."""
    chips: tuple[Chip, ...]
    packs: tuple[PackInfo, ...]
    operators: tuple[OperatorRow, ...]
    cells: tuple[Cell, ...]
    scores: tuple[PlacedScore, ...]
    portability: tuple[PackPortability, ...]
    compiled: Compiled
    external: tuple[ExternalRow, ...]
    records: int


class Report(FrozenModel):
    """The whole page as data."""

    overview: Overview
    details: tuple[OperatorDetail, ...]
    """In the order of `overview.operators`."""
