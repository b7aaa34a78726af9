"""Summaries: what counts, what is right, and how sure one can be."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models.device import Capabilities, Capability, Device, Support
from kgb_core.models.manifest import System, SystemDevice
from kgb_core.models.plan import PlannedCase
from kgb_core.models.record import CandidateRef, CaseRef, Evidence, Record
from kgb_core.models.timing import Interval, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.report.table import closing_line
from kgb_core.scores.proportion import proportion
from kgb_core.scores.speedup import Speedup, speedup_of
from kgb_core.scores.summary import summarise

Make = Callable[..., Record]


def missing(record: Record) -> PlannedCase:
    device = f"{record.backend.name}:{record.device.index}"
    return PlannedCase(
        uid=record.uid, operator=record.operator, case=record.case, candidate=record.candidate, device=device
    )


def test_cases_that_are_not_the_candidates_leave_the_denominator(make_record: Make) -> None:
    verdicts = [Verdict.PASSED, Verdict.UNSUPPORTED, Verdict.HARNESS_ERROR, Verdict.SKIPPED]
    (row,) = summarise([make_record(f"u{i}", verdict=verdict) for i, verdict in enumerate(verdicts)]).rows
    assert (row.passed, row.counted, row.verdict, row.right) == (1, 1, Verdict.PASSED, True)


def test_one_counted_failure_makes_it_wrong_and_the_worst_is_shown(make_record: Make) -> None:
    verdicts = [
        Verdict.PASSED,
        Verdict.WRONG_VALUE,
        Verdict.WRONG_VALUE,
        Verdict.FALLBACK,
        Verdict.UNSUPPORTED,
    ]
    records = [make_record(f"u{i}", verdict=v, message=f"message {i}") for i, v in enumerate(verdicts)]
    (row,) = summarise(records).rows
    assert (row.passed, row.counted, row.verdict, row.right) == (1, 4, Verdict.FALLBACK, False)
    assert [(found.verdict, found.count) for found in row.verdicts] == [
        (Verdict.FALLBACK, 1),
        (Verdict.WRONG_VALUE, 2),
        (Verdict.UNSUPPORTED, 1),
        (Verdict.PASSED, 1),
    ]
    assert row.verdicts[1].message == "message 1"


def test_nothing_that_counts_is_neither_right_nor_wrong(make_record: Make) -> None:
    summary = summarise([make_record("u0", verdict=Verdict.UNSUPPORTED)])
    (row,), (total,) = summary.rows, summary.totals
    assert (row.right, row.decided, row.verdict) == (False, False, Verdict.UNSUPPORTED)
    assert (total.operators.total, total.operators.share, total.unjudged) == (0, None, 1)


def test_missing_cases_leave_it_undecided_until_one_fails(make_record: Make) -> None:
    open_case = missing(make_record("u9"))
    (row,) = summarise([make_record("u0")], [open_case]).rows
    assert (row.right, row.decided, row.missing) == (False, False, 1)
    summary = summarise([make_record("u0", verdict=Verdict.CRASHED)], [open_case])
    assert summary.rows[0].decided
    assert summary.totals[0].unfinished == 0
    (total,) = summarise([], [open_case]).totals
    assert (total.unfinished, total.operators.total) == (1, 0)


def test_an_operator_is_right_if_one_of_its_samples_is(make_record: Make) -> None:
    bad = CandidateRef(name="b", sha256="0" * 64, pack="mine")
    records = [make_record("u0"), make_record("u1", candidate=bad, verdict=Verdict.CRASHED)]
    (total,) = summarise(records).totals
    assert (total.operators.count, total.operators.total) == (1, 1)
    assert (total.kernels.count, total.kernels.total) == (1, 2)


def test_a_device_whose_times_mean_nothing_says_why(make_record: Make, system: System) -> None:
    record = make_record("u0")
    table = {"timing": Capability(support=Support.UNSUPPORTED, reason="it is no chip")}
    device = SystemDevice(
        backend=record.backend, device=record.device, capabilities=Capabilities(table=table)
    )
    known = system.model_copy(update={"devices": (device,)})
    (total,) = summarise([record], system=known).totals
    assert closing_line(total).endswith("Not timed: it is no chip.")
    assert summarise([record], system=system).totals[0].untimed == ""


def test_devices_are_kept_apart(make_record: Make) -> None:
    other = Device(index=1, name="Chip 1")
    summary = summarise([make_record("u0"), make_record("u1", device=other, verdict=Verdict.CRASHED)])
    assert {total.device: total.operators.count for total in summary.totals} == {"chip:0": 1, "chip:1": 0}


def test_wilson_interval_of_the_example() -> None:
    found = proportion(28, 29)
    assert found.interval is not None
    assert found.share == pytest.approx(0.9655, abs=1e-4)
    assert (found.interval.low, found.interval.high) == (
        pytest.approx(0.828, abs=5e-4),
        pytest.approx(0.994, abs=5e-4),
    )


@given(st.integers(0, 400), st.integers(1, 400))
def test_the_interval_holds_the_share_and_agrees_with_the_formula(count: int, total: int) -> None:
    count = min(count, total)
    found = proportion(count, total)
    assert found.share is not None
    assert found.interval is not None
    assert 0 <= found.interval.low <= found.share <= found.interval.high <= 1
    z = 1.959963984540054
    p = count / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    assert found.interval.low == pytest.approx(max(0.0, middle - half), abs=1e-9)
    assert found.interval.high == pytest.approx(min(1.0, middle + half), abs=1e-9)


def timed(
    make_record: Make, timing: Timing, uid: str = "u0", weight: float = 1.0, **changes: object
) -> Record:
    record = make_record(uid, timing=timing, **changes)
    case: CaseRef = record.case.model_copy(update={"weight": weight})
    return record.model_copy(update={"case": case})


def test_speedup_is_the_weighted_geometric_mean(
    make_record: Make, make_timing: Callable[..., Timing]
) -> None:
    records = [
        timed(make_record, make_timing(1000, 8000), "u0", weight=1.0),
        timed(make_record, make_timing(1000, 1000, overhead_bound=True), "u1", weight=2.0),
    ]
    found = speedup_of(records)
    assert found is not None
    assert found.value == pytest.approx(2.0)
    assert (found.cases, found.overhead_bound) == (2, 1)
    assert found.interval is not None
    assert found.interval.low < 2.0 < found.interval.high


def test_one_case_keeps_its_own_interval(make_record: Make, make_timing: Callable[..., Timing]) -> None:
    found = speedup_of([timed(make_record, make_timing(1000, 2000))])
    assert found is not None
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (pytest.approx(1.96), pytest.approx(2.04))


@pytest.mark.parametrize(
    "changes",
    [
        {"speedup": None},
        {"invalid": "below the floor"},
        {"speedup": float("nan")},
        {"speedup": float("inf")},
        {"speedup": 0.0},
        {"speedup": -1.0},
    ],
)
def test_what_is_no_speedup_is_left_out(
    make_record: Make, make_timing: Callable[..., Timing], changes: dict[str, object]
) -> None:
    assert speedup_of([timed(make_record, make_timing(**changes))]) is None
    both = [timed(make_record, make_timing(**changes)), timed(make_record, make_timing(1000, 4000), "u1")]
    found = speedup_of(both)
    assert found is not None
    assert (found.value, found.cases) == (pytest.approx(4.0), 1)


def test_a_failure_has_no_speedup(make_record: Make, make_timing: Callable[..., Timing]) -> None:
    assert speedup_of([timed(make_record, make_timing(), verdict=Verdict.WRONG_VALUE)]) is None


def test_an_unusable_interval_is_none(make_record: Make, make_timing: Callable[..., Timing]) -> None:
    for interval in (None, Interval(low=float("nan"), high=2.0), Interval(low=0.0, high=2.0)):
        found = speedup_of([timed(make_record, make_timing(speedup_interval=interval))])
        assert found == Speedup(value=2.0, interval=None, cases=1, overhead_bound=0) or (
            found is not None and found.interval is None
        )


def test_views_are_counted_among_the_passed(make_record: Make) -> None:
    view = Evidence(view=True)
    records = [
        make_record("u0", kind="view", evidence=view),
        make_record("u1", kind="view"),
        make_record("u2", kind="view", evidence=view, verdict=Verdict.WRONG_VALUE),
    ]
    assert summarise(records).rows[0].views == 1
