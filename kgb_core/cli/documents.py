"""The documents that verbs over results print with `--json`, as models for `kgb schema`."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kgb_core.models.base import FrozenModel
from kgb_core.models.conformance import ConformanceRef
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.report.external import External
from kgb_core.report.html.model import Compiled
from kgb_core.report.papertable import PaperTable
from kgb_core.results.merge import RunReport
from kgb_core.results.problems import Problem
from kgb_core.results.query import Difference
from kgb_core.scores.board import Scoreboard
from kgb_core.scores.change import MeanChange
from kgb_core.scores.kernels import KernelChange
from kgb_core.scores.pairing import Apart, Matched
from kgb_core.scores.portability import Pair
from kgb_core.scores.row import Row
from kgb_core.scores.summary import DeviceTotal
from kgb_core.scores.times import TimeChange


class _Document(FrozenModel):
    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class RunSummary(FrozenModel):
    """The numbers of a run."""

    planned: int
    passed: int
    counted: int
    verdicts: dict[Verdict, int]
    rows: tuple[Row, ...]


class RunDocument(_Document):
    """What kgb run --json prints."""

    schema_: Literal["kgb.run/1"] = Field(alias="schema")
    run: str
    bundle: str
    summary: RunSummary
    records: tuple[Record, ...]


class ShowDocument(_Document):
    """What kgb show --json prints."""

    schema_: Literal["kgb.show/1"] = Field(alias="schema")
    bundle: str
    operator: str
    conformance: tuple[ConformanceRef, ...]
    records: tuple[Record, ...]


class ReportDocument(_Document):
    """What kgb report --json prints."""

    schema_: Literal["kgb.report/1"] = Field(alias="schema")
    bundle: str
    finished: bool
    synthetic: bool
    conformance: tuple[ConformanceRef, ...]
    rows: tuple[Row, ...]
    totals: tuple[DeviceTotal, ...]
    board: Scoreboard
    apart: tuple[Difference, ...]
    table: PaperTable | None
    compiled: Compiled
    external: tuple[External, ...]


class CompareDocument(_Document):
    """What kgb compare --json prints."""

    schema_: Literal["kgb.compare/1"] = Field(alias="schema")
    before: str
    after: str
    matched: tuple[Matched, ...]
    apart: tuple[Apart, ...]
    synthetic: bool
    kernels: tuple[KernelChange, ...]
    accuracy: Pair
    times: tuple[TimeChange, ...]
    mean: MeanChange
    failed: tuple[str, ...]


class CheckedBundle(FrozenModel):
    """What is wrong with one bundle."""

    bundle: str
    problems: tuple[Problem, ...]


class CheckDocument(_Document):
    """What kgb check --json prints."""

    schema_: Literal["kgb.check/1"] = Field(alias="schema")
    bundles: tuple[CheckedBundle, ...]


class MergeDocument(_Document):
    """What kgb merge --json prints."""

    schema_: Literal["kgb.merge/1"] = Field(alias="schema")
    out: str
    runs: tuple[RunReport, ...]
    apart: tuple[Difference, ...]


DOCUMENTS: MappingProxyType[str, type[BaseModel]] = MappingProxyType(
    {
        "run": RunDocument,
        "show": ShowDocument,
        "check": CheckDocument,
        "merge": MergeDocument,
        "report": ReportDocument,
        "compare": CompareDocument,
    }
)
"""By verb; `kgb rejudge --json` prints what a bundle keeps as `rejudged`."""
