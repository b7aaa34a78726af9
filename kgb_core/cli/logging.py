"""Logs: for a person on stderr from WARNING on, and every line as JSON in the bundle.

Any module logs with `structlog.get_logger()`; run, backend, device and operator are bound once, as context.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from kgb_core.results.redact import Redactor, redactor_of_this_machine


def configure_logging(verbose: bool = False, debug: bool = False) -> None:
    """Send logs to stderr.

    Args:
        verbose: from INFO on; else from WARNING on.
        debug: everything, tracebacks included.
    """
    level = logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _Threshold(level, debug),
            structlog.dev.ConsoleRenderer(colors=sys.stderr is not None and sys.stderr.isatty()),
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


@contextmanager
def log_to(path: Path, redactor: Redactor | None = None) -> Iterator[None]:
    """Write every event to a file as well, one JSON object a line, while the context is open.

    Args:
        path: `BundleWriter.log_path`; appended to. Leave the context before the bundle is closed.
        redactor: what takes names and home directories out; the default knows this machine.
    """
    before: list[Processor] = structlog.get_config()["processors"]
    position = next(index for index, each in enumerate(before) if isinstance(each, _Threshold))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    log = _BundleLog(descriptor, redactor or redactor_of_this_machine())
    structlog.configure(processors=[*before[:position], log, *before[position:]])
    try:
        yield
    finally:
        structlog.configure(processors=before)
        os.close(descriptor)


class _Threshold:
    """Drops what the person at the terminal did not ask for."""

    def __init__(self, level: int, tracebacks: bool) -> None:
        self._level = level
        self._tracebacks = tracebacks

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        if logging.getLevelName(method.upper()) < self._level:
            raise structlog.DropEvent
        if not self._tracebacks:
            event.pop("exception", None)
        return event


class _BundleLog:
    """Writes an event as one line of JSON, in one write."""

    def __init__(self, descriptor: int, redactor: Redactor) -> None:
        self._descriptor = descriptor
        self._redactor = redactor

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        content = json.loads(json.dumps(event, default=str))
        os.write(self._descriptor, (json.dumps(self._redactor.document(content)) + "\n").encode())
        return event
