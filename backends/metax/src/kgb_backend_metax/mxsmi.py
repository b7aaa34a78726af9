"""Discovery through the text of mx-smi, where MXSML can't be used; any fact may be missing.

Checked on recorded output only: tables of 2.1.6 to 2.3.1, which have three layouts, and `-L` of 2.2.9.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from kgb_backend_metax.cards import Card, first_of_each
from kgb_backend_metax.reading import Reading
from kgb_core.plugins.text import complaint, lines, size_in_bytes
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "mx-smi"
PROGRAMS = (SOURCE, "/opt/mxdriver/bin/mx-smi")
"""The second is where MetaX's driver puts it; few containers have that in PATH."""
Ask = Callable[[Sequence[str]], ToolOutput]

_OURS = re.compile(r"\bMetaX\b", re.IGNORECASE)
_BUS = r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9]"
_DRIVER = re.compile(r"Kernel Mode Driver Version:\s*([^\s|]+)")
_MACA = re.compile(r"MACA Version:\s*([^\s|]+)")
_INDEX = re.compile(r"([0-9]{1,4})\b\s*(.*)")
_MODE = re.compile(r"\s+(?:On|Off)$")
_MEMORY = re.compile(r"[0-9]\s*/\s*([0-9]+\s*[KMGT]iB)")
_LISTED = re.compile(
    rf"^GPU\s*#?\s*([0-9]{{1,4}})\s+(\S.*?)\s+({_BUS})\s*(.*?)\s*(?:\(UUID:\s*([^()]*)\))?$", re.IGNORECASE
)
_UNKNOWN = frozenset({"unknown", "n/a", "na"})
_AVAILABLE = "Available"
_SLICED = "Enabled"
"""Where a card is shared out; elsewhere that column says Disabled, or Native in older versions."""


def read(ask: Ask = run_tool) -> Reading:
    """Ask mx-smi for every card: the table has the memory, `-L` the UUIDs and what is wrong.

    Args:
        ask: runs a command.
    """
    found = Reading(SOURCE)
    for program in PROGRAMS:
        answer = ask([program])
        table = parse_table(answer.text)
        cards = joined(table.cards, parse_list(ask([program, "-L"]).text))
        if cards:
            return replace(
                table, cards=tuple(replace(card, driver=table.driver) for card in cards), problem=""
            )
        if answer.text or not found.problem:
            found = replace(table, problem=answer.problem or table.problem)
    return found


def parse_table(text: str) -> Reading:
    """What the table says: two rows a GPU, in any of the tool's three layouts.

    Args:
        text: what `mx-smi` printed without arguments; its memory is `used/total`.
    """
    rows = [_cells(line) for line in lines(text) if line.lstrip().startswith("|")]
    cards = first_of_each(filter(None, (_card(*pair) for pair in pairwise([*rows, []]))))
    if cards and not _OURS.search(text):
        return Reading(
            SOURCE, problem=f"{SOURCE} says nothing of MetaX: other companies have a tool of that name"
        )
    return Reading(
        SOURCE,
        cards,
        driver=_version(_DRIVER, text),
        maca=_version(_MACA, text),
        problem="" if cards else _nothing(text),
    )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _bus_at(row: Sequence[str]) -> int:
    """Which cell has the bus id; 0 where none has, since the first never does."""
    return next((place for place, cell in enumerate(row) if re.fullmatch(_BUS, cell)), 0)


def _card(row: Sequence[str], below: Sequence[str]) -> Card | None:
    """The card of a row with a bus id; the index before the name is the board's where the GPU has a cell."""
    place = _bus_at(row)
    board = _INDEX.fullmatch(_MODE.sub("", row[0])) if place else None
    gpu = _INDEX.fullmatch(row[place - 1]) if place else None
    if board is None or gpu is None or not board[2]:
        return None
    details = [] if _bus_at(below) else below
    memory = _MEMORY.search(" ".join(details))
    return Card(
        int(gpu[1]),
        name=" ".join(board[2].split()),
        pci_bus_id=row[place],
        memory_bytes=size_in_bytes(memory[1]) if memory else None,
        is_slice=row[-1].endswith(_SLICED),
        problem=_problem(details[-1]) if len(details) == len(row) else None,
    )


def _problem(state: str) -> str | None:
    return None if state in ("", _AVAILABLE) else state


def parse_list(text: str) -> tuple[Card, ...]:
    """The cards that `-L` lists; it has no memory.

    Args:
        text: what `mx-smi -L` printed.
    """
    rows = filter(None, (_LISTED.match(line.strip()) for line in lines(text)))
    return first_of_each(card for card in map(_listed, rows) if card.is_ours)


def _listed(row: re.Match[str]) -> Card:
    return Card(
        int(row[1]),
        name=" ".join(row[2].split()),
        uuid=(row[5] or "").strip() or None,
        pci_bus_id=row[3],
        problem=_problem(row[4]),
    )


def joined(table: Sequence[Card], listed: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of both forms: names and memory from the table, ids and problems from the list.

    Args:
        table: cards of the table.
        listed: cards of `-L`.
    """
    known = {card.gpu: card for card in listed}
    both = (
        replace(card, uuid=known[card.gpu].uuid, problem=known[card.gpu].problem or card.problem)
        if card.gpu in known
        else card
        for card in table
    )
    return first_of_each([*both, *listed])


def _version(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found and found[1].lower() not in _UNKNOWN else None


def _nothing(text: str) -> str:
    if not lines(text):
        return f"{SOURCE} printed nothing"
    said = complaint(text)
    return f"{SOURCE} lists no GPU: {said}" if said else f"{SOURCE} lists no GPU"
