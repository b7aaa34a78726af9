"""The head of a record: whose it is and how it ended, decoded without the rest, to count many quickly."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from kgb_core.models.plan import device_name
from kgb_core.models.record import RECORD_SCHEMA, Record
from kgb_core.models.verdict import Verdict
from kgb_core.results.documents import is_current, parse_document
from kgb_core.results.upgrade import UPGRADES, Upgrades


class _Case(msgspec.Struct, frozen=True):
    id: str
    label: str
    purpose: str


class _Candidate(msgspec.Struct, frozen=True):
    name: str
    sha256: str
    pack: str


class _Backend(msgspec.Struct, frozen=True):
    name: str
    version: str


class _Device(msgspec.Struct, frozen=True):
    index: int
    name: str


class _Evidence(msgspec.Struct, frozen=True):
    view: bool = False


class Head(msgspec.Struct, frozen=True):
    """The part of a record that tables are made of; see `Record` for the fields."""

    run: str
    uid: str
    operator: str
    case: _Case
    candidate: _Candidate
    backend: _Backend
    device: _Device
    kind: str
    verdict: Verdict
    message: str = ""
    evidence: _Evidence = _Evidence()
    timing: msgspec.Raw = msgspec.Raw(b"null")
    """Not decoded."""
    attempt: int = 1
    finished: str = ""

    @property
    def timed(self) -> bool:
        """True where the record has a timing, believed or not."""
        return bytes(self.timing) != b"null"

    @property
    def device_name(self) -> str:
        """`vendor:index`."""
        return device_name(self.backend.name, self.device.index)


_DECODER = msgspec.json.Decoder(Head)


def head_of(line: bytes, where: str, upgrades: Upgrades = UPGRADES) -> Head:
    """The head of a record.

    Only as much of the line is looked at as is needed: the rest may yet turn out not to be a record.

    Args:
        line: of `results.jsonl`.
        where: file and line, for the error.
        upgrades: steps from older schemas.

    Raises:
        BundleError: the line is malformed, or newer than this kgb-core.
    """
    if is_current(line, RECORD_SCHEMA):
        # What is wrong with a line, if anything, the whole record tells better.
        with suppress(msgspec.DecodeError, RecursionError):
            return _DECODER.decode(line)
    record = parse_document(line, Record, RECORD_SCHEMA, where, upgrades)
    return _DECODER.decode(record.model_dump_json())
