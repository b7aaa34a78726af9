"""Ten chips, 210 operators and twenty candidates of each: small enough to send, and open at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kgb_core.operators.registry import Registry
from kgb_core.report.html.build import build_report
from kgb_core.report.html.detail import OperatorDetail, Source
from kgb_core.report.html.model import Report
from kgb_core.report.html.page import write_page
from kgb_core.report.html.tokens import tokens_of
from kgb_core.results.query import open_results
from kgb_core.results.synthetic import Shape, write_synthetic

pytestmark = [pytest.mark.browser, pytest.mark.long]

CHIPS, OPERATORS, CANDIDATES = 10, 210, 20
LARGEST = 20 * 10**6
"""Bytes; what the issue asks for."""
LONGEST = 2000
"""Milliseconds until the first view is there; what the issue asks for."""
REAL = sorted((Path(__file__).parents[3] / "kernels").glob("*.py"))


def sources(detail: OperatorDetail, number: int) -> Iterator[Source]:
    """Real kernels in place of the made-up ones, each a little different."""
    for place, kernel in enumerate(detail.kernels):
        text = REAL[(number + place) % len(REAL)].read_text()
        text = "\n".join(
            f"{line}  # {kernel.name}" if at % 9 == 0 else line for at, line in enumerate(text.split("\n"))
        )
        yield Source(text=text, tokens=tokens_of(text))


def large(root: Path) -> Report:
    for chip in range(CHIPS):
        shape = Shape(
            backend=f"chip{chip}",
            operators=OPERATORS,
            candidates=CANDIDATES,
            check_cases=1,
            perf_cases=1,
            samples=21,
            seed=chip,
        )
        write_synthetic(root / f"r{chip}", shape, run=f"run-{chip}")
    made = build_report(open_results(*sorted(root.iterdir())), Registry({}))
    details = [
        detail.model_copy(update={"sources": tuple(sources(detail, number))})
        for number, detail in enumerate(made.details)
    ]
    return made.model_copy(update={"details": tuple(details)})


@pytest.mark.timeout(1200)
def test_a_large_report_is_small_and_opens_at_once(opened: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    write_page(large(tmp_path / "bundles"), path)
    assert path.stat().st_size < LARGEST
    page = opened(path).go("#/")
    ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    assert ready < LONGEST
    page.evaluate("location.hash = '#/matrix'")
    page.locator(".matrix td a").nth(CHIPS * OPERATORS - 1).wait_for()
    page.locator(".matrix td a").first.click()
    page.get_by_role("region", name="Each kernel on each chip").wait_for()
