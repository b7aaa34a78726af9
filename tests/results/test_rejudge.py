"""Rejudging: verdicts follow the stored measurements where these tell, and stay where they don't."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.errors import BundleError, UsageError
from kgb_core.models.case import Purpose
from kgb_core.models.record import Errors, Evidence, Record
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.results.check import check_bundle
from kgb_core.results.decide import Fate, decide, growth
from kgb_core.results.merge import merge_bundles
from kgb_core.results.plausible import implausible
from kgb_core.results.policy import Policy, Rule, read_policy, scaled
from kgb_core.results.query import open_results
from kgb_core.results.rejudge import rejudge_bundle

Make = Callable[..., Record]
WriteRun = Callable[..., Path]
COMMITTED = Path(__file__).parents[2] / "benchmarks" / "results" / "h200-smoke-20261201T1348Z"

OLD = Tolerance(ulps=2, input_ulps=1, accumulation=1, native_factor=3)
SCALES = st.floats(0, 100) | st.just(math.inf)
FACTORS = st.floats(0.01, 100)


def errors(scale: float, native: float | None = 0.0) -> Errors:
    return Errors(max_abs=1, max_rel=1, max_ulp=1, rms=1, scale=scale, native_scale=native, got="1", want="2")


@pytest.fixture(scope="module")
def judged(make_record: Make) -> Callable[..., Record]:
    """A record with the verdict that the judge gives to errors of that size under `OLD`."""

    def judge(scale: float, native: float | None = 0.0, tolerance: Tolerance = OLD, **changes: Any) -> Record:
        allowed = max(1.0, tolerance.native_factor * (native or 0.0))
        verdict = Verdict.PASSED if scale <= allowed else Verdict.WRONG_VALUE
        evidence = Evidence(calls=2, launches=2)
        fields = {
            "verdict": verdict,
            "errors": errors(scale, native),
            "tolerance": tolerance,
            "evidence": evidence,
        }
        return make_record("u0", **{**fields, **changes})

    return judge


@given(scale=SCALES, native=st.floats(0, 10), factor=FACTORS)
def test_a_whole_bound_decides_as_the_judge_would(
    judged: Callable[..., Record], scale: float, native: float, factor: float
) -> None:
    """The law: what needs `scale` of the old bound needs `scale / factor` of one `factor` times as large."""
    record = judged(scale, native)
    decision = decide(record, Rule(scale=factor).applied(OLD, "x"))
    right = scale <= max(factor, 3 * native)
    edge = math.isclose(scale, max(factor, 3 * native), rel_tol=1e-6)
    if decision.fate is Fate.UNDECIDED:
        # Only where a smaller bound meets an allowance for the native error: other calls were not stored.
        assert factor < 1
        assert record.verdict is Verdict.PASSED
        assert scale > factor
    elif not edge:
        assert (decision.record.verdict is Verdict.PASSED) == right
    assert list(implausible(Path(), decision.record)) == []


@given(scale=SCALES, native=st.floats(0, 10), data=st.data())
def test_part_of_a_bound_is_decided_only_where_every_mixture_agrees(
    judged: Callable[..., Record], scale: float, native: float, data: st.DataObject
) -> None:
    """Whatever share of the old bound each part had, a decided verdict is the judge's."""
    new = Tolerance(
        ulps=data.draw(st.floats(0, 20)),
        input_ulps=data.draw(st.floats(0, 20)),
        accumulation=data.draw(st.floats(0, 20)),
        native_factor=data.draw(st.floats(0, 10)),
    )
    record = judged(scale, native)
    decision = decide(record, new)
    weights = [data.draw(st.floats(0.01, 1)) for _ in range(3)]
    parts = ("ulps", "input_ulps", "accumulation")
    grown = sum(
        weight / sum(weights) * getattr(new, part) / getattr(OLD, part)
        for weight, part in zip(weights, parts, strict=True)
    )
    if decision.fate is Fate.UNDECIDED or grown == 0:
        return
    limit = max(grown, new.native_factor * native)
    if not math.isclose(scale, limit, rel_tol=1e-6) and scale != 0:
        assert (decision.record.verdict is Verdict.PASSED) == (scale <= limit)


@given(scale=SCALES, native=st.floats(0, 10))
def test_the_same_tolerance_moves_nothing(judged: Callable[..., Record], scale: float, native: float) -> None:
    record = judged(scale, native)
    for tolerance in (OLD, Rule(scale=1.0).applied(OLD, "x")):
        decision = decide(record, tolerance)
        assert decision.record.verdict is record.verdict


def test_growth_is_between_the_least_and_the_greatest_part() -> None:
    assert growth(OLD, OLD.model_copy(update={"ulps": 8})).low == 1
    assert growth(OLD, OLD.model_copy(update={"ulps": 8})).high == 4
    exact = Tolerance(ulps=0, native_factor=0)
    assert growth(exact, Tolerance(ulps=1)).high == math.inf
    assert growth(exact, exact) == growth(OLD, OLD)


def test_a_wrong_value_that_is_right_now_is_still_asked_who_did_the_work(
    judged: Callable[..., Record],
) -> None:
    looser = Rule(scale=4.0).applied(OLD, "x")
    moved = decide(judged(2.0), looser)
    assert (moved.fate, moved.record.verdict) == (Fate.MOVED, Verdict.PASSED)
    assert "as far as it was called: 2 calls" in moved.record.message
    assert "needs 2 times" in moved.why
    native = decide(judged(2.0, evidence=Evidence(calls=1, launches=1, foreign=("aten::mm",))), looser)
    assert native.record.verdict is Verdict.FALLBACK
    idle = decide(judged(2.0, evidence=Evidence(calls=1)), looser)
    assert idle.record.verdict is Verdict.FALLBACK


@pytest.mark.parametrize(
    ("verdict", "fate"),
    [
        (Verdict.CRASHED, Fate.UNAFFECTED),
        (Verdict.WRONG_SHAPE, Fate.UNAFFECTED),
        (Verdict.UNSUPPORTED, Fate.UNAFFECTED),
        (Verdict.INVALID_CASE, Fate.IMPOSSIBLE),
    ],
)
def test_what_no_tolerance_decides_stays(judged: Callable[..., Record], verdict: Verdict, fate: Fate) -> None:
    record = judged(2.0, verdict=verdict)
    decision = decide(record, Rule(scale=4.0).applied(OLD, "x"))
    assert (decision.fate, decision.record) == (fate, record)


def test_a_value_without_stored_errors_stays(judged: Callable[..., Record]) -> None:
    record = judged(2.0, errors=None)
    assert decide(record, Rule(scale=4.0).applied(OLD, "x")).fate is Fate.UNAFFECTED


def test_nothing_finite_excuses_a_wrong_nan(judged: Callable[..., Record]) -> None:
    decision = decide(judged(math.inf), Rule(scale=1e30).applied(OLD, "x"))
    assert (decision.fate, decision.record.verdict) == (Fate.KEPT, Verdict.WRONG_VALUE)


@pytest.fixture
def bundle(
    tmp_path: Path, judged: Callable[..., Record], make_record: Make, make_timing: Any, write_run: WriteRun
) -> Path:
    """A kernel whose check needs 0.5 of its bound and that was timed, and one crash."""
    check = judged(0.5)
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    return write_run(
        tmp_path / "a", [check, timed, make_record("u2", verdict=Verdict.CRASHED, operator="x::y")]
    )


def test_a_new_bundle_has_the_new_verdicts_and_says_where_they_come_from(
    bundle: Path, tmp_path: Path
) -> None:
    report = rejudge_bundle(bundle, scaled(0.25), tmp_path / "r")
    found = {record.uid: record for record in open_results(tmp_path / "r").records()}
    assert {uid: record.verdict for uid, record in found.items()} == {
        "u0": Verdict.WRONG_VALUE,
        "u1": Verdict.SKIPPED,
        "u2": Verdict.CRASHED,
    }
    assert found["u1"].timing is None
    assert [(change.before, change.after) for change in report.changes] == [
        (Verdict.PASSED, Verdict.WRONG_VALUE),
        (Verdict.PASSED, Verdict.SKIPPED),
    ]
    problems = check_bundle(tmp_path / "r", strict=True)
    assert [problem.severity.value for problem in problems] == ["note"]
    assert "rejudged from the measurements of run-a" in problems[0].message
    (run,) = open_results(tmp_path / "r").runs
    assert run.manifest is not None
    assert run.manifest.rejudged is not None
    assert run.manifest.rejudged.run == "run-a"
    assert found["u0"].tolerance is not None
    assert (found["u0"].tolerance.source, found["u0"].tolerance.ulps) == ("rejudge", 0.5)
    assert (
        json.loads((tmp_path / "r" / "rejudged.json").read_text())["counts"]
        == report.model_dump(mode="json")["counts"]
    )


def test_a_looser_tolerance_times_nothing(
    tmp_path: Path, judged: Callable[..., Record], make_record: Make, write_run: WriteRun
) -> None:
    perf = make_record("u1", verdict=Verdict.SKIPPED, message="not timed: a check case failed")
    perf = perf.model_copy(update={"case": perf.case.model_copy(update={"purpose": Purpose.PERF})})
    path = write_run(tmp_path / "a", [judged(2.0), perf])
    report = rejudge_bundle(path, scaled(4.0))
    fates = {change.uid: change.fate for change in report.changes}
    assert fates == {"u0": Fate.MOVED, "u1": Fate.IMPOSSIBLE}


def test_original_and_rejudged_merge_side_by_side(bundle: Path, tmp_path: Path) -> None:
    rejudge_bundle(bundle, scaled(0.25), tmp_path / "r")
    rejudge_bundle(bundle, scaled(0.5), tmp_path / "r2")
    report = merge_bundles([bundle, tmp_path / "r", tmp_path / "r2"], tmp_path / "m")
    assert [told.run.rejudged for told in report.runs] == [False, True, True]
    assert {problem.severity.value for problem in check_bundle(tmp_path / "m", strict=True)} == {"note"}


def test_a_merged_bundle_is_rejudged_run_by_run(
    bundle: Path, tmp_path: Path, judged: Callable[..., Record], write_run: WriteRun
) -> None:
    merge_bundles([bundle, write_run(tmp_path / "b", [judged(0.1)], run="run-b")], tmp_path / "m")
    report = rejudge_bundle(tmp_path / "m", scaled(0.25), tmp_path / "r")
    assert report.counts[Fate.MOVED] == 2
    assert len(open_results(tmp_path / "r").runs) == 2
    assert {problem.severity.value for problem in check_bundle(tmp_path / "r", strict=True)} == {"note"}


def test_what_was_rejudged_is_not_rejudged_again(bundle: Path, tmp_path: Path) -> None:
    rejudge_bundle(bundle, scaled(0.5), tmp_path / "r")
    with pytest.raises(BundleError, match="rejudged already"):
        rejudge_bundle(tmp_path / "r", scaled(2.0))


def test_an_interrupted_bundle_can_be_looked_at_and_not_written(
    tmp_path: Path, judged: Callable[..., Record], make_record: Make, write_run: WriteRun
) -> None:
    path = write_run(tmp_path / "a", [judged(2.0)], planned=[make_record("u1")])
    assert rejudge_bundle(path, scaled(4.0)).counts[Fate.MOVED] == 1
    with pytest.raises(BundleError, match="interrupted"):
        rejudge_bundle(path, scaled(4.0), tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_the_first_rule_that_matches_applies(tmp_path: Path, judged: Callable[..., Record]) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(
        'reason = "as the paper"\n[[rule]]\noperator = "aten::soft*"\ncase = "*fp32*"\nulps = 8\n'
        '[[rule]]\nbackend = "other"\nscale = 3.0\n'
    )
    policy = read_policy(file)
    record = judged(0.5)
    touched = policy.tolerance_for(record)
    assert touched is not None
    assert (touched.ulps, touched.input_ulps, touched.reason, touched.source) == (
        8,
        1,
        "as the paper",
        "rejudge",
    )
    assert policy.tolerance_for(record.model_copy(update={"operator": "aten::mm"})) == OLD


@pytest.mark.parametrize(
    "text",
    [
        'reason = "x"',
        "[[rule]]\nscale = 2.0",
        'reason = "x"\n[[rule]]\nscale = -1',
        'reason = "x"\n[[rule]]\nsize = 1',
        'reason = "x"\n[[rule]]\nscale = 1\nulps = 1',
        "reason =",
    ],
)
def test_what_is_no_policy_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "policy.toml").write_text(text)
    with pytest.raises(UsageError, match=r"policy\.toml"):
        read_policy(tmp_path / "policy.toml")


def test_a_real_bundle_stays_as_it_was_judged(tmp_path: Path) -> None:
    """The judge's own verdicts come out again under its own tolerance, for every record of an H200."""
    policy = Policy(reason="the same", rule=(Rule(scale=1.0),))
    report = rejudge_bundle(COMMITTED, policy, tmp_path / "r")
    assert report.changes == ()
    assert report.counts[Fate.KEPT] > 500
    assert [p.severity.value for p in check_bundle(tmp_path / "r", strict=True)] == ["note"]


def test_a_stricter_tolerance_moves_verdicts_of_a_real_bundle() -> None:
    report = rejudge_bundle(COMMITTED, scaled(1e-3))
    assert report.counts[Fate.MOVED] > 0
    assert report.counts[Fate.UNDECIDED] >= 0
    assert {change.after for change in report.changes if change.fate is Fate.MOVED} == {
        Verdict.WRONG_VALUE,
        Verdict.SKIPPED,
    }


def test_an_altered_bundle_is_not_judged_again(tmp_path: Path) -> None:
    """Else its records would come out under hashes of their own, as if nothing had happened."""
    bundle = tmp_path / "bundle"
    shutil.copytree(COMMITTED, bundle)
    results = bundle / "results.jsonl"
    results.write_text(results.read_text().replace('"verdict":"passed"', '"verdict":"wrong_value"', 1))
    with pytest.raises(BundleError, match="altered"):
        rejudge_bundle(bundle, scaled(2.0), tmp_path / "out")
    assert not (tmp_path / "out").exists()
