"""`kgb compile`: compile kernels for chips that need not be here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kgb_core.cli.compile_output import show_results, show_targets
from kgb_core.cli.config import configured, interpreters
from kgb_core.cli.loading import load, vendors_speak_to_stderr
from kgb_core.cli.options import Json
from kgb_core.cli.suggest import one_of
from kgb_core.crosscompile.conduct import Aim, Job, Order, compile_all
from kgb_core.crosscompile.probe import probe
from kgb_core.crosscompile.records import CandidateResult
from kgb_core.errors import BackendError, ExitCode, NothingSelectedError, UsageError
from kgb_core.kernels.match import FileMatch, match_pack
from kgb_core.kernels.pack import load_pack
from kgb_core.models.device import Device
from kgb_core.operators.registry import Registry, load_registry
from kgb_core.plugins import Backend
from kgb_core.worker.sandbox import choose

_LISTED = "kgb compile --list-targets shows them all"


def compile(
    context: typer.Context,
    packs: Annotated[
        list[Path] | None, typer.Argument(metavar="[PACK|FILE]...", help="What to compile.")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", metavar="VENDOR:ARCH", help="What for; may be repeated.")
    ] = None,
    operator: Annotated[
        list[str] | None, typer.Option("--operator", help="Only these; with a single file, what it is for.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Where compiled forms are written.")
    ] = None,
    list_targets: Annotated[
        bool, typer.Option("--list-targets", help="Only show the targets, and how far each gets here.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Candidates compiled at once.")] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds for one candidate on one target.")] = 120.0,
    sandbox: Annotated[str, typer.Option(help="auto, bubblewrap, landlock or process.")] = "auto",
    json: Json = False,
) -> None:
    """Compile kernels for chips that need not be here.

    Exits with 1 if something failed to compile.
    """
    config = configured(context)
    if list_targets:
        known = list(known_aims().values())
        shown = probe(_placed(known, config), timeout, choose(sandbox))
        show_targets([aim.target for aim in known], shown, json)
        return
    aims = _placed(_wanted(target or []), config)
    targets = [aim.target for aim in aims]
    work = list(_jobs(packs or [], operator or [], load_registry()))
    order = Order(tuple(aims), timeout, choose(sandbox), jobs or os.cpu_count() or 1, keep)
    results = compile_all(work, order, _tell)
    show_results(targets, results, json)
    if not all(one.ok for result in results for one in result.results):
        raise typer.Exit(ExitCode.FAILED)


def known_aims() -> dict[str, Aim]:
    """Every target of every loaded backend, by name; a backend that can't say is told of on stderr."""
    found: dict[str, Aim] = {}
    for backend in load(None).backends.values():
        try:
            with vendors_speak_to_stderr():
                found.update({aim.target.name: aim for aim in _aims(backend)})
        except BackendError as error:
            print(f"kgb: {error}", file=sys.stderr)
    return found


def _aims(backend: Backend) -> Iterator[Aim]:
    """Each target with what its chips can do: what the backend says of a device of that name."""
    for target in backend.targets():
        name = target.device_names[0] if target.device_names else target.arch
        chip = Device(index=0, name=name, arch=target.arch)
        yield Aim(target, backend.capabilities(chip))


def _placed(aims: Iterable[Aim], config: Path | None) -> list[Aim]:
    """The same, each with the interpreter that `kgb.toml` names for its backend."""
    listed = list(aims)
    under = interpreters((aim.target.vendor for aim in listed), config)
    return [
        replace(aim, python=under[aim.target.vendor].path) if aim.target.vendor in under else aim
        for aim in listed
    ]


def _wanted(names: list[str]) -> list[Aim]:
    known = known_aims()
    if not names:
        raise UsageError("nothing to compile for.", "no --target was given", _LISTED)
    return [known[one_of(name, known, "target", _LISTED)] for name in dict.fromkeys(names)]


def _jobs(packs: list[Path], operators: list[str], registry: Registry) -> Iterator[Job]:
    """One job a candidate.

    Raises:
        UsageError: no pack was given.
        NothingSelectedError: none of the files is for a known operator.
    """
    if not packs:
        raise UsageError(
            "nothing to compile.", "no pack or file was given", "kgb compile kernels/ --target …"
        )
    named = {registry.get(name).name for name in operators}
    matches = [match for path in packs for match in _matches(path, operators, registry)]
    wanted = [m.candidate for m in matches if m.candidate and (not named or m.operator in named)]
    unmatched = [
        f"{match.file}: {match.message or match.status.value}" for match in matches if not match.candidate
    ]
    if not wanted:
        why = "; ".join(unmatched) or f"{len(matches)} files are for other operators"
        raise NothingSelectedError(
            "nothing to compile.", why, "kgb kernels PACK shows what each file was taken for"
        )
    _warn(unmatched)
    for candidate in wanted:
        yield Job.of(candidate, registry.get(candidate.operator))


def _matches(path: Path, operators: list[str], registry: Registry) -> Iterable[FileMatch]:
    single = operators[0] if path.is_file() and len(operators) == 1 else ""
    return match_pack(load_pack(path), registry, single).files


def _warn(unmatched: list[str]) -> None:
    for line in unmatched:
        print(f"kgb: left out: {line}", file=sys.stderr)


def _tell(result: CandidateResult) -> None:
    if sys.stderr.isatty():
        print(f"  {result.operator}", file=sys.stderr)
