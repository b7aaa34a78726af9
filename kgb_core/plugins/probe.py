"""Whose chip is in this machine: every backend's evidence, and the one backend that has most of it.

`python -m kgb_core.plugins.probe VENDOR` prints one backend's evidence as JSON. A vendor's library that
crashes or hangs takes only that process with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from kgb_core.errors import BackendError, BackendLoadError, ExitCode, NoDeviceError, UsageError
from kgb_core.models.device import Probe
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends
from kgb_core.plugins.selection import VARIABLE

TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Ranking:
    """Every backend's evidence and the backend that has most.

    Attributes:
        best: the backend with the highest score.
        probes: the evidence by vendor; a probe that failed has score 0 and says why.
    """

    best: Backend
    probes: dict[str, Probe]


def rank(backends: Iterable[Backend], ask: Callable[[Backend], Probe] | None = None) -> Ranking:
    """The one backend whose stack is on this machine.

    Args:
        backends: the candidates.
        ask: gets a backend's evidence; by default in this process.

    Raises:
        NoDeviceError: no backend has any evidence.
        UsageError: two have the same highest score; both are named.
    """
    candidates = list(backends)
    probes = {backend.vendor: (ask or probe_here)(backend) for backend in candidates}
    highest = max((probe.score for probe in probes.values()), default=0)
    best = [backend for backend in candidates if probes[backend.vendor].score == highest]
    if highest == 0:
        raise NoDeviceError(
            "no backend has a device here.",
            _all_evidence(probes) or "no backend is installed or selected",
            "run kgb doctor; pip install kgb-backend-cpu judges kernels without a chip",
        )
    if len(best) > 1:
        names = " and ".join(backend.vendor for backend in best)
        tied = {backend.vendor: probes[backend.vendor] for backend in best}
        raise UsageError(
            f"{names} both claim this machine.",
            _all_evidence(tied),
            f"name one: --backend {best[0].vendor}, or {VARIABLE}={best[0].vendor}",
        )
    return Ranking(best[0], probes)


def probe_here(backend: Backend) -> Probe:
    """A backend's evidence; a probe that raises is evidence of nothing, and says why."""
    try:
        return backend.probe()
    except BackendError as error:
        return Probe(score=0, evidence=(f"{error.what}: {error.why}",))


def probe_apart(backend: Backend, timeout_s: float = TIMEOUT_S) -> Probe:
    """A backend's evidence, from a process of its own that may crash or hang.

    Args:
        backend: whose evidence.
        timeout_s: seconds until the process is given up.
    """
    command = [sys.executable, "-m", __spec__.name, backend.vendor]
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, stdin=subprocess.DEVNULL, text=True, timeout=timeout_s
        )
    except subprocess.TimeoutExpired:
        return Probe(score=0, evidence=(f"its probe gave no answer in {timeout_s:g} s",))
    try:
        return Probe.model_validate_json(done.stdout)
    except ValidationError:
        return Probe(score=0, evidence=(_ending(done.returncode, done.stderr),))


def _ending(returncode: int, errors: str) -> str:
    last = next((line.strip() for line in reversed(errors.splitlines()) if line.strip()), "")
    how = f"signal {signal.Signals(-returncode).name}" if returncode < 0 else f"exit code {returncode}"
    return f"its probe ended with {how}" + (f": {last}" if last else "")


def _all_evidence(probes: dict[str, Probe]) -> str:
    return "; ".join(
        f"{vendor}: {', '.join(probe.evidence)}" for vendor, probe in probes.items() if probe.evidence
    )


def main(arguments: list[str]) -> int:
    """Print one backend's evidence as JSON.

    Args:
        arguments: the vendor, alone.
    """
    try:
        (vendor,) = arguments
    except ValueError:
        sys.stderr.write("usage: python -m kgb_core.plugins.probe VENDOR\n")
        return ExitCode.USAGE
    try:
        backend = load_backends([vendor]).get(vendor)
    except BackendLoadError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stdout.write(probe_here(backend).model_dump_json())
    return ExitCode.OK


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # the answer is out, and a vendor's library may crash as the interpreter ends
