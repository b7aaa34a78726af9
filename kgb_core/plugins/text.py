"""Text of a command-line tool, rid of what terminals and other systems put into it."""

from __future__ import annotations

import re

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_COMPLAINT = re.compile(
    r"error|fail|unable|cannot|can't|denied|\bno\b.*\b(found|device)|错误|失败|无法|没有|未", re.IGNORECASE
)
_FEW_LINES = 3
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_AMOUNT = re.compile(r"([0-9]{1,12})\s*([KMGT]iB|B)")


def lines(text: str) -> list[str]:
    """The lines that aren't empty, without colours and line ends."""
    return [line.rstrip() for line in _ANSI.sub("", text).splitlines() if line.strip()]


def clean(text: str) -> str:
    """A tool's output without colours, with plain line ends."""
    return _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def complaint(text: str) -> str:
    """What a tool says instead of listing anything; empty where it doesn't say."""
    said = lines(text)
    loud = next((line.strip() for line in said if _COMPLAINT.search(line)), "")
    return loud or (said[0].strip() if 0 < len(said) <= _FEW_LINES else "")


def size_in_bytes(text: str) -> int | None:
    """Bytes of an amount such as `81920MiB`; `None` where there is no amount, as in `N/A`."""
    match = _AMOUNT.search(text)
    return int(match[1]) * _UNITS[match[2]] if match else None
