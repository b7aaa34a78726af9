"""The plan on disk, of which the cases are decoded one at a time: a large run has hundreds of thousands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from pydantic import ValidationError

from kgb_core.errors import BundleError
from kgb_core.models.plan import PLAN_SCHEMA, Plan, PlanHeader, PlannedCase
from kgb_core.results.documents import is_current, malformed, parse_document
from kgb_core.results.upgrade import UPGRADES, Upgrades


class _Uid(msgspec.Struct, frozen=True):
    uid: str


_UID = msgspec.json.Decoder(_Uid)


@dataclass(frozen=True)
class PlanFile:
    """A plan: its parameters decoded, its cases not yet."""

    where: str
    header: PlanHeader
    encoded: list[msgspec.Raw]

    def __len__(self) -> int:
        return len(self.encoded)

    def cases(self) -> Iterator[PlannedCase]:
        """Every planned case, in the order of the plan.

        Raises:
            BundleError: a case is malformed; which one is said.
        """
        return (self._case(index, raw) for index, raw in enumerate(self.encoded))

    def remaining(self, recorded: Collection[str]) -> Iterator[PlannedCase]:
        """Planned cases that are not among the recorded uids, in the order of the plan.

        Raises:
            BundleError: a case is malformed; which one is said.
        """
        for index, raw in enumerate(self.encoded):
            if self._uid(index, raw) not in recorded:
                yield self._case(index, raw)

    def _uid(self, index: int, raw: msgspec.Raw) -> str:
        try:
            return _UID.decode(raw).uid
        except msgspec.DecodeError:
            return self._case(index, raw).uid

    def _case(self, index: int, raw: msgspec.Raw) -> PlannedCase:
        try:
            return PlannedCase.model_validate_json(bytes(raw))
        except ValidationError as error:
            raise malformed(f"{self.where}: case {index}", error) from error


def read_plan(path: Path, upgrades: Upgrades = UPGRADES) -> PlanFile | None:
    """Read a plan; `None` where there is no such file.

    Raises:
        BundleError: it is malformed, or newer than this kgb-core.
    """
    if not path.is_file():
        return None
    text = path.read_bytes()
    if not is_current(text, PLAN_SCHEMA):
        plan = parse_document(text, Plan, PLAN_SCHEMA, str(path), upgrades)
        return PlanFile(str(path), _header_of(plan), [_encoded(case) for case in plan.cases])
    try:
        parts = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        cases = msgspec.json.decode(parts.pop("cases"), type=list[msgspec.Raw])
        fields: dict[str, Any] = {name: msgspec.json.decode(raw) for name, raw in parts.items()}
        return PlanFile(str(path), PlanHeader.model_validate(fields), cases)
    except (KeyError, msgspec.DecodeError, RecursionError) as error:
        raise BundleError(f"{path}: malformed", str(error)) from error
    except ValidationError as error:
        raise malformed(str(path), error) from error


def _header_of(plan: Plan) -> PlanHeader:
    return PlanHeader.model_validate(plan.model_dump(exclude={"cases"}))


def _encoded(case: PlannedCase) -> msgspec.Raw:
    return msgspec.Raw(case.model_dump_json().encode())


def write_plan(path: Path, header: PlanHeader, cases: Iterable[bytes]) -> None:
    """Write a plan case by case.

    Args:
        path: of the file.
        header: its parameters.
        cases: each encoded as JSON.
    """
    with path.open("wb") as stream:
        stream.write(header.model_dump_json()[:-1].encode() + b',"cases":[')
        for index, case in enumerate(cases):
            stream.write(b"," * (index > 0) + case)
        stream.write(b"]}")
