"""Two bundles compared: changes that are real are found, noise is not, and what can't be compared is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.errors import UsageError
from kgb_core.models.case import Tier
from kgb_core.models.plan import SuiteRef
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict
from kgb_core.results.query import open_results
from kgb_core.scores.compare import Comparison, compare_runs
from kgb_core.scores.condition import Watch, failures, parse_condition
from kgb_core.scores.kernels import Fate, kernel_changes, rows_by_kernel
from kgb_core.scores.summary import summarise

Make = Callable[..., Record]
Write = Callable[..., Path]


def compared(before: Path, after: Path) -> Comparison:
    return compare_runs(open_results(before).runs, open_results(after).runs)


@pytest.fixture
def changed(tmp_path: Path, make_judged: Make, write_bundle: Write) -> Comparison:
    """One kernel became wrong, one right, one wrong in another way; one went, one came, one stayed."""
    before = [
        make_judged("a::breaks"),
        make_judged("a::mends", verdict=Verdict.WRONG_VALUE),
        make_judged("a::moves", verdict=Verdict.WRONG_VALUE),
        make_judged("a::goes"),
        make_judged("a::stays"),
    ]
    after = [
        make_judged("a::breaks", verdict=Verdict.COMPILE_ERROR, source="another"),
        make_judged("a::mends"),
        make_judged("a::moves", verdict=Verdict.CRASHED),
        make_judged("a::comes"),
        make_judged("a::stays"),
    ]
    return compared(write_bundle(tmp_path / "a", *before), write_bundle(tmp_path / "b", *after))


def test_every_kernel_has_its_fate(changed: Comparison) -> None:
    assert {change.operator: change.fate for change in changed.kernels} == {
        "a::breaks": Fate.WORSE,
        "a::mends": Fate.BETTER,
        "a::moves": Fate.OTHER,
        "a::goes": Fate.GONE,
        "a::comes": Fate.NEW,
        "a::stays": Fate.SAME,
    }
    (worse,) = [change for change in changed.kernels if change.fate is Fate.WORSE]
    assert (worse.before, worse.after, worse.same_source) == (Verdict.PASSED, Verdict.COMPILE_ERROR, False)
    assert "it is compile_error" in worse.message


def test_accuracy_is_paired(changed: Comparison) -> None:
    pair = changed.accuracy
    assert (pair.both, pair.only_first, pair.only_second, pair.neither) == (1, 1, 1, 1)


def timed(write: Write, make: Make, path: Path, candidate: float, baseline: float, **header: object) -> Path:
    return write(path, make(case="perf", times=(candidate, baseline)), **header)


def test_a_slower_kernel_is_found(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    after = timed(write_bundle, make_judged, tmp_path / "b", 11_000, 20_000)
    (change,) = compared(before, after).times
    assert change.real
    assert (change.relative, change.baseline) == (pytest.approx(1.1), pytest.approx(1.0))


def test_noise_is_none(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    after = timed(write_bundle, make_judged, tmp_path / "b", 10_001, 20_000)
    (change,) = compared(before, after).times
    assert not change.real


def test_a_slower_machine_is_no_slower_kernel(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    after = timed(write_bundle, make_judged, tmp_path / "b", 11_000, 22_000)
    (change,) = compared(before, after).times
    assert change.change.p_value < 1e-6
    assert not change.real
    assert change.relative == pytest.approx(1.0)


def test_a_kernel_that_stayed_while_the_machine_got_faster_is_slower(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    after = timed(write_bundle, make_judged, tmp_path / "b", 10_000, 18_000)
    assert compared(before, after).times[0].relative == pytest.approx(1 / 0.9)


def test_lost_raw_times_are_not_made_up(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    after = timed(write_bundle, make_judged, tmp_path / "b", 11_000, 20_000)
    for file in (after / "samples").iterdir():
        file.unlink()
    assert compared(before, after).times == ()


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"seed": 8}, "another seed: 7 and 8"),
        ({"suite": SuiteRef(name="smoke", hash="x")}, "another suite: smoke 3f9c21e0 and smoke x"),
        ({"tier": Tier.FULL}, "another tier: smoke and full"),
    ],
)
def test_another_question_is_not_compared_and_said(
    tmp_path: Path, make_judged: Make, write_bundle: Write, header: dict[str, object], why: str
) -> None:
    found = compared(
        write_bundle(tmp_path / "a", make_judged()), write_bundle(tmp_path / "b", make_judged(), **header)
    )
    assert (found.matched, found.kernels, found.times) == ((), (), ())
    assert {each.run: each.why for each in found.apart}["a"] == why
    assert len(found.apart) == 2


def test_another_chip_is_not_compared(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    other = make_judged(backend="other")
    found = compared(write_bundle(tmp_path / "a", make_judged()), write_bundle(tmp_path / "b", other))
    assert [each.why for each in found.apart] == [
        "the other side has no Model of chip",
        "the other side has no Model of other",
    ]


def test_a_model_under_another_number_is_compared_where_there_is_one(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    after = write_bundle(tmp_path / "b", make_judged(device=3))
    (match,) = compared(write_bundle(tmp_path / "a", make_judged()), after).matched
    assert (match.device, match.device_after) == ("chip:0", "chip:3")


def test_two_runs_of_one_device_leave_no_choice(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    once, twice = write_bundle(tmp_path / "a", make_judged()), write_bundle(tmp_path / "b", make_judged())
    after = write_bundle(tmp_path / "c", make_judged())
    found = compare_runs(open_results(once, twice).runs, open_results(after).runs)
    assert found.matched == ()
    assert all("several runs" in each.why for each in found.apart)


def test_versions_that_differ_are_told(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = write_bundle(tmp_path / "a", make_judged(), environment={"driver": "1", "os": "L"})
    after = write_bundle(tmp_path / "b", make_judged(), environment={"driver": "2", "os": "L"})
    assert compared(before, after).matched[0].differences == ("driver 1 -> 2",)


def test_packs_tell_kernels_apart_only_where_there_are_several(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    renamed = write_bundle(tmp_path / "b", make_judged(pack="second"))
    found = compared(write_bundle(tmp_path / "a", make_judged(pack="first")), renamed)
    assert [change.fate for change in found.kernels] == [Fate.SAME]
    both = [make_judged(pack="first"), make_judged("a::two", pack="second")]
    found = compared(write_bundle(tmp_path / "c", *both), renamed)
    assert sorted(change.fate for change in found.kernels) == [Fate.GONE, Fate.GONE, Fate.NEW]


@given(
    verdicts=st.lists(
        st.tuples(
            st.sampled_from([Verdict.PASSED, Verdict.CRASHED, Verdict.UNSUPPORTED, None]),
            st.sampled_from([Verdict.PASSED, Verdict.CRASHED, Verdict.UNSUPPORTED, None]),
        )
    )
)
def test_swapping_the_sides_swaps_the_fates(
    make_judged: Make, verdicts: list[tuple[Verdict | None, Verdict | None]]
) -> None:
    sides = [
        rows_by_kernel(
            summarise(
                make_judged(f"a::op{number}", verdict=pair[side])
                for number, pair in enumerate(verdicts)
                if pair[side] is not None
            ).rows,
            packed=False,
        )
        for side in (0, 1)
    ]
    there = [change.fate for change in kernel_changes(sides[0], sides[1])]
    back = [change.fate for change in kernel_changes(sides[1], sides[0])]
    swapped = {Fate.WORSE: Fate.BETTER, Fate.BETTER: Fate.WORSE, Fate.GONE: Fate.NEW, Fate.NEW: Fate.GONE}
    assert back == [swapped.get(fate, fate) for fate in there]


def test_conditions_are_read() -> None:
    assert [parse_condition(text).watch for text in ("worse", "slower", "accuracy:1%")] == [
        Watch.WORSE,
        Watch.SLOWER,
        Watch.ACCURACY,
    ]
    assert parse_condition("slower:2.5%").limit == 2.5


@pytest.mark.parametrize("text", ["", "faster", "slower:5", "slower:-5%", "worse:5%", "slower:5%x"])
def test_no_condition_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="no condition"):
        parse_condition(text)


def test_worse_and_accuracy_fail_where_something_broke(changed: Comparison) -> None:
    assert list(failures(parse_condition("worse"), changed)) == [
        "worse: a::breaks a__breaks on chip:0 is compile_error",
        "worse: a::goes a__goes on chip:0 is gone",
    ]
    assert list(failures(parse_condition("accuracy"), changed)) == []  # one broke, one was mended


def test_an_interrupted_run_does_not_pass_for_as_good(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    before = write_bundle(tmp_path / "a", make_judged("a::one"), make_judged("a::two"))
    after = write_bundle(tmp_path / "b", make_judged("a::one"), planned=[make_judged("a::two")])
    found = compared(before, after)
    assert list(failures(parse_condition("worse"), found)) == ["worse: a::two a__two on chip:0 is undecided"]


def test_accuracy_fails_above_its_limit(tmp_path: Path, make_judged: Make, write_bundle: Write) -> None:
    before = [make_judged(f"a::op{number}") for number in range(10)]
    after = [make_judged("a::op0", verdict=Verdict.CRASHED), *before[1:]]
    found = compared(write_bundle(tmp_path / "a", *before), write_bundle(tmp_path / "b", *after))
    assert list(failures(parse_condition("accuracy:9%"), found)) == [
        "accuracy:9%: 10.0 percentage points down over 10 kernels"
    ]
    assert list(failures(parse_condition("accuracy:10%"), found)) == []


def test_slower_fails_above_its_limit_and_only_for_what_is_real(
    tmp_path: Path, make_judged: Make, write_bundle: Write
) -> None:
    before = timed(write_bundle, make_judged, tmp_path / "a", 10_000, 20_000)
    slower = timed(write_bundle, make_judged, tmp_path / "b", 11_000, 20_000)
    noisy = timed(write_bundle, make_judged, tmp_path / "c", 11_000, 20_000, spread=2000)
    (line,) = failures(parse_condition("slower:5%"), compared(before, slower))
    assert line.endswith("perf: 10.0 % slower")
    assert list(failures(parse_condition("slower:12%"), compared(before, slower))) == []
    assert list(failures(parse_condition("slower:5%"), compared(before, noisy))) == []
