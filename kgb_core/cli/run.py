"""`kgb run`: judge kernels on the devices of this machine and write a bundle."""

from __future__ import annotations

import secrets
import signal
import sys
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from kgb_core.cli.config import configured, interpreters
from kgb_core.cli.logging import log_to
from kgb_core.cli.options import Backends, Json
from kgb_core.cli.output import emit, show, show_json
from kgb_core.cli.progress import progress
from kgb_core.cli.run_output import closing, heading, interrupted, run_document, show_plan
from kgb_core.cli.run_setup import (
    candidates_of,
    chosen_backends,
    conformance_of,
    new_bundle,
    new_run_id,
    resumed,
    suite_of,
)
from kgb_core.errors import ExitCode
from kgb_core.kernels.pack import pack_info
from kgb_core.models.case import Tier
from kgb_core.models.conformance import Conformance
from kgb_core.models.pack import PackInfo
from kgb_core.models.plugins import LoadReport
from kgb_core.operators.registry import load_registry
from kgb_core.report.table import result_table
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.reader import read_bundle
from kgb_core.runner.conduct import Conductor, Prepared, prepare, same_plan
from kgb_core.runner.request import DeviceStrings, RunRequest
from kgb_core.runner.stations import stations_of
from kgb_core.scores.summary import summarise
from kgb_core.worker.sandbox import choose


def run(
    context: typer.Context,
    packs: Annotated[
        list[Path] | None, typer.Argument(metavar="[PACK|FILE]...", help="What to judge.")
    ] = None,
    kernels: Annotated[list[Path] | None, typer.Option("--kernels", metavar="PACK", help="The same.")] = None,
    suite: Annotated[str, typer.Option(help="Operators by suite: smoke, mc, ms, or all.")] = "all",
    operator: Annotated[
        list[str] | None, typer.Option("--operator", help="Only these; with a single file, what it is for.")
    ] = None,
    tier: Annotated[Tier, typer.Option(help="How many cases.")] = Tier.SMOKE,
    backend: Backends = None,
    device: Annotated[
        list[str] | None, typer.Option("--device", metavar="VENDOR:INDEX", help="Only these.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The bundle's directory; default: a new one in runs/.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted bundle.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be judged.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Candidates judged at once on a device.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of all inputs; default: a secret one.")] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds for one candidate.")] = 300.0,
    time_budget: Annotated[
        float, typer.Option(min=0.1, help="Seconds of measuring for one perf case.")
    ] = 5.0,
    sandbox: Annotated[str, typer.Option(help="auto, bubblewrap, landlock or process.")] = "auto",
    device_strings: Annotated[
        DeviceStrings, typer.Option(help="Whether other devices' names in a source are rewritten.")
    ] = DeviceStrings.AUTO,
    conformance: Annotated[
        list[Path] | None,
        typer.Option(
            "--conformance",
            metavar="FILE",
            help="The record of a backend of the run; default: the one that its plugin brings along.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Judge kernels and write a bundle.

    Exits with 1 if a kernel failed.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a scheduler's end is an interruption, too
    request = RunRequest(
        packs=(*(packs or ()), *(kernels or ())),
        suite=suite,
        operators=tuple(operator or ()),
        tier=tier,
        backends=tuple(backend or ()),
        devices=tuple(device or ()),
        seed=secrets.randbits(62) if seed is None else seed,
        jobs=jobs,
        seconds=timeout,
        time_seconds=time_budget,
        sandbox=choose(sandbox),
        device_strings=device_strings,
        arguments=tuple(sys.argv[1:]),
        conformance=tuple(conformance or ()),
    )
    config = configured(context)
    if dry_run:
        show_plan(_prepared(request, config).prepared, json)
    elif resume:
        _resume(request, config, out, json)
    else:
        _start(request, config, out, json)


def _start(request: RunRequest, config: Path | None, out: Path | None, as_json: bool) -> None:
    ready = _prepared(request, config)
    with new_bundle(out, ready.prepared) as writer:
        _conduct(ready, writer, as_json)


def _resume(request: RunRequest, config: Path | None, out: Path | None, as_json: bool) -> None:
    with resumed(out) as writer:
        ready = _prepared(replace(request, seed=writer.plan.seed), config, run_id=writer.plan.run)
        same_plan(ready.prepared, writer)
        _conduct(ready, writer, as_json)


@dataclass(frozen=True)
class _Ready:
    prepared: Prepared
    report: LoadReport
    conformance: list[Conformance]
    packs: list[PackInfo]


def _prepared(request: RunRequest, config: Path | None, run_id: str = "") -> _Ready:
    registry = load_registry()
    suite = suite_of(registry, request)
    candidates = candidates_of(registry, request, suite)
    chosen = chosen_backends(list(request.backends))
    vendors = [backend.vendor for backend in chosen.backends]
    request = replace(request, interpreters=interpreters(vendors, config))
    stations = stations_of(chosen.backends, request)
    conformance = conformance_of(stations, request)
    now = datetime.now(timezone.utc)
    prepared = prepare(
        request,
        candidates,
        registry,
        stations,
        suite.ref,
        run_id or new_run_id(stations, now),
        now.isoformat(timespec="seconds"),
    )
    packs = [pack_info(path) for path in dict.fromkeys(path.resolve() for path in request.packs)]
    return _Ready(prepared, chosen.report, conformance, packs)


def _conduct(ready: _Ready, writer: BundleWriter, as_json: bool) -> None:
    if not as_json:
        heading(ready.prepared)
    try:
        with progress(quiet=as_json) as watcher, log_to(writer.log_path):
            Conductor(ready.prepared, writer, watcher).run()
    except KeyboardInterrupt:
        interrupted(writer.path)
        raise
    arguments = ready.prepared.request.arguments
    writer.close(ready.report.entries, arguments, conformance=ready.conformance, packs=ready.packs)
    _finish(writer.path, as_json)


def _finish(path: Path, as_json: bool) -> None:
    bundle = read_bundle(path)
    summary = summarise(bundle.records, bundle.remaining, bundle.system)
    if as_json:
        show_json("kgb.run/1", **run_document(path, bundle, summary))
    else:
        show(result_table(summary))
        emit(closing(path, summary))
    if any(row.failed or row.broke for row in summary.rows):
        raise typer.Exit(ExitCode.FAILED)
