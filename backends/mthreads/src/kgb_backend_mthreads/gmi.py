"""Discovery through the text of mthreads-gmi, where MTML can't be used; any fact may be missing.

Checked on recorded output only: versions 1.12 to 2.4 of the table, and `-q` of driver 2.7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgb_backend_mthreads.cards import Card, first_of_each
from kgb_backend_mthreads.reading import Reading
from kgb_core.plugins.text import complaint, lines, size_in_bytes
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "mthreads-gmi"
Ask = Callable[[Sequence[str]], ToolOutput]

_OURS = re.compile(r"mthreads|moore threads|\bMTT\b|MTBios|0x1ED5", re.IGNORECASE)
_BUS = r"([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9])"
_DRIVER = re.compile(r"Driver Version\s*[:\uff1a]\s*(\S+)")
_ROW = re.compile(rf"^\s*([0-9]{{1,4}})\s+(\S[^|]*?)\s*\|\s*{_BUS}\s*\|(.*)$")
_TOTAL = re.compile(r"\(([^)]*)\)")
_BLOCK = re.compile(rf"^\s*GPU\s*#?\s*([0-9]{{1,4}})\s+(?:{_BUS})?\s*$")
_ENTRY = re.compile(r"^\s*([^:\uff1a]+?)\s*[:\uff1a]\s*(.*?)\s*$")
_UNKNOWN = re.compile(r"^(\[?(N/?A|Not Supported|Unknown)\]?|)$", re.IGNORECASE)


def read(ask: Ask = run_tool) -> Reading:
    """Ask mthreads-gmi for every card: `-q` tells most, the table is what every version has.

    Args:
        ask: runs a command.
    """
    answer = ask([SOURCE, "-q"])
    found = parse_query(answer.text)
    if not found.cards:
        answer = ask([SOURCE])
        found = parse_table(answer.text)
    return found if found.cards else replace(found, problem=answer.problem or found.problem)


def parse_table(text: str) -> Reading:
    """What the table says: three lines a GPU, of which the first is read.

    Args:
        text: what `mthreads-gmi` printed without arguments; its memory is `used(total)`.
    """
    return _reading(text, map(_row_card, filter(None, map(_ROW.match, lines(text)))))


def _row_card(row: re.Match[str]) -> Card:
    total = _TOTAL.search(row[4])
    return Card(
        int(row[1]),
        name=" ".join(row[2].split()),
        pci_bus_id=row[3],
        memory_bytes=size_in_bytes(total[1]) if total else None,
    )


def parse_query(text: str) -> Reading:
    """What the long form says: a block for each GPU, with sections.

    Args:
        text: what `mthreads-gmi -q` printed.
    """
    return _reading(text, _block_cards(text))


def _block_cards(text: str) -> Iterator[Card]:
    header: re.Match[str] | None = None
    facts: dict[str, str] = {}
    section = ""
    for line in lines(text):
        if found := _BLOCK.match(line):
            if header:
                yield _block_card(header, facts)
            header, facts, section = found, {}, ""
        elif entry := _ENTRY.match(line):
            facts.setdefault(entry[1], entry[2])
            facts.setdefault(f"{section}/{entry[1]}", entry[2])
        else:
            section = line.strip()
    if header:
        yield _block_card(header, facts)


def _block_card(header: re.Match[str], facts: dict[str, str]) -> Card:
    known = {key: value for key, value in facts.items() if not _UNKNOWN.match(value)}
    gpu = int(header[1])
    return Card(
        gpu,
        name=known.get("Product Name", f"Moore Threads GPU {gpu}"),
        uuid=known.get("GPU UUID"),
        pci_vendor=_pci_vendor(known.get("Vendor ID", "")),
        pci_bus_id=header[2],
        memory_bytes=size_in_bytes(known.get("FB Memory Usage/Total", "")),
    )


def _pci_vendor(text: str) -> int | None:
    return int(text, 16) if re.fullmatch(r"0x[0-9A-Fa-f]{1,4}", text) else None


def _reading(text: str, cards: Iterator[Card]) -> Reading:
    found = first_of_each(cards)
    driver = _DRIVER.search(text)
    version = driver[1] if driver else None
    if found and not _OURS.search(text):
        return Reading(SOURCE, problem=f"{SOURCE} says nothing of Moore Threads")
    if not found:
        return Reading(SOURCE, driver=version, problem=_nothing(text))
    return Reading(SOURCE, tuple(replace(card, driver=version) for card in found), version)


def _nothing(text: str) -> str:
    if not lines(text):
        return f"{SOURCE} printed nothing"
    said = complaint(text)
    return f"{SOURCE} lists no GPU: {said}" if said else f"{SOURCE} lists no GPU"
