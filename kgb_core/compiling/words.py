"""What a compiler says of a kernel that it refuses: all of it, and the one line that says why."""

from __future__ import annotations

_MARK = frozenset("^~ ")


def words(error: BaseException) -> str:
    """The compiler's own words, those of the causes too: older versions keep the reason only there."""
    told = f"{type(error).__name__}: {error}".strip()
    cause = error.__cause__
    while cause is not None:
        if str(cause) not in told:
            told += f"\n{type(cause).__name__}: {cause}"
        cause = cause.__cause__
    return told


def reason(told: str) -> str:
    """The line that says why: Triton puts the place and the source first, and the reason below a mark.

    Args:
        told: what `words` gave.
    """
    lines = [line for line in told.splitlines() if line.strip()]
    marks = [place for place, line in enumerate(lines) if "^" in line and set(line) <= _MARK]
    below = lines[marks[-1] + 1 :] if marks else []
    if below:
        return f"{lines[0].rstrip(':').strip()}: {below[0].strip()}"
    return lines[0].strip() if lines else ""
