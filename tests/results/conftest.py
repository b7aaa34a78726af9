"""Makers of whole bundles on disk, of one run or several, and what their bytes are."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from kgb_core.models.candidate import Candidate
from kgb_core.models.manifest import System
from kgb_core.models.plan import Plan
from kgb_core.models.record import Record
from kgb_core.models.timing import Samples
from kgb_core.results.bundle import BundleWriter
from kgb_core.results.files import hash_files, sha256_of

WriteRun = Callable[..., Path]

_CANDIDATE = Samples(device_ns=(900, 1000, 1100), call_ns=(1, 1, 1))
_BASELINE = Samples(device_ns=(1900, 2000, 2100), call_ns=(1, 1, 1))


@pytest.fixture(scope="session")
def write_run(
    make_plan: Callable[..., Plan], make_candidate: Callable[..., Candidate], system: System
) -> WriteRun:
    """Writes a bundle: its records, what was planned beyond them, and whether it is closed."""

    def write(
        path: Path,
        records: Sequence[Record],
        planned: Sequence[Record] = (),
        run: str = "run-a",
        close: bool | None = None,
        **header: Any,
    ) -> Path:
        plan = make_plan(*records, *planned).model_copy(update={"run": run, **header})
        suite = plan.suite.label
        with BundleWriter.create(path, plan, system) as writer:
            writer.add_source(make_candidate())
            for record in records:
                if record.timing is not None and record.timing.samples:
                    writer.add_samples(record.uid, _CANDIDATE, _BASELINE)
                writer.append(record.model_copy(update={"run": run, "suite": suite}))
            if not planned if close is None else close:
                writer.close()
        return path

    return write


@pytest.fixture(scope="session")
def reseal() -> Callable[[Path], None]:
    """Makes a manifest agree with the files again, as a forger would."""

    def seal(path: Path) -> None:
        manifest = json.loads((path / "manifest.json").read_text())
        manifest["files"] = {name: sha256_of(path / name) for name in manifest["files"]}
        (path / "manifest.json").write_text(json.dumps(manifest))

    return seal


@pytest.fixture(scope="session")
def contents() -> Callable[[Path], dict[str, str]]:
    """The hash of every file of a bundle, the manifest's too."""

    def read(path: Path) -> dict[str, str]:
        return {**hash_files(path), "manifest.json": sha256_of(path / "manifest.json")}

    return read
