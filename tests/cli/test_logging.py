"""Logs: quiet on stderr, complete in the bundle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from kgb_core.cli.logging import configure_logging, log_to
from kgb_core.results.redact import redactor


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_stderr_gets_warnings_and_stdout_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("careful", device="chip:0")
    out, err = capsys.readouterr()
    assert out == ""
    assert "quiet" not in err
    assert "careful" in err
    assert "device=chip:0" in err


def test_verbose_shows_more_and_debug_everything(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(verbose=True)
    structlog.get_logger().debug("deep")
    structlog.get_logger().info("shown")
    assert "deep" not in (err := capsys.readouterr().err)
    assert "shown" in err
    configure_logging(debug=True)
    structlog.get_logger().debug("deep")
    assert "deep" in capsys.readouterr().err


def test_the_bundle_gets_every_line_as_json_with_its_context(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = "/ho" + "me/ada"
    configure_logging()
    logger = structlog.get_logger()
    with (
        structlog.contextvars.bound_contextvars(run="r1"),
        log_to(tmp_path / "log.jsonl", redactor(home=home, user="ada", host="node-17")),
    ):
        logger.debug("started", path=Path(home) / "k.py")
        try:
            raise ValueError("inner")
        except ValueError:
            logger.warning("went wrong", exc_info=True)
    logger.debug("after")
    first, second = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    assert (first["event"], first["level"], first["run"], first["path"]) == (
        "started",
        "debug",
        "r1",
        "~/k.py",
    )
    assert first["timestamp"].endswith("Z")
    assert "ValueError: inner" in second["exception"]
    err = capsys.readouterr().err
    assert "went wrong" in err
    assert "Traceback" not in err
