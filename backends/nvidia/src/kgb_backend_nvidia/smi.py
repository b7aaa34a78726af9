"""Discovery through the text of nvidia-smi, where NVML can't be used; any field may be missing."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgb_backend_nvidia.cards import NO_INSTANCE, PROHIBITED, Card, instance
from kgb_backend_nvidia.reading import Reading
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "nvidia-smi"
FIELDS = ("index", "name", "uuid", "pci.bus_id", "pci.device_id", "memory.total", "driver_version")
NEWER_FIELDS = ("compute_cap", "mig.mode.current", "compute_mode")
"""Older versions refuse the whole query for one field that they don't know, so these are tried first."""

_INSTANCE = re.compile(r"^\s+(MIG \S+)\s+Device\s+\d+: \(UUID: (MIG-[^)\s]+)\)")
_GPU = re.compile(r"^GPU (\d+): ")
_CUDA = re.compile(r"CUDA Version: ([\d.]+)")
_UNKNOWN = re.compile(
    r"^\[?(N/A|Not Supported|Unknown Error|GPU requires reset|Not Found|)\]?$", re.IGNORECASE
)


def read() -> Reading:
    """Ask nvidia-smi for every card."""
    for fields in (FIELDS + NEWER_FIELDS, FIELDS):
        answer = _query(fields)
        cards = parse_query(answer.text, fields)
        if cards:
            return _reading(cards)
    return Reading(SOURCE, problem=answer.problem or _first_line(answer.text) or "it lists no GPU")


def _query(fields: Sequence[str]) -> ToolOutput:
    return run_tool(["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"])


def _reading(cards: list[Card]) -> Reading:
    instances = parse_instances(run_tool(["nvidia-smi", "-L"]).text, cards)
    cuda = _CUDA.search(run_tool(["nvidia-smi"]).text)
    return Reading(SOURCE, tuple(instances), cards[0].driver, cuda[1] if cuda else None)


def parse_query(text: str, fields: Sequence[str]) -> list[Card]:
    """The cards in the output of `--query-gpu`; lines that are something else are passed over.

    A GPU that is listed twice, as garbled text may, counts once: the first line of it does.

    Args:
        text: what nvidia-smi printed with `--format=csv,noheader,nounits`.
        fields: what was asked for, in order.
    """
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    cards = [
        _card(dict(zip(fields, map(str.strip, row), strict=True))) for row in rows if _is_row(row, fields)
    ]
    return list({card.gpu: card for card in reversed(cards)}.values())[::-1]


def _is_row(row: Sequence[str], fields: Sequence[str]) -> bool:
    return len(row) == len(fields) and row[0].strip().isdecimal()


def _card(row: dict[str, str]) -> Card:
    known = {field: value for field, value in row.items() if not _UNKNOWN.match(value)}
    memory = known.get("memory.total", "")
    gpu = int(row["index"])
    return Card(
        gpu,
        name=known.get("name") or f"NVIDIA GPU {gpu}",
        uuid=known.get("uuid"),
        pci_vendor=_pci_vendor(known.get("pci.device_id")),
        pci_bus_id=known.get("pci.bus_id"),
        memory_bytes=int(memory) * 2**20 if memory.isdecimal() else None,
        capability=known.get("compute_cap"),
        driver=known.get("driver_version"),
        problem=_problem(known),
    )


def _problem(row: dict[str, str]) -> str | None:
    if row.get("mig.mode.current") == "Enabled":
        return NO_INSTANCE
    return PROHIBITED if row.get("compute_mode") == "Prohibited" else None


def _pci_vendor(text: str | None) -> int | None:
    """The vendor in a PCI id such as 0x233510DE."""
    return int(text, 16) & 0xFFFF if text and re.fullmatch(r"0x[0-9A-Fa-f]{5,8}", text) else None


def parse_instances(text: str, cards: Sequence[Card]) -> list[Card]:
    """The cards, with each GPU that has MIG instances replaced by them.

    Args:
        text: what `nvidia-smi -L` printed.
        cards: the GPUs.
    """
    listed = list(_listed(text))
    return [usable for card in cards for usable in _usable(card, listed)]


@dataclass(frozen=True)
class _Instance:
    gpu: int
    profile: str
    uuid: str


def _listed(text: str) -> Iterator[_Instance]:
    gpu = -1
    for line in text.splitlines():
        if header := _GPU.match(line):
            gpu = int(header[1])
        elif item := _INSTANCE.match(line):
            yield _Instance(gpu, profile=item[1], uuid=item[2])


def _usable(card: Card, listed: Sequence[_Instance]) -> list[Card]:
    return [instance(card, item.profile, item.uuid) for item in listed if item.gpu == card.gpu] or [card]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
