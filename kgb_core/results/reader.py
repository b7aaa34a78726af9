"""A whole run in memory: for small bundles, tests and notebooks. `open_results` reads as a stream."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from kgb_core.models.manifest import Manifest, System
from kgb_core.models.plan import Plan, PlannedCase
from kgb_core.models.record import Record
from kgb_core.results.documents import malformed
from kgb_core.results.lines import torn_bytes
from kgb_core.results.planfile import PlanFile
from kgb_core.results.run import open_run
from kgb_core.results.upgrade import UPGRADES, Upgrades


@dataclass(frozen=True)
class Bundle:
    """What is in a bundle of one run. Whatever a crash kept from being written is `None` or missing."""

    path: Path
    plan: Plan | None
    system: System | None
    manifest: Manifest | None
    records: tuple[Record, ...]
    """In the order written; the record at index i stands on line i + 1 of `results.jsonl`."""
    torn_bytes: int
    """Length of the torn last line; 0 without one."""

    @property
    def finished(self) -> bool:
        """False where the run was interrupted or goes on."""
        return self.manifest is not None

    @property
    def remaining(self) -> tuple[PlannedCase, ...]:
        """Planned cases without a record, in the order of the plan."""
        done = {record.uid for record in self.records}
        return tuple(case for case in self.plan.cases if case.uid not in done) if self.plan else ()


def read_bundle(path: Path | str, upgrades: Upgrades = UPGRADES) -> Bundle:
    """Read the bundle of one run.

    Args:
        path: its directory.
        upgrades: steps from older schemas, by kind of document and version.

    Raises:
        BundleError: nothing is there, a file is malformed (naming file and line), a schema is newer than
            this kgb-core, or it is a merged bundle. A torn last line of `results.jsonl` is no error.
    """
    run = open_run(Path(path), upgrades)
    planned = run.planned()
    return Bundle(
        path=run.path,
        plan=_whole(planned) if planned else None,
        system=run.system,
        manifest=run.manifest,
        records=tuple(run.records()),
        torn_bytes=torn_bytes(run.results),
    )


def _whole(planned: PlanFile) -> Plan:
    try:
        return Plan(**dict(planned.header), cases=tuple(planned.cases()))
    except ValidationError as error:
        raise malformed(planned.where, error) from error
