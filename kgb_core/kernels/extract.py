"""The one routine that finds the module in what a model or a person wrote.

The rules, in this order: the whole text, if it is a module; the text without the prose around it; the last
fenced block that parses and defines the entry; the last that parses; the last block or the text, unparsed, so
that the judge can say what Python says of it. The rule that applied is part of the answer.
"""

from __future__ import annotations

import re
from enum import Enum
from itertools import islice

from kgb_core.kernels.clean import Sidecar, normalise, split_sidecars, strip_reasoning
from kgb_core.kernels.entry import Binding, How, parse, top_level
from kgb_core.kernels.fences import Block, fenced_blocks
from kgb_core.kernels.prose import begins_as_code, looks_like_code, without_prose
from kgb_core.models.base import FrozenModel

_MAX_BLOCKS = 256
"""Fenced blocks looked at; an answer has a handful."""


class Rule(str, Enum):
    """How the module was found; the value is what a person is shown."""

    MODULE = "the whole text"
    ONLY_BLOCK = "the only fenced block"
    DEFINING_BLOCK = "the last block that defines the entry"
    PARSING_BLOCK = "the last block that parses; none defines the entry"
    WITHOUT_PROSE = "the text without the prose around it"
    UNPARSED_BLOCK = "the last block; none parses"
    UNPARSED_TEXT = "the whole text, which does not parse"
    NO_CODE = "no code found"

    @property
    def found_code(self) -> bool:
        """True where the text has something that means to be code."""
        return self is not Rule.NO_CODE


class Extraction(FrozenModel):
    """A module's text, and how it was found."""

    source: str
    """The module; the whole text where no code was found."""
    rule: Rule
    entry: Binding | None = None
    """The last top-level binding of the entry's name."""
    error: str = ""
    """Why the source does not parse."""
    reasoning_removed: bool = False
    sidecars: tuple[Sidecar, ...] = ()


def extract(text: str, entry: str = "") -> Extraction:
    """Find the module in a text.

    Args:
        text: a module, a chat answer, or a published file with other files appended.
        entry: name of the function that the module should define; empty where it is unknown.
    """
    parts = split_sidecars(normalise(text))
    whole = _extraction(parts.text, Rule.MODULE, entry)
    found = whole if parse(parts.text).has_code else _from_answer(parts.text, entry)
    return found.model_copy(update={"sidecars": parts.sidecars})


def _from_answer(text: str, entry: str) -> Extraction:
    answer = strip_reasoning(text)
    blocks = [block for block in islice(fenced_blocks(answer), _MAX_BLOCKS) if block.text.strip()]
    if begins_as_code(answer):
        blocks = []
    found = _from_bare(answer, entry) or _from_blocks(blocks, entry) or _unparsed(answer, blocks, entry)
    return found.model_copy(update={"reasoning_removed": answer != text})


def _from_blocks(blocks: list[Block], entry: str) -> Extraction | None:
    parsing = [block for block in blocks if parse(block.text).has_code]
    if not parsing:
        return None
    if len(blocks) == 1:
        return _extraction(blocks[0].text, Rule.ONLY_BLOCK, entry)
    # A usage example imports the entry; the block that defines it is meant.
    for wanted in ({How.DEFINED, How.ASSIGNED}, {How.IMPORTED}):
        for block in reversed(parsing):
            made = _extraction(block.text, Rule.DEFINING_BLOCK, entry)
            if made.entry is not None and made.entry.how in wanted:
                return made
    return _extraction(parsing[-1].text, Rule.PARSING_BLOCK, entry)


def _from_bare(text: str, entry: str) -> Extraction | None:
    if parse(text).has_code:
        return _extraction(text, Rule.MODULE, entry)
    trimmed = without_prose(text)
    return None if trimmed is None else _extraction(trimmed, Rule.WITHOUT_PROSE, entry)


def _unparsed(text: str, blocks: list[Block], entry: str) -> Extraction:
    claimed = [block for block in blocks if block.claims_python]
    if claimed:
        return _extraction(claimed[-1].text, Rule.UNPARSED_BLOCK, entry)
    rule = Rule.UNPARSED_TEXT if looks_like_code(text) else Rule.NO_CODE
    return _extraction(text, rule, entry)


def _extraction(source: str, rule: Rule, entry: str) -> Extraction:
    parsed = parse(source)
    bound = top_level(parsed.tree) if parsed.tree is not None else {}
    return Extraction(source=source, rule=rule, entry=bound.get(entry), error=parsed.error)


_NAMES = re.compile(r"^(?:async[ \t]+)?def[ \t]+([A-Za-z_]\w*)", re.MULTILINE)


def defined_names(source: str) -> tuple[str, ...]:
    """Functions that a source defines at its top level, whether it parses or not; for messages."""
    return tuple(dict.fromkeys(_NAMES.findall(source)))
