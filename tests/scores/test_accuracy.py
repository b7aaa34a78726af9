"""Accuracy: which operators are in the denominator, and that nothing raises the share by leaving."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from kgb_core.models.plan import PlannedCase
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.scores.accuracy import accuracy_of
from kgb_core.scores.row import Row
from kgb_core.scores.summary import summarise

Make = Callable[..., Record]


def rows(*records: Record, missing: tuple[Record, ...] = ()) -> tuple[Row, ...]:
    planned = [
        PlannedCase(
            uid=each.uid,
            operator=each.operator,
            case=each.case,
            candidate=each.candidate,
            device=f"{each.backend.name}:{each.device.index}",
        )
        for each in missing
    ]
    return summarise(records, planned, run="r").rows


def test_the_worked_example(make_judged: Make) -> None:
    found = accuracy_of(
        rows(
            make_judged("a::right"),
            make_judged("a::wrong", verdict=Verdict.WRONG_VALUE),
            make_judged("b::absent", verdict=Verdict.UNSUPPORTED, message="no fp64"),
            missing=(make_judged("b::later"),),
        )
    )
    assert (found.operators.count, found.operators.total) == (1, 3)
    assert [(each.operator, each.verdict, each.reason) for each in found.left_out] == [
        ("b::absent", Verdict.UNSUPPORTED, "no fp64")
    ]
    assert found.unfinished == ("b::later",)
    assert {each.name: (each.operators.count, each.operators.total) for each in found.sources} == {
        "a": (1, 2),
        "b": (0, 1),
    }


def test_one_right_sample_of_several_makes_the_operator_right(make_judged: Make) -> None:
    found = accuracy_of(rows(make_judged(name="k1", verdict=Verdict.CRASHED), make_judged(name="k2")))
    assert (found.operators.count, found.operators.total) == (1, 1)
    assert (found.kernels.count, found.kernels.total) == (1, 2)


def test_an_open_sample_keeps_an_operator_undecided_but_counted(make_judged: Make) -> None:
    found = accuracy_of(
        rows(make_judged(name="k1", verdict=Verdict.CRASHED), missing=(make_judged(name="k2"),))
    )
    assert (found.operators.count, found.operators.total, found.unfinished) == (0, 1, ("a::one",))


def test_operators_of_the_suite_without_a_kernel_are_not_right(make_judged: Make) -> None:
    some = rows(make_judged("a::right"), make_judged("a::absent", verdict=Verdict.UNSUPPORTED))
    found = accuracy_of(some, {"a::right", "a::absent", "a::nobody"})
    assert found.suite is not None
    assert (found.suite.count, found.suite.total) == (1, 2)
    assert accuracy_of(some).suite is None


outcomes = st.lists(st.sampled_from([Verdict.PASSED, Verdict.WRONG_VALUE, Verdict.UNSUPPORTED]), min_size=1)


@given(verdicts=outcomes, data=st.data())
def test_stopping_early_never_raises_the_share(
    make_judged: Make, verdicts: list[Verdict], data: st.DataObject
) -> None:
    records = [make_judged(f"a::op{number}", verdict=verdict) for number, verdict in enumerate(verdicts)]
    cut = data.draw(st.integers(0, len(verdicts)))
    whole = accuracy_of(rows(*records))
    part = accuracy_of(rows(*records[:cut], missing=tuple(records[cut:])))
    assert part.operators.count <= whole.operators.count
    assert part.operators.total >= whole.operators.total
    assert part.operators.total + len(part.left_out) == len(verdicts)
