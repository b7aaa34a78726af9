"""Discovery through the text of npu-smi, where DCMI can't be used; any fact may be missing.

Checked on recorded output only: versions 24.1 to 26.0 with the chips of Atlas A2, Atlas A3 and 310P boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgb_backend_ascend.cards import Card, numbered
from kgb_backend_ascend.dcmi import sub_name
from kgb_backend_ascend.reading import Reading
from kgb_core.plugins.text import complaint, lines
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "npu-smi"
Ask = Callable[[Sequence[str]], ToolOutput]

_OURS = re.compile(r"npu-smi|ascend|\b910|\b310", re.IGNORECASE)
_VERSION = re.compile(r"npu-smi\s+(\S+)\s+Version", re.IGNORECASE)
_CARD = re.compile(r"([0-9]{1,9})\s+(\S*[A-Za-z0-9]\S*(?: \S+)*)")
_CHIP = re.compile(r"([0-9]{1,9})(?:\s+(?:[0-9]{1,9}|-))?")
_HEALTH = re.compile(r"[^\W\d]\w*")
_BUS = re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]")
_MEMORY = re.compile(r"(?<![0-9])[0-9]+\s*/\s*([0-9]{1,12})(?![0-9])")
_COLUMNS = re.compile(r"\s{2,}")
_NPU_NAME = re.compile(r"^\s*NPU Name\s*:\s*(\S+)", re.MULTILINE)
_NOISE = re.compile(r"DrvMngGetConsoleLogLevel")
"""A line that precedes most answers and says nothing of them."""
_CELLS = 3
"""The list of processes, whose rows also begin with two numbers, has four."""


def read(ask: Ask = run_tool) -> Reading:
    """Ask npu-smi for every chip, for the logical ids, and for what tells chips of an Atlas A3 apart.

    Args:
        ask: runs a command.
    """
    answer = ask([SOURCE, "info"])
    found = parse_info(answer.text)
    if not found.cards:
        said = found.problem if lines(answer.text) else answer.problem or found.problem
        return replace(found, problem=said)
    logic = parse_mapping(ask([SOURCE, "info", "-m"]).text)
    cards = [replace(card, logic=logic.get((card.npu, card.chip))) for card in found.cards]
    return replace(found, cards=numbered(_named(card, ask) for card in cards))


def _named(card: Card, ask: Ask) -> Card:
    if sub_name(card.name, "0") is None:
        return card
    answer = ask([SOURCE, "info", "-t", "board", "-i", str(card.npu), "-c", str(card.chip)])
    return replace(card, npu_name=sub_name(card.name, parse_npu_name(answer.text)))


def parse_npu_name(text: str) -> str | None:
    """The second name of a chip.

    Args:
        text: what `npu-smi info -t board -i N -c N` printed.
    """
    found = _NPU_NAME.search("\n".join(lines(text)))
    return found[1] if found else None


def parse_mapping(text: str) -> dict[tuple[int, int], int]:
    """Logical ids by card and chip; the controller of a card has none.

    Args:
        text: what `npu-smi info -m` printed; a newer version has more columns.
    """
    heads: list[str] = []
    found: dict[tuple[int, int], int] = {}
    for line in lines(text):
        cells = _COLUMNS.split(line.strip())
        if "Chip Logic ID" in cells:
            heads = cells
            continue
        row = dict(zip(heads, cells, strict=False))
        ids = [row.get(name, "") for name in ("NPU ID", "Chip ID", "Chip Logic ID")]
        if all(re.fullmatch("[0-9]{1,9}", text) for text in ids):
            npu, chip, logic = map(int, ids)
            found[npu, chip] = logic
    return found


@dataclass(frozen=True)
class _Row:
    """The first line of a record.

    Attributes:
        npu: the card.
        name: the chip's name.
        health: `OK` or another word.
    """

    npu: int
    name: str
    health: str


def parse_info(text: str) -> Reading:
    """What the table says: two lines a chip.

    Args:
        text: what `npu-smi info` printed.
    """
    cards = numbered(_cards(text))
    version = _VERSION.search(text)
    driver = version[1] if version else None
    if cards and not _OURS.search(text):
        return Reading(SOURCE, problem=f"{SOURCE} says nothing of Ascend")
    if not cards:
        return Reading(SOURCE, driver=driver, problem=_nothing(text))
    return Reading(SOURCE, tuple(replace(card, driver=driver) for card in cards), driver)


def _cards(text: str) -> Iterator[Card]:
    above: _Row | None = None
    for line in lines(text):
        cells = _cells(line)
        if len(cells) != _CELLS:
            above = None
        elif above and (chip := _CHIP.fullmatch(cells[0])):
            yield _card(above, int(chip[1]), cells)
            above = None
        else:
            above = _row(cells)


def _cells(line: str) -> list[str]:
    """The cells of a row; none for a rule or for text outside the table."""
    if "|" not in line or set(line.strip()) <= set("+-=|"):
        return []
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(cells: Sequence[str]) -> _Row | None:
    card, health = _CARD.fullmatch(cells[0]), _HEALTH.fullmatch(cells[1])
    return _Row(int(card[1]), card[2], health[0]) if card and health else None


def _card(row: _Row, chip: int, cells: Sequence[str]) -> Card:
    bus = _BUS.fullmatch(cells[1])
    return Card(
        row.npu,
        chip,
        name=row.name,
        health=row.health,
        pci_bus_id=bus[0] if bus else None,
        memory_bytes=_memory(cells[2]),
    )


def _memory(cell: str) -> int | None:
    """Bytes of the last memory in a cell that there is any of: HBM comes last, and 310P boards have none."""
    totals = [int(total) for total in _MEMORY.findall(cell)]
    present = [total for total in totals if total]
    return present[-1] * 2**20 if present else None


def _nothing(text: str) -> str:
    heard = [line for line in lines(text) if not _NOISE.search(line)]
    if not heard:
        return f"{SOURCE} printed nothing"
    said = complaint("\n".join(heard))
    return f"{SOURCE} lists no NPU: {said}" if said else f"{SOURCE} lists no NPU"
