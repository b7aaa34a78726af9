"""Reading what tools print: colours and line ends removed, JSON found among warnings, values of any type."""

from __future__ import annotations

import json
import math
import re
from itertools import islice

from kgb_core.plugins.text import clean

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_JSON_START = re.compile(r"^[ \t]*([\[{])", re.MULTILINE)
_STARTS = 8
"""Warnings may begin with a bracket too; after so many tries there is no JSON."""
_QUOTED = 200
_UNKNOWN = frozenset({"", "n/a", "none", "null", "unknown", "not supported"})
_WHOLE = re.compile(r"0[xX]([0-9a-fA-F]{1,16})|([0-9]{1,16})")
_AMOUNT = re.compile(r"([0-9]{1,16})(?:\.[0-9]+)?\s*([KMGT]?i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "B": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
MOST_BYTES = 2**50


def first_line(text: str) -> str:
    """The first line that says something; empty when none does."""
    return next((line.strip() for line in clean(text).splitlines() if line.strip()), "")


def json_in(text: str) -> object:
    """The first JSON document in a text; `None` where there is none, or where it is cut off.

    Tools print warnings before their JSON.

    Args:
        text: cleaned output.
    """
    decoder = json.JSONDecoder()
    for start in islice(_JSON_START.finditer(text), _STARTS):
        try:
            document: object = decoder.raw_decode(text, start.start(1))[0]
        except (ValueError, RecursionError):
            continue
        return document
    return None


def why_nothing(tool: str, text: str) -> str:
    """Why a tool's output lists no GPU, with its own words.

    Args:
        tool: its name.
        text: what it printed.
    """
    told = first_line(text)[:_QUOTED]
    if not told:
        return f"{tool} lists no GPU"
    damaged = told[0] in "[{" and json_in(clean(text)) is None
    return (
        f"{tool} printed JSON that is cut off or damaged: {told}"
        if damaged
        else f"{tool} lists no GPU: {told}"
    )


def section(record: object, name: str) -> dict[str, object]:
    """A part of a JSON object that is an object itself; empty where it is anything else."""
    if not isinstance(record, dict):
        return {}
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def word(value: object) -> str | None:
    """A value as one printable line; `None` for the many ways to say that it is not known."""
    if not isinstance(value, str):
        return None
    plain = " ".join(_CONTROL.sub(" ", value.encode("utf-8", "replace").decode("utf-8")).split())
    return None if plain.casefold() in _UNKNOWN else plain


def whole(value: object) -> int | None:
    """A whole number that is not negative, from a number or from decimal or 0x text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < 2**64 else None
    match = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    return int(match[1], 16) if match[1] else int(match[2])


def amount(value: object, unit: str = "B") -> int | None:
    """A size in bytes: `{"value": 196592, "unit": "MB"}`, `"196592 MB"` or a bare number.

    The tools write MB for 2^20 bytes.

    Args:
        value: what the tool gave.
        unit: what a number without one is in.
    """
    if isinstance(value, dict):
        unit = str(value.get("unit") or unit)
        value = value.get("value")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _bounded(value, unit)
    match = _AMOUNT.fullmatch(value.strip()) if isinstance(value, str) else None
    return _bounded(int(match[1]), match[2] or unit) if match else None


def _bounded(number: float, unit: str) -> int | None:
    factor = _UNITS.get(unit.upper().replace("IB", "B").removesuffix("B") or "B")
    if factor is None or not math.isfinite(number) or not 0 < number * factor <= MOST_BYTES:
        return None
    return int(number * factor)
