"""The page in a real browser: every view, keys, links, filters, colours and sizes, without one complaint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.operators.registry import Registry
from kgb_core.report.html.build import build_report
from kgb_core.report.html.page import write_page
from kgb_core.results.query import open_results
from kgb_core.results.synthetic import Shape, write_synthetic
from tests.report.html.making import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]
VIEWS = ("#/", "#/matrix", "#/failures", "#/portability", "#/cost", "#/compiled", "#/chips", "#/chip/c0")
TIMES = "\N{MULTIPLICATION SIGN}"
SOFTMAX = "#/operator/aten%3A%3Asoftmax"


def kernel(report: Any, name: str) -> str:
    """The address of a softmax kernel."""
    detail = next(each for each in report.details if each.name == "aten::softmax")
    sha = next(each.sha256 for each in detail.kernels if each.name == name)
    return f"#/kernel/aten%3A%3Asoftmax/mine/{name}/{sha[:12]}"


def rows(page: Any) -> list[str]:
    return page.locator(".matrix tbody th").all_inner_texts()  # type: ignore[no-any-return]


def test_the_overview_says_what_is_right_and_what_nobody_measured(opened: Open) -> None:
    page = opened().go("#/")
    scores = page.get_by_role("region", name="Scores by chip")
    assert "100.0 %" in scores.inner_text()
    assert f"2.00{TIMES}" in scores.inner_text()
    assert "not timed: no clock" in scores.inner_text()
    external = page.get_by_role("region", name="Published figures").inner_text()
    assert "their agent" in external
    assert f"1.25{TIMES}" in external
    page.locator(".chart[data-drawn]").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1400])
def test_no_view_is_wider_than_the_screen(opened: Open, report: Any, scheme: str, width: int) -> None:
    found = opened(color_scheme=scheme, viewport={"width": width, "height": 740})
    for address in (*VIEWS, SOFTMAX, kernel(report, "bad")):
        page = found.go(address)
        assert page.locator("h1").count() == 1
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{address} is {wide} px too wide"


def test_filters_and_search_narrow_the_matrix_and_live_in_the_address(opened: Open) -> None:
    found = opened()
    page = found.go("#/matrix")
    assert rows(page) == ["aten::add", "aten::softmax"]
    page.get_by_label("Search operators").fill("SOFT")
    assert rows(page) == ["aten::softmax"]
    assert page.url.endswith("#/matrix?q=SOFT")
    page.get_by_role("button", name="Clear").click()
    page.locator('#main[data-view="#/matrix"]').wait_for()
    page.get_by_label("Chip", exact=True).select_option("c1")
    page.get_by_label("Verdict", exact=True).select_option("not measured")
    assert rows(page) == ["aten::add"]
    page.get_by_label("Verdict", exact=True).select_option("compile_error")
    assert rows(page) == ["aten::softmax"]
    page.get_by_label("Verdict", exact=True).select_option("right")
    assert page.get_by_text("No operator fits.").is_visible()
    assert rows(found.go("#/matrix?q=add&source=aten")) == ["aten::add"]


def test_a_cell_shows_a_sign_and_words_beside_its_colour(opened: Open) -> None:
    page = opened().go("#/matrix")
    labels = [cell.get_attribute("aria-label") for cell in page.locator(".matrix td a").all()]
    assert f"aten::softmax on Chip north: passed, 1 of 2 kernels right, 2.00{TIMES} as fast" in labels
    assert "aten::add on Chip south: not measured" in labels
    assert page.locator(".matrix td").all_inner_texts()[1] == "·"


def test_arrow_keys_move_in_the_matrix_and_escape_leads_back(opened: Open) -> None:
    page = opened().go("#/matrix")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.locator(".matrix td a[tabindex='0']").count() == 1
    page.locator(".matrix td a").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused).startswith("aten::softmax on Chip north")
    page.keyboard.press("End")
    assert page.evaluate(focused).startswith("aten::softmax on Chip south")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused).startswith("aten::softmax on Chip south")
    assert page.locator(".matrix td a[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="aten::softmax").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Operators and chips").wait_for()
    assert page.evaluate(focused).startswith("aten::softmax on ")


def test_escape_leads_up_and_keeps_the_filters(opened: Open) -> None:
    found = opened()
    page = found.go("#/matrix?q=soft")
    page.locator(".matrix td a").first.click()
    page.get_by_role("link", name="bad").first.click()
    page.get_by_role("heading", name="bad", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="aten::softmax").wait_for()
    page.keyboard.press("Escape")
    page.locator('#main[data-view="#/matrix?q=soft"]').wait_for()
    assert page.get_by_label("Search operators").input_value() == "soft"
    page = found.go("#/chip/c0")
    page.keyboard.press("Escape")
    page.locator('#main[data-view="#/chips"]').wait_for()


def test_a_slash_leads_to_the_search_and_escape_clears_it(opened: Open) -> None:
    page = opened().go("#/")
    page.keyboard.press("/")
    page.keyboard.type("add")
    assert rows(page) == ["aten::add"]
    page.keyboard.press("Escape")
    assert len(rows(page)) == 2


def test_focus_is_seen_and_begins_with_the_way_past_the_head(opened: Open) -> None:
    page = opened().go("#/matrix")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_an_operator_leads_to_its_kernels_and_chips(opened: Open) -> None:
    page = opened().go(f"{SOFTMAX}?chip=c0")
    assert "unknown layout" in page.get_by_role("region", name="Errors").inner_text()
    assert "50.0 %" in page.get_by_role("region", name="Times of each case").inner_text()
    page.locator(".chart[data-drawn]").wait_for()
    page.get_by_role("link", name="Chip north").first.click()
    page.get_by_role("heading", name="Chip north").wait_for()
    assert "its exp is coarse" in page.locator("main").inner_text()
    page.go_back()
    page.get_by_role("region", name="Each kernel on each chip").get_by_role("link", name="bad").click()
    page.get_by_role("heading", name="bad", exact=True).wait_for()


def test_what_a_candidate_wrote_is_shown_as_text(opened: Open, report: Any) -> None:
    page = opened().go(kernel(report, "bad"))
    page.get_by_text("Printed").click()
    shown = page.locator(".observation pre").all_text_contents()
    # The HTML parser does not see these: what JSON carries arrives as it was.
    assert HOSTILE in shown
    assert page.locator("main img").count() == 0
    source = page.locator("pre.source").inner_text()
    assert source.startswith("import triton")
    assert "return '</script>'" in source
    assert page.locator("pre.source .t4").first.inner_text() == "import"
    assert "needs 2.5 times the bound" in page.locator("main").inner_text()
    assert "Infinity absolute, NaN relative" in page.locator("main").inner_text()


def test_the_switch_goes_round_and_changes_the_colours(opened: Open) -> None:
    page = opened(color_scheme="light").go("#/")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    switch = page.locator("#theme")
    switch.click()
    assert page.evaluate(paper) == light
    switch.click()
    dark = page.evaluate(paper)
    assert dark != light
    switch.click()
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark


def test_compile_only_results_are_never_called_right(opened: Open) -> None:
    page = opened().go("#/compiled")
    text = page.locator("main").inner_text()
    assert "nothing here counts as right" in text
    assert "chip:a1 1 of 1 kernel compiled" in text
    assert "✓" not in text


def test_an_address_of_something_else_is_answered(opened: Open) -> None:
    page = opened().go("#/operator/aten%3A%3Anope")
    assert "This report has no operator aten::nope." in page.locator("main").inner_text()
    assert opened().go("#/nowhere").get_by_role("heading", name="No such page").is_visible()


def test_print_shows_everything_and_no_controls(opened: Open) -> None:
    page = opened(color_scheme="dark").go("#/matrix")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(252, 252, 250)"
    assert not page.locator(".filters").is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.matrix-frame')).maxHeight") == "none"


def test_a_synthetic_bundle_has_a_banner(opened: Open, tmp_path: Path) -> None:
    write_synthetic(tmp_path / "s", Shape(operators=3, candidates=2))
    path = tmp_path / "r.html"
    write_page(build_report(open_results(tmp_path / "s"), Registry({})), path)
    assert "Nothing was measured." in opened(path).go("#/").get_by_role("alert").inner_text()
    assert opened().go("#/").get_by_role("alert").count() == 0
