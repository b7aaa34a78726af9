"""What `kgb run` works out before anything starts: suite, candidates, backends, and the bundle to write."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from kgb_core.cli.loading import asked_for, load
from kgb_core.cli.suggest import one_of
from kgb_core.errors import BundleError, NothingSelectedError, UsageError
from kgb_core.kernels.match import FileMatch, MatchStatus, match_pack
from kgb_core.kernels.pack import load_pack
from kgb_core.models.candidate import Candidate
from kgb_core.models.conformance import Conformance
from kgb_core.models.plan import SuiteRef
from kgb_core.models.plugins import LoadReport
from kgb_core.operators.registry import Registry, suite_hash
from kgb_core.operators.spec import Operator
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.probe import probe_apart, rank
from kgb_core.plugins.shipped import shipped_conformance
from kgb_core.results import layout
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.conformance import chosen_conformance
from kgb_core.runner.conduct import Prepared
from kgb_core.runner.request import RunRequest
from kgb_core.runner.stations import Station
from kgb_core.runner.system import system_of

ALL = "all"
"""The suite of everything that is installed."""
RUNS = Path("runs")


@dataclass(frozen=True)
class Suite:
    """The operators that a run is about."""

    ref: SuiteRef
    operators: dict[str, Operator]


@dataclass(frozen=True)
class Chosen:
    """The backends of a run, and the load report."""

    report: LoadReport
    backends: list[Backend]


def suite_of(registry: Registry, request: RunRequest) -> Suite:
    """The suite, narrowed to the operators that were named.

    Raises:
        UsageError: no such suite or operator.
        NothingSelectedError: none of the named operators is in the suite.
    """
    whole = _whole_suite(registry, request.suite)
    named = {registry.get(name).name for name in request.operators}
    kept = {operator.name: operator for operator in whole if not named or operator.name in named}
    if not kept:
        raise NothingSelectedError(f"suite {request.suite} has none of {', '.join(sorted(named))}.")
    return Suite(SuiteRef(name=request.suite, hash=suite_hash(whole, request.tier)), kept)


def candidates_of(registry: Registry, request: RunRequest, suite: Suite) -> list[Candidate]:
    """The candidates for operators of the suite.

    Raises:
        UsageError: no pack was given, or a file can't be matched.
        NothingSelectedError: no file is for an operator of the suite.
    """
    if not request.packs:
        raise UsageError("nothing to judge.", "no pack or file was given", "kgb run kernels/")
    packs = dict.fromkeys(path.resolve() for path in request.packs)
    matches = [match for path in packs for match in _matched(path, registry, request)]
    candidates = [m.candidate for m in matches if m.candidate and m.candidate.operator in suite.operators]
    for match in matches:
        if match.candidate is None:
            print(f"not judged: {match.file}: {match.message or match.status.value}", file=sys.stderr)
    if not candidates:
        unmatched = "; ".join(f"{m.file}: {m.message or m.status.value}" for m in matches if not m.candidate)
        raise NothingSelectedError(
            f"no file is for an operator of suite {request.suite}.",
            unmatched or f"{len(matches)} files are for other operators",
            "kgb kernels PACK shows what each file was taken for",
        )
    return candidates


def chosen_backends(names: list[str]) -> Chosen:
    """The named backends; else those of `KGB_BACKENDS`; else the one that the probes find here.

    Raises:
        BackendLoadError: a named backend did not load.
    """
    loaded = load(names)
    backends = list(loaded.backends.values())
    named = asked_for(names) is not None
    return Chosen(loaded.report, backends if named else [rank(backends, probe_apart).best])


def conformance_of(stations: Sequence[Station], request: RunRequest) -> list[Conformance]:
    """The conformance records for the backends of a run: what was given, else what the plugins bring along.

    Raises:
        BundleError: a file is no record.
        UsageError: a given one is for no backend of the run.
    """
    vendors = dict.fromkeys(station.ref.name for station in stations)
    return chosen_conformance(request.conformance, {name: shipped_conformance(name) for name in vendors})


def new_run_id(stations: Sequence[Station], now: datetime) -> str:
    """A name for a run that no other run has."""
    return f"{now:%Y%m%dT%H%M%SZ}-{_label(stations)}-{secrets.token_hex(4)}"


def new_bundle(out: Path | None, prepared: Prepared) -> BundleWriter:
    """Begin a bundle at `out`, or in a new directory under `runs/`.

    Raises:
        BundleError: something is there already, or it can't be written.
    """
    stations = prepared.stations
    path = out or layout.fresh_bundle(RUNS, _label(stations), datetime.now(timezone.utc))
    system = system_of(stations, prepared.request.sandbox.value)
    return BundleWriter.create(path, prepared.plan, system)


def resumed(out: Path | None) -> BundleWriter:
    """Go on with the bundle at `out`, or with the newest interrupted one under `runs/`.

    Raises:
        BundleError: there is none, or it can't be resumed.
    """
    if out is not None:
        return BundleWriter.resume(out)
    opened = [path.parent for path in RUNS.glob(f"*/{layout.PLAN}") if _interrupted(path.parent)]
    if not opened:
        raise BundleError(
            "no interrupted run to resume.", f"every bundle in {RUNS}/ is finished", "give --out"
        )
    return BundleWriter.resume(max(opened, key=lambda path: (path / layout.PLAN).stat().st_mtime))


def _whole_suite(registry: Registry, name: str) -> list[Operator]:
    if name == ALL:
        return list(registry.operators.values())
    known = {tag for operator in registry.operators.values() for tag in operator.tags}
    return registry.suite(one_of(name, {*known, ALL}, "suite"))


def _interrupted(path: Path) -> bool:
    return not (path / layout.MANIFEST).exists()


def _label(stations: Sequence[Station]) -> str:
    return "-".join(dict.fromkeys(station.ref.name for station in stations))


def _matched(path: Path, registry: Registry, request: RunRequest) -> list[FileMatch]:
    single = request.operators[0] if path.is_file() and len(request.operators) == 1 else ""
    matches = list(match_pack(load_pack(path), registry, single).files)
    if path.is_file() and matches and matches[0].candidate is None and not single:
        match = matches[0]
        if match.status in (MatchStatus.UNKNOWN_OPERATOR, MatchStatus.AMBIGUOUS):
            raise UsageError(
                f"{path.name} is for no known operator.",
                match.message,
                "say which: --operator aten::softmax",
            )
    return matches
