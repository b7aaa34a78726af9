"""Discovery through the text of ixsmi: a query as CSV, whose fields depend on its version, else the box."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace

from kgb_backend_iluvatar.cards import Card, each_once
from kgb_backend_iluvatar.machine import Machine
from kgb_backend_iluvatar.reading import Reading
from kgb_backend_iluvatar.text import first_line, number, word
from kgb_core.plugins.text import clean
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "ixsmi"
FIELDS = ("index", "name", "uuid", "memory.total", "pci.bus_id", "pci.device_id")
OTHER_NAMES = {"pci.bus_id": "gpu_bus_id"}
"""What another version calls a field; one refused under both names is left out."""

_NEEDED = ("index", "name")
_MOST_QUERIES = 6
_REFUSED = re.compile(r"not a valid field", re.IGNORECASE)
_BOX_BUS_ID = re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]")
_BOX_CARD = re.compile(r"\s*([0-9]{1,4})\s+(\S.*?)\s*")
_BOX_MEMORY = re.compile(r"[0-9]+\s*MiB\s*/\s*([0-9]{1,9})\s*MiB")
_HEADER = re.compile(r"IX-ML:\s*(\S+)\s+Driver Version:\s*(\S+)\s+CUDA Version:\s*(\S+)")


def read(machine: Machine) -> Reading:
    """Ask ixsmi for every card."""
    tool = machine.tool(SOURCE)
    box = run_tool([tool])
    cards = parse_query(*_query(tool)) or parse_box(box.text)
    if not cards:
        return Reading(SOURCE, problem=clean(box.problem) or _why_nothing(box.text))
    versions = parse_header(box.text)
    known = (replace(card, driver=versions.driver) for card in cards)
    return replace(versions, cards=each_once(known))


def _why_nothing(text: str) -> str:
    told = first_line(text)
    return f"{SOURCE} lists no GPU: {told}" if told else f"{SOURCE} lists no GPU"


def _query(tool: str) -> tuple[str, tuple[str, ...]]:
    """The output of a query and the fields in it: those that this version has.

    An unknown field spoils the whole answer, which names it.
    """
    fields: tuple[str, ...] = FIELDS
    said = ToolOutput("")
    for _ in range(_MOST_QUERIES):
        said = run_tool([tool, f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"])
        refused = _refused(said, fields)
        if refused is None:
            break
        fields = _without(fields, refused)
    return said.text, fields


def _refused(said: ToolOutput, fields: tuple[str, ...]) -> str | None:
    """The optional field that a complaint names; the longest, since names are part of one another."""
    lines = clean(f"{said.text}\n{said.problem}").splitlines()
    complaint = next((line for line in lines if _REFUSED.search(line)), "")
    named = [field for field in fields if field not in _NEEDED and field in complaint]
    return max(named, key=len, default=None)


def _without(fields: tuple[str, ...], refused: str) -> tuple[str, ...]:
    """The fields with another name for one of them, or without it."""
    other = OTHER_NAMES.get(refused)
    place = fields.index(refused)
    return fields[:place] + ((other,) if other else ()) + fields[place + 1 :]


def parse_query(text: str, fields: Sequence[str]) -> list[Card]:
    """The cards in the output of `--query-gpu`; lines that are something else are passed over.

    Args:
        text: what ixsmi printed with `--format=csv`, with units and a line of names or without.
        fields: what was asked for, in order.
    """
    rows = list(csv.reader(clean(text).replace("\0", "").splitlines(), skipinitialspace=True))
    return [
        _card(dict(zip(fields, map(str.strip, row), strict=True)))
        for row in rows
        if len(row) == len(fields) and number(row[fields.index("index")]) is not None
    ]


def _card(row: dict[str, str]) -> Card:
    memory = number(row.get("memory.total", ""))
    return Card(
        number(row["index"]) or 0,
        name=word(row.get("name", "")) or "",
        uuid=word(row.get("uuid", "")),
        pci_vendor=_pci_vendor(row.get("pci.device_id", "")),
        pci_bus_id=word(row.get("pci.bus_id", "")) or word(row.get("gpu_bus_id", "")),
        memory_bytes=memory * 2**20 if memory else None,
    )


def _pci_vendor(text: str) -> int | None:
    """The vendor in a PCI id such as 0x00031E3E, as this kind of tool writes it; other forms tell nothing."""
    return int(text, 16) & 0xFFFF if re.fullmatch(r"0x[0-9A-Fa-f]{5,8}", text) else None


def parse_box(text: str) -> list[Card]:
    """The cards in the box that ixsmi prints without arguments: two lines a card.

    Args:
        text: what it printed.
    """
    cards: list[Card] = []
    for line in clean(text).splitlines():
        cells = line.split("|")
        head = _BOX_CARD.fullmatch(cells[1]) if len(cells) > 2 else None
        place = _BOX_BUS_ID.search(cells[2]) if head else None
        memory = _BOX_MEMORY.search(line)
        if head and place:
            cards.append(Card(int(head[1]), name=word(head[2]) or "", pci_bus_id=place[0]))
        elif memory and cards and cards[-1].memory_bytes is None:
            cards[-1] = replace(cards[-1], memory_bytes=int(memory[1]) * 2**20 or None)
    return cards


def parse_header(text: str) -> Reading:
    """The versions above the box.

    Args:
        text: what ixsmi printed without arguments.
    """
    told = _HEADER.search(clean(text))
    if told is None:
        return Reading(SOURCE)
    ixml, driver, cuda = (word(part) for part in told.groups())
    return Reading(SOURCE, driver=driver, ixml=ixml, cuda=cuda, is_mismatched=cuda is None)
