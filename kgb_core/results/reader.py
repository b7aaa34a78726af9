"""Reading a bundle: finished, interrupted, or still being written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.manifest import MANIFEST_SCHEMA, SYSTEM_SCHEMA, Manifest, System
from kgb_core.models.plan import PLAN_SCHEMA, Plan, PlannedCase
from kgb_core.models.record import RECORD_SCHEMA, Record
from kgb_core.results import layout
from kgb_core.results.lines import read_lines
from kgb_core.results.upgrade import UPGRADES, Step, upgrade

Model = TypeVar("Model", bound=FrozenModel)
Upgrades = Mapping[str, Mapping[int, Step]]


@dataclass(frozen=True)
class Bundle:
    """What is in a bundle. Whatever a crash kept from being written is `None` or missing."""

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
    """Read a bundle.

    Args:
        path: its directory.
        upgrades: steps from older schemas, by kind of document and version.

    Raises:
        BundleError: nothing is there, a file is malformed (naming file and line), or a schema is newer than
            this kgb-core. A torn last line of `results.jsonl` is no error.
    """
    root = require_bundle(Path(path))
    lines = read_lines(root / layout.RESULTS)
    return Bundle(
        path=root,
        plan=_document(root / layout.PLAN, Plan, PLAN_SCHEMA, upgrades),
        system=_document(root / layout.SYSTEM, System, SYSTEM_SCHEMA, upgrades),
        manifest=_document(root / layout.MANIFEST, Manifest, MANIFEST_SCHEMA, upgrades),
        records=tuple(_records(root / layout.RESULTS, lines.complete, upgrades)),
        torn_bytes=len(lines.torn),
    )


def require_bundle(root: Path) -> Path:
    """The same path, if a bundle is there.

    Raises:
        BundleError: it holds none of a bundle's files.
    """
    if not any((root / name).is_file() for name in (layout.PLAN, layout.RESULTS, layout.MANIFEST)):
        raise BundleError(
            f"{root} is no bundle", _why_not(root), "a bundle is the directory that kgb run wrote"
        )
    return root


def _why_not(root: Path) -> str:
    if not root.exists():
        return "there is nothing"
    return "it holds no plan, results or manifest" if root.is_dir() else "it is a file"


def _document(path: Path, model: type[Model], schema: str, upgrades: Upgrades) -> Model | None:
    if not path.is_file():
        return None
    return parse_document(path.read_bytes(), model, schema, str(path), upgrades)


def _records(path: Path, lines: Iterable[bytes], upgrades: Upgrades) -> Iterable[Record]:
    for number, line in enumerate(lines, start=1):
        yield parse_document(line, Record, RECORD_SCHEMA, f"{path}:{number}", upgrades)


def parse_document(
    text: bytes, model: type[Model], schema: str, where: str, upgrades: Upgrades = UPGRADES
) -> Model:
    """One JSON document as a record of its schema.

    Raises:
        BundleError: with `where`, for anything else.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{where}: malformed", str(error)) from error
    if not isinstance(content, dict):
        raise BundleError(f"{where}: malformed", "a JSON object is expected")
    try:
        return model.model_validate(upgrade(content, schema, where, upgrades))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BundleError(f"{where}: malformed", f"{place}: {first['msg']}") from error
