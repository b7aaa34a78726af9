"""Discovery through the text of mx-smi, where MXSML can't be used; any fact may be missing.

Checked on recorded output only: the tables of 2.1.6 to 2.3.1, which have three forms, and `-L` of 2.2.9 to 2.3.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from kgb_backend_metax.cards import Card, first_of_each
from kgb_backend_metax.reading import Reading
from kgb_backend_metax.text import complaint, lines, size_in_bytes
from kgb_core.plugins.tools import ToolOutput, run_tool

SOURCE = "mx-smi"
PROGRAMS = (SOURCE, "/opt/mxdriver/bin/mx-smi")
"""The second is where MetaX's driver puts it; few containers have that in PATH."""
Ask = Callable[[Sequence[str]], ToolOutput]

_OURS = re.compile(r"\bMetaX\b|\bMACA Version", re.IGNORECASE)
_BUS = re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9]")
_DRIVER = re.compile(r"Kernel Mode Driver Version:\s*([^\s|]+)")
_MACA = re.compile(r"MACA Version:\s*([^\s|]+)")
_INDEX = re.compile(r"([0-9]{1,4})\s+(\S.*)")
_MODE = re.compile(r"\s+(?:On|Off)$")
_MEMORY = re.compile(r"[0-9]+\s*/\s*([0-9]+\s*[KMGT]iB)")
_LISTED = re.compile(
    rf"^GPU\s*#?\s*([0-9]{{1,4}})\s+(\S.*?)\s+({_BUS.pattern})\s*(.*?)\s*(?:\(UUID:\s*([^)]*)\))?$",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(r"unknown|n/?a", re.IGNORECASE)
_AVAILABLE = "Available"
_SLICED = "Enabled"
"""Where a card is shared out; elsewhere the column says Disabled, or Native in older versions."""


def read(ask: Ask = run_tool) -> Reading:
    """Ask mx-smi for every card: the table has the memory, `-L` the UUIDs and what is wrong.

    Args:
        ask: runs a command.
    """
    found = Reading(SOURCE)
    for program in PROGRAMS:
        answer = ask([program])
        table = parse_table(answer.text)
        listed = parse_list(ask([program, "-L"]).text)
        if table.cards or (listed and not table.problem.endswith(_FOREIGN)):
            return replace(table, cards=joined(table.cards, listed), problem="")
        if not found.problem or answer.text:
            found = replace(table, problem=answer.problem or table.problem)
    return found
