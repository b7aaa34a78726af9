"""The scoreboard of bundles on disk: every score at its place, and nothing pooled that must be kept apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.models.case import Tier
from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import Selection, SuiteRef
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.results.query import open_results
from kgb_core.results.synthetic import Shape, write_synthetic
from kgb_core.scores.board import Scoreboard, board_of

Make = Callable[..., Record]
Write = Callable[..., Path]

TOLD = PackInfo(name="mine", method="one shot", model="m", tokens=1000, cost=2.0, seconds=600.0)


def board(*paths: Path) -> Scoreboard:
    return board_of(open_results(*paths).runs)


@pytest.fixture
def bundle(tmp_path: Path, make_judged: Make, write_bundle: Write) -> Path:
    """Four operators: twice as fast, half as fast, wrong, not for this chip."""
    return write_bundle(
        tmp_path / "run-a",
        make_judged("a::fast", case="check"),
        make_judged("a::fast", case="perf", times=(1000, 2000)),
        make_judged("a::slow", case="perf", times=(2000, 1000)),
        make_judged("b::wrong", verdict=Verdict.WRONG_VALUE, case="check"),
        make_judged("b::wrong", verdict=Verdict.SKIPPED, case="perf", times=(1, 1)),
        make_judged("b::absent", verdict=Verdict.UNSUPPORTED, times=(1, 1)),
        packs=[TOLD],
    )


def test_every_score_of_one_run(bundle: Path) -> None:
    (score,) = board(bundle).scores
    accuracy, speedup = score.accuracy, score.speedup
    assert (accuracy.operators.count, accuracy.operators.total) == (2, 3)
    assert [each.operator for each in accuracy.left_out] == ["b::absent"]
    assert (speedup.value, speedup.matched, speedup.wanted) == (pytest.approx(1.0), 2, 3)
    assert {point.p: point.problems.count for point in score.fast}[1.0] == 1
    assert score.attempts == ()


def test_amounts_are_for_each_operator_with_a_right_kernel(bundle: Path) -> None:
    (score,) = board(bundle).scores
    assert score.tokens is not None
    assert score.cost is not None
    assert score.seconds is not None
    assert (score.tokens.value, score.cost.value, score.seconds.value) == (500.0, 1.0, 300.0)
    assert board(bundle).packs == (TOLD,)


def test_of_a_part_of_a_pack_nothing_is_said_of_cost(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    narrowed = Selection(operators=("a::one",))
    path = write_bundle(tmp_path / "r", make_judged(), packs=[TOLD], selection=narrowed)
    (score,) = board(path).scores
    assert (score.tokens, score.cost, score.seconds) == (None, None, None)


def test_the_chip_says_what_it_was_judged_by_and_what_failed(bundle: Path) -> None:
    (chip,) = board(bundle).chips
    assert (chip.device, chip.model, chip.seed, chip.finished) == ("chip:0", "Model of chip", 7, True)
    kernels = {taxon.verdict: taxon.kernels for taxon in chip.taxonomy if taxon.kernels}
    assert kernels == {Verdict.PASSED: 2, Verdict.WRONG_VALUE: 1, Verdict.UNSUPPORTED: 1}


def test_samples_of_one_operator_give_pass_at_k(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    verdicts = [Verdict.PASSED, Verdict.CRASHED, Verdict.CRASHED, Verdict.CRASHED]
    records = [make_judged(name=f"k{n}", verdict=verdict) for n, verdict in enumerate(verdicts)]
    (score,) = board(write_bundle(tmp_path / "r", *records)).scores
    assert [(found.k, found.value) for found in score.attempts] == [(1, 0.25), (2, 0.5), (3, 0.75)]


def test_the_fastest_right_sample_counts_and_a_wrong_one_never(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    path = write_bundle(
        tmp_path / "r",
        make_judged(name="k1", case="perf", times=(1000, 2000)),
        make_judged(name="k2", case="perf", times=(1000, 3000)),
        make_judged(name="k3", case="perf", times=(1000, 9000)),
        make_judged(name="k3", case="check", verdict=Verdict.WRONG_VALUE),
    )
    (score,) = board(path).scores
    assert score.speedup.value == pytest.approx(3.0)


def test_chips_of_runs_that_agree_are_compared(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    here = write_bundle(tmp_path / "a", make_judged("a::one"), make_judged("a::two"))
    other = [
        make_judged("a::one", backend="other"),
        make_judged("a::two", backend="other", verdict=Verdict.CRASHED),
    ]
    there = write_bundle(tmp_path / "b", *other, seed=8)
    (found,) = board(here, there).portability
    held = found.portability
    assert (found.seeds, held.chips, held.somewhere, held.everywhere.count) == (
        2,
        ("chip:0", "other:0"),
        2,
        1,
    )
    assert [(pair.only_first, pair.only_second) for pair in held.pairs] == [(1, 0)]


@pytest.mark.parametrize("change", [{"suite": SuiteRef(name="smoke", hash="other")}, {"tier": Tier.FULL}])
def test_another_suite_or_tier_is_kept_apart(
    tmp_path: Path, make_judged: Make, write_bundle: Write, change: dict[str, object]
) -> None:
    here = write_bundle(tmp_path / "a", make_judged())
    there = write_bundle(tmp_path / "b", make_judged(backend="other"), **change)
    assert board(here, there).portability == ()


def test_an_interrupted_run_is_scored_and_compared_with_nothing(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    here = write_bundle(tmp_path / "a", make_judged())
    other = make_judged(backend="other")
    there = write_bundle(tmp_path / "b", other, planned=[make_judged("a::later", backend="other")])
    found = board(here, there)
    assert [score.accuracy.unfinished for score in found.scores] == [(), ("a::later",)]
    assert found.portability == ()


def test_operators_without_a_kernel_count_where_the_suite_is_known(bundle: Path) -> None:
    runs = open_results(bundle).runs
    suite = {"smoke 3f9c21e0": {"a::fast", "a::slow", "b::wrong", "b::absent", "b::nobody"}}
    (score,) = board_of(runs, suite).scores
    assert score.accuracy.suite is not None
    assert (score.accuracy.suite.count, score.accuracy.suite.total) == (2, 4)


def test_synthetic_runs_are_marked(tmp_path: Path) -> None:
    write_synthetic(tmp_path / "s", Shape(operators=3))
    assert [chip.synthetic for chip in board(tmp_path / "s").chips] == [True]
