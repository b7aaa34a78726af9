"""`kgb compare`: what it prints, and its exit code for continuous integration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kgb_core.errors import ExitCode
from kgb_core.models.record import Record
from kgb_core.models.verdict import Verdict

Kgb = Callable[..., Any]
Make = Callable[..., Record]
Write = Callable[..., Path]


@pytest.fixture
def before(tmp_path: Path, make_judged: Make, write_bundle: Write) -> str:
    records = [make_judged("a::one", case="perf", times=(10_000, 20_000)), make_judged("a::two")]
    return str(write_bundle(tmp_path / "run-a", *records, environment={"driver": "1"}))


@pytest.fixture
def after(tmp_path: Path, make_judged: Make, write_bundle: Write) -> str:
    records = [
        make_judged("a::one", case="perf", times=(11_000, 20_000)),
        make_judged("a::two", verdict=Verdict.CRASHED, source="another"),
    ]
    return str(write_bundle(tmp_path / "run-b", *records, environment={"driver": "2"}))


def test_what_changed_is_said(kgb: Kgb, before: str, after: str) -> None:
    ended = kgb("compare", before, after)
    assert ended.code == ExitCode.OK
    for part in (
        "chip:0 (Model of chip): run-a and run-b",
        "differs: driver 1 -> 2",
        "a::two  chip:0  worse, new source  passed  crashed  c0: it is crashed",
        "a::one  chip:0  perf  10 µs   11 µs  +10.0 % (+",
        "2 kernels: 1 worse, 0 better, 0 wrong in another way, 1 the same.",
        "Right before 2, after 1, of 2 that both decide; p = 1 (McNemar).",
        "1 timed case: 1 slower and 0 faster by more than noise.",
        "Mean over 1 kernel: +10.0 %.",
    ):
        assert part in ended.out, part


def test_a_bundle_compared_with_itself_is_the_same(kgb: Kgb, before: str) -> None:
    ended = kgb(
        "compare", before, before, "--fail-if", "worse", "--fail-if", "slower", "--fail-if", "accuracy"
    )
    assert ended.code == ExitCode.OK
    assert "2 kernels: 0 worse, 0 better, 0 wrong in another way, 2 the same." in ended.out
    assert "0 slower and 0 faster" in ended.out


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        (["worse"], 1),
        (["slower:5%"], 1),
        (["accuracy:1%"], 1),
        (["slower:20%"], 0),
        (["accuracy:50%", "slower:20%"], 0),
        (["slower:20%", "worse"], 1),
    ],
)
def test_conditions_decide_the_exit_code(
    kgb: Kgb, before: str, after: str, conditions: list[str], code: int
) -> None:
    options = [part for condition in conditions for part in ("--fail-if", condition)]
    ended = kgb("compare", before, after, *options)
    assert ended.code == code
    assert bool(ended.err) == bool(code)


def test_json_is_what_its_schema_says(kgb: Kgb, before: str, after: str) -> None:
    ended = kgb("compare", before, after, "--fail-if", "worse", "--json")
    assert ended.code == ExitCode.FAILED
    Draft202012Validator(kgb("schema", "compare").json).validate(ended.json)
    assert ended.json["failed"] == ["worse: a::two a__two on chip:0 is crashed"]
    assert [change["fate"] for change in ended.json["kernels"]] == ["same", "worse"]


def test_nothing_that_can_be_compared_is_5_and_says_why(
    kgb: Kgb, tmp_path: Path, before: str, make_judged: Make, write_bundle: Write
) -> None:
    other = write_bundle(tmp_path / "run-c", make_judged(), seed=8)
    ended = kgb("compare", before, str(other))
    assert (ended.code, ended.out) == (ExitCode.NOTHING_SELECTED, "")
    assert "another seed: 7 and 8" in ended.err
    assert "--seed" in ended.err


def test_an_unknown_condition_is_a_usage_error(kgb: Kgb, before: str) -> None:
    ended = kgb("compare", before, before, "--fail-if", "faster")
    assert ended.code == ExitCode.USAGE
    assert "known: worse, slower:5%, accuracy:1%" in ended.err
