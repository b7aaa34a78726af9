"""Discovery through rocm-smi, where only that is installed; AMD has declared it obsolete.

Its keys change case between versions, and Hygon ships a tool of the same name.
"""

from __future__ import annotations

import re

from kgb_backend_amd.cards import Card, arch_of
from kgb_backend_amd.machine import Machine
from kgb_backend_amd.reading import Reading, each_once
from kgb_backend_amd.text import amount, json_in, section, whole, why_nothing, word
from kgb_core.plugins.text import clean
from kgb_core.plugins.tools import run_tool

SOURCE = "rocm-smi"
ARGUMENTS = (
    "--showproductname",
    "--showbus",
    "--showuniqueid",
    "--showmeminfo",
    "vram",
    "--showdriverversion",
    "--json",
)
TIMEOUT_S = 30.0

_CARD = re.compile(r"card([0-9]{1,4})")


def read(machine: Machine) -> Reading:
    """Ask rocm-smi for every GPU."""
    said = run_tool([machine.tool(SOURCE), *ARGUMENTS], TIMEOUT_S)
    cards = parse(said.text)
    if cards:
        return Reading(SOURCE, each_once(cards))
    return Reading(SOURCE, problem=clean(said.problem) or why_nothing(SOURCE, said.text))


def parse(text: str) -> list[Card]:
    """The cards in JSON output: objects under `card0`, `card1` and so on; other keys are left out.

    Args:
        text: what `rocm-smi … --json` printed.
    """
    document = json_in(clean(text))
    if not isinstance(document, dict):
        return []
    driver = word(_lower(section(document, "system")).get("driver version"))
    found = {match[1]: section(document, key) for key in document if (match := _CARD.fullmatch(key))}
    return [_card(int(index), _lower(fields), driver) for index, fields in found.items() if fields]


def _lower(fields: dict[str, object]) -> dict[str, object]:
    return {str(key).lower(): value for key, value in fields.items()}


def _card(index: int, fields: dict[str, object], driver: str | None) -> Card:
    names = (word(fields.get(key)) for key in ("card series", "device name", "card model"))
    devices = (whole(fields.get(key)) for key in ("device id", "card model"))
    return Card(
        index,
        name=next((name for name in names if name and not name.startswith("0x")), ""),
        vendor=word(fields.get("card vendor")),
        pci_device=next((device for device in devices if device), None),
        pci_bus_id=word(fields.get("pci bus")),
        unique_id=whole(fields.get("unique id")),
        arch=arch_of(word(fields.get("gfx version"))),
        memory_bytes=amount(fields.get("vram total memory (b)")),
        driver=driver,
    )
