"""`kgb conformance`: ask a backend every rule of the suite, and write down what it said."""

from __future__ import annotations

import importlib.util
import json as json_text
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from kgb_core.cli.loading import survey
from kgb_core.cli.options import Json
from kgb_core.cli.output import emit, show, show_json
from kgb_core.errors import BackendError, ExitCode, NoDeviceError, UsageError
from kgb_core.models.conformance import Conformance, ConformanceTier, RuleOutcome, RuleResult
from kgb_core.plugins import Backend
from kgb_core.report.grid import Cell, grid
from kgb_core.results.files import write_whole
from kgb_core.results.redact import redactor_of_this_machine

_STYLES = {RuleOutcome.PASSED: "green", RuleOutcome.FAILED: "red"}


class Tiers(str, Enum):
    """Which rules are asked."""

    NO_CHIP = "no-chip"
    CHIP = "chip"
    ALL = "all"

    @property
    def tiers(self) -> tuple[ConformanceTier, ...]:
        """The tiers of the suite."""
        return tuple(ConformanceTier) if self is Tiers.ALL else (ConformanceTier(self.value),)


def conformance(
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="Which backend.")],
    tier: Annotated[Tiers, typer.Option(help="Rules that need no chip, rules that do, or both.")] = Tiers.ALL,
    tests: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The vendor's test file, with its overrides.")
    ] = None,
    signed_off_by: Annotated[
        str, typer.Option("--signed-off-by", metavar="NAME", help="Who vouches for the result.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The record; default: conformance-NAME.json here.")
    ] = None,
    json: Json = False,
) -> None:
    """Ask a backend every rule of the conformance suite, and write the record.

    Exits with 1 if a rule failed, with 3 if the chip tier alone was asked for and there is no device.
    """
    if importlib.util.find_spec("pytest") is None:
        raise UsageError(
            "the conformance suite can't run.", "pytest is not installed", 'pip install "kgb-core[testing]"'
        )
    record = _conducted(backend, tier, tests, signed_off_by)
    file = out or Path(f"conformance-{backend}.json")
    content = redactor_of_this_machine().document(json_text.loads(record.model_dump_json()))
    write_whole(file, json_text.dumps(content, indent=1, ensure_ascii=False) + "\n")
    if json:
        show_json(content.pop("schema"), **content)
    else:
        show(Group(grid([_row(result) for result in record.rules]), Text()))
        emit(_closing(record, file))
    if not record.passed:
        raise typer.Exit(ExitCode.FAILED)


def _conducted(name: str, tier: Tiers, tests: Path | None, signed_off_by: str) -> Conformance:
    from kgb_core.testing.conduct import Subject, conduct  # it needs pytest, which is optional

    loaded = survey([name])
    backend = loaded.backends.get(name)
    if tier is Tiers.CHIP and backend is not None:
        _require_device(backend)
    return conduct(Subject(loaded.report.of(name)[0], backend, tier.tiers, tests), signed_off_by)


def _require_device(backend: Backend) -> None:
    try:
        devices = backend.discover_devices()
    except BackendError:  # a rule of the suite says so
        return
    if all(device.state is not None for device in devices):
        raise NoDeviceError(
            f"{backend.vendor} has no usable device here.",
            "; ".join(f"{device.name}: {device.state}" for device in devices) or "it found none",
            "kgb doctor says why; --tier no-chip asks what can be asked anywhere",
        )


def _row(result: RuleResult) -> list[Cell]:
    outcome = Text(result.outcome.value, style=_STYLES.get(result.outcome, "yellow"))
    return [result.tier.value, outcome, result.rule, result.reason]


def _closing(record: Conformance, file: Path) -> str:
    counts = [(len(record.with_outcome(outcome)), outcome.value) for outcome in RuleOutcome]
    told = ", ".join(f"{count} {name}" for count, name in counts if count)
    who = f", signed off by {record.signed_off_by}" if record.signed_off_by else ""
    return f"{record.backend.name} {record.backend.version}: {told}{who}\nRecord   {file}\n"
