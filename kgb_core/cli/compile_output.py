"""What `kgb compile` shows: one row a candidate, one column a target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.text import Text

from kgb_core.cli.output import plain_data, show, show_json
from kgb_core.crosscompile.records import CandidateResult, Status, TargetResult
from kgb_core.models.device import Limits, Target
from kgb_core.report.grid import Cell, grid
from kgb_core.report.text import counted, plain

_TARGET_HEADERS = ("target", "compiles to", "shared memory", "threads", "grid", "devices")


def show_results(targets: Sequence[Target], results: list[CandidateResult], as_json: bool) -> None:
    """Write the results, as a table or as one JSON document."""
    if as_json:
        listed = [{"name": target.name, **plain_data(target)} for target in targets]
        show_json("kgb.compile/1", targets=listed, candidates=results)
        return
    names = [target.name for target in targets]
    rows = [_row(result) for result in results]
    notes = [Text(line) for line in _notes(results)]
    sums = [Text(_sum(name, column)) for name, column in zip(names, _columns(results), strict=True)]
    show(Group(grid(rows, ("", *names), fold=range(1, len(names) + 1)), Text(""), *sums, *notes))


def show_targets(targets: Sequence[Target], reached: dict[str, TargetResult], as_json: bool) -> None:
    """Write the targets: their limits, and how far a trivial kernel gets here."""
    if as_json:
        listed = [_target_document(target, reached[target.name]) for target in targets]
        show_json("kgb.targets/1", targets=listed)
        return
    rows = [_target_row(target, reached[target.name]) for target in targets]
    told = dict.fromkeys(
        f"{target.vendor}: {reached[target.name].note or reached[target.name].message}"
        for target in targets
        if reached[target.name].note or reached[target.name].message
    )
    show(Group(grid(rows, _TARGET_HEADERS), *(Text(plain(line)) for line in told)))


def _row(result: CandidateResult) -> list[Cell]:
    return [_candidate(result), *map(_cell, result.results)]


def _candidate(result: CandidateResult) -> str:
    alone = result.name == result.operator.replace("::", "__")
    return result.operator if alone else f"{result.operator} {result.name}"


def _cell(result: TargetResult) -> Text:
    """`binary 0.2 s`, or the status, with the reason below."""
    style = "green" if result.ok else "red"
    shown = result.stage.value if result.status is Status.COMPILED else result.status.value
    cell = Text(f"{shown:<8}", style=style)
    if result.launches:
        seconds = result.nanoseconds / 1e9
        cell.append(f"{seconds:>6.1f} s {len(result.launches):>4} x", style="default")
    cell.rstrip()
    if result.message:
        cell.append(f"\n{plain(result.message)}", style="default")
    return cell


def _columns(results: list[CandidateResult]) -> Iterable[tuple[TargetResult, ...]]:
    return zip(*(result.results for result in results), strict=True)


def _sum(name: str, column: tuple[TargetResult, ...]) -> str:
    """`vendor:arch: 27 of 29 kernels compiled, 2 no_launch; 60.1 s`."""
    counts: dict[str, int] = {}
    for result in column:
        counts[result.status.value] = counts.get(result.status.value, 0) + 1
    compiled = counts.pop(Status.COMPILED.value, 0)
    rest = "".join(f", {count} {status}" for status, count in sorted(counts.items()))
    seconds = sum(result.nanoseconds for result in column) / 1e9
    return f"{name}: {compiled} of {counted(len(column), 'kernel')} compiled{rest}; {seconds:.1f} s"


def _notes(results: list[CandidateResult]) -> list[str]:
    told = [f"{one.target}: {note}" for result in results for one in result.results for note in _said(one)]
    return [plain(line) for line in dict.fromkeys(told)]


def _said(result: TargetResult) -> Iterable[str]:
    yield from (f"cases left out: {reason}" for reason in result.left_out)
    if result.note and result.status is Status.COMPILED:
        yield result.note


def _target_document(target: Target, reached: TargetResult) -> dict[str, object]:
    return {
        "name": target.name,
        **plain_data(target),
        "stage": reached.stage.value,
        "note": reached.note or reached.message,
    }


def _target_row(target: Target, reached: TargetResult) -> list[Cell]:
    limits = target.limits
    return [
        target.name,
        Text(reached.stage.value, style="green" if reached.ok else "red"),
        "" if limits.shared_memory_bytes is None else f"{limits.shared_memory_bytes / 1024:g} KiB",
        "" if limits.threads_per_block is None else str(limits.threads_per_block),
        _grid(limits),
        ", ".join(target.device_names),
    ]


def _grid(limits: Limits) -> str:
    return "" if limits.grid is None else " x ".join(map(str, limits.grid))
