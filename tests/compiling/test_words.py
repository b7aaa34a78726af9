"""Of what a compiler says, the line that says why is found."""

from __future__ import annotations

import pytest

from kgb_core.compiling.words import reason, words


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    """The error as it is after `raise … from …`."""
    error.__cause__ = cause
    return error


def test_causes_are_told_once() -> None:
    inner = ValueError("no such type")
    assert words(raised(TypeError("at 3:1:"), inner)) == "TypeError: at 3:1:\nValueError: no such type"
    assert words(raised(TypeError("no such type"), inner)) == "TypeError: no such type"


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("PTXASError: ptxas failed\nlog", "PTXASError: ptxas failed"),
        (
            "CompilationError: at 3:23:\ndef k(x):\n    y = x ^ z\n           ^\nz is not defined\nmore",
            "CompilationError: at 3:23: z is not defined",
        ),
        ("CompilationError: at 3:23:\ndef k(x):\n    y\n    ^", "CompilationError: at 3:23:"),
        ("\n\n", ""),
    ],
)
def test_the_reason_stands_below_the_mark(told: str, line: str) -> None:
    assert reason(told) == line
