"""The paper's tables: over what each cell is, and that published figures stay apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import SuiteRef
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.operators.registry import load_registry, suite_hash
from kgb_core.report.external import read_external
from kgb_core.report.papersheet import paper_sheets
from kgb_core.report.papertable import Asked, Layout, PaperTable, paper_table
from kgb_core.report.suites import asked_of, installed_suites
from kgb_core.results.query import open_results
from kgb_core.scores.board import board_from
from kgb_core.scores.summary import summarise_runs

Make = Callable[..., Record]
Write = Callable[..., Path]

PUBLISHED = Path(__file__).parents[2] / "docs" / "data" / "kernelgenbench.toml"


def table(layout: Layout, *paths: Path, operators: set[str] | None, whole: bool = True) -> PaperTable:
    runs = open_results(*paths).runs
    summary = summarise_runs(runs)
    asked = Asked(layout, operators, {run.id for run in runs} if whole else set())
    return paper_table(board_from(runs, summary), summary.rows, asked)


@pytest.fixture
def bundle(tmp_path: Path, make_judged: Make, write_bundle: Write) -> Path:
    return write_bundle(
        tmp_path / "a",
        make_judged("a::one", case="perf", times=(1000, 2000)),
        make_judged("b::two", case="perf", times=(1000, 8000)),
        make_judged("b::three", verdict=Verdict.CRASHED),
        packs=[PackInfo(name="mine", method="agent", tokens=3000)],
    )


def test_a_missing_kernel_counts_where_the_whole_suite_was_asked_for(bundle: Path) -> None:
    operators = {"a::one", "b::two", "b::three", "b::nobody"}
    (row,) = table(Layout.MULTI_SOURCE, bundle, operators=operators).own
    counts = {name: (cell.right, cell.total) for name, cell in row.cells.items()}
    assert counts == {"all": (2, 4), "a": (1, 1), "b": (1, 3)}
    (row,) = table(Layout.MULTI_SOURCE, bundle, operators=operators, whole=False).own
    assert {name: (cell.right, cell.total) for name, cell in row.cells.items()}["all"] == (2, 3)


def test_a_row_says_method_speedup_coverage_and_tokens(bundle: Path) -> None:
    (row,) = table(Layout.MULTI_SOURCE, bundle, operators=None).own
    cell = row.cells["all"]
    assert (row.method, row.chip) == ("agent (mine)", "Model of chip")
    assert (cell.speedup, cell.matched, cell.wanted) == (pytest.approx(4.0), 2, 2)
    assert cell.tokens_per_success == 1500.0


def test_operators_outside_the_suite_are_left_out(bundle: Path) -> None:
    (row,) = table(Layout.MULTI_CHIP, bundle, operators={"a::one"}).own
    assert [(cell.right, cell.total, cell.speedup) for cell in row.cells.values()] == [(1, 1, 2.0)]
    assert table(Layout.MULTI_CHIP, bundle, operators={"c::one"}).own == ()


def test_chips_of_one_model_have_columns_of_their_own(
    tmp_path: Path, bundle: Path, make_judged: Make, write_bundle: Write
) -> None:
    second = write_bundle(tmp_path / "b", make_judged("a::one", device=1))
    again = write_bundle(tmp_path / "c", make_judged("a::one", device=1))
    (row,) = table(Layout.MULTI_CHIP, bundle, second, again, operators=None).own
    assert list(row.cells) == [
        "Model of chip chip:0",
        "Model of chip chip:1 b",
        "Model of chip chip:1 c",
    ]


def test_the_committed_figures_are_read_and_are_those_of_the_paper() -> None:
    found = read_external(PUBLISHED)
    by_name = {f"{row.table} {row.label}": row for row in found.row}
    assert len(by_name) == 36
    agent = by_name["ms Claude Code, Opus-4.6"]
    assert (agent.cells["all"].accuracy, agent.cells["cublas"].speedup) == (0.87, 0.51)
    assert (agent.tokens_per_success, agent.hours) == (1.45e6, 33)
    assert by_name["ms Pass@1, MiniMax M-2.5"].cells["vllm"].speedup is None
    assert {name for row in found.row if row.table == "mc" for name in row.cells} == {
        "NVIDIA",
        *"ABCDE",
    }


def test_published_tokens_and_success_agree_or_a_note_says_that_they_do_not() -> None:
    """Tokens over tokens per success is the number of right operators of 210, as far as two digits tell."""
    for row in read_external(PUBLISHED).row:
        accuracy = row.cells["all"].accuracy if "all" in row.cells else None
        if row.tokens and row.tokens_per_success and accuracy:
            agree = row.tokens / row.tokens_per_success / 210 == pytest.approx(accuracy, abs=0.01)
            assert agree is not bool(row.note), row.label


def test_published_rows_are_labelled_and_in_a_table_of_their_own(bundle: Path) -> None:
    runs = open_results(bundle).runs
    summary = summarise_runs(runs)
    asked = Asked(Layout.MULTI_SOURCE, None, ())
    found = paper_table(board_from(runs, summary), summary.rows, asked, [read_external(PUBLISHED)])
    own, published = paper_sheets(found)
    assert [row[0] for row in own.rows] == ["agent (mine)"]
    assert len(published.rows) == 21
    assert all(row[0].startswith("[KernelGenBench] ") for row in published.rows)
    assert any("not measured here" in note for note in published.notes)


def test_a_suite_counts_as_known_only_under_its_hash(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    registry = load_registry()
    operators = registry.suite("mc")
    record = make_judged(operators[0].name)
    same = write_bundle(tmp_path / "a", record, suite=SuiteRef(name="mc", hash=suite_hash(operators)))
    other = write_bundle(tmp_path / "b", record, suite=SuiteRef(name="mc", hash="other"))
    runs = open_results(same, other).runs
    suites = installed_suites(runs, registry)
    assert [len(names) for names in suites.values()] == [len(operators)]
    assert asked_of(Layout.MULTI_CHIP, runs, suites, registry).whole == {"a"}
