"""Rewriting device names in a candidate's source: written for another device, it runs on this one.

Only whole string literals (`"cuda"`, `"cuda:0"`) and the attribute `.is_cuda` change; lines stay where they
are.
"""

from __future__ import annotations

import io
import itertools
import re
import tokenize

_FOREIGN = re.compile(r"""^([rRbBuU]*)(['"])(cuda|npu|musa|xpu|mlu)(:\d+)?\2$""")
_ATTRIBUTE = re.compile(r"^is_(cuda|npu|musa|xpu|mlu)$")


def translated(source: str, device_type: str) -> str:
    """The source with other devices' names replaced.

    Args:
        source: a module's text; text that is not Python comes back as it is.
        device_type: this device, as torch calls it.
    """
    lines = io.StringIO(source).readlines()  # as tokenize counts them: a form feed ends no line
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return source
    for before, token in reversed(list(itertools.pairwise(tokens))):
        replacement = _replacement(before, token, device_type)
        if replacement is not None:
            row, start, end = token.start[0] - 1, token.start[1], token.end[1]
            lines[row] = lines[row][:start] + replacement + lines[row][end:]
    return "".join(lines)


def _replacement(before: tokenize.TokenInfo, token: tokenize.TokenInfo, device_type: str) -> str | None:
    if token.type == tokenize.STRING:
        match = _FOREIGN.match(token.string)
        if match and match[3] != device_type:
            return f"{match[1]}{match[2]}{device_type}{match[2]}"
    if before.string == "." and (match := _ATTRIBUTE.match(token.string)):
        return f"is_{device_type}" if match[1] != device_type else None
    return None
