"""`kgb show`: why an operator failed, case by case, with the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from kgb_core.cli.options import BundlePath, Json
from kgb_core.cli.output import show as show_text
from kgb_core.cli.output import show_json
from kgb_core.cli.suggest import one_of
from kgb_core.models.plan import device_name
from kgb_core.models.record import Errors, Evidence, Record
from kgb_core.models.verdict import Verdict
from kgb_core.report.conformance import conformance_lines
from kgb_core.report.grid import grid, verdict_text
from kgb_core.report.text import counted, first_line, plain
from kgb_core.results.layout import source_path
from kgb_core.results.query import Results, open_results

_QUIET = frozenset({Verdict.PASSED, Verdict.UNSUPPORTED, Verdict.SKIPPED})
"""Verdicts that need no explanation of their own."""


def show(
    bundle: BundlePath,
    operator: Annotated[str, typer.Argument(metavar="OPERATOR", help="The namespace may be left out.")],
    all: Annotated[bool, typer.Option("--all", help="Every case in full, the passed ones too.")] = False,
    json: Json = False,
) -> None:
    """Show the cases of one operator that did not pass, with the evidence.

    The first case of each verdict is shown in full, the others in a line. Cases that the device can't run for
    anyone are only counted.
    """
    results = open_results(bundle)
    name = _operator(operator, {head.operator for head in results.heads()})
    chosen = list(results.records(name))
    shown = chosen if all else [record for record in chosen if record.verdict not in _QUIET]
    if json:
        told = results.conformance
        show_json("kgb.show/1", bundle=str(bundle), operator=name, conformance=told, records=shown)
        return
    for group in [[record] for record in shown] if all else _alike(shown):
        show_text(_card(results, group))
    closing = [_closing(name, chosen), *conformance_lines(run.manifest for run in results.runs)]
    show_text(Text("\n".join(closing)))


def _operator(name: str, known: set[str]) -> str:
    matches = [each for each in known if each.split("::")[-1] == name]
    return matches[0] if len(matches) == 1 else one_of(name, known, "operator", "in this bundle")


def _alike(records: Sequence[Record]) -> Iterable[list[Record]]:
    """Records of one candidate on one device with one verdict, together."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        device = device_name(record.backend.name, record.device.index)
        key = f"{record.run} {record.verdict.value} {record.candidate} {device}"
        groups.setdefault(key, []).append(record)
    return groups.values()


def _closing(name: str, records: Sequence[Record]) -> str:
    verdicts = Counter(record.verdict for record in records)
    passed = verdicts.pop(Verdict.PASSED, 0)
    others = "".join(f", {count} {verdict.value}" for verdict, count in verdicts.most_common())
    return f"{name}: {passed} of {counted(len(records), 'case')} passed{others}"


def _card(results: Results, group: Sequence[Record]) -> RenderableType:
    """The first record in full, and the others, whose verdict is the same, in a line each."""
    record, *others = group
    title = Text.assemble(verdict_text(record.verdict), "  ", plain(record.case.label))
    also = "\n".join(f"{other.case.label}: {first_line(other.message)}" for other in others)
    facts = [*_facts(results, record), (f"{len(others)} more", also)]
    return Group(title, grid([["  " + name, value] for name, value in facts if value]), Text())


def _facts(results: Results, record: Record) -> Sequence[tuple[str, str]]:
    return [
        ("run", record.run if len(results.runs) > 1 else ""),
        ("device", device_name(record.backend.name, record.device.index)),
        ("message", record.message),
        *_errors(record.errors),
        *_evidence(record.evidence),
        ("candidate", f"{record.candidate.pack}/{record.candidate.name}"),
        ("source", str(results.run(record.run).path / source_path(record.candidate.sha256))),
        ("case", f"{record.case.id} ({record.case.purpose.value}, {record.case.tier.value})"),
        ("uid", record.uid),
    ]


def _errors(errors: Errors | None) -> Sequence[tuple[str, str]]:
    if errors is None:
        return []
    found = f"max {errors.max_abs:.3g} absolute, {errors.max_rel:.3g} relative, {errors.max_ulp:.3g} ulp"
    worst = f"got {errors.got}, want {errors.want} at {errors.worst_index}" if errors.got else ""
    native = "" if errors.native_scale is None else f"; the native operator needs {errors.native_scale:.3g}"
    return [
        ("error", found),
        ("worst", worst),
        ("tolerance", f"passes from {errors.scale:.3g} times the tolerance on{native}"),
    ]


def _evidence(evidence: Evidence) -> Sequence[tuple[str, str]]:
    if not evidence.calls:
        return [("ended by", evidence.exit), ("traceback", evidence.traceback.rstrip())]
    launches = counted(evidence.launches, "Triton launch", "Triton launches")
    launches += f" in {counted(evidence.calls, 'call')}"
    aten = ", ".join(f"{name} x{count}" for name, count in evidence.aten.items())
    return [
        ("launches", f"{launches}: {', '.join(evidence.kernels)}" if evidence.kernels else launches),
        ("dispatched", aten),
        ("native work", ", ".join(evidence.foreign)),
        ("mutated", ", ".join(evidence.mutated)),
        ("out of bounds", ", ".join(evidence.guards)),
        ("aliases", ", ".join(evidence.aliases)),
        ("findings", "\n".join(f"line {finding.line}: {finding.text}" for finding in evidence.findings)),
        ("ended by", evidence.exit),
        ("traceback", evidence.traceback.rstrip()),
        ("printed", evidence.output.rstrip()),
    ]
