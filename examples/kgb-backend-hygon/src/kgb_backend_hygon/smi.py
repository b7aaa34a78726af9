"""What hy-smi lists, and Hygon's rocm-smi, which prints the same JSON: `card0`, `card1` and so on.

Lines may stand before and after the JSON, and the exit code may say that something failed where all is there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from kgb_backend_hygon import bus
from kgb_core.plugins.tools import SYSFS, run_tool

TOOLS = (
    "hy-smi",
    "/opt/hyhal/bin/hy-smi",
    "/usr/local/hyhal/bin/hy-smi",
    "/opt/dtk/bin/hy-smi",
    "rocm-smi",
)
"""In this order; the driver's own directories are often not in PATH."""
ARGUMENTS = (
    "--showid",
    "--showproductname",
    "--showuniqueid",
    "--showbus",
    "--showmeminfo",
    "vram",
    "--json",
)
TIMEOUT_S = 30.0
"""It is a Python program that asks each card in turn."""

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_DOCUMENT = re.compile(r"^[ \t]*\{", re.MULTILINE)
_CARD = re.compile(r"card([0-9]{1,4})")
_MEMORY = re.compile(r"vram total memory \(([kmg]?i?b)\)")
_UNITS = {"b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_OURS = re.compile(r"\b(Hygon|Haiguang|C-3000)\b", re.IGNORECASE)
"""In `Card Vendor`. C-3000 stands in the place of Haiguang in some drivers (gpustack/gpustack#3257)."""
_OUR_KEYS = ("dcu ", "hcu ")
"""How keys of measurements begin: `DCU use (%)`, in newer versions `HCU use (%)`."""
_UNKNOWN = frozenset({"", "n/a", "none", "unknown"})


@dataclass(frozen=True)
class Card:
    """One DCU as the tool describes it; `None` where it doesn't say.

    Attributes:
        index: the tool's own.
        name: the product: `K100_AI`.
        vendor: who made it, in the tool's words.
        measured_as_ours: true where a measurement is named after DCUs.
        unique_id: the chip's own id.
        pci_bus_id: its place on the bus.
        memory_bytes: total memory.
    """

    index: int
    name: str = ""
    vendor: str = ""
    measured_as_ours: bool = False
    unique_id: str | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None

    @property
    def title(self) -> str:
        """The name with its maker's; some versions write DCU before it."""
        return f"Hygon {self.name.removeprefix('DCU').strip() or 'DCU'}"

    def is_ours(self, sysfs: Path = SYSFS) -> bool:
        """True for a DCU: by the PCI vendor where sysfs tells it, else by the tool's words.

        Args:
            sysfs: where sysfs is mounted.
        """
        vendor = bus.vendor_at(self.pci_bus_id, sysfs) if self.pci_bus_id else None
        if vendor is not None:
            return vendor == bus.VENDOR
        return self.measured_as_ours or bool(_OURS.search(self.vendor))


@dataclass(frozen=True)
class Reading:
    """The answer of a tool.

    Attributes:
        tool: who answered.
        cards: every DCU.
        problem: why there is none, in the tool's words where it said something.
    """

    tool: str = ""
    cards: tuple[Card, ...] = ()
    problem: str = ""


def read(sysfs: Path = SYSFS) -> Reading:
    """The first tool that lists DCUs; or why none does.

    Args:
        sysfs: where sysfs is mounted.
    """
    problems = []
    for tool in TOOLS:
        said = run_tool([tool, *ARGUMENTS], TIMEOUT_S)
        cards = tuple(card for card in parse(said.text) if card.is_ours(sysfs))
        if cards:
            return Reading(Path(tool).name, cards)
        if "/" not in tool or not said.problem.endswith("not found"):
            problems.append(said.problem or f"{Path(tool).name} lists no DCU")
    return Reading(problem="; ".join(problems))


def parse(text: str) -> list[Card]:
    """The cards in what a tool printed; none where there is no JSON, or where it is cut off.

    Args:
        text: standard output, with whatever stands around the JSON.
    """
    document = _document(_ANSI.sub("", text))
    found = {match[1]: fields for key, fields in document.items() if (match := _CARD.fullmatch(key))}
    cards = [_card(int(index), fields) for index, fields in found.items() if isinstance(fields, dict)]
    return sorted(cards, key=lambda card: card.index)


def _document(text: str) -> dict[str, object]:
    for start in _DOCUMENT.finditer(text):
        try:
            document = json.JSONDecoder().raw_decode(text, start.end() - 1)[0]
        except (ValueError, RecursionError):
            continue
        return document if isinstance(document, dict) else {}
    return {}


def _card(index: int, fields: dict[str, object]) -> Card:
    plain = {str(key).strip().lower(): _word(value) for key, value in fields.items()}
    names = (plain.get(key, "") for key in ("card series", "card model"))
    return Card(
        index=index,
        name=next((name for name in names if name and not name.startswith("0x")), ""),
        vendor=plain.get("card vendor", ""),
        measured_as_ours=any(key.startswith(_OUR_KEYS) for key in plain),
        unique_id=plain.get("unique id") or None,
        pci_bus_id=_bus_id(plain.get("pci bus", "")),
        memory_bytes=_memory(plain),
    )


def _word(value: object) -> str:
    text = " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""
    printable = "".join(char for char in text if char.isprintable())
    return "" if printable.lower() in _UNKNOWN else printable


def _bus_id(text: str) -> str | None:
    return (
        text.lower() if re.fullmatch(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", text.lower()) else None
    )


def _memory(fields: dict[str, str]) -> int | None:
    for key, value in fields.items():
        unit = _MEMORY.fullmatch(key)
        if unit and unit[1] in _UNITS and re.fullmatch(r"[0-9]{1,15}", value):
            return int(value) * _UNITS[unit[1]] or None
    return None
