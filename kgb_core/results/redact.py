"""What a bundle must not tell: who ran it and on which machine. Bundles are made to be given away."""

from __future__ import annotations

import getpass
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_IDENTIFYING = frozenset({"uuid", "visibility_id"})
"""Fields of a device that are, or may be, a serial number."""


@dataclass(frozen=True)
class Redactor:
    """Takes home directories, host names and serial numbers out of documents.

    Args:
        patterns: what is looked for in every string, with what stands there afterwards.
        fields: keys whose values are left out.
    """

    patterns: tuple[tuple[re.Pattern[str], str], ...]
    fields: frozenset[str] = _IDENTIFYING

    def document(self, value: Any) -> Any:
        """A JSON document without the identifying values."""
        if isinstance(value, dict):
            return {key: None if key in self.fields else self.document(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.document(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, value: str) -> str:
        """A string without the identifying parts."""
        for pattern, replacement in self.patterns:
            value = pattern.sub(replacement, value)
        return value


KEEP_ALL = Redactor(patterns=(), fields=frozenset())
"""For a bundle whose owner asked that it tells everything."""


def redactor_of_this_machine() -> Redactor:
    """A redactor for this user's home, this user's name in other paths, and this host's name."""
    return redactor(home=str(Path.home()), user=_user(), host=socket.gethostname())


def redactor(home: str, user: str, host: str) -> Redactor:
    """A redactor for these names; a name that is an ordinary word is only looked for inside paths."""
    patterns = []
    if len(home) > 1:
        patterns.append((re.compile(re.escape(home.rstrip("/")) + r"(?![\w.-])"), "~"))
    if user:
        patterns.append((re.compile(rf"(?:(?<=/home/)|(?<=/Users/)){re.escape(user)}(?![\w.-])"), "user"))
    if re.search(r"[\d.-]", host) and not host.startswith("localhost"):
        patterns.append((re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-])"), "host"))
    return Redactor(tuple(patterns))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A container may run under a user id without a name.
        return ""
