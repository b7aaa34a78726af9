"""What the page is told of bundles: scores beside their coverage, and what nobody measured as such."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models.case import Purpose, Tier
from kgb_core.models.plan import SuiteRef
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.registry import Registry, registry_of, suite_hash
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Operator, operator
from kgb_core.report.html import gather, kernels
from kgb_core.report.html.build import build_report
from kgb_core.report.html.detail import LETTERS, Kernel, OnChip
from kgb_core.report.html.model import Cell, Report
from kgb_core.report.html.tokens import LONGEST, tokens_of
from kgb_core.results.query import open_results
from kgb_core.results.synthetic import Shape, write_synthetic
from tests.report.html.making import Written, candidate, south


def cell(report: Report, operator: str, chip: int) -> Cell | None:
    names = [each.name for each in report.overview.operators]
    found = [
        each
        for each in report.overview.cells
        if (each.operator, each.chip, each.pack) == (names.index(operator), chip, -1)
    ]
    return found[0] if found else None


def on_chip(report: Report, operator: str, kernel: str, chip: int) -> OnChip:
    return next(each for each in kernel_of(report, operator, kernel).chips if each.chip == chip)


def kernel_of(report: Report, operator: str, kernel: str) -> Kernel:
    detail = next(each for each in report.details if each.name == operator)
    return next(each for each in detail.kernels if each.name == kernel)


def test_a_cell_says_how_many_kernels_are_right_and_how_fast_the_fastest_is(report: Report) -> None:
    found = cell(report, "aten::softmax", 0)
    assert found is not None
    assert (found.verdict, found.right, found.judged, found.speedup) == (Verdict.PASSED, 1, 2, 2.0)
    wrong = cell(report, "aten::softmax", 1)
    assert wrong is not None
    assert (wrong.verdict, wrong.right, wrong.speedup) == (Verdict.COMPILE_ERROR, 0, None)


def test_what_nobody_ran_has_no_cell(report: Report) -> None:
    assert cell(report, "aten::add", 0) is not None
    assert cell(report, "aten::add", 1) is None


def test_a_kernel_that_is_not_finished_has_no_verdict(tmp_path: Path) -> None:
    chip = south()
    chip.leave(candidate("half", "aten::mul"), "small")
    report = build_report(open_results(chip.write(tmp_path / "b")), Registry({}))
    found = cell(report, "aten::mul", 0)
    assert found is not None
    assert (found.verdict, found.judged, found.missing) == (None, 0, 1)
    assert on_chip(report, "aten::mul", "half", 0).verdicts == "."
    assert "1 planned case without a record" in report.overview.notices[0]


def test_scores_stand_beside_their_coverage(report: Report) -> None:
    first, second = (placed.score for placed in report.overview.scores)
    assert (first.accuracy.operators.count, first.accuracy.operators.total) == (2, 2)
    assert (first.speedup.value, first.speedup.matched, first.speedup.wanted) == (2.0, 1, 1)
    assert (second.speedup.value, second.speedup.wanted) == (None, 0)
    assert report.overview.chips[1].untimed == "no clock"


def test_packs_tell_their_cost(report: Report) -> None:
    assert report.overview.packs[0].tokens == 1000
    tokens = report.overview.scores[0].score.tokens
    assert tokens is not None
    assert tokens.value == 500


def test_portability_names_what_one_chip_alone_gets_right(report: Report) -> None:
    pair = report.overview.portability[0].portability.pairs[0]
    assert (pair.both, pair.only_first, pair.only_second) == (0, 1, 0)


def test_each_verdict_of_a_kernel_is_shown_once_with_its_evidence(report: Report) -> None:
    found = on_chip(report, "aten::softmax", "bad", 0)
    assert [each.verdict for each in found.observations] == [Verdict.WRONG_VALUE, Verdict.SKIPPED]
    assert found.observations[0].evidence.kernels == ("_k",)
    letters = LETTERS[Verdict.WRONG_VALUE] + LETTERS[Verdict.SKIPPED]
    assert found.verdicts == letters


def test_other_cases_that_failed_are_kept_up_to_a_number(tmp_path: Path) -> None:
    chip, count = south(), gather.REMARKS + 5
    for number in range(count):
        chip.add(candidate("x"), f"case {number}", verdict=Verdict.TIMEOUT, message=f"at {number}")
    found = on_chip(
        build_report(open_results(chip.write(tmp_path / "b")), Registry({})), "aten::softmax", "x", 0
    )
    assert [each.message for each in found.remarks] == [
        f"at {number}" for number in range(1, gather.REMARKS + 1)
    ]
    assert found.unsaid == count - 1 - gather.REMARKS


def test_long_output_is_capped_and_says_so() -> None:
    assert gather.capped("x" * gather.TEXT) == "x" * gather.TEXT
    assert gather.capped("x" * (gather.TEXT + 3)).endswith("… 3 more characters in the bundle")


def test_raw_times_are_kept_with_the_floor(report: Report) -> None:
    timing = on_chip(report, "aten::softmax", "good", 0).timings[0]
    assert timing.candidate.samples == (880, 890, 900, 910, 920)
    assert (timing.floor, timing.speedup) == (450.0, 2.0)


def test_of_too_many_only_the_fastest_right_kernel_keeps_its_raw_times(
    bundles: list[Path], make_timing: Callable[..., Timing], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Written("north")
    for name, time in (("slow", 1800.0), ("fast", 600.0)):
        chip.add(candidate(name), "a model", Purpose.PERF, timing=make_timing(time, 1800.0))
    results = open_results(chip.write(tmp_path / "b"))
    monkeypatch.setattr(kernels, "RAW_LIMIT", 1)
    report = build_report(results, Registry({}))
    assert on_chip(report, "aten::softmax", "fast", 0).timings[0].candidate.samples
    assert on_chip(report, "aten::softmax", "slow", 0).timings[0].candidate.samples == ()


def test_a_record_that_names_another_file_gets_no_samples(
    make_timing: Callable[..., Timing], tmp_path: Path
) -> None:
    chip = Written("north")
    chip.add(candidate("good"), "a model", Purpose.PERF, timing=make_timing())
    timing = chip.records[0].timing
    assert timing is not None
    elsewhere = timing.model_copy(update={"samples": "../../secret.json"})
    chip.records[0] = chip.records[0].model_copy(update={"timing": elsewhere})
    report = build_report(open_results(chip.write(tmp_path / "b")), Registry({}))
    assert on_chip(report, "aten::softmax", "good", 0).timings[0].candidate.samples == ()


def test_a_tolerance_of_the_vendors_is_shown_with_what_it_decided(report: Report) -> None:
    (found,) = report.overview.chips[0].overrides
    assert (found.operator, found.source, found.reason) == ("aten::add", "north", "its exp is coarse")
    assert (found.cases, found.passed, found.nearest) == (1, 1, 0.75)
    assert report.overview.chips[1].overrides == ()


def test_a_chip_tells_what_it_can_not_do(report: Report) -> None:
    chip = report.overview.chips[1]
    assert [(each.name, each.support) for each in chip.restrictions] == [
        ("bfloat16", "partial"),
        ("timing", "unsupported"),
    ]
    assert ("memory", "8.0 GiB") in [(fact.name, fact.value) for fact in chip.facts]
    assert ("compute units", "unknown") in [(fact.name, fact.value) for fact in chip.facts]


def test_two_runs_on_chips_of_one_name_are_told_apart(tmp_path: Path) -> None:
    first, second = south(), south()
    second.records = [record.model_copy(update={"run": "run-2"}) for record in second.records]
    paths = [first.write(tmp_path / "a"), second.write(tmp_path / "b", run="run-2", seed=8)]
    report = build_report(open_results(*paths), Registry({}))
    assert [chip.label for chip in report.overview.chips] == ["Chip south · run 1", "Chip south · run 2"]
    assert "2 different seeds" in report.overview.notices[0]


def doubled() -> Operator:
    @operator("aten::double", numeric=Elementwise(), tags=("smoke",))
    def double(self: float) -> float:
        """Twice as much."""
        return self * 2

    double.check(case("small", self=normal((3,), dtype=fp32)))
    return double


def test_operators_of_the_suite_without_a_kernel_are_listed(tmp_path: Path) -> None:
    suite = SuiteRef(name="smoke", hash=suite_hash([doubled()], Tier.SMOKE))
    results = open_results(south().write(tmp_path / "b", suite=suite))
    report = build_report(results, registry_of([doubled()]))
    assert [(each.name, each.kernels) for each in report.overview.operators] == [
        ("aten::double", 0),
        ("aten::softmax", 1),
    ]
    assert report.details[0].signature == "double(self: float) -> float"
    assert report.details[0].semantics == "Twice as much."
    other = build_report(open_results(south().write(tmp_path / "c")), registry_of([doubled()]))
    assert [each.name for each in other.overview.operators] == ["aten::softmax"]


def test_synthetic_bundles_are_marked(tmp_path: Path) -> None:
    write_synthetic(tmp_path / "s", Shape(operators=2, candidates=1))
    report = build_report(open_results(tmp_path / "s"), Registry({}))
    assert report.overview.chips[0].synthetic


@given(st.text(max_size=300))
def test_tokens_cover_a_source_exactly(source: str) -> None:
    tokens = tokens_of(source)
    assert sum(tokens[1::2]) == len(source)
    assert all(one != other for one, other in zip(tokens[::2], tokens[2::2], strict=False))


def test_a_source_that_is_too_long_is_not_highlighted() -> None:
    assert tokens_of("x = 1\n" * LONGEST) == ()
    assert tokens_of("def f(): return 'x'")[:2] == (4, 3)
