"""The page of two small bundles, and a real browser to open it in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from kgb_core.models.timing import Timing
from kgb_core.operators.registry import Registry
from kgb_core.report.html.build import Extras, build_report
from kgb_core.report.html.model import Compiled, CompiledCell, ExternalRow, Report
from kgb_core.report.html.page import write_page
from kgb_core.results.query import open_results
from tests.report.html.making import north, south


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory, make_timing: Callable[..., Timing]) -> list[Path]:
    root = tmp_path_factory.mktemp("bundles")
    return [north(make_timing).write(root / "north"), south().write(root / "south")]


@pytest.fixture(scope="session")
def extras() -> Extras:
    cell = CompiledCell(
        operator="aten::softmax",
        kernel="mine/good",
        target=0,
        status="compiled",
        ok=True,
        stage="binary",
        message="",
    )
    figure = ExternalRow(source="a paper", method="their agent", chip="Chip 9", accuracy=0.5, speedup=1.25)
    return Extras(compiled=Compiled(targets=("chip:a1",), cells=(cell,)), external=(figure,))


@pytest.fixture(scope="session")
def report(bundles: Sequence[Path], extras: Extras) -> Report:
    return build_report(open_results(*bundles), Registry({}), extras)


@pytest.fixture(scope="session")
def file(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(report, path)
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, as the system's package brings it."""
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = next((each for each in found if each), None)
    assert path is not None, "these tests want Chromium: apt-get install chromium, or pytest -m 'not browser'"
    confined = [] if os.geteuid() else ["--no-sandbox"]  # its sandbox refuses root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*confined, "--disable-gpu"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page in the browser, with what it complained of.

    Attributes:
        page: playwright's.
        file: that was opened.
        complaints: errors and console messages.
        requests: addresses that it asked for, its own aside.
    """

    page: Page
    file: Path
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def go(self, address: str) -> Page:
        """Open an address of the page, and wait until it is shown."""
        self.page.goto(f"{self.file.as_uri()}{address}")
        self.page.locator(f'#main[data-view="{address}"]').wait_for()
        return self.page


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Callable[..., Opened]]:
    """Opens the page: `opened(color_scheme="dark", viewport=...)`; complains at the end of any complaint."""
    all_opened: list[Opened] = []

    def open_page(path: Path = file, **options: Any) -> Opened:
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)
        found = Opened(page, path)
        page.on("console", lambda message: found.complaints.append(message.text))
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        page.on("request", lambda request: found.requests.append(request.url))
        all_opened.append(found)
        return found

    yield open_page
    for each in all_opened:
        each.page.context.close()
        assert each.complaints == []
        assert {request.split("#")[0] for request in each.requests} <= {each.file.as_uri()}
