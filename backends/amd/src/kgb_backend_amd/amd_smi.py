"""Discovery through amd-smi: its JSON, in the shapes that versions gave it, else its text."""

from __future__ import annotations

import re

from kgb_backend_amd.machine import Machine
from kgb_backend_amd.reading import Reading, each_once
from kgb_backend_amd.records import card_of, records_in
from kgb_backend_amd.text import json_in, whole, why_nothing
from kgb_core.plugins.text import clean
from kgb_core.plugins.tools import run_tool

SOURCE = "amd-smi"
TIMEOUT_S = 30.0
"""Eight GPUs in 64 partitions take it some seconds."""

_LINE = re.compile(r"(\s*)([A-Za-z][\w ]*?)\s*:\s*(.*)")


def read(machine: Machine) -> Reading:
    """Ask amd-smi for every GPU."""
    tool = machine.tool(SOURCE)
    said = run_tool([tool, "static", "--json"], TIMEOUT_S)
    records = parse_json(said.text)
    if not records and said.text.strip():
        records = parse_text(run_tool([tool, "static"], TIMEOUT_S).text)
    if not records:
        return Reading(SOURCE, problem=clean(said.problem) or why_nothing(SOURCE, said.text))
    nodes = _nodes(run_tool([tool, "list", "--json"], TIMEOUT_S).text)
    cards = [card_of({"node_id": nodes.get(whole(record["gpu"])), **record}) for record in records]
    return Reading(SOURCE, each_once(cards))


def parse_json(text: str) -> list[dict[str, object]]:
    """The GPUs in JSON output.

    Args:
        text: what `amd-smi static --json` or `amd-smi list --json` printed.
    """
    return records_in(json_in(clean(text)))


def parse_text(text: str) -> list[dict[str, object]]:
    """The GPUs in text output, as records of the same form as the JSON; blocks of other things are left out.

    Args:
        text: what `amd-smi static` printed: blocks of indented `KEY: value`, each begun by `GPU: 0`.
    """
    records: list[dict[str, object]] = []
    part: dict[str, object] = {}
    for indent, key, value in _entries(text):
        if indent == 0:
            part = {"gpu": value} if key == "gpu" else {}
            records.append(part)
        elif value:
            part[key] = value
        elif records:
            part = {}
            records[-1].setdefault(key, part)
    return records_in(records)


def _entries(text: str) -> list[tuple[int, str, str]]:
    """Indentation, key in lower case, and value of each line."""
    found = [match for line in clean(text).splitlines() if (match := _LINE.fullmatch(line))]
    return [(len(match[1]), match[2].lower(), match[3].strip()) for match in found]


def _nodes(text: str) -> dict[int | None, int | None]:
    """The nodes of the kernel's compute topology by index of the GPU; older versions don't list them."""
    return {whole(record["gpu"]): whole(record.get("node_id")) for record in parse_json(text)}
