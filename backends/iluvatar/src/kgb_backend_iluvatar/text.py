"""Reading what ixsmi prints: colours and line ends removed, one word for unknown values."""

from __future__ import annotations

import re

from kgb_core.plugins.text import clean

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_UNKNOWN = re.compile(r"\[?(n/a|not supported|unknown error|not found|none|)\]?", re.IGNORECASE)
_QUOTED = 200


def first_line(text: str) -> str:
    """The first line that says something; empty when none does."""
    said = (line.strip() for line in clean(text).splitlines())
    return next((line[:_QUOTED] for line in said if line), "")


def word(text: str) -> str | None:
    """A value as one printable line; `None` where it says that it is not known."""
    plain = " ".join(_CONTROL.sub(" ", text.encode("utf-8", "replace").decode("utf-8")).split())
    return None if _UNKNOWN.fullmatch(plain) else plain


def number(text: str) -> int | None:
    """The whole number that a value begins with, whatever its unit."""
    match = re.match(r"\s*([0-9]{1,12})(?![0-9])", text)
    return int(match[1]) if match else None
