"""The ways in which a tool's output arrives broken: each makes of a recording what a machine could give."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from kgb_core.testing.recordings import Recording

Change = Callable[[bytes], bytes]

_WORD = re.compile(rb"[A-Za-z]{4,}")
_FRACTION = re.compile(rb"(?<=\d)\.(?=\d)")
_ERROR = b"Failed to initialize: driver/library version mismatch\n"


def _each(change: Change) -> Callable[[Recording], Recording]:
    def damaged(recording: Recording) -> Recording:
        return replace(recording, answers={word: change(text) for word, text in recording.answers.items()})

    return damaged


def _half(text: bytes) -> bytes:
    return text[: len(text) // 2]


def _half_of_each_line(text: bytes) -> bytes:
    return b"\n".join(line[: len(line) // 2] for line in text.split(b"\n"))


def _every_second_line(text: bytes) -> bytes:
    return b"\n".join(text.split(b"\n")[::2])


def _crlf(text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n")


def _coloured(text: bytes) -> bytes:
    return b"\n".join(b"\x1b[1;32m" + line + b"\x1b[0m" for line in text.split(b"\n"))


def _localised(text: bytes) -> bytes:
    words = _WORD.sub("设备".encode(), text)
    return _FRACTION.sub(b",", words)


def _not_utf8(text: bytes) -> bytes:
    return text.replace(b" ", b"\xff\xfe ")


def _numbers_gone(text: bytes) -> bytes:
    return re.sub(rb"\d+", b"[N/A]", text)


def _huge_numbers(text: bytes) -> bytes:
    return re.sub(rb"\d+", b"99999999999999999999", text)


def _error_with_success(recording: Recording) -> Recording:
    return replace(_each(lambda text: _ERROR)(recording), exit_code=0)


def _failed_after_output(recording: Recording) -> Recording:
    return replace(recording, exit_code=9, errors=_ERROR)


DAMAGES: Mapping[str, Callable[[Recording], Recording]] = MappingProxyType(
    {
        "empty": _each(lambda text: b""),
        "truncated": _each(_half),
        "lines cut short": _each(_half_of_each_line),
        "lines lost": _each(_every_second_line),
        "CRLF": _each(_crlf),
        "ANSI colours": _each(_coloured),
        "localised": _each(_localised),
        "not UTF-8": _each(_not_utf8),
        "numbers not available": _each(_numbers_gone),
        "numbers too large": _each(_huge_numbers),
        "an error and exit code 0": _error_with_success,
        "output and exit code 9": _failed_after_output,
    }
)
"""By the name that a failing rule shows."""


def invented(tool: str) -> Recording:
    """An output for a vendor that names no recording: a table of one device, in nobody's format."""
    table = f"+----+\n| {tool} 1.0.0 |\n| 0  Accelerator  32 / 65536 MiB  41 C |\n+----+\n"
    return Recording("invented", tool, {"": table.encode()})
