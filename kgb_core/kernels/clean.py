"""What is taken off a text before code is looked for: marks, reasoning, appended files."""

from __future__ import annotations

import re

from kgb_core.models.base import FrozenModel

_SIDECAR = re.compile(r"^#[ \t]*=====[ \t]*sidecar:[ \t]*(?P<name>.+?)[ \t]*=====[ \t]*$", re.MULTILINE)
_REASONING = re.compile(r"^[ \t]*<(think|thinking)>.*?(</\1>|\Z)\n?", re.MULTILINE | re.DOTALL)
_REASONING_WITHOUT_START = re.compile(r"\A.*?^[ \t]*</(?:think|thinking)>\n?", re.MULTILINE | re.DOTALL)


class Sidecar(FrozenModel):
    """A second file that a publisher appended to a module's text."""

    name: str
    text: str


class Parts(FrozenModel):
    """A text split at the marks that say where appended files begin."""

    text: str
    sidecars: tuple[Sidecar, ...] = ()


def normalise(text: str) -> str:
    """The text without a byte order mark, its lines ended by a newline only."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split_sidecars(text: str) -> Parts:
    """Separate the module from files appended after `# ===== sidecar: NAME =====`."""
    marks = list(_SIDECAR.finditer(text))
    if not marks:
        return Parts(text=text)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    sidecars = tuple(
        Sidecar(name=mark["name"], text=text[mark.end() + 1 : end])
        for mark, end in zip(marks, ends, strict=True)
    )
    return Parts(text=text[: marks[0].start()], sidecars=sidecars)


def strip_reasoning(text: str) -> str:
    """Remove `<think>` sections.

    A section that never ends takes the rest with it: the answer was not reached. An end without a start takes
    everything before it: chat templates put the start into the prompt.
    """
    return _REASONING_WITHOUT_START.sub("", _REASONING.sub("", text), count=1)
