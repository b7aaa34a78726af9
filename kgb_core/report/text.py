"""Text from elsewhere made safe for a terminal: what a candidate printed must not move the cursor."""

from __future__ import annotations


def plain(text: str) -> str:
    """The text with every control character but newline and tab written as an escape."""
    return "".join(char if char in "\n\t" or char.isprintable() else _escaped(char) for char in text)


def first_line(text: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def counted(count: int, singular: str, plural: str = "") -> str:
    """`1 case`, `3 cases`."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
